"""Modules of each condition by itself, matched by overlap (WGCNA).

Zhang and Horvath, "A general framework for weighted gene co-expression network analysis", Statistical Applications in
Genetics and Molecular Biology 4 (2005); Langfelder and Horvath, "WGCNA", BMC Bioinformatics 9 (2008). Signed weights ((1 +
r) / 2)^power, topological overlap, average linkage, dynamic tree cut; modules of the two conditions are compared by Fisher's
exact test, as in the package's tutorial on consensus modules. What matches nothing is special to its condition.

Why this setting: power 12 is what the package's authors recommend for signed networks of more than 40 samples; modules of 10
features and more, because a weak group loses some of its features; a match is a p-value below 0.05 over the number of
comparisons. Given `share`, both trees are cut at one height, after that share of their merges.
"""
import numpy as np
from scipy.stats import hypergeom

from .shared import average_linkage, correlation, dynamic_cut, labels_of, members_of, static_cut, topological_overlap

FIT_SCAN = [{"power": power} for power in (1, 2, 4, 12, 24)]
CUT_SCAN = [{}] + [{"share": share} for share in np.arange(0.02, 1, 0.02).round(2)]


def fit(X_a, X_b, seed=0, power=12):
    """Dissimilarities and tree of each condition."""
    both = []
    for X in (X_a, X_b):
        weights = ((1 + correlation(X)) / 2) ** power
        np.fill_diagonal(weights, 0)
        D = topological_overlap(weights)
        both.append((D, average_linkage(D)))
    return both


def unmatched(modules, others, features, level=0.05):
    """The modules that overlap no module of the other condition more than by chance (one-sided Fisher test)."""
    bound = level / max(len(modules) * len(others), 1)
    other_sets = [set(other) for other in others]

    def is_matched(module):
        common = np.array([len(other.intersection(module)) for other in other_sets])
        sizes = np.array([len(other) for other in others])
        return (hypergeom.sf(common - 1, features, len(module), sizes) < bound).any()

    return [module for module in modules if not (others and is_matched(module))]


def without_match(labels, other_labels):
    """Labels of the modules that match none of the other condition."""
    return labels_of(unmatched(members_of(labels), members_of(other_labels), len(labels)), len(labels))


def cut(fitted, share=None, smallest=10):
    features = len(fitted[0][0])
    of_a, of_b = (dynamic_cut(D, tree, smallest) if share is None else static_cut(tree, share, smallest)
                  for D, tree in fitted)
    return labels_of(unmatched(of_a, of_b, features), features), labels_of(unmatched(of_b, of_a, features), features)


def groups(X_a, X_b, seed=0, power=12, **settings):
    return cut(fit(X_a, X_b, seed, power), **settings)
