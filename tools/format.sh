#!/usr/bin/env bash
# Formats all C++ files, or with --check only says which ones are not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
[ "${1-}" != --check ] || mode=(--dry-run --Werror)
find include src apps python tests bench examples -name '*.[ch]pp' -print0 | xargs -0 -r clang-format-14 --style=file "${mode[@]}"
