#!/usr/bin/env bash
# Builds the program and compares it with its baselines. Arguments go to bench/run.py; without any, reading is measured too.
set -euo pipefail
cd "$(dirname "$0")/.."
settings=()
[ -f build/release/build.ninja ] || settings+=(-DDISC_BUILD_TESTS=OFF)
tools/build.sh "${settings[@]}" release disc_program
python=${PYTHON:-/usr/bin/python3}
"$python" bench/run.py "$@"
[ $# -gt 0 ] || "$python" bench/reading.py
