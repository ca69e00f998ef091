#!/usr/bin/env bash
# The paper's first synthetic problem from end to end: makes the data, runs DiSC, compares with the truth.
set -euo pipefail
cd "$(dirname "$0")/.."
disc=${DISC:-build/release/disc}

step() { printf '\n$ disc %s\n' "$*"; "$disc" "$@"; }

step simulate newly-connected --seed 1 -o demo/data
# Nobody tells it how many groups there are.
step run demo/data/A.npy demo/data/B.npy -o demo/out
step score demo/out --truth demo/data/truth.tsv

# One line per group: "condition group: first-last, first-last (size)", with neighbouring numbers folded into ranges.
show_groups() {
  awk -F '\t' '
    function flush() { if (start != "") text = text (text == "" ? "" : ", ") (start == last ? start : start "-" last); start = "" }
    function finish() { flush(); if (key != "") printf "    %s: %s (%d features)\n", key, text, size; text = ""; size = 0 }
    NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    {
      name = $column["condition"] ", group " $column["group"]
      if (name != key) { finish(); key = name }
      number = $column["feature"]; sub(/^[^0-9]*/, "", number); number += 0
      if (start != "" && number == last + 1) last = number; else { flush(); start = number; last = number }
      ++size
    }
    END { finish() }' <(head -n 1 "$1"; tail -n +2 "$1" | sort -t "$(printf '\t')" -k1,1 -k2,2n -k3,3V)
}

printf '\nFeatures connected in one condition only:\n'
printf '  true groups\n'
show_groups demo/data/truth.tsv
printf '  groups found\n'
show_groups demo/out/groups.tsv
cat <<'END'

Data:    demo/data/  A.npy and B.npy (samples x features), truth.tsv
Results: demo/out/   groups.tsv, features.tsv, samples.tsv, vectors.npz, figure_data.npz, summary.json
END
if [ -f demo/out/report.html ]; then
  printf 'Report:  demo/out/report.html   open it in a browser\n'
else
  printf 'Report:  none, it needs node (tools/build_report.sh)\n'
fi
