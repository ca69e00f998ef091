"""MNIST, all 45 pairs of digits (appendix E, figure 10), and 4 vs 9 over d.

    python -m experiments.mnist_pairs

The paper's protocol: d = 20, the top 3 vectors of each digit side by side (784 x 6), k-means with 3 clusters of pixels, sums over each, logistic
regression; mean accuracy per digit over its nine pairs. Baselines with the same 3 sums: diffusion maps (3 of each digit), elastic net, elastic-net
logistic regression, k-means of the entire data. Then the same with 6 meta-features for all: 6 clusters, or projections on the 3 vectors of each
digit, which is what disc.DiSC(vectors=3) gives; and 3 and 6 of disc.DiSC(meta_features="discriminating"), which looks at the digits, beside as many principal components. Then what the default gives when it has no settings, not even how many vectors, beside as many principal
components and all pixels. The recipe leaves the constant vector in U here, so that the three vectors carry something.
4 vs 9 (all images): accuracy for d = 10 to 60, for the default's own d with all its vectors, and for the default with d forced to 60.
"""
import itertools

import disc_features as disc
import numpy as np
from sklearn.decomposition import PCA
from sklearn.linear_model import ElasticNet, LogisticRegression
from sklearn.preprocessing import StandardScaler

from . import common, mnist

SEEN, TRAINED = 1000, 3000  # images of each digit that meta-features are made from, and that the classifier sees, for all methods
PAPER_49 = {10: 95.2, 20: 96.5, 30: 96.5, 40: 96.4, 50: 94.7, 60: 88.5}
NAMES = {"recipe sums": "DiSC, the paper's recipe, clusters", "diffusion_maps sums": "diffusion maps, clusters",
         "elastic_net sums": "elastic net, clusters", "elastic_net_logistic sums": "elastic-net logistic, clusters",
         "kmeans sums": "k-means of the entire data", "ours sums": "our default, clusters",
         "recipe projections": "DiSC, the paper's recipe, projections", "diffusion_maps projections": "diffusion maps, projections",
         "ours projections": "our default, projections", "ours discriminating": "our default, discriminating (looks at the digits)",
         "pca projections": "principal components"}


def pair_of(study, digits, most):
    train, train_labels, test, test_labels = mnist.images(study, most)
    keep, judge = np.isin(train_labels, digits), np.isin(test_labels, digits)
    return train[keep], train_labels[keep], test[judge], test_labels[judge]


def analysis_of(method, data, digits, threads, d=20):
    split = {str(digit): data[0][data[1] == digit] for digit in digits}
    if method == "ours":
        return disc.run(split, permutations=0, bootstraps=0, threads=threads, progress=False)
    settings = {"preset": "paper-code", "constant_vector": "keep", "bandwidth_neighbors": 10, "eigenvectors": d, "groups": 3, "vectors": 3}
    return disc.run(split, **settings, threads=threads, progress=False, **({"method": "diffusion-maps"} if method == "diffusion_maps" else {}))


def rows_of(method, data, digits, threads, d=20):
    """What is clustered, for which pixels: six columns of vectors, coefficients, or the images themselves."""
    if method == "kmeans":
        varying = np.flatnonzero(data[0].std(axis=0) > 0)
        return data[0][::3][:, varying].T, varying
    if method.startswith("elastic"):
        scaled, y = StandardScaler().fit_transform(data[0]), (data[1] == digits[0]).astype(float)
        model = (ElasticNet(alpha=0.01, l1_ratio=0.5) if method == "elastic_net"
                 else LogisticRegression(solver="saga", l1_ratio=0.5, C=0.1, max_iter=40))
        return model.fit(scaled, y).coef_.reshape(-1, 1), np.arange(mnist.PIXELS)
    analysis = analysis_of(method, data, digits, threads, d)
    return np.column_stack([values[:, :3] for values in analysis.vectors.values()]), mnist.used(analysis)


def pair(study, first, second, most):
    """Accuracy of every method, with 3 and with 6 meta-features."""
    digits = (first, second)
    data = pair_of(study, digits, most)
    few = np.sort(np.concatenate([np.flatnonzero(data[1] == digit)[:TRAINED] for digit in digits]))
    data = (data[0][few], data[1][few], *data[2:])
    part = np.sort(np.concatenate([np.flatnonzero(data[1] == digit)[:SEEN] for digit in digits]))
    seen, found = (data[0][part], data[1][part]), {}
    for method in ("recipe", "diffusion_maps", "elastic_net", "elastic_net_logistic", "kmeans", "ours"):
        rows, pixels = rows_of(method, seen, digits, study.threads)
        for number in (3, 6):
            found[f"{method} sums {number}"] = mnist.accuracy(mnist.cluster_sums(rows, pixels, number, drop=0), data)
        if method in ("recipe", "diffusion_maps", "ours"):
            whole = np.zeros((mnist.PIXELS, rows.shape[1]))
            whole[pixels] = rows
            found[f"{method} projections 6"] = mnist.accuracy(whole, data)
    ordered = np.zeros((mnist.PIXELS, 6))
    estimator = disc.DiSC(meta_features="discriminating", n_meta_features=6, permutations=0, bootstraps=0, threads=study.threads).fit(*seen)
    ordered[estimator.used_features_] = estimator.discriminating_
    components = PCA(6, random_state=0).fit(seen[0]).components_.T
    for number in (3, 6):
        found[f"ours discriminating {number}"] = mnist.accuracy(ordered[:, :number], data)
        found[f"pca projections {number}"] = mnist.accuracy(components[:, :number], data)
    own = mnist.projections(analysis_of("ours", seen, digits, study.threads))
    found |= {"own": mnist.accuracy(own, data), "columns": own.shape[1], "pixels": mnist.accuracy(np.eye(mnist.PIXELS), data),
              "pca": mnist.accuracy(PCA(own.shape[1], random_state=0).fit(seen[0]).components_.T, data)}
    return found


def four_nine(study, d, most):
    digits = (4, 9)
    data = pair_of(study, digits, most)
    if d in ("auto", "forced"):
        chosen = {"eigenvectors": 60} if d == "forced" else {}
        analysis = disc.run(mnist.by_digit(data[0], data[1]), permutations=0, bootstraps=0, threads=study.threads, progress=False, **chosen)
        whole = np.column_stack([mnist.full(analysis, values) for values in analysis.vectors.values()])
        return {"accuracy": mnist.accuracy(whole, data), "columns": whole.shape[1],
                "d": [c["eigenvectors_used"] - 1 for c in analysis.summary["conditions"]]}
    rows, pixels = rows_of("recipe", data, digits, study.threads, d)
    return {"accuracy": mnist.accuracy(mnist.cluster_sums(rows, pixels, 3, drop=0), data), "columns": 3}


def run(study):
    most = study.size(None, 80)
    mnist.images(study, most)
    nine = study.each(four_nine, [{"d": d, "most": most} for d in [*study.size(PAPER_49, [20]), "forced", "auto"]])
    pairs = list(itertools.combinations(range(10), 2)) if not study.quick else [(4, 9)]
    found = study.each(pair, [{"first": a, "second": b, "most": most} for a, b in pairs])
    by_digit = lambda key, digit: [r[key] for s, r in found if digit in (s["first"], s["second"])]
    keys = [f"{name} {number}" for number in (3, 6) for name in NAMES if f"{name} {number}" in found[0][1]]
    digits = sorted({digit for one in pairs for digit in one})
    label = lambda key: NAMES[key.rpartition(" ")[0]]
    for number in ("3", "6"):
        chosen = [key for key in keys if key.endswith(number)]
        study.table(f"{number} meta-features: mean test accuracy per digit over its pairs (standard deviation), %", ["method", *digits, "mean"],
                    [[label(key), *(f"{np.mean(by_digit(key, d)):.1f} ({np.std(by_digit(key, d)):.1f})" for d in digits),
                      f"{np.mean([r[key] for _, r in found]):.2f}"] for key in chosen])
    own = {"own": "our default, without settings", "pca": "as many principal components", "pixels": "all pixels"}
    study.table(f"The default's own number of meta-features ({np.mean([r['columns'] for _, r in found]):.0f} on average): mean test accuracy per digit over its pairs (standard deviation), %",
                ["method", *digits, "mean"],
                [[name, *(f"{np.mean(by_digit(key, d)):.1f} ({np.std(by_digit(key, d)):.1f})" for d in digits), f"{np.mean([r[key] for _, r in found]):.2f}"]
                 for key, name in own.items()])
    baselines = [key for key in keys if key.endswith("sums 6") and not key.startswith(("ours", "recipe"))]
    above = lambda own, others: sum(all(np.mean(by_digit(own, d)) > np.mean(by_digit(o, d)) for o in others) for d in digits)
    best = lambda own, others: f"above every baseline of the paper on {above(own, others)} of {len(digits)} digits"
    three = [key for key in keys if key.endswith("sums 3") and not key.startswith(("ours", "recipe"))]
    mean = lambda key: f"{np.mean([r[key] for _, r in found]):.2f}"
    study.compare("pairs, 3 sums: mean accuracy", "above baselines", mean("recipe sums 3") + ", " + best("recipe sums 3", three),
                  mean("ours sums 3") + ", " + best("ours sums 3", three))
    study.compare("pairs, 6 meta-features: mean accuracy", None, mean("recipe sums 6") + ", " + best("recipe sums 6", baselines),
                  mean("ours projections 6") + " (projections), " + best("ours projections 6", baselines),
                  f"projections on diffusion maps: {mean('diffusion_maps projections 6')}")
    study.compare("pairs, 3 and 6 discriminating meta-features: mean accuracy", None, None, mean("ours discriminating 3") + ", " + mean("ours discriminating 6"),
                  f"as many principal components {mean('pca projections 3')}, {mean('pca projections 6')}; fitted to the digits of the images that the vectors come from")
    study.table("4 vs 9: test accuracy, %", ["d", "paper", "its recipe here, 3 sums"],
                [[s["d"], PAPER_49[s["d"]], f"{r['accuracy']:.1f}"] for s, r in nine if s["d"] in PAPER_49])
    automatic, forced = nine[-1][1], nine[-2][1]
    study.compare("pairs, default without settings: mean accuracy", None, None, mean("own") + ", " + best("own", three),
                  f"{np.mean([r['columns'] for _, r in found]):.0f} meta-features, the baselines 3; with 6 the baselines: {best('own', baselines)}; as many principal components {mean('pca')}, all pixels {mean('pixels')}")
    study.compare("4 vs 9 at d = 20", 96.5, next(r["accuracy"] for s, r in nine if s["d"] == 20), automatic["accuracy"],
                  f"default: own d {automatic['d']}, projections on its {automatic['columns']} vectors; with d forced to 60: {forced['accuracy']:.1f}")
    plt = common.pyplot()
    figure, axis = plt.subplots(figsize=(8, 3.2))
    shown = {**{key: f"{label(key)} ({key[-1]})" for key in ["recipe sums 3", *three, "ours projections 6"]}, "own": own["own"]}
    for place, (key, name) in enumerate(shown.items()):
        axis.errorbar(np.array(digits) + 0.1 * place - 0.3, [np.mean(by_digit(key, d)) for d in digits], [np.std(by_digit(key, d)) for d in digits],
                      fmt="o", ms=3, lw=0.8, label=name, color=["C0", "C1", "C2", "C4", "0.5", "C6", "C3"][place])
    axis.set(xlabel="digit", ylabel="test accuracy, %", xticks=digits, ylim=(55, 102))
    axis.legend(frameon=False, fontsize=6, ncols=2, loc="lower left")
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
