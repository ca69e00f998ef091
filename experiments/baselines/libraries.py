"""Other people's programs, on one condition A against another B: labels of the features, 0 = background.

Those that give loadings of features are given the number of groups, and k-means on the rows of the loadings makes them, as in the paper: one
cluster more than groups, the largest dropped. Each needs its package; without it, Skipped says so.
"""
import importlib

import numpy as np

from ..common import Skipped
from .shared import k_means, standardized, without_largest


def package(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Skipped(f"not installed: {name}") from error


def clusters_of(loadings, number, seed):
    return without_largest(k_means(np.real(loadings), number + 1, seed))


def contrastive_pca(X_a, X_b, number, seed=0, alpha=1.0):
    """Abid et al. 2018, the authors' package `contrastive`; as many components as groups."""
    model = package("contrastive").CPCA(n_components=number, standardize=True)
    model.fit(X_a, X_b)
    return clusters_of(model.cpca_alpha(np.eye(X_a.shape[1]), alpha), number, seed)


def generalized_contrastive_pca(X_a, X_b, number, seed=0):
    """de Oliveira et al. 2024, the authors' package `generalized_contrastive_PCA`, their method v4: (C_A - C_B) against (C_A + C_B)."""
    model = package("generalized_contrastive_PCA").gcPCA(method="v4", normalize_flag=False)
    model.fit(standardized(X_a), standardized(X_b))
    return clusters_of(model.loadings_[:, :number], number, seed)
