"""Diffusion maps as a scikit-learn estimator, on the engine's graphs and solver."""
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from . import _core
from ._inputs import sparse_dataset
from ._options import given_texts
from ._progress import close, progress_callback
from ._run import checked


class DiffusionMaps(BaseEstimator):
    """Embeds the rows of X by the leading eigenvectors of a random walk between them (Coifman & Lafon 2006).

    To embed features, as DiSC sees them, pass ``X.T``. Rows at hand only: there is no transform of new ones.

    n_components: dimensions of the embedding; fewer where there are fewer rows.
    diffusion_time: power of the eigenvalues. distance, kernel, bandwidth_neighbors, bandwidth, density_exponent, solver: options of ``disc run``, with
    rows of X in the place of features.

    Attributes: embedding_ (rows x components), eigenvalues_, eigenvectors_ (without the constant one).
    """

    def __init__(self, n_components: int = 2, *, diffusion_time: float = 1.0, distance: str = "euclidean",
                 kernel: str = "self-tuning", bandwidth_neighbors: Any = None, bandwidth: Any = None,
                 density_exponent: float = 1.0, solver: str = "auto", threads: int = 0, progress: Any = False):
        self.n_components = n_components
        self.diffusion_time = diffusion_time
        self.distance = distance
        self.kernel = kernel
        self.bandwidth_neighbors = bandwidth_neighbors
        self.bandwidth = bandwidth
        self.density_exponent = density_exponent
        self.solver = solver
        self.threads = threads
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> "DiffusionMaps":
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, ensure_min_samples=3)
        points = sparse_dataset(X.T, "X") if hasattr(X, "tocsr") else _core.dense_dataset(X.T)
        count = min(checked(self.n_components, "n_components", 2**31), X.shape[0] - 2) + 1
        options = given_texts({"distance": self.distance, "kernel": self.kernel, "bandwidth_neighbors": self.bandwidth_neighbors,
                               "bandwidth": self.bandwidth, "density_exponent": self.density_exponent, "solver": self.solver})
        callback = progress_callback(self.progress)
        try:
            values, vectors = _core.walk_spectrum(points, count, "", options, checked(self.threads, "threads", 1024), 0, callback)
        finally:
            close(callback)
        self.eigenvalues_ = np.ascontiguousarray(values[1:, 0])
        self.eigenvectors_ = np.ascontiguousarray(vectors[:, 1:])
        self.embedding_ = self.eigenvectors_ * np.abs(self.eigenvalues_) ** self.diffusion_time
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Fits, and returns the embedding."""
        return self.fit(X).embedding_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
