#!/usr/bin/env bash
# Builds the source archive of the Python package from what is in version control: dist/disc_features-VERSION.tar.gz.
#
#   tools/sdist.sh [PYTHON]      PYTHON: one that has scikit-build-core, default build/python-env's
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
python=${1:-$root/build/python-env/bin/python}
clean=$(mktemp -d)
trap 'rm -rf "$clean"' EXIT

# Files that are tracked, as they are now: what lies around besides must not be needed.
git ls-files -z | while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
  tar --null --files-from=- -c | tar -x -C "$clean"
# The report page, so that the archive can be built without node.
[ ! -f build/report/report.html ] || { mkdir -p "$clean/report/dist" && cp build/report/report.html "$clean/report/dist/"; }
mkdir -p dist
rm -f dist/disc_features-*.tar.gz
cd "$clean"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)} "$python" -c '
import sys
from scikit_build_core.build import build_sdist
build_sdist(sys.argv[1])' "$root/dist" >/dev/null
