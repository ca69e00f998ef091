#!/usr/bin/env python3
"""dcanr's simulation 102: which pairs of genes change their association when a gene is knocked down? (Bhuva et al. 2019)

    experiments/sim102.py [--data ../shared/data] [--out experiments/results/sim102] [disc run options ...]

Per knock-down, samples with it are one condition and samples without it the other. F1 over the pairs of both knock-downs
against the association truth, without the knocked gene and genes whose own expression depends on it; for the pairs of pairs.tsv, and
for pairs within the groups of either condition. Published methods (dcanr, the same data): entropy 0.696, z-score 0.563, FTGI
0.439, DiffCoEx 0.376, DICER 0.351, LDGM 0.278.
"""
import argparse
import csv
import itertools
import os
import pathlib
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]


def table(file):
    with file.open() as stream:
        header, *rows = list(csv.reader(stream))
    return header[1:], [row[0] for row in rows], [row[1:] for row in rows]


def pair(a, b):
    return tuple(sorted((a, b)))


def pairs_of_groups(file):
    groups = {}
    with file.open() as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            groups.setdefault((row["condition"], row["group"]), []).append(row["feature"])
    return {pair(a, b) for members in groups.values() for a, b in itertools.combinations(members, 2)}


def pairs_listed(file):
    with file.open() as stream:
        return {pair(row["feature_a"], row["feature_b"]) for row in csv.DictReader(stream, delimiter="\t")}


class Tally:
    """Pairs called and right, over several comparisons."""

    def __init__(self):
        self.hits = self.called = self.true = 0

    def add(self, found, wanted):
        self.hits, self.called, self.true = self.hits + len(found & wanted), self.called + len(found), self.true + len(wanted)
        return f"{len(found)} called, {len(found & wanted)} right"

    def __str__(self):
        return (f"F1 {2 * self.hits / max(1, self.called + self.true):.3f}, precision {self.hits / max(1, self.called):.3f}, "
                f"recall {self.hits / max(1, self.true):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disc", default=str(ROOT / "build/release/disc"))
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("DISC_DATA", ROOT.parent / "shared/data"))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "experiments/results/sim102")
    options, flags = parser.parse_known_args()
    folder = pathlib.Path(options.data) / "diffcoexp/sim102"
    samples, genes, values = table(folder / "expression_150genes_x_406samples.csv")
    values = np.array(values, dtype=float).T
    knocked, names, states = table(folder / "conditions_samples_x_knockdown.csv")
    state = {name: row for name, row in zip(names, states)}
    drop_columns, drop_genes, drop_flags = table(folder / "condcoex_genes_to_drop_if_nonzero.csv")
    with (folder / "truth_triplets.csv").open() as stream:
        truth = [row for row in csv.DictReader(stream) if row["Association"] == "TRUE"]
    single, grouped = Tally(), Tally()
    for k, gene in enumerate(knocked):
        own = options.out / gene
        own.mkdir(parents=True, exist_ok=True)
        levels = sorted({state[s][k] for s in samples})
        dropped = {g for g, row in zip(drop_genes, drop_flags) if float(row[drop_columns.index(gene)]) != 0} | {gene}
        keep = [j for j, g in enumerate(genes) if g not in dropped]
        for level in levels:
            rows = [i for i, s in enumerate(samples) if state[s][k] == level]
            np.savetxt(own / f"level{level}.csv", values[np.ix_(rows, keep)], delimiter=",", comments="",
                       header=",".join(genes[j] for j in keep))
        files = [own / f"level{level}.csv" for level in levels]
        subprocess.run([options.disc, "run", *files, "-q", "-o", own, *flags], check=True)
        kept = {genes[j] for j in keep}
        wanted = {pair(r["TF"], r["Target"]) for r in truth if r["cond"] == gene and {r["TF"], r["Target"]} <= kept}
        print(f"{gene}: {len(kept)} genes, {len(wanted)} true pairs; pairs.tsv: {single.add(pairs_listed(own / 'pairs.tsv'), wanted)}; "
              f"within groups: {grouped.add(pairs_of_groups(own / 'groups.tsv'), wanted)}")
    print(f"pairs.tsv: {single}\nwithin groups: {grouped}")


if __name__ == "__main__":
    main()
