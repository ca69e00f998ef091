#!/usr/bin/env bash
# Builds the source archive of the Python package from what is in version control, and the wheel from that archive: dist/.
#
#   tools/wheel.sh [PREFIX]      PREFIX: where the engine is installed already; without it, it is compiled from the archive
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
pip=$root/build/python-env/bin/pip
clean=$(mktemp -d)
trap 'rm -rf "$clean"' EXIT

# Files that are tracked, as they are now: what lies around besides must not be needed.
git ls-files -z | while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
  tar --null --files-from=- -c | tar -x -C "$clean"
# The report page, so that the archive can be built without node.
[ ! -f build/report/report.html ] || { mkdir -p "$clean/report/dist" && cp build/report/report.html "$clean/report/dist/"; }
mkdir -p dist
rm -f dist/disc_features-*
(cd "$clean" && "$root/build/python-env/bin/python" -c '
import sys
from scikit_build_core.build import build_sdist
build_sdist(sys.argv[1])' "$root/dist" >/dev/null)
settings=()
[ $# -eq 0 ] || settings=("--config-settings=cmake.define.disc_ROOT=$(realpath "$1")")
"$pip" wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps "${settings[@]}" --wheel-dir dist dist/disc_features-*.tar.gz
ls -sh dist/disc_features-*
