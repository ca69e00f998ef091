"""Greedy selection of features as a baseline (appendix E, figure 12): does it find the features whose connections differ?

    python -m experiments.greedy

Newly connected. Forward selection of 100 of the 250 features, each the one that lets 1-nearest-neighbor, or logistic regression, best tell A from B
(scikit-learn, one split of the samples in halves). The features that differ are 151 to 250: 100 of 250, so chance gives an overlap of 40 %.
The paper: poor. Beside it, which share of the features in groups that the default reports are among them.
"""
import disc_features as disc
import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from . import common

CLASSIFIERS = {"1-nearest-neighbor": KNeighborsClassifier(1, algorithm="brute"),
               "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=50))}


def select(classifier, samples, count, seed):
    data = disc.simulate("newly-connected", samples=samples, seed=1000 + seed).conditions
    X, y = np.vstack([data["A"], data["B"]]), np.repeat([0, 1], samples)
    split = ShuffleSplit(1, test_size=0.5, random_state=seed)
    selector = SequentialFeatureSelector(CLASSIFIERS[classifier], n_features_to_select=count, cv=split).fit(X, y)
    chosen = np.flatnonzero(selector.support_)
    return {"overlap": np.mean(chosen >= 150)}


def ours(samples, seed, threads, permutations):
    data = disc.simulate("newly-connected", samples=samples, seed=1000 + seed).conditions
    found = disc.run(data, permutations=permutations, bootstraps=0, threads=threads, progress=False)
    chosen = {int(f[1:]) - 1 for groups in found.groups.values() for group in groups for f in group.features}
    return {"overlap": np.mean([f >= 150 for f in chosen]) if chosen else 0, "features": len(chosen)}


def run(study):
    samples, count = study.size(200, 20), study.size(100, 1)
    rows, shares = [], {}
    for setting, result in study.each(select, [{"classifier": name, "samples": samples, "count": count, "seed": 1} for name in CLASSIFIERS], apart=True):
        shares[setting["classifier"]] = result["overlap"]
        rows.append([setting["classifier"], count, f"{100 * result['overlap']:.0f} %"])
    own = study.cached(ours, samples=samples, seed=1, threads=study.threads, permutations=study.size(49, 9))
    rows.append(["our default", own["features"], f"{100 * own['overlap']:.0f} %"])
    study.table(f"Selected features among those that differ, {samples} samples per condition", ["method", "features", "among 151-250"], rows)
    study.compare("greedy selection: share among 151-250 (chance 40 %)", "poor", ", ".join(f"{n} {100 * s:.0f} %" for n, s in shares.items()),
                  f"{100 * own['overlap']:.0f} % of {own['features']} features")
    plt = common.pyplot()
    figure, axis = plt.subplots(figsize=(4, 1.6))
    axis.barh([row[0] for row in rows], [*shares.values(), own["overlap"]], color=["0.6", "0.6", "C3"])
    axis.axvline(0.4, ls=":", color="k")
    axis.set(xlim=(0, 1), xlabel="share of the selected features that differ (dotted: chance)")
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
