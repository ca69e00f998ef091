#!/usr/bin/env bash
# The paper's experiments, in the environment of the Python package: experiments/results/summary.md.
#
#   tools/paper.sh [NAME ...] [--quick] [--seeds N]      without names: all of them
set -euo pipefail
cd "$(dirname "$0")/.."
env=build/python-env

tools/python_env.sh
tools/build.sh $([ -f build/release/build.ninja ] || echo -DDISC_BUILD_TESTS=OFF) release disc_program >/dev/null
tools/install_package.sh
tools/other_tools_env.sh
exec "$env/bin/python" -m experiments.paper "$@"
