"""DiSC as a scikit-learn estimator."""
import inspect
import warnings
from typing import Any, Dict, List

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._discriminating import basis_of, discriminating_directions
from ._inputs import rows_where, sparse_dataset, texts
from ._options import DESIGN, OPTIONS, option_docs
from ._run import run_datasets
from .analysis import Analysis

# What `groups` means to scikit-learn is something else: which samples belong together in cross-validation.
RENAMED = {"groups": "n_groups"}
MIN_FEATURES = 4
OWN = {"meta_features": "vectors", "n_meta_features": None, "preset": None, "seed": 0, "threads": 0, "progress": False}
TABLE = {RENAMED.get(keyword, keyword): keyword for keyword in OPTIONS if keyword not in DESIGN}


class DiSC(TransformerMixin, BaseEstimator):
    """Finds groups of features that are connected in one class of samples and not in the others.

    ``fit(X, y)`` compares the classes of y; ``transform`` gives meta-features of samples: by vector, X V of every class, or by
    group, the sum of its features over the square root of their number.

    meta_features: ``"vectors"`` (default), ``"groups"``, or ``"discriminating"``: linear combinations of all vectors, first those that tell the classes
    of y apart (linear discriminants, one fewer than classes), then principal components of what they leave over. The first three to six are then
    useful by themselves. They were fitted to y: judge them on other samples.
    n_meta_features: with ``"discriminating"``, how many; None: as many as the vectors span.
    preset, seed, threads, progress: as in ``disc.run``.

    Attributes, each a dictionary from the name of a class where it says "per class":

    analysis_: everything, as ``disc.run`` returns it.
    classes_: the values of y; condition_names_: their names.
    groups_: per class, the groups as arrays of columns of X; group_labels_: per class, the group of every column, 0 for none.
    pvalues_, qvalues_, stability_: per class, of the groups.
    sigma_, vectors_, eigenvalues_: per class. Columns of X that took no part have zeros in vectors_.
    """

    def __init__(self, **parameters: Any):
        bound = inspect.signature(type(self)).bind(**parameters)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            setattr(self, name, value)

    def fit(self, X: Any, y: Any, unit: Any = None, strata: Any = None, paired: Any = None, covariate: Any = None,
            within: Any = None) -> "DiSC":
        """Compares the classes of y. unit, strata, paired, covariate, within: one value per row of X (covariate: or one row of numbers)."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, ensure_min_samples=2,
                             ensure_all_finite=self.missing in (None, "error"))
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        self.condition_names_ = [str(value) for value in self.classes_]
        if len(self.classes_) < 2:
            raise ValueError(f"y has 1 class, {self.condition_names_[0]}; at least 2 are needed to compare them")
        labels = {"unit": unit, "strata": strata, "paired": paired, "covariate": covariate, "within": within}
        if self.n_meta_features is not None and (self.meta_features != "discriminating" or self.n_meta_features < 1):
            raise ValueError(f"n_meta_features={self.n_meta_features}: a number from 1 on, and only with meta_features='discriminating'")
        if X.shape[1] < MIN_FEATURES:
            warnings.warn(f"X has {X.shape[1]} features; with fewer than {MIN_FEATURES} there are no groups to find", stacklevel=2)
            self.analysis_ = None
        else:
            self.analysis_ = self._run(X, y, {name: value for name, value in labels.items() if value is not None})
        self._publish(self.analysis_)
        if self.meta_features == "discriminating" and self.analysis_ is not None:
            self._discriminate(X, y)
        return self

    def _run(self, X: Any, y: np.ndarray, labels: Dict[str, Any]) -> Analysis:
        datasets, options = [], {option: getattr(self, parameter) for parameter, option in TABLE.items()}
        columns = {name: column_texts(name, value, len(y)) for name, value in labels.items()}
        for value, name in zip(self.classes_, self.condition_names_):
            rows = rows_where(y == value)
            dataset = self._dataset(X[rows], name)
            dataset.name = name
            for option, cells_of in columns.items():
                for column, cells in cells_of.items():
                    dataset.add_label(column, list(np.asarray(cells, dtype=object)[rows]))
                options[option] = list(cells_of)
            datasets.append(dataset)
        return run_datasets(datasets, options, self.preset, self.seed, self.threads, self.progress)

    def _discriminate(self, X: Any, y: np.ndarray) -> None:
        basis = basis_of(np.hstack([self.analysis_.weights(name) for name in self.groups_]))
        turn, self.n_discriminants_ = discriminating_directions(self._project(X, basis), y)
        self.discriminating_ = (basis @ turn)[:, :self.n_meta_features]

    def _project(self, X: Any, weights: np.ndarray) -> np.ndarray:
        return np.asarray(_core.project(self._dataset(X, "X"), self.used_features_.tolist(), np.ascontiguousarray(weights)))

    def _dataset(self, X: Any, name: str) -> _core.Dataset:
        dataset = sparse_dataset(X, f"class '{name}'") if hasattr(X, "tocsr") else _core.dense_dataset(X)
        dataset.features = self._input_names()
        return dataset

    def _input_names(self) -> List[str]:
        return list(map(str, getattr(self, "feature_names_in_", [f"x{i}" for i in range(self.n_features_in_)])))

    def _publish(self, analysis: Any) -> None:
        names, p = self.condition_names_, self.n_features_in_
        nothing = {name: np.zeros(0) for name in names}
        self.used_features_ = np.array(analysis.columns_in(self._input_names()) if analysis else [], dtype=int)
        groups = analysis.groups if analysis else {name: [] for name in names}
        compared = [name for name in names if name in groups]  # a contrast may leave some out
        position = {name: i for i, name in enumerate(self._input_names())}
        self.groups_ = {name: [np.array([position[f] for f in group.features]) for group in groups[name]] for name in compared}
        self.group_labels_ = {name: np.zeros(p, dtype=int) for name in compared}
        for name, found in self.groups_.items():
            for number, members in reversed(list(enumerate(found, 1))):  # where groups overlap, the first counts
                self.group_labels_[name][members] = number
        self.pvalues_ = {name: np.array([group.p for group in groups[name]]) for name in compared}
        self.qvalues_ = {name: np.array([group.q for group in groups[name]]) for name in compared}
        self.stability_ = {name: np.array([group.stability for group in groups[name]]) for name in compared}
        self.sigma_ = analysis.sigma if analysis else nothing
        self.eigenvalues_ = analysis.eigenvalues if analysis else nothing
        self.vectors_ = {name: np.zeros((p, len(self.sigma_[name]))) for name in compared}
        for name in compared if analysis else []:
            self.vectors_[name][self.used_features_] = analysis.vectors[name]

    def transform(self, X: Any) -> np.ndarray:
        """Meta-features of samples: samples x (vectors or groups of all classes, or combinations of the vectors)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False,
                          ensure_all_finite=self.missing in (None, "error"))
        if self.analysis_ is None:
            return np.zeros((X.shape[0], 0))
        if self.meta_features == "discriminating":
            return np.ascontiguousarray(self._project(X, self.discriminating_))
        weights = np.hstack([self.analysis_.weights(name, self.meta_features) for name in self.groups_])
        return np.ascontiguousarray(self._project(X, weights))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        check_is_fitted(self)
        if self.meta_features == "discriminating":
            count = 0 if self.analysis_ is None else self.discriminating_.shape[1]
            first = min(self.n_discriminants_, count) if count else 0
            return np.array([f"discriminant{i + 1}" for i in range(first)] + [f"component{i + 1}" for i in range(count - first)], dtype=object)
        sizes = self.sigma_ if self.meta_features == "vectors" else self.groups_
        kind = self.meta_features.rstrip("s")
        return np.array([f"{name}_{kind}{i + 1}" for name in self.groups_ for i in range(len(sizes[name]))], dtype=object)

    @property
    def _n_features_out(self) -> int:
        return len(self.get_feature_names_out())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags


def column_texts(name: str, value: Any, samples: int) -> Dict[str, List[str]]:
    """A label per sample, or several columns of them, as text."""
    value = np.asarray(value)
    several = [value] if value.ndim == 1 else list(value.T)
    columns = {name if len(several) == 1 else f"{name}{i + 1}": texts(cells, name) for i, cells in enumerate(several)}
    for cells in columns.values():
        if len(cells) != samples:
            raise ValueError(f"{name} has {len(cells)} values for {samples} samples")
    return columns


setattr(DiSC.__init__, "__signature__", inspect.Signature(
    [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    + [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
       for name, default in {**OWN, **dict.fromkeys(TABLE)}.items()]))
DiSC.__doc__ = f"{inspect.cleandoc(DiSC.__doc__ or '')}\n\nOptions, None for the default ({', '.join(f'{new} is the option {old}' for old, new in RENAMED.items())}):\n\n{option_docs({keyword: OPTIONS[keyword].help for keyword in TABLE.values()})}\n"
