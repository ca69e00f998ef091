"""The paper's recipe, given the number of groups.

Sristi, Mishne and Jaffe, "DiSC: Differential Spectral Clustering of Features", NeurIPS 2022, as its authors' code computes
it (`--preset paper-code`).

Why this setting: 10 neighbors and 20 eigenvectors are the authors' numbers for MNIST, whose 784 features are about as many;
the number of groups is given, because the paper has no rule for it. The number of vectors is the program's, an oracle may
choose it.
"""
import disc_features as disc

from ..scoring import found_labels

FIT_SCAN = [{}]
CUT_SCAN = [{}] + [{"vectors": vectors} for vectors in (2, 3, 4, 5, 10)]


def fit(X_a, X_b, seed=0):
    return X_a, X_b, seed


def cut(fitted, number=3, vectors=None, bandwidth_neighbors=10, eigenvectors=20):
    X_a, X_b, seed = fitted
    found = disc.run({"A": X_a, "B": X_b}, preset="paper-code", bandwidth_neighbors=neighbors, eigenvectors=eigenvectors, groups=number,
                     vectors=vectors, seed=seed, progress=False)
    labels = found_labels(found, X_a.shape[1])
    return labels["A"], labels["B"]


def groups(X_a, X_b, seed=0, **settings):
    return cut(fit(X_a, X_b, seed), **settings)
