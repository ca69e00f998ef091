#!/usr/bin/env bash
# Writes NOTICE: the license texts of everything that programs and packages of this project carry inside.
#
#   tools/licences.sh FILE PART...      PART: see below
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
shift

text() { # TITLE FILE
  printf '\n%s\n%s\n%s\n\n' "$(printf '=%.0s' {1..80})" "$1" "$(printf '=%.0s' {1..80})"
  cat "$2"
}

debian() { # TITLE PACKAGE
  local file=/usr/share/doc/$2/copyright
  [ -f "$file" ] || { echo "licences: the package $2 is not installed; its license is needed" >&2; exit 1; }
  text "$1" "$file"
}

source_file() { # TITLE FOLDER'S BEGINNING, FILE
  text "$1" "$(find build/parts/sources -maxdepth 2 -path "*/$2-*/$3" -print -quit)"
}

# What tools/wheels.sh installed with pip.
wheel() { # TITLE FILE BELOW site-packages
  local file
  file=$(find build/portable/*/lib/python*/site-packages -path "*/site-packages/$2" -print -quit)
  [ -n "$file" ] || { echo "licences: $2 is missing; tools/wheels.sh installs it" >&2; exit 1; }
  text "$1" "$file"
}

# Of the node packages, those that are part of the page.
page() {
  local name folder
  "${PYTHON:-python3}" tools/sbom.py --page | while read -r name; do
    folder=report/node_modules/$name
    text "report page: $name $(sed -n 's/^ *"version": "\(.*\)",*/\1/p' "$folder/package.json" | head -n 1)" "$(find -L "$folder" -maxdepth 1 -iname 'licen[cs]e*' -print -quit)"
  done
}

{
  echo "DiSC itself is under the license in the file LICENSE. This file names what is distributed together with it."
  for part in "$@"; do
    case $part in
      page) page ;;
      headers) debian "Eigen" libeigen3-dev; debian "CLI11" libcli11-dev; debian "JSON for Modern C++" nlohmann-json3-dev ;;
      libzip) source_file "libzip" libzip LICENSE ;;
      tiff) source_file "libtiff" tiff LICENSE.md ;;
      hdf5-debian) debian "HDF5" libhdf5-103-1; debian "libaec and its libsz" libaec0 ;;
      zlib-debian) debian "zlib" zlib1g ;;
      openblas) debian "OpenBLAS and LAPACK" libopenblas-dev ;;
      nanobind) wheel "nanobind" 'nanobind-*.dist-info/licenses/LICENSE' ;;
      zig) wheel "start-up code by zig" 'ziglang/LICENSE'; wheel "LLVM's libunwind" 'ziglang/lib/libunwind/LICENSE.TXT'; wheel "functions of the GNU C Library that are part of every program" 'ziglang/lib/libc/glibc/LICENSES' ;;
      gcc) debian "GCC's libraries (runtime library exception)" libstdc++6 ;;
      glibc) debian "GNU C Library, linked statically (LGPL 2.1): the source archive of this version, with tools/archive_linux.sh, links it anew" libc6 ;;
      *) echo "licences: there is no part '$part'" >&2; exit 2 ;;
    esac
  done
} >"$out.new"
mv "$out.new" "$out"
