"""What several baselines need: correlations, trees and their cuts, k-means."""
import warnings

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import silhouette_score


def standardized(X):
    """Every feature with mean 0 and variance 1; a constant feature becomes 0."""
    X = np.asarray(X, dtype=float)
    centered = X - X.mean(axis=0)
    deviation = centered.std(axis=0)
    return centered / np.where(deviation > 0, deviation, 1)


def correlation(X):
    """Correlations between features, the diagonal 0: a feature is not its own neighbor."""
    Z = standardized(X)
    C = np.clip(Z.T @ Z / len(Z), -1, 1)
    np.fill_diagonal(C, 0)
    return C


def labels_of(groups, features):
    """Labels 1.. from lists of features."""
    labels = np.zeros(features, dtype=int)
    for number, members in enumerate(groups, 1):
        labels[members] = number
    return labels


def members_of(labels, smallest=1):
    """Lists of features from labels; 0 is background, groups below `smallest` are excluded."""
    groups = (np.flatnonzero(labels == label) for label in np.unique(labels[labels > 0]))
    return [members for members in groups if len(members) >= smallest]


def topological_overlap(A):
    """1 - topological overlap of a network of non-negative weights with zero diagonal (Zhang and Horvath 2005)."""
    degree = A.sum(axis=0)
    D = 1 - (A @ A + A) / (np.minimum.outer(degree, degree) + 1 - A)
    D = np.clip((D + D.T) / 2, 0, 1)
    np.fill_diagonal(D, 0)
    return D


def average_linkage(D):
    return linkage(squareform(D, checks=False), "average")


def static_cut(tree, share, smallest):
    """The branches after this share of the merges."""
    position = min(int(share * len(tree)), len(tree) - 1)
    return members_of(fcluster(tree, tree[position, 2], "distance"), smallest)


def dynamic_cut(D, tree, smallest):
    """Branches of a tree that look like clusters: the hybrid dynamic cut of Langfelder, Zhang and Horvath 2008.

    Its published defaults (deepSplit 1), without the last stage, which gives what is left over to the nearest cluster: most
    features here belong nowhere.
    """
    heights = tree[:, 2]
    lowest = np.quantile(heights, 0.05)
    highest = lowest + 0.99 * (heights[-1] - lowest)
    largest_scatter = lowest + 0.73 * (highest - lowest)
    least_gap = 0.75 * (1 - 0.73) * (highest - lowest)

    def is_cluster(branch, height):
        if len(branch) < smallest:
            return False
        base = smallest // 2 + 1
        core = branch[:base + int(np.sqrt(len(branch) - base))]  # what merged first
        scatter = D[np.ix_(core, core)].sum() / (len(core) * (len(core) - 1))
        return scatter <= largest_scatter and height - scatter >= least_gap

    found = []
    branches = {feature: [feature] for feature in range(len(D))}  # None: already cut into clusters
    for number, (left, right, height, _) in enumerate(tree):
        if height > highest:
            break
        pair = sorted((branches.pop(int(left)), branches.pop(int(right))), key=lambda branch: -len(branch or []))
        clusters = [branch for branch in pair if branch and is_cluster(branch, height)]
        if None not in pair and len(clusters) < 2:
            branches[len(D) + number] = pair[0] + pair[1]
        else:
            found += clusters
            branches[len(D) + number] = None
    return found + [branch for branch in branches.values() if branch and is_cluster(branch, highest)]


def k_means(X, clusters, seed, restarts=10):
    """Labels 0.. of the best of several starts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer different rows than clusters
        return KMeans(clusters, n_init=restarts, random_state=seed).fit_predict(X)


def silhouette(distances, labels):
    """Mean silhouette (Rousseeuw 1987); -1 for a single cluster."""
    if not 1 < len(np.unique(labels)) < len(labels):
        return -1.0
    return float(silhouette_score(distances, labels, metric="precomputed"))


def without_largest(labels):
    """Labels 1.. of the clusters but the largest, the background, which becomes 0."""
    names, sizes = np.unique(labels, return_counts=True)
    kept = names[names != names[np.argmax(sizes)]]
    return labels_of([np.flatnonzero(labels == name) for name in kept], len(labels))
