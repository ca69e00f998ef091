"""Hierarchical clustering of correlation differences (DiffCoEx).

Tesson, Breitling and Jansen, "DiffCoEx: a simple and sensitive method to find differentially coexpressed gene modules", BMC
Bioinformatics 11 (2010): weights (|sign(r_A) r_A^2 - sign(r_B) r_B^2| / 2)^(power / 2), topological overlap, average
linkage, dynamic tree cut.

Why this setting: power 6 and the dynamic cut are the published ones. Modules of 10 features and more rather than 20, because
a weak group loses some of its features. The published permutation test of each module is excluded: it does not repeat
the search, so it does not account for it. A module belongs to the condition in which its mean correlation is larger. Given
`share`, the tree is cut at one height, after that share of its merges.
"""
import numpy as np

from .shared import average_linkage, correlation, dynamic_cut, labels_of, static_cut, topological_overlap

FIT_SCAN = [{"power": power} for power in (1, 2, 4, 6)]
CUT_SCAN = [{}] + [{"share": share} for share in np.arange(0.02, 1, 0.02).round(2)]


def fit(X_a, X_b, seed=0, power=6):
    r_a, r_b = correlation(X_a), correlation(X_b)
    weights = (np.abs(np.sign(r_a) * r_a ** 2 - np.sign(r_b) * r_b ** 2) / 2) ** (power / 2)
    D = topological_overlap(weights)
    return r_a - r_b, D, average_linkage(D)


def cut(fitted, share=None, smallest=10):
    gain, D, tree = fitted
    modules = dynamic_cut(D, tree, smallest) if share is None else static_cut(tree, share, smallest)
    gains = [gain[np.ix_(module, module)].mean() for module in modules]
    return (labels_of([module for module, value in zip(modules, gains) if value > 0], len(gain)),
            labels_of([module for module, value in zip(modules, gains) if value <= 0], len(gain)))


def groups(X_a, X_b, seed=0, power=6, **settings):
    return cut(fit(X_a, X_b, seed, power), **settings)
