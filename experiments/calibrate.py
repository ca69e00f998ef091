"""Null battery: conditions that do not differ in connection. How often is any p below 0.05? It should be 5 %.

    python -m experiments.calibrate --seeds 200

Rows: random halves of one population; unequal sizes; a shift of means only; of variances only; of sequencing depth only
(counts, log-cpm); few donors with effects of their own (unit = donor); more than two conditions; pure noise.
In all of them (but the last) features form groups, the same ones in all conditions: what could be mistaken for a
difference is there. --seeds is the number of data sets per row. The table has the share of data sets with any p < 0.05 and quantiles of the smallest p.
"""
import math

import disc_features as disc
import numpy as np

from . import common
from .nulls import PLAIN as ROWS
from .nulls import conditions


def one_set(row, number, permutations, threads):
    data, options = conditions(row, np.random.default_rng([number, ROWS.index(row)]))
    found = disc.run(data, seed=number, bootstraps=0, permutations=permutations, threads=threads, progress=False, **options)
    p = [1.0]
    for condition in found.summary["conditions"]:
        p += [g["p"] for g in condition["groups"] + condition["candidates"]]
    return {"min_p": min(p), "groups": sum(map(len, found.groups.values()))}


def run(study):
    settings = [{"row": row, "number": number, "permutations": study.size(199, 19), "threads": 1}
                for number in study.seeds(50) for row in study.size(ROWS, ROWS[:1] + ROWS[4:6])]
    smallest = {}
    for setting, result in study.each(one_set, settings, apart=True):
        smallest.setdefault(setting["row"], []).append(result["min_p"])
    shares = {row: np.mean(np.array(p) < 0.05) for row, p in smallest.items()}
    study.table("Smallest p of a data set", ["row", "data sets", "any p < 0.05", "standard error", "10 %, 25 %, 50 % quantile of the smallest p"],
                [[row, len(p), f"{shares[row]:.3f}", f"{math.sqrt(shares[row] * (1 - shares[row]) / len(p)):.3f}",
                  ", ".join(f"{q:.2f}" for q in np.quantile(p, [0.1, 0.25, 0.5]))] for row, p in smallest.items()])
    study.compare("null battery: share of data sets with any p < 0.05", "no p-values", None, ", ".join(f"{row} {share:.2f}" for row, share in shares.items()),
                  f"{len(next(iter(smallest.values())))} data sets per row")
    plt = common.pyplot()
    figure, axis = plt.subplots(figsize=(4, 2))
    axis.barh(list(shares), list(shares.values()), color="0.5")
    axis.axvline(0.05, ls=":", color="k")
    axis.set(xlabel="share of data sets with any p < 0.05 (dotted: wanted)")
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
