#!/usr/bin/env bash
# Builds the report page, build/report/report.html, from report/. Does nothing when it is newer than what it is made of. Where node
# is missing it says so and ends well: everything else can be built without the page.
#
#   tools/build_report.sh
set -euo pipefail
cd "$(dirname "$0")/.."
page=build/report/report.html

if [ -f "$page" ] && [ -z "$(find report -name node_modules -prune -o -type f -newer "$page" -print -quit)" ]; then exit 0; fi
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
  echo "build_report: node or npm is missing; the program is built without the report page" >&2
  exit 0
fi

echo "building the report page"
mkdir -p build
log=build/report.log
tools/install_node_packages.sh build >"$log" 2>&1 && (cd report && npx vite build) >>"$log" 2>&1 || {
  tail -n 15 "$log" >&2
  echo "build_report: the report page was not built; the program is built without it" >&2
  exit 0
}
