#!/usr/bin/env bash
# The program as a single file that needs nothing but a Linux kernel: dist/disc-VERSION-linux-x86_64.tar.xz and its checksum.
#
#   tools/archive_linux.sh
set -euo pipefail
cd "$(dirname "$0")/.."
place=build/archive
settings=()
version=$(sed -n 's/^project(disc VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=disc-$version-linux-$(uname -m)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

tools/static_parts.sh
mkdir -p "$place"
# Configured anew: the target is there once its libraries are.
[ -f build/release/build.ninja ] || settings=(-DDISC_BUILD_TESTS=OFF)
tools/build.sh "${settings[@]}" -DDISC_STATIC=ON release disc_static

program=build/release/disc_static
needs=$(readelf -d "$program" | grep NEEDED || true)
[ -z "$needs" ] || { printf 'archive_linux: the program is not static:\n%s\n' "$needs" >&2; exit 1; }

staged=$place/$name
rm -rf "$staged"
mkdir -p "$staged"
cp "$program" "$staged/disc"
cp LICENSE CITATION.cff docs/cli.md "$staged/"
"$program" man >"$staged/disc.1"
for shell in bash zsh fish; do "$program" completion "$shell" >"$staged/completion.$shell"; done
tools/licences.sh "$staged/NOTICE" page headers hdf5-debian libzip tiff zlib-debian openblas gcc glibc
cat >"$staged/README.txt" <<END
DiSC $version for Linux on $(uname -m): one program without other files. Put disc into a folder of your PATH, such as ~/.local/bin.

  ./disc run control.csv treated.csv -o out/
  ./disc run --help

cli.md describes every option, disc.1 is the manual page, completion.* make a shell complete commands and options, NOTICE has the licences of what is
inside.
END
mkdir -p dist
# Names, times and owners do not depend on who packs it.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -C "$place" -c "$name" | xz -9 -T1 >"dist/$name.tar.xz"
(cd dist && sha256sum "$name.tar.xz" >"$name.tar.xz.sha256")
ls -sh "dist/$name.tar.xz"
