"""Simulated single cells (appendix E): two types of cells, 100 of 500 genes expressed differently.

    python -m experiments.splat

A generator of our own from the published model of Splatter (Zappia et al. 2017): gene means from a gamma distribution, library sizes log-normal, biological variation by a gamma with a
mean-variance trend, counts Poisson; 100 genes have log-normal factors in one type. 1,000 cells, 500 of each type. In this model genes of one type are independent given the library size: only
*means* change. `modules`: the same, but the 100 genes also vary together within the second type, which is a change of connection.
Shown: t-SNE of the cells colored by the meta-feature of the first vector of the paper's recipe and of diffusion maps. In numbers: area under the curve of the vectors' energy against the 100
genes, of the leading meta-feature against the type of cell, and whether the default reports groups. And the stored set made by Splatter itself, one type of cells, control against treatment.
"""
import disc_features as disc
import numpy as np
from sklearn.manifold import TSNE
from sklearn.metrics import roc_auc_score

from . import common

STORED = "scrna/splatter_augur_sim/sc_sim.h5ad"
DIFFERENT = 100


def cells(kind, genes, number, seed):
    """Counts of both types; the first 100 genes differ."""
    random = np.random.default_rng(seed)
    means = random.gamma(0.6, 1 / 0.3, genes) + 0.05
    factor = np.ones(genes)
    factor[:DIFFERENT] = random.lognormal(1.0, 0.4, DIFFERENT) ** random.choice([1, -1], DIFFERENT)
    data = {}
    for name in ("first", "second"):
        rate = means * (factor if name == "second" else 1)
        rate = rate / rate.sum() * random.lognormal(np.log(3 * genes), 0.2, (number, 1))
        if kind == "modules" and name == "second":
            rate[:, :DIFFERENT] *= np.exp(0.7 * random.standard_normal((number, 1)) - 0.7 ** 2 / 2)
        spread = (0.1 + 1 / np.sqrt(rate)) ** 2  # squared coefficient of variation
        data[name] = random.poisson(random.gamma(1 / spread, rate * spread)).astype(float)
    return data


def logged(counts):
    return np.log1p(counts / counts.sum(axis=1, keepdims=True) * 1e4)


def recipe(data, threads, method="disc"):
    return disc.run({name: logged(counts) for name, counts in data.items()}, preset="paper-code", constant_vector="keep", bandwidth_neighbors=9, eigenvectors=20, vectors=2,
                    groups=2, method=method, threads=threads, progress=False)


def positions(found):
    return np.array([int(f[1:]) - 1 for f in found.features])


def draw(study, kind, genes, number, seed, permutations):
    data = cells(kind, genes, number, seed)
    everyone, label = np.vstack([logged(counts) for counts in data.values()]), np.repeat([0, 1], number)
    result = {}
    for method in ("disc", "diffusion-maps"):
        found = recipe(data, study.threads, method)
        where, V = positions(found), found.vectors["second"]
        auc = roc_auc_score(where < DIFFERENT, (V ** 2).sum(axis=1))
        type_auc = roc_auc_score(label, everyone[:, where] @ V[:, 0])
        result[method] = {"genes": auc, "type": max(type_auc, 1 - type_auc)}
    own = disc.run(data, normalize="log-cpm", permutations=permutations, bootstraps=0, threads=study.threads, progress=False)
    members = [int(f[1:]) - 1 for group in own.groups["second"] for f in group.features]
    where, V = positions(own), own.vectors["second"][:, :2]
    result["ours"] = {"groups": len(own.groups["second"]) + len(own.groups["first"]), "genes": roc_auc_score(where < DIFFERENT, (V ** 2).sum(axis=1)),
                      "inside": float(np.mean(np.array(members) < DIFFERENT)) if members else None, "members": len(members)}
    return result


def stored(study, permutations):
    import anndata
    file = anndata.read_h5ad(study.needs(STORED))
    rows = []
    for kind in sorted(set(file.obs["cell_type"])):
        part = file[file.obs["cell_type"] == kind]
        found = disc.run(part, by="label", normalize="log-cpm", select="variable:500", permutations=permutations, bootstraps=0, threads=study.threads, progress=False)
        tested = [g["p"] for c in found.summary["conditions"] for g in c["groups"] + c["candidates"] if g["p"] is not None]
        rows.append([kind, part.n_obs, sum(map(len, found.groups.values())), min(tested, default=1.0)])
    return rows


def run(study):
    genes, number = study.size(500, 150), study.size(500, 60)
    results = study.each(draw, [{"kind": kind, "genes": genes, "number": number, "seed": seed, "permutations": study.size(99, 9)}
                                for kind in ("means", "modules") for seed in study.seeds(3)])
    rows = []
    for kind in ("means", "modules"):
        mine = [r for s, r in results if s["kind"] == kind]
        mean = lambda method, key: np.mean([r[method][key] for r in mine])
        rows.append([f"{kind} change", mean("disc", "genes"), mean("diffusion-maps", "genes"), mean("ours", "genes"), mean("disc", "type"),
                     mean("diffusion-maps", "type"), ", ".join(str(r["ours"]["groups"]) for r in mine),
                     ", ".join("" if r["ours"]["inside"] is None else f"{r['ours']['inside']:.2f}" for r in mine)])
        study.compare(f"splat-like cells, {kind} change: AUC of the energy for the 100 genes", "they stand out", mean("disc", "genes"), mean("ours", "genes"),
                      f"diffusion maps {mean('diffusion-maps', 'genes'):.2f}; groups of the default per replicate: {rows[-1][6]}")
    study.table("Simulated cells", ["data", "AUC genes, recipe", "AUC genes, diffusion maps", "AUC genes, default", "AUC type, recipe", "AUC type, diffusion maps",
                                    "groups of the default, per replicate", "share of their genes that differ"], rows)
    kept = study.attempt("stored Splatter set", lambda: study.cached(stored, permutations=study.size(99, 9)))
    if kept:
        study.table("Stored Splatter set, control against treatment, 500 most variable genes", ["type of cell", "cells", "groups of the default", "smallest p"], kept)
    study.figure(picture(study, genes, number))


def picture(study, genes, number):
    plt = common.pyplot()
    data = cells("means", genes, number, 1)
    everyone = np.vstack([logged(counts) for counts in data.values()])
    place = TSNE(2, random_state=0, init="pca", perplexity=min(30, number / 4)).fit_transform(everyone)
    figure, axes = plt.subplots(1, 3, figsize=(9, 2.8))
    values = {"type of cell": np.repeat([0, 1], number)}
    for method, title in (("diffusion-maps", "first diffusion map"), ("disc", "first differential vector")):
        found = recipe(data, study.threads, method)
        values[title] = everyone[:, positions(found)] @ found.vectors["second"][:, 0]
    for axis, (title, color) in zip(axes, values.items()):
        axis.scatter(*place.T, c=color, s=3, cmap="viridis")
        axis.set(title=title, xticks=[], yticks=[])
    return figure


if __name__ == "__main__":
    common.main(__doc__, run)
