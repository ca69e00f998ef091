"""Meta-features in an order in which the first few tell classes apart."""
from typing import Tuple

import numpy as np

# Share of the mean variance that is added to every direction: with 0.001 to 1 the accuracy on hard pairs of digits differs by less than one per cent.
RIDGE = 0.1
RANK = 1e-9  # relative length below which a vector repeats the others


def basis_of(vectors: np.ndarray) -> np.ndarray:
    """Orthonormal columns with the same span."""
    left, lengths, _ = np.linalg.svd(vectors, full_matrices=False)
    return left[:, lengths > RANK * max(lengths.max(initial=0.0), 1e-300)]


def discriminating_directions(scores: np.ndarray, y: np.ndarray) -> Tuple[np.ndarray, int]:
    """Of scores (samples x directions): first the linear discriminants of y, one fewer than there are classes, then the principal components of what
    these leave over. Columns of length 1, and how many discriminants there are."""
    centered = scores - scores.mean(axis=0)
    count = scores.shape[1]
    classes = np.unique(y)
    means = np.array([centered[y == value].mean(axis=0) for value in classes])
    within = centered - means[np.searchsorted(classes, y)]
    covariance = within.T @ within / len(scores)
    ridge = RIDGE * max(np.trace(covariance) / max(count, 1), 1e-300)
    discriminants = basis_of(np.linalg.solve(covariance + ridge * np.eye(count), means.T))[:, :len(classes) - 1]
    total = centered.T @ centered / len(scores)
    # A direction w becomes one whose scores are uncorrelated with those of the discriminants.
    along = total @ discriminants
    rest = np.eye(count) - discriminants @ np.linalg.pinv(discriminants.T @ along) @ along.T
    components = rest @ np.linalg.eigh(rest.T @ total @ rest)[1][:, ::-1][:, :count - discriminants.shape[1]]
    directions = np.hstack([discriminants, components])
    directions /= np.maximum(np.linalg.norm(directions, axis=0), 1e-300)
    largest = np.abs(directions).argmax(axis=0) if count else np.zeros(0, dtype=int)
    return directions * np.where(directions[largest, np.arange(directions.shape[1])] < 0, -1.0, 1.0), discriminants.shape[1]
