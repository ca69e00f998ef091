#!/usr/bin/env bash
# Whether the program of tools/archive_linux.sh runs where there is nothing else: in a folder that holds the program and its data, as the
# root of the file system. Without the rights for that, says so and leaves it out.
#
#   tools/check_archive.sh [PROGRAM]     default: that of dist/disc-VERSION-linux-ARCH.tar.xz
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
if [ $# -gt 0 ]; then
  cp "$1" "$place/disc"
else
  archive=$(find dist -name "disc-*-linux-$(uname -m).tar.xz" | head -n 1)
  [ -n "$archive" ] || { echo "check_archive: there is no archive in dist; tools/archive_linux.sh makes it" >&2; exit 1; }
  (cd dist && sha256sum --check --quiet "$(basename "$archive").sha256")
  tar -xJf "$archive" -C "$place" --strip-components=1 --wildcards '*/disc'
fi

needs=$(readelf -d "$place/disc" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
[ -z "$needs" ] || { echo "check_archive: the program needs $needs" >&2; exit 1; }
# As the programs of dynamic linkers see it.
{ ldd "$place/disc" 2>&1 || true; } | sed 's/^[[:space:]]*/ldd: /'

enter=(chroot)
[ "$(id -u)" -eq 0 ] || enter=(unshare --map-root-user chroot)
if ! "${enter[@]}" "$place" /disc --version >"$place/version" 2>/dev/null; then
  [ "$(id -u)" -ne 0 ] || { echo "check_archive: the program does not start in an empty folder" >&2; exit 1; }
  echo "check_archive: skipped, this user may not change the root of the file system"
  exit 0
fi
disc() { "${enter[@]}" "$place" /disc "$@"; }
disc simulate newly-connected --samples 60 --seed 1 -o /data >"$place/log"
disc run /data/A.npy /data/B.npy -o /out --permutations 99 >"$place/log" 2>&1 || { cat "$place/log" >&2; exit 1; }
disc inspect /data/A.npy >"$place/log"
[ "$(stat -c %s "$place/out/report.html")" -gt 100000 ]
grep -q '^B' "$place/out/groups.tsv"
disc simulate scene --features 900 --seed 1 -o /scene >"$place/log"
"${PYTHON:-/usr/bin/python3}" tools/scene_tif.py "$place/scene"
disc run /scene/A.tif /scene/B.tif -o /out_scene --permutations 19 >"$place/log" 2>&1 || { cat "$place/log" >&2; exit 1; }
disc inspect /out_scene/maps.tif >"$place/log"
# The same numbers as those of the program that is linked in the usual way, where it was built.
if [ -x build/release/disc ]; then
  build/release/disc run "$place/data/A.npy" "$place/data/B.npy" -o "$place/usual" --permutations 99 >"$place/log" 2>&1
  cmp "$place/out/groups.tsv" "$place/usual/groups.tsv"
  build/release/disc run "$place/scene/A.tif" "$place/scene/B.tif" -o "$place/usual_scene" --permutations 19 >"$place/log" 2>&1
  cmp "$place/out_scene/features.tsv" "$place/usual_scene/features.tsv"
fi
echo "check_archive: $(head -n 1 "$place/version") runs in a folder with nothing but itself and its data; groups, report and maps of a GeoTIFF scene are there"
