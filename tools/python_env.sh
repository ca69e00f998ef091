#!/usr/bin/env bash
# A virtual environment for the Python package: build/python-env, with what the package, its tests and the documentation need.
# Installed again only when pyproject.toml changed.
#
#   tools/python_env.sh          prints nothing when all is there
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
env=build/python-env
stamp=$env/installed

[ -f "$stamp" ] && cmp -s pyproject.toml "$stamp" && exit 0
[ -x "$env/bin/python" ] || "$python" -m venv "$env"
# The package itself is installed later, from its wheel; here is what it needs. Python 3.11 and later read pyproject.toml by themselves.
mapfile -t wanted < <("$env/bin/python" - <<'END'
import tomllib
project = tomllib.load(open("pyproject.toml", "rb"))
wanted = project["build-system"]["requires"] + project["project"]["dependencies"]
for extra in project["project"]["optional-dependencies"].values():
    wanted += [name for name in extra if not name.startswith(project["project"]["name"])]
print("\n".join(dict.fromkeys(wanted)))
END
)
echo "installing Python packages: ${wanted[*]}"
"$env/bin/python" -m pip install --quiet --disable-pip-version-check "${wanted[@]}"
cp pyproject.toml "$stamp"
