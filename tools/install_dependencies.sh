#!/usr/bin/env bash
# Installs the Debian packages that a part of the project needs. Silent, and without the network, when nothing is missing.
#
#   tools/install_dependencies.sh GROUP...
#
# As root it installs what is missing. As anybody else it says what is missing and by which command to install it, and calls sudo
# only with DISC_ALLOW_SUDO=1.
#
#   program  what the library and the program need to be built and run
#   tests    what the tests and the sanitizers need on top
#   check    what the fuzzers and the linters need on top
#   package  what the Python package needs on top
#   portable what wheels and the static program need on top, and what they are tried in
#   report   what the report page needs to be built; any node from version 18 on will do
#   browser  what the tests of the page need on top
#   bench    what the benchmark needs on top
#   other_tools   programs that experiments compare with
#   arm64    the compiler for arm64
#   r        R and what the R package and its tests need
#   distributed  what the engine for several machines needs on top; `tests` brings it, too
set -euo pipefail

program=(g++ cmake ninja-build libeigen3-dev libopenblas-dev liblapacke-dev zlib1g-dev libzip-dev libhdf5-dev libtiff-dev libcli11-dev nlohmann-json3-dev)
tests=(ccache libgtest-dev python3 python3-pytest python3-numpy python3-pandas python3-scipy python3-sklearn python3-h5py python3-anndata python3-nibabel python3-openpyxl python3-yaml python3-zarr python3-loompy clang-format-14)
check=(clang-14 clang-tidy-14 libclang-rt-14-dev)
package=(python3-dev python3-venv)
portable=(gfortran dpkg-dev binutils unzip xz-utils debootstrap)
report=(nodejs npm)
browser=(chromium fonts-dejavu-core)
distributed=(slepc-dev libopenmpi-dev openmpi-bin pkg-config iproute2)
bench=(python3 python3-faiss python3-hnswlib python3-matplotlib python3-numpy python3-pandas python3-scipy python3-sklearn)
other_tools=(r-cran-wgcna)
arm64=(g++-aarch64-linux-gnu)
r=(r-base-core r-cran-ggplot2 r-cran-jsonlite r-cran-knitr r-cran-matrix r-cran-processx r-cran-rmarkdown r-cran-testthat r-cran-zip pandoc
   r-bioc-singlecellexperiment r-bioc-summarizedexperiment)

usage() { sed -n '2,20s/^# \{0,1\}//p' "$0"; }
fail() { echo "install_dependencies: $*" >&2; exit 1; }

[ $# -gt 0 ] || { usage >&2; exit 2; }
# A node from elsewhere is not replaced: Debian's could not be installed beside it.
has_node() {
  command -v node >/dev/null && command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)'
}

wanted=()
for group in "$@"; do
  case $group in
    program) wanted+=("${program[@]}") ;;
    tests) wanted+=("${tests[@]}" "${distributed[@]}") ;;
    check) wanted+=("${check[@]}") ;;
    distributed) wanted+=("${distributed[@]}") ;;
    package) wanted+=("${package[@]}") ;;
    portable) wanted+=("${portable[@]}") ;;
    report) has_node || wanted+=("${report[@]}") ;;
    browser) wanted+=("${browser[@]}") ;;
    bench) wanted+=("${bench[@]}") ;;
    other_tools) wanted+=("${other_tools[@]}") ;;
    arm64) wanted+=("${arm64[@]}") ;;
    r) wanted+=("${r[@]}") ;;
    -h | --help) usage; exit 0 ;;
    *) fail "there is no group '$group'; there are program, tests, check, package, portable, report, browser, bench, other_tools, distributed, arm64 and r" ;;
  esac
done

[ ${#wanted[@]} -gt 0 ] || exit 0
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install_dependencies: this is not a Debian system; please see to it that there are (Debian's names): ${wanted[*]}" >&2
  exit 0
fi

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

# Who is not root is told what is missing; rights are taken only where DISC_ALLOW_SUDO=1 allows it.
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if [ "${DISC_ALLOW_SUDO:-}" != 1 ] || ! command -v sudo >/dev/null; then
    echo "install_dependencies: Debian packages are missing: ${missing[*]}" >&2
    echo "install them with" >&2
    echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    command -v sudo >/dev/null && echo "or let this script do it: DISC_ALLOW_SUDO=1 tools/install_dependencies.sh $*" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "installing Debian packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1 </dev/null || {
    cat "$log" >&2
    fail "apt-get $1 failed"
  }
}
quietly update
quietly install --yes --no-install-recommends "${missing[@]}"
