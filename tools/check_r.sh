#!/usr/bin/env bash
# Checks the R package: its tests, or with --full what R CMD check looks at, the vignette included.
#
#   tools/check_r.sh [--full]        DISC: the program, default build/release/disc
set -euo pipefail
cd "$(dirname "$0")/.."
export DISC_PROGRAM
DISC_PROGRAM=$(realpath "${DISC:-build/release/disc}")
# Real data, where they are: r/tests/testthat/test-kang.R.
export DISC_DATA=${DISC_DATA:-$(realpath -m ../shared/data)}
# Its blocks of R: r/tests/testthat/test-docs.R.
export DISC_DOCS=$PWD/docs
place=$PWD/build/r
mkdir -p "$place/library"

if [ "${1-}" = --full ]; then
  (cd "$place" && R CMD build --no-manual "$OLDPWD/r" && LC_ALL=C.UTF-8 _R_CHECK_FORCE_SUGGESTS_=false R CMD check --no-manual discfeatures_*.tar.gz)
  ! grep -E "^Status:.*(ERROR|WARNING)" "$place/discfeatures.Rcheck/00check.log"
  exit
fi
R CMD INSTALL --no-docs --no-test-load --library="$place/library" r >"$place/install.log" 2>&1 || { cat "$place/install.log"; exit 1; }
cd r/tests
R_LIBS=$place/library exec Rscript -e 'testthat::test_dir("testthat", package = "discfeatures", load_package = "installed", reporter = "summary")'
