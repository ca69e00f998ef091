"""Loadings of contrastive principal components, grouped by k-means.

Abid, Zhang, Bagaria and Zou, "Exploring patterns enriched in a dataset with contrastive principal component analysis",
Nature Communications 9 (2018): the top eigenvectors of C_A - alpha C_B. The rows of the loadings are clustered; the largest
cluster is the background.

Why this setting: features are standardized within each condition, so that scale is no signal. alpha = 1 weighs both
conditions the same. The number of components is where the eigenvalues (of the first ten) drop most, the number of clusters
has the best silhouette between 2 and 10. k-means tends to split the many background features before it finds small groups;
given `keep`, it therefore sees only that many features, those with the largest loadings, and drops none.
"""
import itertools

import numpy as np
from scipy.linalg import eigh
from scipy.spatial.distance import cdist

from .shared import correlation, k_means, labels_of, members_of, silhouette

MOST_COMPONENTS = 10
MOST_CLUSTERS = 10
FIT_SCAN = [{"alpha": alpha} for alpha in (0.5, 1, 2, 4)]
CUT_SCAN = [{"components": components, "clusters": clusters, "keep": keep} for keep, components, clusters in
            [*itertools.product([None], (2, 3, 4), (3, 4, 5)), *itertools.product((30, 60, 100), (2, 3, 4, 6), range(3, 9))]]


def loadings(C):
    """Eigenvalues, falling, and eigenvectors times their roots."""
    last = len(C) - 1
    values, vectors = eigh(C, subset_by_index=[max(last - MOST_COMPONENTS, 0), last])
    values, vectors = np.maximum(values[::-1], 0), vectors[:, ::-1]
    return values, vectors * np.sqrt(values)


def fit(X_a, X_b, seed=0, alpha=1.0):
    C_a, C_b = correlation(X_a), correlation(X_b)
    # The diagonals, ones, would add the same to all eigenvalues and change no vector.
    return seed, loadings(C_a - alpha * C_b), loadings(C_b - alpha * C_a)


def best_clusters(X, seed):
    distances = cdist(X, X)
    tried = [k_means(X, clusters, seed) for clusters in range(2, MOST_CLUSTERS + 1)]
    return max(tried, key=lambda labels: silhouette(distances, labels))


def condition_labels(found, seed, components, clusters, keep, smallest):
    values, vectors = found
    features = len(vectors)
    if components is None:
        components = 1 + int(np.argmax(values[:-1] - values[1:]))
    norms = np.linalg.norm(vectors[:, :components], axis=1)
    seen = np.argsort(-norms, kind="stable")[:keep]
    X = vectors[seen, :components]
    labels = best_clusters(X, seed) if clusters is None else k_means(X, clusters, seed)
    clusters = sorted((seen[members] for members in members_of(labels + 1)), key=len)
    kept = clusters[:-1] if keep is None else clusters
    return labels_of([members for members in kept if len(members) >= smallest], features)


def cut(fitted, components=None, clusters=None, keep=None, smallest=3):
    seed, *both = fitted
    return tuple(condition_labels(found, seed, components, clusters, keep, smallest) for found in both)


def groups(X_a, X_b, seed=0, alpha=1.0, **settings):
    return cut(fit(X_a, X_b, seed, alpha), **settings)
