"""The method as a numpy/scipy expert writes it who profiles and tunes: shown beside disc, without a bar.

Distances come from one symmetric BLAS product, the k-th neighbor from np.partition, everything p x p is done in place and in
bands of rows that stay in the cache, only the leading eigenpairs are computed (ARPACK for many features, LAPACK for few), and P Q is
never formed for many features.
"""
import numpy as np
from scipy.linalg import blas, eigh, qr
from scipy.sparse.linalg import LinearOperator, eigsh

import common

BAND = 256  # rows handled at once: a band of 256 x 5,000 doubles fits into the cache of a core or nearly so
FEW_FEATURES = 150  # up to here LAPACK beats ARPACK (measured on 2 cores)


def squared_distances(values):
    """|x_i - x_j|^2 = g_i + g_j - 2 g_ij with the Gram matrix from syrk. method (1)"""
    syrk = blas.dsyrk if values.dtype == np.float64 else blas.ssyrk
    # values.T is a Fortran-ordered view: no copy. The lower triangle in Fortran order is the upper one in C order.
    gram = syrk(1.0, values.T, lower=1).T
    size = len(gram)
    squares = gram.diagonal().copy()
    for first in range(0, size, BAND):  # only the upper triangle is there yet; the lower one is its mirror image
        rows = slice(first, min(first + BAND, size))
        band = gram[rows, first:]
        band *= -2
        band += squares[rows, None]
        band += squares[first:]
        np.maximum(band, 0, out=band)
        corner = band[:, :rows.stop - first]
        corner[:] = np.triu(corner, 1) + np.triu(corner, 1).T
        gram[rows.stop:, rows] = band[:, rows.stop - first:].T
    return gram


def normalized_weights(squared, neighbors):
    """Adaptive kernel and density exponent 1, then the conjugate S and the degrees; in place. method (2), (3)"""
    size = len(squared)
    scale = np.empty(size, squared.dtype)  # -1 / bandwidth^2
    for first in range(0, size, BAND):
        rows = slice(first, first + BAND)
        scale[rows] = np.partition(squared[rows], neighbors, axis=1)[:, neighbors]
    np.divide(-1, scale, out=scale)
    weights = squared
    degrees = np.zeros(size)
    for first in range(0, size, BAND):
        rows = slice(first, first + BAND)
        band = weights[rows]
        other = np.exp(band * scale)
        band *= scale[rows, None]
        np.exp(band, out=band)
        band += other
        band *= 0.5
        degrees[rows] = band.sum(axis=1, dtype=np.float64)
    inverse = (1 / degrees).astype(squared.dtype)
    degrees = inverse * (weights @ inverse)  # of the weights divided by both degrees
    roots = np.sqrt(degrees)
    factors = inverse / roots
    for first in range(0, size, BAND):
        rows = slice(first, first + BAND)
        weights[rows] *= factors[rows, None] * factors
    return weights, roots


def tolerance(dtype):
    return 1e-10 if dtype == np.float64 else 1e-6


def leading_eigenpairs(conjugate, roots, count):
    """Pairs 2 .. count + 1, as right eigenvectors of P: without the constant vector. method (5)"""
    size = len(conjugate)
    if size <= FEW_FEATURES:
        values, vectors = eigh(conjugate, subset_by_index=(size - count - 1, size - 1), driver="evr", check_finite=False)
    else:
        values, vectors = eigsh(conjugate, k=count + 1, which="LA", ncv=2 * count + 24, tol=tolerance(conjugate.dtype),
                                v0=np.ones(size, conjugate.dtype))
    order = np.argsort(-values)[1:]
    return values[order], vectors[:, order] / roots[:, None]


def orthonormal_basis(blocks):
    """Basis of all columns by a rank-revealing QR. method (6)"""
    basis, triangle, _ = qr(np.hstack(blocks), mode="economic", pivoting=True, check_finite=False)
    diagonal = np.abs(triangle.diagonal())
    return basis[:, diagonal > diagonal[0] * 10 * np.finfo(triangle.dtype).eps]


def singular_values(conjugate, roots, basis, count):
    """Leading singular values and right singular vectors of P Q, P = D^-1/2 S D^1/2. method (7), (8)"""
    size = len(conjugate)
    if size <= FEW_FEATURES:
        product = conjugate * (roots / roots[:, None])
        product -= (product @ basis) @ basis.T
        values, vectors = eigh(product.T @ product, subset_by_index=(size - count, size - 1), driver="evr", check_finite=False)
    else:
        def normal(x):  # Q P' P Q x
            x = x.ravel()
            y = conjugate @ (roots * (x - basis @ (basis.T @ x)))
            y = roots * (conjugate @ (y / roots ** 2))
            return y - basis @ (basis.T @ y)
        start = np.random.default_rng(0).standard_normal(size).astype(conjugate.dtype)
        values, vectors = eigsh(LinearOperator((size, size), matvec=normal, dtype=conjugate.dtype), k=count, which="LA",
                                ncv=3 * count, tol=tolerance(conjugate.dtype), v0=start)
    order = np.argsort(-values)
    return np.sqrt(np.maximum(values[order], 0)), vectors[:, order]


if __name__ == "__main__":
    common.main(__doc__, common.Method(squared_distances, normalized_weights, leading_eigenpairs, orthonormal_basis, singular_values))
