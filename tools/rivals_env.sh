#!/usr/bin/env bash
# Other people's programs, which experiments compare with. What cannot be installed is left out, and the tables say so.
#
#   tools/rivals_env.sh          prints nothing when all is there
#
# Those that can live with the package go into build/python-env (experiments/rivals.txt); those that need an older numpy get an environment of their own, build/rivals-env
# (experiments/rivals-apart.txt). CDR-g asks for versions of 2021, which cannot be built any more, and runs with later ones.
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
    pip "$env" "$package" || echo "rivals: $package cannot be installed here" >&2
  done <"$list"
  cp "$list" "$stamp"
}

install build/python-env experiments/rivals.txt
[ -x build/rivals-env/bin/python ] || "$python" -m venv build/rivals-env
install build/rivals-env experiments/rivals-apart.txt
cdr=build/rivals-env/cdr-installed
[ -f "$cdr" ] || { pip build/rivals-env --no-deps cdr-py && touch "$cdr"; } || echo "rivals: cdr-py cannot be installed here" >&2
