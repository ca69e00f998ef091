#!/usr/bin/env bash
# Builds what is given out into dist/, from a clean checkout: source archives of the project and of the Python package, the static program,
# the R package, checksums, and a list of what is inside (SPDX).
#
#   tools/release.sh
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
env=build/release-env

if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
  echo "release: there are changes that are not committed; what is given out is made from a commit" >&2
  exit 2
fi
"$python" tools/check_versions.py
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
[ -x "$env/bin/twine" ] || { "$python" -m venv "$env" && "$env/bin/pip" install --quiet --disable-pip-version-check 'scikit-build-core>=0.10' twine; }

rm -rf dist
tools/sdist.sh "$PWD/$env/bin/python"
"$env/bin/twine" check --strict dist/disc_features-*.tar.gz
tools/archive_linux.sh
tools/archive.sh >/dev/null && mv build/disc-*.tar.gz dist/
tools/r_package.sh
"$python" tools/sbom.py dist/disc.spdx.json
(cd dist && rm -f ./*.sha256 && sha256sum -- * >SHA256SUMS)
cat dist/SHA256SUMS
