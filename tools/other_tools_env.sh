#!/usr/bin/env bash
# Other people's programs, which experiments compare with. What cannot be installed is excluded, and the tables say so.
#
#   tools/other_tools_env.sh          prints nothing when all is there
#
# Those that can live with the package go into build/python-env (experiments/other_tools.txt); those that need an older numpy get an environment of their own, build/other_tools-env
# (experiments/other_tools-apart.txt). CDR-g asks for versions of 2021, which cannot be built any more, and runs with later ones.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}

pip() { # ENVIRONMENT ARGUMENT...
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check "${@:2}"
}

install() { # ENVIRONMENT LIST
  local env=$1 list=$2 stamp=$1/$(basename "$2") package
  ! cmp -s "$list" "$stamp" || return 0
  # All at once, so that versions are chosen that fit each other; else what can be had.
  pip "$env" -r "$list" || while read -r package; do
    [[ -n $package && $package != \#* ]] || continue
    pip "$env" "$package" || echo "other_tools: $package cannot be installed here" >&2
  done <"$list"
  cp "$list" "$stamp"
}

install build/python-env experiments/other_tools.txt
[ -x build/other_tools-env/bin/python ] || "$python" -m venv build/other_tools-env
install build/other_tools-env experiments/other_tools-apart.txt
cdr=build/other_tools-env/cdr-installed
[ -f "$cdr" ] || { pip build/other_tools-env --no-deps cdr-py && touch "$cdr"; } || echo "other_tools: cdr-py cannot be installed here" >&2
