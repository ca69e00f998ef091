#!/usr/bin/env bash
# Builds the program and the benchmarks of single stages, compares the whole method with its opponents, then times the stages.
# Arguments go to bench/run.py; with arguments only the comparison runs.
set -euo pipefail
cd "$(dirname "$0")/.."
settings=()
[ -f build/release/build.ninja ] || settings+=(-DDISC_BUILD_TESTS=OFF)
[ ! -f bench/CMakeLists.txt ] || settings+=(-DDISC_BUILD_BENCH=ON)
tools/build.sh "${settings[@]}" release
"${PYTHON:-/usr/bin/python3}" bench/run.py "$@"
[ $# -eq 0 ] || exit 0
for program in build/release/bench/bench_*; do
  [ ! -x "$program" ] || "$program"
done
