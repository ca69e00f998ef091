#!/usr/bin/env bash
# The paper's experiments, in the environment of the Python package: experiments/results/summary.md.
#
#   tools/paper.sh [NAME ...] [--quick] [--seeds N]      without names: all of them
set -euo pipefail
cd "$(dirname "$0")/.."
env=build/python-env
rivals=$env/rivals-installed

tools/python_env.sh
tools/build.sh $([ -f build/release/build.ninja ] || echo -DDISC_BUILD_TESTS=OFF) release disc_program >/dev/null
tools/install_package.sh
# Other people's programs, for comparison. What cannot be installed is left out, and the tables say so.
if ! cmp -s experiments/rivals.txt "$rivals"; then
  while read -r package; do
    [[ -z $package || $package == \#* ]] && continue
    "$env/bin/pip" install --quiet --disable-pip-version-check "$package" || echo "paper: $package cannot be installed here" >&2
  done <experiments/rivals.txt
  cp experiments/rivals.txt "$rivals"
fi
exec "$env/bin/python" -m experiments.paper "$@"
