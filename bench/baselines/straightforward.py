"""The method written down the plain way: all distances with cdist, full eigendecomposition, full SVD.

It is of the kind that accompanies papers: right, short, and slow. With `--only-features N` it runs on the first N
features, so that bench/run.py can extrapolate what all of them would take.
"""
import numpy as np
from scipy.spatial.distance import cdist

import common


def walk(values, neighbors, watch):
    """The transition matrix between features: adaptive kernel, density exponent 1. method (1) to (3)"""
    with watch.stage("distances"):
        distances = cdist(values.T, values.T)
    with watch.stage("kernel"):
        bandwidths = np.sort(distances, axis=1)[:, neighbors]  # column 0 is the feature itself
        kernel = np.exp(-(distances ** 2) / (bandwidths ** 2)[:, np.newaxis])
        weights = (kernel + kernel.T) / 2
        degrees = weights.sum(axis=1)
        weights = weights / np.outer(degrees, degrees)
        return weights / weights.sum(axis=1, keepdims=True)


def leading_eigenvectors(transition, count, watch):
    """Eigenpairs 2 .. count + 1 of the transition matrix: without the constant vector. method (5)"""
    with watch.stage("eigenvectors"):
        values, vectors = np.linalg.eig(transition)
        order = np.argsort(-values.real)[1:count + 1]
        return values.real[order], vectors.real[:, order]


def differential_vectors(transition, others, count, watch):
    """Singular values and right singular vectors of P Q. method (6) to (8)"""
    with watch.stage("vectors"):
        basis, _ = np.linalg.qr(np.hstack(others))
        complement = np.eye(len(transition)) - basis @ basis.T
        _, sigma, rows = np.linalg.svd(transition @ complement)
        return sigma[:count], rows[:count].T


def run(conditions, options, watch):
    with watch.stage("match"):
        conditions = common.keep_varying(conditions)
    walks = [walk(values, options.bandwidth_neighbors, watch) for values in conditions]
    pairs = [leading_eigenvectors(transition, options.eigenvectors, watch) for transition in walks]
    results = []
    for m, transition in enumerate(walks):
        others = [vectors for k, (_, vectors) in enumerate(pairs) if k != m]
        sigma, _ = differential_vectors(transition, others, options.vectors, watch)
        results.append((pairs[m][0], sigma))
    return results


def main():
    options = common.parse_arguments(__doc__, lambda parser: parser.add_argument("--only-features", type=int))
    conditions = common.load(options.conditions)
    if options.only_features:
        conditions = [np.ascontiguousarray(values[:, :options.only_features]) for values in conditions]
    watch = common.Stopwatch()
    results = run(conditions, options, watch)
    common.print_result(results, watch, features=conditions[0].shape[1])


if __name__ == "__main__":
    main()
