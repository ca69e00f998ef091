"""Livers of female and male mice (the data of WGCNA's tutorial): groups of either sex against published modules.

    python -m experiments.mouse_liver

The 1,500 most variable of 3,600 probes, 134 and 124 mice, missing values replaced by means; everything else is the default. Each group reported is compared with the published modules
of the female network: the module that holds most of it, and the hypergeometric p of that.
"""
import csv

import disc_features as disc
import numpy as np
import pandas
from scipy.stats import hypergeom

from . import common

FILES = [f"bulk/wgcna_mouse_liver/{name}" for name in ("female_3600probes_x_134.csv.gz", "male_3600probes_x_124.csv.gz", "probes_modules.csv")]


def default(study, probes, permutations):
    female, male, table = study.needs(*FILES)
    data = {name: pandas.read_csv(file, index_col=0).T for name, file in (("female", female), ("male", male))}
    with table.open(newline="") as stream:
        module = {row["probe"]: row["female_module"] for row in csv.DictReader(stream)}
    found = disc.run(data, missing="mean", select=f"variable:{probes}", permutations=permutations, bootstraps=0, threads=study.threads, progress=False)
    universe = [str(name) for name in found.features]
    rows = []
    for name, groups in found.groups.items():
        for group in groups:
            names, counts = np.unique([module.get(f, "none") for f in group.features], return_counts=True)
            best = int(np.argmax(np.where(names == "grey", 0, counts)))
            size = sum(module.get(f) == names[best] for f in universe)
            rows.append([name, group.id, len(group), group.p, names[best], int(counts[best]), size,
                         float(hypergeom.sf(counts[best] - 1, len(universe), size, len(group)))])
    tested = [g["p"] for c in found.summary["conditions"] for g in c["groups"] + c["candidates"] if g["p"] is not None]
    return {"rows": rows, "min_p": min(tested, default=1.0), "probes": len(universe)}


def run(study):
    study.needs(*FILES)
    result = study.cached(default, probes=study.size(1500, 150), permutations=study.size(49, 9))
    header = ["condition", "group", "probes", "p", "module", "of it in the group", "its size", "p of the overlap"]
    study.table(f"Groups of the default among {result['probes']} probes", header, result["rows"] or [["none", "", "", result["min_p"]] + [""] * 4])
    inside = [row[5] / row[2] for row in result["rows"]]
    study.compare("mouse liver: groups of one sex", "not in the paper", None, f"{len(result['rows'])}, smallest p {result['min_p']:.3f}",
                  f"mean share of a group that lies in one published module: {np.mean(inside):.2f}" if inside else "")
    plt = common.pyplot()
    figure, axis = plt.subplots(figsize=(5, 0.25 * max(3, len(inside)) + 0.8))
    axis.barh([f"{row[0]} {row[1]} ({row[2]} probes): {row[4]}" for row in result["rows"]] or ["no group"], inside or [0], color="0.5")
    axis.set(xlim=(0, 1), xlabel="share of the group in that module")
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
