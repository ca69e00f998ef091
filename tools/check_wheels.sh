#!/usr/bin/env bash
# Whether the wheels of tools/wheels.sh work where nothing of ours is installed: in small systems of Debian 11, 12 and 13 with their own
# Python, and with every Python of this machine that there is a wheel for. What cannot be tried is named.
#
#   tools/check_wheels.sh [NAME...]      NAME: bullseye, bookworm, trixie, testing, here; default all. The small systems are made by debootstrap,
#                                        which needs root and network, in DISC_SYSTEMS (default build/portable/systems), and kept
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
systems=${DISC_SYSTEMS:-$root/build/portable/systems}
tools=$root/build/portable/tools
data=$root/build/portable/data
python=${PYTHON:-/usr/bin/python3}
failed=0
[ $# -gt 0 ] || set -- bullseye bookworm trixie testing here

skip() { echo "check_wheels: $1: skipped, $2"; }

# Without another library than glibc's; no name of a library for networks inside; small.
contents() { # WHEEL
  local folder
  folder=$(mktemp -d)
  unzip -q "$1" -d "$folder"
  "$tools/bin/auditwheel" show "$1" | tr '\n' ' ' | grep -q 'manylinux_2_\(1[0-9]\|2[0-8]\)_' || { echo "check_wheels: $1 is not for glibc 2.28" >&2; failed=1; }
  find "$folder" -name '*.so' -exec readelf -d {} + | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v -E '^(lib(c|m|pthread|dl)\.so|ld-linux)' && failed=1
  grep -rlE 'SSL_CTX_new|gss_init_sec_context|ldap_init|curl_easy_init|krb5_init' "$folder" && failed=1
  [ "$(stat -c %s "$1")" -lt 30000000 ] || { echo "check_wheels: $1 has more than 30 MB" >&2; failed=1; }
  rm -rf "$folder"
}

# Data, what the program built here answers, and README's example.
prepare() {
  local disc=$root/build/release/disc
  rm -rf "$data"
  mkdir -p "$data/wheels"
  cp dist/wheels/*.whl "$data/wheels/"
  "$disc" simulate newly-connected --samples 100 --seed 1 -o "$data/toy" >"$data/log"
  "$python" - "$data" 2>"$data/log" <<'PY' || skip "h5ad" "python3-anndata is not installed, by which the file would be made"
import sys

import numpy as np

folder = sys.argv[1]
values = {name: np.load(f"{folder}/toy/{name}.npy").astype("float64") for name in "AB"}
names = [f"g{i}" for i in range(values["A"].shape[1])]
for name, table in values.items():
    np.savetxt(f"{folder}/{name}.csv", table, delimiter=",", header=",".join(names), comments="", fmt="%.17g")

import anndata
import pandas as pd

labels = pd.DataFrame({"condition": [name for name in values for _ in values[name]]}, index=[f"s{i}" for i in range(sum(map(len, values.values())))])
anndata.AnnData(np.vstack(list(values.values())), obs=labels, var=pd.DataFrame(index=names)).write_h5ad(f"{folder}/both.h5ad")
PY
  [ -f "$data/B.csv" ] || { cat "$data/log" >&2; exit 1; }
  "$disc" run "$data/A.csv" "$data/B.csv" -o "$data/expected" --permutations 39 --bootstraps 0 >"$data/log" 2>&1 || { cat "$data/log" >&2; exit 1; }
  "$disc" simulate scene --features 900 --seed 1 -o "$data/scene" >"$data/log"
  "$python" tools/scene_tif.py "$data/scene"
  "$disc" run "$data/scene/A.tif" "$data/scene/B.tif" -o "$data/expected_scene" --permutations 19 --bootstraps 0 >"$data/log" 2>&1 || { cat "$data/log" >&2; exit 1; }
  sed -n '/^```python$/,/^```$/p' README.md | sed '1d;/^```$/,$d' >"$data/example.py"
  cp tools/try_wheel.sh "$data/"
}

small_system() { # NAME
  local place=$systems/$1
  [ ! -f "$place/complete" ] || return 0
  [ "$(id -u)" -eq 0 ] || { skip "$1" "debootstrap needs root"; return 1; }
  command -v debootstrap >/dev/null || { skip "$1" "debootstrap is not installed"; return 1; }
  rm -rf "$place"
  mkdir -p "$place"
  debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates "$1" "$place" >"$systems/$1.log" 2>&1 || { skip "$1" "debootstrap failed: $systems/$1.log"; return 1; }
  touch "$place/complete"
}

in_system() { # NAME
  local place=$systems/$1
  rm -rf "$place/check"
  cp -r "$data" "$place/check"
  # How this machine reaches the registry.
  cp /etc/resolv.conf /etc/hosts "$place/etc/"
  cp /etc/ssl/certs/ca-certificates.crt "$place/etc/ssl/certs/"
  unshare --mount --pid --fork sh -c "mount -t proc proc '$place/proc' 2>/dev/null; exec chroot '$place' /bin/sh /check/try_wheel.sh /check python3" || failed=1
}

here() {
  local tag folder
  for tag in cp39 cp310 cp311 cp312; do
    [ -x "build/portable/$tag/bin/python" ] || { skip "Python ${tag#cp}" "there is none here"; continue; }
    folder=$(mktemp -d)
    cp -r "$data/." "$folder"
    sh tools/try_wheel.sh "$folder" "build/portable/$tag/bin/python" || failed=1
    rm -rf "$folder"
  done
}

[ -n "$(find dist/wheels -name '*.whl' 2>/dev/null)" ] || { echo "check_wheels: there are no wheels in dist/wheels; tools/wheels.sh makes them" >&2; exit 1; }
for wheel in dist/wheels/*.whl; do contents "$wheel"; done
prepare
for name in "$@"; do
  echo "== $name"
  case $name in
    here) here ;;
    *) ! small_system "$name" || in_system "$name" ;;
  esac
done
[ "$failed" -eq 0 ] && echo "check_wheels: all that could be tried works"
exit "$failed"
