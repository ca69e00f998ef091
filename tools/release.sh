#!/usr/bin/env bash
# Builds what is given out into dist/, from a clean checkout: source archives of the project and of the Python package, wheels, the static
# program, the R package, checksums, and a list of what is inside (SPDX). Wheels and program are tried where nothing of ours is installed.
#
#   tools/release.sh
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}

if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
  echo "release: there are changes that are not committed; what is given out is made from a commit" >&2
  exit 2
fi
"$python" tools/check_versions.py
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
rm -rf dist
tools/wheels.sh
tools/check_wheels.sh
mv dist/wheels/*.whl dist/ && rm -r dist/wheels
tools/archive_linux.sh
tools/check_archive.sh
tools/archive.sh >/dev/null && mv build/disc-*.tar.gz dist/
tools/r_package.sh
"$python" tools/sbom.py dist/disc.spdx.json
(cd dist && rm -f ./*.sha256 && sha256sum -- * >SHA256SUMS)
cat dist/SHA256SUMS
