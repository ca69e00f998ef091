"""Resting brains (section 4.4): autism against control, and eyes open against closed, ABIDE at one site.

    python -m experiments.abide

175 subjects, 176 time points, 200 regions. The default in one pooled analysis: a subject's file is the unit of exchange, so that p-values are about subjects.
The paper's way: vectors per subject, averaged over subjects. Here per subject of one condition against the pooled time points of the other (20 eigenvectors, the first vector, its absolute
entries averaged over 15 subjects of each side), beside the same for random sides: does the average differ between the sides more than by chance?
"""
import csv

import disc_features as disc
import numpy as np

from . import common

FOLDER, TABLE = "fmri/abide_cc200_NYU", "fmri/Phenotypic_V1_0b_preprocessed1.csv"
QUESTIONS = {"autism vs control": ("DX_GROUP", {"1": "autism", "2": "control"}), "eyes open vs closed": ("EYE_STATUS_AT_SCAN", {"1": "open", "2": "closed"})}


def files_by(study, column, names, most):
    folder, table = study.needs(FOLDER, TABLE)
    found = {name: [] for name in names.values()}
    with table.open(newline="") as stream:
        for row in csv.DictReader(stream):
            file = folder / f"{row['FILE_ID']}_rois_cc200.1D"
            if file.exists() and row[column] in names:
                found[names[row[column]]].append(file)
    return {name: sorted(files)[:most] for name, files in found.items()}


def pooled(study, question, permutations, most):
    column, names = QUESTIONS[question]
    files = files_by(study, column, names, most)
    found = disc.run({name: [str(file) for file in chosen] for name, chosen in files.items()}, permutations=permutations, bootstraps=0,
                     threads=study.threads, progress=False)
    tested = [g["p"] for c in found.summary["conditions"] for g in c["groups"] + c["candidates"]]
    return {"subjects": {name: len(chosen) for name, chosen in files.items()}, "groups": {name: [len(g) for g in groups] for name, groups in found.groups.items()},
            "min_p": min(tested, default=1.0), "d": [c["eigenvectors_used"] - 1 for c in found.summary["conditions"]]}


def series(file):
    values = np.loadtxt(file)
    spread = values.std(axis=0)
    return (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1)


def averaged(study, question, number, shuffles):
    """Norm of the difference between the averaged vectors of both sides, observed and with sides exchanged at random."""
    column, names = QUESTIONS[question]
    sides = [[series(file) for file in files] for files in files_by(study, column, names, number).values()]
    settings = {"preset": "paper-code", "constant_vector": "keep", "eigenvectors": 20, "vectors": 1, "groups": 2, "threads": study.threads, "progress": False}
    random, vectors = np.random.default_rng(0), []
    pools = [np.vstack(side) + 0 for side in sides]
    for own, other in ((0, 1), (1, 0)):
        for values in sides[own]:
            pool = pools[other][random.permutation(len(pools[other]))[:1000]]
            noise = [x + random.normal(0, 1e-3, x.shape) for x in (values, pool)]  # a region that is constant in one subject stays in
            vectors.append(np.abs(disc.run({"own": noise[0], "other": noise[1]}, **settings).vectors["own"][:, 0]))
    vectors = np.array(vectors)
    side = np.repeat([0, 1], [len(s) for s in sides])
    statistic = lambda labels: float(np.linalg.norm(vectors[labels == 0].mean(axis=0) - vectors[labels == 1].mean(axis=0)))
    null = [statistic(random.permutation(side)) for _ in range(shuffles)]
    return {"statistic": statistic(side), "p": (1 + sum(value >= statistic(side) for value in null)) / (1 + shuffles)}


def run(study):
    rows = []
    for question in QUESTIONS:
        result = study.cached(pooled, question=question, permutations=study.size(199, 9), most=study.size(None, 3))
        average = study.cached(averaged, question=question, number=study.size(15, 2), shuffles=study.size(999, 9))
        rows.append([question, ", ".join(f"{n} {v}" for n, v in result["subjects"].items()), ", ".join(map(str, result["d"])),
                     sum(map(len, result["groups"].values())), result["min_p"], average["p"]])
        study.compare(question, "differences in figures", f"averaged vectors differ between sides: p = {average['p']:.3f}",
                      f"{rows[-1][3]} groups, smallest p {result['min_p']:.3f}")
    study.table("ABIDE, subjects as units", ["question", "subjects", "d", "groups of the default", "smallest p", "p of averaged vectors"], rows)
    plt = common.pyplot()
    figure, axis = plt.subplots(figsize=(4, 1.5))
    axis.barh([f"{row[0]}, {kind}" for row in rows for kind in ("default", "averaged")], [p for row in rows for p in row[4:6]], color="0.5")
    axis.axvline(0.05, ls=":", color="k")
    axis.set(xlabel="p (dotted: 0.05)", xlim=(0, 1))
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
