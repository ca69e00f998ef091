#!/usr/bin/env bash
# Builds the R package: dist/discfeatures_VERSION.tar.gz, and where dist/ holds the static program of this machine, a second one that
# brings it along and is found in place of one on the search path.
#
#   tools/r_package.sh
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^Version: //p' r/DESCRIPTION)
place=$PWD/build/r/package
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
archive=$(find "$PWD/dist" -name "disc-$version-linux-$(uname -m).tar.xz" -print -quit 2>/dev/null || true)

pack() { # NAME OF THE FILE IN dist/
  # The vignette is made anew by those who install: it needs the program.
  (cd "$place" && R CMD build --no-build-vignettes --no-manual discfeatures >build.log 2>&1) || { cat "$place/build.log" >&2; exit 1; }
  # R writes down when and by whom it was packed; here the same commit gives the same bytes.
  rm -rf "$place/packed"
  mkdir "$place/packed"
  tar -xzf "$place/discfeatures_$version.tar.gz" -C "$place/packed"
  sed -i "s/^Packaged: .*/Packaged: $(date -u -d "@$epoch" '+%Y-%m-%d %H:%M:%S UTC'); disc/" "$place/packed/discfeatures/DESCRIPTION"
  tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r-w --mtime="@$epoch" -C "$place/packed" -c discfeatures | gzip -9n >"dist/$1"
  ls -sh "dist/$1"
}

mkdir -p dist
rm -rf "$place"
mkdir -p "$place"
cp -r r "$place/discfeatures"
pack "discfeatures_$version.tar.gz"
if [ -n "$archive" ]; then
  mkdir -p "$place/discfeatures/inst/bin"
  tar -xJf "$archive" -C "$place/discfeatures/inst" --strip-components=1 --wildcards '*/disc' '*/NOTICE'
  mv "$place/discfeatures/inst/disc" "$place/discfeatures/inst/bin/"
  pack "discfeatures_${version}_linux-$(uname -m).tar.gz"
fi
