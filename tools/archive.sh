#!/usr/bin/env bash
# The source archive of the last commit, with the report page in it, so that it can be built without node.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(disc VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
page=build/report/report.html
[ -f "$page" ] || { echo "archive: $page is missing; tools/build_report.sh makes it" >&2; exit 1; }
archive=build/disc-$version.tar.gz
git archive --format=tar.gz --output="$archive" --prefix="disc-$version/report/dist/" --add-file="$page" --prefix="disc-$version/" HEAD
echo "$archive"
