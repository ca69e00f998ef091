#!/bin/sh
# Installs the wheel that fits and tries it; called by tools/check_wheels.sh, which copies it into small systems.
#
#   try_wheel.sh FOLDER PYTHON       FOLDER: what check_wheels.sh prepared
set -eu
folder=$1
python=$2
cd "$folder"
unset PYTHONPATH PYTHONHOME PIP_FIND_LINKS
export OPENBLAS_NUM_THREADS=1 HOME="$folder" PIP_DISABLE_PIP_VERSION_CHECK=1
echo "$("$python" --version), $(ldd --version | head -n 1)"
"$python" -m venv env
"$python" - <<'END'
import os
import subprocess
import time

began = time.time()
subprocess.run(["env/bin/pip", "install", "--quiet", "--find-links", "wheels", "disc-features"], check=True)
used = os.times()
print(f"installed with what it needs in {time.time() - began:.0f} s, {used.children_user + used.children_system:.0f} s of the processor", flush=True)
END
env/bin/pip install --quiet --no-deps --force-reinstall --no-index --find-links wheels disc-features
PATH=$folder/env/bin:$PATH
disc --version | head -n 1

# The groups are those of the program that the wheel was made beside, to the byte.
disc run A.csv B.csv -o out --permutations 39 --bootstraps 0 >log 2>&1 || { cat log; exit 1; }
cmp out/groups.tsv expected/groups.tsv
test "$(wc -c <out/report.html)" -gt 100000
rm out/report.html
disc report out >log
test "$(wc -c <out/report.html)" -gt 100000
echo "disc run on csv: the same groups; report"
if [ -f both.h5ad ]; then
  disc run both.h5ad --by condition -o out_h5ad --permutations 39 --bootstraps 0 >log 2>&1 || { cat log; exit 1; }
  grep -q '^B' out_h5ad/groups.tsv
  echo "disc run on h5ad"
fi
disc run scene/A.tif scene/B.tif -o out_scene --permutations 19 --bootstraps 0 >log 2>&1 || { cat log; exit 1; }
cmp out_scene/features.tsv expected_scene/features.tsv
disc inspect out_scene/maps.tif >log
python - <<'END'
import disc_features as disc

found = disc.run({"A": "scene/A.tif", "B": "scene/B.tif"}, permutations=19, bootstraps=0)
found.save("out_python")
END
cmp out_python/features.tsv expected_scene/features.tsv
echo "GeoTIFF: the same features from program and module; maps"
python example.py >example.txt
grep -q feature example.txt || test -s example.txt
echo "README's example: $(grep -c . example.txt) lines"
