#!/usr/bin/env bash
# Runs what the tutorials show on the real data of $DISC_DATA, and renews their figures and the numbers of the cells of Kang et al. The
# results of the others are printed: their pages quote them, and what they conclude is for a reader to check.
#
#   tools/tutorials.sh [FOLDER]       the results go to FOLDER (default: build/tutorials); needs numpy, and for figures of code
#                                     build/python-env with the package (make docs makes it) and, for one of them, scanpy, and R with the package discfeatures
set -euo pipefail
cd "$(dirname "$0")/.."
data=${DISC_DATA:-../shared/data}
out=${1:-build/tutorials}
disc=build/release/disc
mkdir -p "$out"

run() {  # NAME ARGUMENTS...
  echo "== $1"
  "$disc" run "${@:2}" -o "$out/$1" 2>/dev/null | grep -v '^\(results\|report\):'
}

"${PYTHON:-/usr/bin/python3}" - "$data" "$out" <<'END'
import csv
import pathlib
import sys

data, out = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
kinds = {"eyes": ("EYE_STATUS_AT_SCAN", {"1": "open", "2": "closed"}), "autism": ("DX_GROUP", {"1": "autism", "2": "control"})}
with open(data / "fmri" / "Phenotypic_V1_0b_preprocessed1.csv", encoding="utf-8-sig") as file:
    subjects = list(csv.DictReader(file))
for name, (column, values) in kinds.items():
    lines = ["file\tcondition\tdiagnosis"]
    for row in subjects:
        series = data / "fmri" / "abide_cc200_NYU" / (row["FILE_ID"] + "_rois_cc200.1D")
        if series.exists() and row[column] in values:
            lines.append(f"{series}\t{values[row[column]]}\t{row['DX_GROUP']}")
    (out / f"{name}.tsv").write_text("\n".join(lines) + "\n")
END

run kang "$data"/scrna/kang_harmony_10x/kang_2000cells_9015genes.h5ad --by condition --genesets "$data"/genesets/h.all.v7.0.symbols.gmt
"${PYTHON:-/usr/bin/python3}" tools/draw_kang.py "$out/kang"
Rscript tools/draw_kang.R "$out/kang" docs/images/kang-r.png
build/python-env/bin/python tools/figures.py docs/images kang kang-scanpy landscape mnist --data "$data"
run glioblastoma-paired "$data"/scrna/glioblastoma_panobinostat/*.h5ad --by condition --paired patient_id
run glioblastoma-cells "$data"/scrna/glioblastoma_panobinostat/*.h5ad --by condition --strata patient_id
for column in Genotype Treatment Behavior; do
  run "mice-$column" "$data"/proteins/mouse_cortex/*.csv --by "$column" --unit MouseID:_ --missing mean
done
run mice-without-mean "$data"/proteins/mouse_cortex/*.csv --by Behavior --unit MouseID:_ --missing mean --remove-global-signal yes
run eyes --manifest "$out/eyes.tsv" --strata diagnosis
run eyes-without-mean --manifest "$out/eyes.tsv" --strata diagnosis --permutations 99 --remove-global-signal yes
run autism --manifest "$out/autism.tsv" --permutations 99
