#!/usr/bin/env bash
# Builds the documentation site with the package as it is now: build/site/index.html.
set -euo pipefail
cd "$(dirname "$0")/.."
settings=()
[ -f build/release/build.ninja ] || settings+=(-DDISC_BUILD_TESTS=OFF)
tools/build.sh "${settings[@]}" release disc_program
tools/install_package.sh
if [ ! -f tools/site/node_modules/mathjax/es5/tex-svg.js ] && command -v npm >/dev/null; then (cd tools/site && npm ci --silent); fi  # draws the formulas
rm -rf build/figures
build/python-env/bin/python tools/figures.py build/figures
NO_MKDOCS_2_WARNING=1 build/python-env/bin/python -m mkdocs build --quiet --strict
# Where the tests of the report page run: every page of the site in a wide and in a narrow window.
if [ -d report/node_modules/playwright-core ] && [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then node report/tests/site.mjs build/site; fi
