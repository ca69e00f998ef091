#!/usr/bin/env bash
# Everything that is checked, step by step; a failing step does not keep the later ones from running. Steps that take long and
# passed before are excluded while nothing they depend on has changed (remove build/stamps to run all of them again).
#
#   tools/test.sh [STEP ...]      steps: release python package r page dev format (default), and damage, calls, fuzz, tsan, tidy, arm64
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
python=${PYTHON:-/usr/bin/python3}
stamps=build/stamps
mkdir -p "$stamps"

# Whether the step passed before and neither the programs of its build folder nor the files of the tests changed since.
unchanged() {
  local stamp=$stamps/$1
  [ -f "$stamp" ] || return 1
  [ -z "$(find "build/$1" -newer "$stamp" \( -name libdisc.a -o -type f -perm -u+x -name '*_*' -not -path '*/CMakeFiles/*' \) -print -quit)" ] &&
    [ -z "$(find tests tools -newer "$stamp" -type f -not -name '*.pyc' -print -quit)" ]
}

run_tests=(ctest --output-on-failure --no-tests=error -j "$(nproc)" --test-dir)

# Without PETSc and SLEPc the engine for several machines is excluded, and its tests are skipped.
slepc() { pkg-config --exists slepc PETSc 2>/dev/null && echo ON || echo OFF; }

# What later steps need from the network is fetched while the program is compiled. Where that fails, the step tries again and says why.
fetching=
fetch() {
  if [[ " ${steps[*]} " == *" package "* ]]; then tools/python_env.sh; fi
  if [[ " ${steps[*]} " == *" page "* ]]; then tools/install_node_packages.sh tests; fi
}

# The program, and the tests of the stages whose loops are compiled otherwise than with the sanitizers (src/matrix/simd.hpp). The tests of the
# others are built with the sanitizers only, where warnings are errors and the program is not built: its warnings are errors here.
release() {
  local log=$stamps/release-build.log
  tools/build.sh -DDISC_BUILD_TESTS=ON "-DDISC_WITH_SLEPC=$(slepc)" release disc_program test_{matrix,graph,spectral,golden} | tee "$log" &&
    ! grep -A 3 'apps/disc/.* warning: ' "$log" &&
    "${run_tests[@]}" build/release -R '^(matrix|graph|spectral|golden)\.'
}

# These tests keep little more than one core busy: the build with sanitizers, which takes longest of all, begins beside them with what they leave.
dev_build=
python() {
  if [[ " ${steps[*]} " == *" dev "* ]]; then
    nice -n 19 tools/build.sh -DDISC_BUILD_TESTS=ON "-DDISC_WITH_SLEPC=$(slepc)" dev >"$stamps/dev-build.log" 2>&1 &
    dev_build=$!
  fi
  DISC_BUILD_DIR=$root/build/release DISC=$root/build/release/disc "$python" -m pytest -q -p no:cacheprovider --ignore=tests/experiments tests
}

# The Python package: source archive, wheel, and its tests, and those of the experiments, in an environment where the wheel is installed. The engine is the one
# that `release` built.
package() {
  wait "$fetching"
  tools/python_env.sh && tools/build.sh release disc_program && tools/install_package.sh || return
  (cd build && python-env/bin/python -m pytest -q -p no:cacheprovider ../python/tests ../tests/experiments)
}

# The R package, where R and what it needs are installed (tools/install_dependencies.sh r).
r() {
  local needed=(testthat ggplot2 jsonlite Matrix processx zip)
  if ! Rscript -e 'quit(status = !all(sapply(commandArgs(TRUE), requireNamespace, quietly = TRUE)))' "${needed[@]}" >/dev/null 2>&1; then
    echo "skipped: R or one of its packages ${needed[*]} is missing; tools/install_dependencies.sh r installs them"
    return
  fi
  tools/build.sh release disc_program && tools/check_r.sh
}

# The report page in a browser, with the program of the release build.
page() {
  wait "$fetching"
  tools/install_node_packages.sh tests >"$stamps/npm.log" 2>&1 || { cat "$stamps/npm.log"; return 1; }
  (cd report && npx tsc --noEmit) && DISC=$root/build/release/disc node --test report/tests/*.test.mjs
}

dev() {
  [ -z "$dev_build" ] || wait "$dev_build"  # however it ended: what is missing is built, and reported, now
  tools/build.sh -DDISC_BUILD_TESTS=ON "-DDISC_WITH_SLEPC=$(slepc)" dev || return
  if unchanged dev; then echo "passed before, nothing changed"; return; fi
  UBSAN_OPTIONS=print_stacktrace=1 "${run_tests[@]}" build/dev && touch "$stamps/dev"
}

# Only the stages that start threads or are full of parallel loops: the others would find nothing here and double the time.
# The thread sanitizer of gcc 12 cannot work with the address randomisation of recent kernels.
tsan() {
  local fixed=()
  setarch "$(uname -m)" -R true 2>/dev/null && fixed=(setarch "$(uname -m)" -R)
  local targets=(test_base test_graph test_spectral test_groups test_stats)
  [ "$(slepc)" = OFF ] || targets+=(test_distributed)
  "${fixed[@]}" tools/build.sh -DDISC_BUILD_TESTS=ON "-DDISC_WITH_SLEPC=$(slepc)" tsan "${targets[@]}" || return
  if unchanged tsan; then echo "passed before, nothing changed"; return; fi
  # OpenBLAS is not instrumented: on one thread it has nothing to report.
  OPENBLAS_NUM_THREADS=1 TSAN_OPTIONS="halt_on_error=1 suppressions=$root/tools/tsan_suppressions.txt" \
    "${fixed[@]}" "${run_tests[@]}" build/tsan -R '^(base|graph|spectral|groups|stats|distributed)\.' && touch "$stamps/tsan"
}

# What `python` does a little of: memory that is refused at every call of a run, memory and files that fail at 1,500 of them while results are
# written, too, odd options together, tampered results.
calls() {
  tools/build.sh release disc_program || return
  DISC_FAILING_CALLS=1500 DISC_COMBINATIONS=1000 DISC_BUILD_DIR=$root/build/release DISC=$root/build/release/disc \
    "$python" -m pytest -q -p no:cacheprovider tests/cli/test_failing_calls.py tests/cli/test_combinations.py
}

# What `dev` does for a moment: 20,000 changed files per format.
damage() {
  tools/build.sh -DDISC_BUILD_TESTS=ON dev test_damage || return
  UBSAN_OPTIONS=print_stacktrace=1 DISC_MUTATIONS=20000 "${run_tests[@]}" build/dev -R '^damage\.'
}

fuzz() {
  tools/build.sh "-DDISC_FUZZ_SECONDS=${DISC_FUZZ_SECONDS:-60}" fuzz fuzz_targets || return
  if unchanged fuzz; then echo "passed before, nothing changed"; return; fi
  "${run_tests[@]}" build/fuzz/tests/fuzz && touch "$stamps/fuzz"
}

tidy() { "$python" tools/tidy.py; }
arm64() { tools/check_arm64.sh; }
format() { tools/format.sh --check; }

steps=("$@")
[ $# -gt 0 ] || steps=(release python package r page dev format)
passed=0
failed=()
summary=()
fetch >"$stamps/fetch.log" 2>&1 &
fetching=$!
for step in "${steps[@]}"; do
  printf '\n== %s\n' "$step"
  start=$SECONDS
  if "$step"; then
    passed=$((passed + 1)); verdict=passed
  else
    failed+=("$step"); verdict=FAILED
  fi
  summary+=("$(printf '  %-8s %-6s %4d s' "$step" "$verdict" $((SECONDS - start)))")
done
printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
printf 'steps: %d passed, %d failed\n' "$passed" "${#failed[@]}"
[ ${#failed[@]} -eq 0 ]
