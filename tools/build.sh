#!/usr/bin/env bash
# Configures a preset if needed and builds targets of it (default: all). More cmake settings may stand before the preset.
#
#   tools/build.sh [-DNAME=VALUE ...] PRESET [TARGET ...]
#
# A build folder that is already configured keeps what it has: `make demo` after `make test` rebuilds nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

# What was compiled before, in this checkout or in another, is not compiled again. Names are stored relative to the checkout.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
fi

settings=()
while [[ ${1-} == -D* ]]; do settings+=("$1"); shift; done
preset=$1
shift
folder=build/$preset
log=$folder/configure.log

wanted() {  # whether the configured folder already has each setting
  local setting
  [ "$folder/build.ninja" -nt CMakePresets.json ] || return 1
  for setting in "${settings[@]}"; do
    grep -q "^${setting#-D}\$" <(sed 's/:[A-Z]*=/=/' "$folder/CMakeCache.txt") || return 1
  done
}

if ! wanted; then
  mkdir -p "$folder"
  cmake --preset "$preset" "${settings[@]}" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
fi
targets=()
[ $# -eq 0 ] || targets=(--target "$@")
cmake --build "$folder" "${targets[@]}"
