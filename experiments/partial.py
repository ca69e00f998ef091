"""Partial change of correlation (appendix E, figure 11): the first singular value of A falls as B keeps more of the connection.

    python -m experiments.partial

Newly connected, but features 151 to 200 keep a share of their connection in B: t = 0 none, t = 1 all of it. The paper: the first singular value of A falls
as t goes to 1 and is still high between. Also, for the default, how often A's groups are reported, and the largest statistic of a group of A.
"""
import pathlib
import subprocess
import tempfile

import disc_features as disc
import numpy as np

from . import common
from .synthetic import without_constant

SHARES = [0, 0.25, 0.5, 0.75, 0.9, 1]


def draw(t, samples, seed, threads, permutations=49):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([common.program(), "simulate", "partial", "--partial", str(t), "--samples", str(samples), "--seed", str(1000 + seed),
                        "-q", "-o", folder], check=True)
        data = {name: np.load(pathlib.Path(folder, f"{name}.npy")) for name in "AB"}
    recipe = disc.run(data, preset="paper-code", bandwidth_neighbors=30, eigenvectors=20, groups=2, vectors=6, threads=threads, progress=False)
    ours = disc.run(data, permutations=permutations, bootstraps=0, threads=threads, progress=False)
    tested = ours.summary["conditions"][0]
    members = [int(feature[1:]) for group in ours.groups["A"] for feature in group.features]
    return {"recipe": without_constant(recipe, "A")[0][0], "ours": ours.sigma["A"][0], "groups": len(ours.groups["A"]),
            "statistic": max((group["statistic"] for group in tested["groups"] + tested["candidates"]), default=0),
            "inside": np.mean([150 < m <= 200 for m in members]) if members else None}


def run(study):
    settings = [{"t": t, "samples": study.size(10000, 200), "seed": seed, "threads": 1,
                 "permutations": study.size(49, 9)} for t in study.size(SHARES, [0, 1])
                for seed in study.seeds(20)]
    found = {}
    for setting, result in study.each(draw, settings, apart=True):
        found.setdefault(setting["t"], []).append(result)
    rows = [[t, common.interval([r["recipe"] for r in results], 3), common.interval([r["ours"] for r in results], 3),
             common.interval([r["statistic"] for r in results]), f"{sum(r['groups'] > 0 for r in results)} of {len(results)}"] for t, results in found.items()]
    study.table("first singular value of A", ["t", "recipe", "default", "largest statistic of a group of A, default", "replicates in which the default reports groups of A"], rows)
    recipe, ours = ([np.mean([r[side] for r in results]) for results in found.values()] for side in ("recipe", "ours"))
    study.compare("first singular value of A at t = 0, 0.5, 1", "falls, high between", *(
        ", ".join(f"{np.interp(t, list(found), values):.2f}" for t in (0, 0.5, 1)) for values in (recipe, ours)))
    plt = common.pyplot()
    figure, (axis, tested) = plt.subplots(1, 2, figsize=(8, 2.8))
    axis.plot(list(found), recipe, "o-", label="paper's recipe")
    axis.plot(list(found), ours, "s--", label="our default")
    axis.set(ylabel="first singular value of A", ylim=(0, None))
    axis.legend(frameon=False)
    tested.plot(list(found), [np.mean([r["statistic"] for r in results]) for results in found.values()], "s--", color="C1")
    tested.set(ylabel="largest statistic of a group of A, default", yscale="log")
    for each in (axis, tested):
        each.set_xlabel("t: share of the connection that B keeps")
    figure.tight_layout()
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
