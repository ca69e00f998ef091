"""The definitions of docs/method.md with numpy, the plain way, to hold results against."""

import numpy as np
from scipy.stats import norm, rankdata


def normal_scores(values):
    """Of every column, of mean 0 and variance 1."""
    scores = norm.ppf(rankdata(values, axis=0) / (len(values) + 1))
    return (scores - scores.mean(axis=0)) / scores.std(axis=0)


def distances(values):
    """Euclidean, between columns. method (1)"""
    gram = values.T @ values
    return np.sqrt(np.maximum(np.add.outer(gram.diagonal(), gram.diagonal()) - 2 * gram, 0))


def weights(values, kernel, bandwidth_neighbors=8, association_z=1.5):
    """method (2)"""
    if kernel == "association":
        scores = normal_scores(values)
        correlations = scores.T @ scores / len(values)
        found = np.maximum(correlations - association_z / np.sqrt(len(values)), 0)
        np.fill_diagonal(found, 0)
        return found
    squared = distances(values) ** 2
    if kernel == "rbf":
        every = np.sort(squared[np.triu_indices(len(squared), 1)])
        return np.exp(-squared / every[(len(every) - 1) // 2])
    widths = np.sort(np.sqrt(squared), axis=1)[:, bandwidth_neighbors]  # column 0 is the feature itself
    if kernel == "self-tuning":
        return np.exp(-squared / np.outer(widths, widths))
    found = np.exp(-squared / (widths**2)[:, None])
    return (found + found.T) / 2


def regularized(found, kernel):
    """method (4), as the defaults are: for the association kernel only."""
    return found + found.sum(axis=1).mean() / len(found) if kernel == "association" else found


def walk(values, kernel, **settings):
    """P, without density normalization."""
    found = regularized(weights(values, kernel, **settings), kernel)
    return found / found.sum(axis=1, keepdims=True)


def laplacian(values, kernel):
    found = regularized(weights(values, kernel), kernel)
    return np.diag(found.sum(axis=1)) - found


def assert_eigenvectors(transition, vectors, values, tolerance):
    """Right eigenvectors, and the largest ones: no other eigenvalue is above the last. method (5)"""
    np.testing.assert_allclose(transition @ vectors, vectors * values, rtol=0, atol=tolerance * np.abs(vectors).max())
    every = np.sort(np.linalg.eigvals(transition).real)[::-1]
    np.testing.assert_allclose(np.sort(values)[::-1], every[: len(values)], rtol=0, atol=tolerance)


def assert_differential(transition, others, vectors, sigma, tolerance):
    """Right singular vectors of P Q, orthonormal, and the largest ones. method (6) to (8)"""
    left, lengths, _ = np.linalg.svd(np.hstack([u / np.linalg.norm(u, axis=0) for u in others]), full_matrices=False)
    basis = left[:, lengths > 1e-8 * lengths[0]]
    operator = transition - (transition @ basis) @ basis.T
    np.testing.assert_allclose(operator.T @ (operator @ vectors), vectors * sigma**2, rtol=0, atol=tolerance)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(sigma)), rtol=0, atol=tolerance)
    np.testing.assert_allclose(sigma, np.linalg.svd(operator, compute_uv=False)[: len(sigma)], rtol=0, atol=tolerance)
