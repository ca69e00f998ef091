#!/usr/bin/env bash
# Builds the source archive of the Python package from what is in version control, and the wheel from that archive: dist/.
#
#   tools/wheel.sh [PREFIX]      PREFIX: where the engine is installed already; without it, it is compiled from the archive
set -euo pipefail
cd "$(dirname "$0")/.."
rm -f dist/disc_features-*
tools/sdist.sh
settings=()
[ $# -eq 0 ] || settings=("--config-settings=cmake.define.disc_ROOT=$(realpath "$1")")
build/python-env/bin/pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps "${settings[@]}" --wheel-dir dist dist/disc_features-*.tar.gz
ls -sh dist/disc_features-*
