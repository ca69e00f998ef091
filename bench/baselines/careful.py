"""The method as a careful numpy/scipy programmer writes it: the baseline that disc has to beat.

The obvious good choices and no tuning: the Gram matrix by one product, np.partition for the k-th neighbor, whole-array expressions,
eigsh for the leading eigenpairs (a subset by eigh for few features), svds on a LinearOperator for P Q, which is never formed.
"""
import numpy as np
from scipy.linalg import eigh, qr
from scipy.sparse.linalg import LinearOperator, eigsh, svds

import common

FEW_FEATURES = 400  # up to here eigh on a subset beats eigsh


def squared_distances(values):
    """|x_i - x_j|^2 = g_i + g_j - 2 g_ij. method (1)"""
    features = np.ascontiguousarray(values.T)
    gram = features @ features.T
    squares = gram.diagonal()
    squared = np.maximum(squares[:, None] + squares[None, :] - 2 * gram, 0)
    np.fill_diagonal(squared, 0)
    return squared


def random_walk(squared, neighbors):
    """Adaptive kernel, density exponent 1; the conjugate S and the roots of the degrees. method (2), (3)"""
    bandwidths = np.partition(squared, neighbors, axis=1)[:, neighbors]
    weights = 0.5 * (np.exp(-squared / bandwidths[:, None]) + np.exp(-squared / bandwidths[None, :]))
    degrees = weights.sum(axis=1)
    weights /= np.outer(degrees, degrees)
    roots = np.sqrt(weights.sum(axis=1))
    return weights / np.outer(roots, roots), roots


def leading_eigenpairs(conjugate, roots, count):
    """Pairs 2 .. count + 1, as right eigenvectors of P: without the constant vector. method (5)"""
    size = len(conjugate)
    if size <= FEW_FEATURES:
        values, vectors = eigh(conjugate, subset_by_index=(size - count - 1, size - 1))
    else:
        values, vectors = eigsh(conjugate, k=count + 1, which="LA")
    order = np.argsort(-values)[1:]
    return values[order], vectors[:, order] / roots[:, None]


def orthonormal_basis(blocks):
    """Basis of all columns by a rank-revealing QR. method (6)"""
    basis, triangle, _ = qr(np.hstack(blocks), mode="economic", pivoting=True)
    diagonal = np.abs(triangle.diagonal())
    return basis[:, diagonal > diagonal[0] * 10 * np.finfo(triangle.dtype).eps]


def singular_values(conjugate, roots, basis, count):
    """Leading singular values and right singular vectors of P Q, P = D^-1/2 S D^1/2. method (7), (8)"""
    def apply(x):
        x = x.ravel()
        return (conjugate @ (roots * (x - basis @ (basis.T @ x)))) / roots

    def apply_transpose(x):
        y = roots * (conjugate @ (x.ravel() / roots))
        return y - basis @ (basis.T @ y)

    operator = LinearOperator(conjugate.shape, matvec=apply, rmatvec=apply_transpose, dtype=conjugate.dtype)
    _, sigma, vectors = svds(operator, k=count, random_state=0)
    order = np.argsort(-sigma)
    return sigma[order], vectors[order].T


if __name__ == "__main__":
    common.main(__doc__, common.Method(squared_distances, random_walk, leading_eigenpairs, orthonormal_basis, singular_values))
