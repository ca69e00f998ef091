"""Injected groups in real cells (the protocol of DiCoLo, 2025): how strong must a group be to stand out?

    python -m experiments.injection [--seeds 3]

Control cells of Kang et al. are divided at random into two halves, A and B: no difference. Then a group of genes is injected into B: in a share of its cells all
of the group are expressed together (Poisson counts of mean 2 are added), and each such count is lost with the probability of dropout. Score: balanced average
precision (0.5 = chance) of the energy of the vectors of B for the injected genes, for the paper's recipe, for the whitened operator (DiCoLo's) and for
the default, and whether the default reports a group that holds at least half of them.
"""
import disc_features as disc
import numpy as np
from sklearn.metrics import average_precision_score

from . import common, genesets

FOLDER = "scrna/kang_harmony_10x"
SETTINGS = [(20, 0.5, 0.0), (20, 0.2, 0.0), (20, 0.1, 0.0), (20, 0.2, 0.5), (10, 0.2, 0.0), (40, 0.2, 0.0)]  # size, share of cells, dropout


def halves(study, size, fraction, dropout, seed, share):
    counts, _ = genesets.read_10x(study.needs(FOLDER) / "ctrl")
    random = np.random.default_rng(seed)
    order = random.permutation(counts.shape[0])
    first, second = (counts[np.sort(rows)] for rows in np.array_split(order, 2))
    keep = genesets.seen_in([first, second], share)
    first, second = first[:, keep].toarray().astype(float), second[:, keep].toarray().astype(float)
    members = random.choice(len(keep), size, replace=False)
    chosen = random.permutation(len(second))[:round(fraction * len(second))]
    added = random.poisson(2.0, (len(chosen), size)) * (random.random((len(chosen), size)) >= dropout)
    second[np.ix_(chosen, members)] += added
    return {"A": first, "B": second}, members


def balanced_precision(truth, value):
    weights = np.where(truth, 0.5 / truth.sum(), 0.5 / (~truth).sum())
    return average_precision_score(truth, value, sample_weight=weights)


def draw(study, size, fraction, dropout, seed, share, permutations):
    data, members = halves(study, size, fraction, dropout, seed, share)
    logs = {name: np.log1p(x / x.sum(axis=1, keepdims=True) * 1e4) for name, x in data.items()}
    paper = {"preset": "paper-code", "constant_vector": "keep", "bandwidth_neighbors": 10, "eigenvectors": 20, "vectors": 3, "groups": 3}
    settings = {"threads": study.threads, "progress": False}
    found = {"recipe": disc.run(logs, **paper, **settings), "whitened": disc.run(logs, **paper, method="whitened", **settings),
             "default": disc.run(data, normalize="log-cpm", permutations=permutations, bootstraps=0, **settings)}
    result = {}
    for name, analysis in found.items():
        where = np.array([int(f[1:]) - 1 for f in analysis.features])
        V = analysis.vectors["B"][:, :3]
        sigma = np.abs(analysis.sigma["B"][:3])
        result[name] = balanced_precision(np.isin(where, members), (sigma ** 2 * V ** 2).sum(axis=1))
    wanted = {f"f{m + 1}" for m in members}
    groups = found["default"].groups["B"]
    result["found"] = any(len(wanted & set(g.features)) >= len(wanted) / 2 for g in groups)
    result["groups"] = [len(g) for g in groups]
    return result


def run(study):
    study.needs(FOLDER)
    settings = [{"size": size, "fraction": fraction, "dropout": dropout, "seed": seed, "share": study.size(0.2, 0.5), "permutations": study.size(49, 9)}
                for size, fraction, dropout in study.size(SETTINGS, SETTINGS[:1]) for seed in study.seeds(3)]
    found = {}
    for setting, result in study.each(draw, settings):
        found.setdefault((setting["size"], setting["fraction"], setting["dropout"]), []).append(result)
    methods = ["recipe", "whitened", "default"]
    study.table("Balanced average precision of the injected genes", ["genes", "share of cells", "dropout", *methods, "default reports the group", "sizes of its groups"],
                [[*key, *(common.interval([r[m] for r in results]) for m in methods), f"{sum(r['found'] for r in results)} of {len(results)}",
                  "; ".join(", ".join(map(str, r["groups"])) or "none" for r in results)] for key, results in found.items()])
    mean = {m: np.mean([r[m] for results in found.values() for r in results]) for m in methods}
    hits = sum(r["found"] for results in found.values() for r in results)
    study.compare("injected groups: mean balanced precision", "not in the paper", mean["recipe"], mean["default"],
                  f"whitened {mean['whitened']:.2f}; default reports the group in {hits} of {sum(map(len, found.values()))} replicates")
    plt = common.pyplot()
    figure, axis = plt.subplots(figsize=(6, 2.6))
    for place, method in enumerate(methods):
        axis.bar(np.arange(len(found)) + 0.27 * place, [np.mean([r[method] for r in results]) for results in found.values()], 0.25, label=method)
    axis.set_xticks(np.arange(len(found)) + 0.27, labels=["{} genes\n{:.0%} cells\ndrop {:.0%}".format(*key) for key in found])
    axis.set(ylim=(0, 1.2), yticks=[0, 0.5, 1], ylabel="balanced precision")
    axis.legend(frameon=False, ncols=3)
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
