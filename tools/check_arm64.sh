#!/usr/bin/env bash
# Compiles every file of the library and the program for arm64, with optimisation and warnings as errors, so that nothing in them
# needs x86: kernels for its vector units are excluded there by the preprocessor. Nothing is linked or run: the libraries for
# arm64 are not at hand. Headers of other libraries are those of this machine; they do not depend on it. Those of MPI and PETSc do, so the
# engine for several machines, which has no code of its own for a processor, is excluded.
#
#   tools/check_arm64.sh         ends well, with the reason, where the compiler for arm64 (Debian: g++-aarch64-linux-gnu) is missing
set -euo pipefail
cd "$(dirname "$0")/.."
compiler=aarch64-linux-gnu-g++
objects=build/arm64

if ! command -v "$compiler" >/dev/null; then
  echo "check_arm64: excluded, $compiler is missing"
  exit 0
fi
launcher=()
! command -v ccache >/dev/null || launcher=(env "CCACHE_BASEDIR=$PWD" CCACHE_NOHASHDIR=1 ccache)
here=/usr/include/$(gcc -print-multiarch)
export compile="${launcher[*]} $compiler -std=c++20 -O2 -DNDEBUG -DDISC_VERSION=\"0\" -Wall -Wextra -Werror -Wno-psabi -Wno-restrict
  -Iinclude -Isrc -isystem /usr/include/eigen3 -isystem /usr/include/hdf5/serial -idirafter $here -idirafter $here/openblas-pthread"
export objects

compile_one() {
  local object=$objects/${1%.cpp}.o
  mkdir -p "$(dirname "$object")"
  $compile -c "$1" -o "$object"
}
export -f compile_one

rm -rf "$objects"
find src apps/disc -name '*.cpp' -not -path 'src/distributed/*' -print0 | xargs -0 -n 1 -P "$(nproc)" bash -c 'compile_one "$0"' ||
  { echo "check_arm64: these files do not compile for arm64" >&2; exit 1; }
built=$(find "$objects" -name '*.o' -exec aarch64-linux-gnu-objdump -f {} + | grep -c 'architecture: aarch64')
echo "check_arm64: $built files compiled for arm64 with $("$compiler" -dumpfullversion -dumpmachine | tr '\n' ' ')"
