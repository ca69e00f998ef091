#!/usr/bin/env bash
# Builds libraries that a portable program carries inside, as static ones and without what it does not use (TLS, other compressions), from
# Debian's source packages, which apt checks. Done once; kept in build/parts.
#
#   tools/static_parts.sh NAME PART...       PART: libzip; into build/parts/NAME, with the compiler CC (default: that of the system)
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
prefix=$root/build/parts/$1
sources=$root/build/parts/sources
shift
[ "$(cat "$prefix/complete" 2>/dev/null)" != "$*" ] || exit 0
mkdir -p "$prefix" "$sources"

# The system's own sources of packages, asked for source code; its settings stay as they are.
fetch() {
  local state=$sources/apt
  mkdir -p "$state/lists/partial" "$state/sources.list.d"
  sed -s 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$state/sources.list.d/debian.sources"
  local options=(-qq -o Dir::State::lists="$state/lists" -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$state/sources.list.d" -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update
  (cd "$sources" && apt-get "${options[@]}" source "$@")
  rm -rf "$state"
}

build() { # FOLDER SETTING...
  local folder=$1
  shift
  mkdir -p "$prefix/build/$folder"
  cd "$prefix/build/$folder"
  cmake -G Ninja -S "$sources"/$folder -B "$prefix/build/$folder" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-w -DCMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG" -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF -DCMAKE_FIND_ROOT_PATH="$prefix" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "$@" >"$prefix/$folder.log" 2>&1 &&
    cmake --build "$prefix/build/$folder" >>"$prefix/$folder.log" 2>&1 && cmake --install "$prefix/build/$folder" >>"$prefix/$folder.log" 2>&1 ||
    { tail -n 20 "$prefix/$folder.log" >&2; echo "static_parts: $folder was not built" >&2; exit 1; }
  cd "$root"
}

folder() { (cd "$sources" && find . -maxdepth 1 -type d -name "$1-*" -printf '%f\n' | head -n 1); }

libzip() {
  build "$(folder libzip)" -DENABLE_COMMONCRYPTO=OFF -DENABLE_GNUTLS=OFF -DENABLE_MBEDTLS=OFF -DENABLE_OPENSSL=OFF -DENABLE_BZIP2=OFF -DENABLE_LZMA=OFF -DENABLE_ZSTD=OFF \
    -DBUILD_TOOLS=OFF -DBUILD_REGRESS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_DOC=OFF
}

for part in "$@"; do [ -n "$(folder "$part")" ] || fetch "$part"; done
for part in "$@"; do "$part"; done
rm -rf "$prefix/build"
echo "$*" >"$prefix/complete"
