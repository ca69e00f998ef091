"""Sensitivity to the number of eigenvectors d (appendix A): newly connected, d from 2 to 150.

    python -m experiments.hyperparameters [--seeds 5]

The paper: features that are connected in both conditions leak into the differential vectors below d = 4, and the result is stable up to about
150. Measured on the two leading vectors of A (k = 30, the constant direction excluded): which share of their squared entries lies on the features of
A's own groups (151 to 200), on shared ones (101 to 150), and elsewhere.
"""
import disc_features as disc
import numpy as np

from . import common
from .synthetic import without_constant

VALUES = [2, 3, 4, 6, 10, 20, 30, 50, 80, 100, 120, 150, 200]


def shares(vectors):
    mass = (vectors[:, :2] ** 2).sum(axis=1) / 2
    own, shared = mass[150:200].sum(), mass[100:150].sum()
    return {"own": own, "shared": shared, "elsewhere": 1 - own - shared}


def draw(d, samples, seed, threads):
    data = disc.simulate("newly-connected", samples=samples, seed=1000 + seed).conditions
    if d == "auto":
        found = disc.run(data, permutations=0, bootstraps=0, threads=threads, progress=False)
        chosen = found.summary["conditions"][0]["eigenvectors_used"] - 1
    else:
        found = disc.run(data, preset="paper-code", bandwidth_neighbors=30, eigenvectors=d, groups=2, vectors=6, threads=threads, progress=False)
        chosen = d
    sigma, vectors = without_constant(found, "A")
    return {**shares(vectors), "sigma_2": sigma[1], "d": chosen}


def run(study):
    settings = [{"d": d, "samples": study.size(1000, 200), "seed": seed, "threads": 1}
                for d in [*study.size(VALUES, [2, 20]), "auto"] for seed in study.seeds(5)]
    found = {}
    for setting, result in study.each(draw, settings, apart=True):
        found.setdefault(setting["d"], []).append(result)
    mean = {d: {key: np.mean([r[key] for r in results]) for key in results[0]} for d, results in found.items()}
    study.table("Share of the two leading vectors of A", ["d", "own groups", "shared groups", "elsewhere", "second singular value"],
                [[d if d != "auto" else f"default ({m['d']:g})", m["own"], m["shared"], m["elsewhere"], m["sigma_2"]] for d, m in mean.items()])
    fixed = [d for d in mean if d != "auto"]
    listed = lambda values, key: ", ".join(f"{mean[d][key]:.3f}" for d in values if d in mean)
    study.compare("share of the vectors on shared groups at d = 2, 3, 4", "leaks below 4", listed((2, 3, 4), "shared"),
                  f"{mean['auto']['shared']:.3f} at its own d, {mean['auto']['d']:g}")
    study.compare("share on A's own groups at d = 4, 20, 50, 100, 150", "stable to about 150", listed((4, 20, 50, 100, 150), "own"), f"{mean['auto']['own']:.3f}")
    plt = common.pyplot()
    figure, axis = plt.subplots(figsize=(4, 2.8))
    for key, label in (("own", "own groups of A"), ("shared", "shared groups"), ("elsewhere", "elsewhere")):
        axis.semilogx(fixed, [mean[d][key] for d in fixed], "o-", ms=3, label=label)
    axis.set(xlabel="d", ylabel="share of the vectors", ylim=(0, 1))
    axis.legend(frameon=False)
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
