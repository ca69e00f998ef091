"""dcanr's simulation 102: which pairs of genes change their association when a gene is knocked down? (Bhuva et al. 2019)

    python -m experiments.sim102

Per knock-down, samples with it are one condition and samples without it the other. F1 over the pairs of both knock-downs against the association truth, without
the knocked gene and genes whose own expression depends on it; for the pairs of pairs.tsv, and for pairs within the groups of either condition.
"""
import csv
import itertools

import disc_features as disc
import numpy as np

from . import common

FOLDER = "diffcoexp/sim102"
PUBLISHED = {"entropy": 0.696, "z-score": 0.563, "FTGI": 0.439, "DiffCoEx": 0.376, "DICER": 0.351, "LDGM": 0.278}


def table(file):
    with file.open() as stream:
        header, *rows = list(csv.reader(stream))
    return header[1:], [row[0] for row in rows], [row[1:] for row in rows]


def pair(a, b):
    return tuple(sorted((a, b)))


def knock_down(study, number, permutations):
    """Pairs called and right, for one of the genes."""
    folder = study.needs(FOLDER)
    samples, genes, values = table(folder / "expression_150genes_x_406samples.csv")
    values = np.array(values, dtype=float).T
    knocked, names, states = table(folder / "conditions_samples_x_knockdown.csv")
    gene, state = knocked[number], {name: row[number] for name, row in zip(names, states)}
    columns, drop_genes, flags = table(folder / "condcoex_genes_to_drop_if_nonzero.csv")
    dropped = {g for g, row in zip(drop_genes, flags) if float(row[columns.index(gene)]) != 0} | {gene}
    keep = [j for j, g in enumerate(genes) if g not in dropped]
    kept = [genes[j] for j in keep]
    data = {level: values[np.ix_([i for i, s in enumerate(samples) if state[s] == level], keep)] for level in sorted(set(state[s] for s in samples))}
    found = disc.run(data, features=kept, permutations=permutations, bootstraps=0, threads=study.threads, progress=False)
    with (folder / "truth_triplets.csv").open() as stream:
        wanted = {pair(r["TF"], r["Target"]) for r in csv.DictReader(stream)
                  if r["Association"] == "TRUE" and r["cond"] == gene and {r["TF"], r["Target"]} <= set(kept)}
    listed = found.to_frame("pairs")
    called = {"pairs.tsv": {pair(a, b) for a, b in zip(listed.feature_a, listed.feature_b)},
              "within groups": {pair(a, b) for groups in found.groups.values() for g in groups for a, b in itertools.combinations(g.features, 2)}}
    return {"gene": gene, "true": len(wanted), **{kind: [len(pairs), len(pairs & wanted)] for kind, pairs in called.items()}}


def run(study):
    study.needs(FOLDER)
    results = [r for _, r in study.each(knock_down, [{"number": k, "permutations": study.size(199, 9)} for k in (0, 1)])]
    rows, scores = [], {}
    for kind in ("pairs.tsv", "within groups"):
        called, right, true = (sum(values) for values in zip(*((r[kind][0], r[kind][1], r["true"]) for r in results)))
        scores[kind] = 2 * right / max(1, called + true)
        rows.append([kind, called, right, true, scores[kind], right / max(1, called), right / max(1, true)])
    study.table("Pairs of both knock-downs", ["pairs", "called", "right", "true", "F1", "precision", "recall"], rows)
    study.table("Published, same data", ["method", "F1"], PUBLISHED.items())
    study.compare("sim102: F1 of changed pairs", "not in the paper", None, scores["pairs.tsv"], "best published: entropy 0.696")
    plt = common.pyplot()
    figure, axis = plt.subplots(figsize=(4, 2))
    bars = {"our default, pairs.tsv": scores["pairs.tsv"], **PUBLISHED}
    axis.barh(list(bars)[::-1], list(bars.values())[::-1], color=["0.6"] * len(PUBLISHED) + ["C3"])
    axis.set(xlabel="F1", xlim=(0, 1))
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
