#!/usr/bin/env bash
# Installs the Python package into build/python-env: from its wheel, which is made from the source archive of a clean tree. The engine is
# that of build/release.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --install build/release --prefix build/prefix >/dev/null
tools/wheel.sh build/prefix
build/python-env/bin/pip install --quiet --disable-pip-version-check --no-deps --force-reinstall dist/disc_features-*.whl
