#!/usr/bin/env bash
# Installs the node packages of the report page as report/package-lock.json has them. Does nothing when they are there.
#
#   tools/install_node_packages.sh build|tests       tests: also what only the tests need
set -euo pipefail
cd "$(dirname "$0")/../report"

have=node_modules/.installed
wanted=$(sha256sum package-lock.json)
case $1 in
  build) grep -qsF "$wanted" "$have" && exit 0; options=(--omit=dev) ;;
  tests) grep -qsFx "$wanted tests" "$have" && exit 0; options=() ;;
  *) echo "install_node_packages: '$1' is neither build nor tests" >&2; exit 2 ;;
esac
npm ci --no-audit --no-fund "${options[@]}"
echo "$wanted $1" >"$have"
