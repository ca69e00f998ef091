#!/usr/bin/env bash
# Builds libraries that portable programs and packages carry inside, as static ones and without what they do not use (TLS, network, other
# compressions), from Debian's source packages, which apt checks. Done once; kept in build/parts.
#
#   tools/static_parts.sh        libzip, HDF5 and libtiff, into build/parts/system
#
# They fit into shared libraries, which Debian's own static HDF5 does not; zlib, libaec, OpenBLAS and LAPACKE are taken from Debian.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
prefix=$root/build/parts/system
sources=$root/build/parts/sources
parts=(libzip hdf5 tiff)
[ "$(cat "$prefix/complete" 2>/dev/null)" != "${parts[*]}" ] || exit 0
mkdir -p "$prefix" "$sources"
launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)

# The system's own sources of packages, asked for source code; its settings stay as they are.
fetch() {
  local state=$sources/apt
  mkdir -p "$state/lists/partial" "$state/sources.list.d"
  if [ -f /etc/apt/sources.list.d/debian.sources ]; then
    sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$state/sources.list.d/debian.sources"
  else
    sed -n 's/^deb\( .*\)/deb-src\1/p' /etc/apt/sources.list >"$state/sources.list.d/debian.list"
  fi
  local options=(-qq -o Dir::State::lists="$state/lists" -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$state/sources.list.d" -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update
  (cd "$sources" && apt-get "${options[@]}" source "$@") >"$sources/fetch.log" 2>&1 || { cat "$sources/fetch.log" >&2; exit 1; }
  rm -rf "$state"
}

build() { # FOLDER SETTING...
  local folder=$1
  shift
  local place=$prefix/build/$folder log=$prefix/$folder.log
  mkdir -p "$place"
  # From there, because HDF5's settings come from programs that write into the folder where they are.
  { cd "$place" && cmake -G Ninja -S "$sources/$folder" -B "$place" "${launcher[@]}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="-w -ffile-prefix-map=$sources=." -DCMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG" \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "$@" &&
    cmake --build "$place" && cmake --install "$place"; } >"$log" 2>&1 || { tail -n 20 "$log" >&2; echo "static_parts: $folder was not built" >&2; exit 1; }
  cd "$root"
}

folder() { (cd "$sources" && find . -maxdepth 1 -type d -name "$1-*" -printf '%f\n' | head -n 1); }

libzip() {
  build "$(folder libzip)" -DENABLE_COMMONCRYPTO=OFF -DENABLE_GNUTLS=OFF -DENABLE_MBEDTLS=OFF -DENABLE_OPENSSL=OFF -DENABLE_BZIP2=OFF -DENABLE_LZMA=OFF -DENABLE_ZSTD=OFF \
    -DBUILD_TOOLS=OFF -DBUILD_REGRESS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_DOC=OFF
}

hdf5() {
  build "$(folder hdf5)" -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_BUILD_FORTRAN=OFF -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_ENABLE_ROS3_VFD=OFF \
    -DHDF5_EXTERNALLY_CONFIGURED=ON -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DHDF5_ENABLE_SZIP_SUPPORT=ON -DHDF5_ENABLE_SZIP_ENCODING=ON
}

tiff() {
  build "$(folder tiff)" -Dzlib=ON -Djbig=OFF -Djpeg=OFF -Dold-jpeg=OFF -Dlerc=OFF -Dlibdeflate=OFF -Dlzma=OFF -Dpixarlog=OFF -Dwebp=OFF -Dzstd=OFF -Dcxx=OFF \
    -Dtiff-tools=OFF -Dtiff-tests=OFF -Dtiff-contrib=OFF -Dtiff-docs=OFF
}

for part in "${parts[@]}"; do
  [ -n "$(folder "$part")" ] || fetch "$part"
  "$part"
done
rm -rf "$prefix/build"
echo "${parts[*]}" >"$prefix/complete"
