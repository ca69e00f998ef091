#!/usr/bin/env bash
# Builds the program and compares it with its opponents. Arguments go to bench/run.py.
set -euo pipefail
cd "$(dirname "$0")/.."
settings=()
[ -f build/release/build.ninja ] || settings+=(-DDISC_BUILD_TESTS=OFF)
tools/build.sh "${settings[@]}" release disc_program
exec "${PYTHON:-/usr/bin/python3}" bench/run.py "$@"
