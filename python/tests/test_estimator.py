"""DiSC and DiffusionMaps among scikit-learn's estimators."""
import pickle

import disc_features as disc
import numpy as np
import pytest
import scipy.sparse
from conftest import GROUP
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

QUICK = {"permutations": 19, "bootstraps": 5}


@pytest.fixture(scope="module")
def samples(conditions):
    X = np.vstack(list(conditions.values()))
    y = np.repeat(list(conditions), [len(values) for values in conditions.values()])
    order = np.random.default_rng(1).permutation(len(y))
    return X[order], y[order]


@pytest.fixture(scope="module")
def fitted(samples):
    return disc.DiSC(**QUICK).fit(*samples)


@pytest.mark.parametrize("estimator", [disc.DiSC(), disc.DiSC(meta_features="groups", preset="paper-code"),
                                       disc.DiSC(meta_features="discriminating", n_meta_features=3, permutations=0), disc.DiffusionMaps()],
                         ids=["DiSC", "DiSC-groups", "DiSC-discriminating", "DiffusionMaps"])
@pytest.mark.filterwarnings("ignore")
def test_check_estimator(estimator):
    results = check_estimator(estimator, on_skip=None)
    # The one check that needs a setting of scipy from before it is imported.
    assert {result["check_name"] for result in results if result["status"] != "passed"} <= {"check_array_api_input"}


def test_finds_the_group(fitted, samples):
    assert list(fitted.classes_) == ["A", "B"]
    assert [sorted(group) for group in fitted.groups_["B"]] == [GROUP]
    assert fitted.groups_["A"] == []
    assert fitted.pvalues_["B"][0] == fitted.analysis_.groups["B"][0].p <= 0.05
    assert fitted.group_labels_["B"].sum() == len(GROUP)
    assert fitted.vectors_["B"].shape == (60, len(fitted.sigma_["B"]))


def test_the_same_as_run(fitted, samples):
    X, y = samples
    found = disc.run({name: X[y == name] for name in "AB"}, **QUICK)
    for name in "AB":
        np.testing.assert_array_equal(found.vectors[name], fitted.analysis_.vectors[name])
        np.testing.assert_array_equal(found.sigma[name], fitted.sigma_[name])


def test_meta_features_by_vector(fitted, samples):
    X, _ = samples
    meta = fitted.transform(X)
    np.testing.assert_allclose(meta, X @ np.hstack([fitted.vectors_["A"], fitted.vectors_["B"]]), atol=1e-12)
    assert list(fitted.get_feature_names_out())[0] == "A_vector1" and meta.shape[1] == len(fitted.get_feature_names_out())


def test_meta_features_by_group(samples):
    X, y = samples
    fitted = disc.DiSC(meta_features="groups", **QUICK).fit(X, y)
    np.testing.assert_allclose(fitted.transform(X)[:, 0], X[:, GROUP].sum(axis=1) / np.sqrt(len(GROUP)))
    assert list(fitted.get_feature_names_out()) == ["B_group1"]
    with pytest.raises(ValueError, match="by vectors or by groups"):
        disc.DiSC(meta_features="pixels", **QUICK).fit(X, y).transform(X)


@pytest.fixture(scope="module")
def shifted(samples):
    """Class B lies higher along what its group has in common, by less than the group varies."""
    X, y = samples
    return X + 0.8 * np.outer(y == "B", np.isin(np.arange(X.shape[1]), GROUP)), y


def test_discriminating_meta_features_are_of_the_vectors_and_the_first_tells_classes_apart(shifted):
    X, y = shifted
    fitted = disc.DiSC(meta_features="discriminating", **QUICK).fit(X, y)
    V = np.hstack([fitted.vectors_["A"], fitted.vectors_["B"]])
    weights = np.zeros((X.shape[1], fitted.discriminating_.shape[1]))
    weights[fitted.used_features_] = fitted.discriminating_
    np.testing.assert_allclose(V @ np.linalg.lstsq(V, weights, rcond=None)[0], weights, atol=1e-8)
    assert weights.shape[1] == np.linalg.matrix_rank(V)
    meta = fitted.transform(X)
    np.testing.assert_allclose(meta, X @ weights, atol=1e-9)
    between = lambda values: abs(values[y == "B"].mean(axis=0) - values[y == "A"].mean(axis=0)) / values.std(axis=0)
    assert between(meta)[0] > between(X @ V).max() - 1e-9 and between(meta)[0] > 0.5
    np.testing.assert_allclose(np.corrcoef(meta.T)[0, 1:], 0, atol=1e-6)
    assert list(fitted.get_feature_names_out()[:2]) == ["discriminant1", "component1"]


def test_the_number_of_discriminating_meta_features(shifted):
    X, y = shifted
    whole = disc.DiSC(meta_features="discriminating", permutations=0, bootstraps=0).fit(X, y)
    two = disc.DiSC(meta_features="discriminating", n_meta_features=2, permutations=0, bootstraps=0).fit(X, y)
    np.testing.assert_allclose(two.transform(X), whole.transform(X)[:, :2], atol=1e-12)
    assert len(two.get_feature_names_out()) == 2
    with pytest.raises(ValueError, match="n_meta_features"):
        disc.DiSC(n_meta_features=2, **QUICK).fit(X, y)


def test_sparse_input(fitted, samples):
    X, y = samples
    sparse = disc.DiSC(**QUICK).fit(scipy.sparse.csc_matrix(X), y)
    np.testing.assert_allclose(sparse.sigma_["B"], fitted.sigma_["B"], rtol=1e-12)
    np.testing.assert_allclose(np.abs(sparse.transform(scipy.sparse.csr_matrix(X))), np.abs(fitted.transform(X)), atol=1e-8)


def test_set_output_and_names(samples):
    pandas = pytest.importorskip("pandas")
    X, y = samples
    frame = pandas.DataFrame(X, columns=[f"gene{j}" for j in range(60)], index=[f"cell{i}" for i in range(len(X))])
    fitted = disc.DiSC(meta_features="groups", **QUICK).set_output(transform="pandas").fit(frame, y)
    meta = fitted.transform(frame)
    assert list(meta.columns) == ["B_group1"] and list(meta.index) == list(frame.index)
    assert sorted(fitted.analysis_.groups["B"][0].features) == [f"gene{j}" for j in GROUP]


def test_pickle_and_clone(fitted, samples):
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(samples[0]), fitted.transform(samples[0]))
    assert clone(fitted).get_params() == fitted.get_params()


def test_grid_search_in_a_pipeline(samples):
    X, y = samples
    pipeline = make_pipeline(StandardScaler(), disc.DiSC(kernel="association", vectors=2), LogisticRegression())
    search = GridSearchCV(pipeline, {"disc__n_groups": [1, 2, 3], "disc__meta_features": ["vectors", "groups"]}, cv=3,
                          error_score="raise").fit(X, y)
    assert set(search.best_params_) == {"disc__n_groups", "disc__meta_features"}
    assert search.best_estimator_[1].analysis_.summary["settings"]["given"]["groups"] in (1, 2, 3)


def test_columns_that_take_no_part(samples):
    X, y = samples
    X = X.copy()
    X[:, 0] = 5.0
    X[7, 1] = np.nan
    fitted = disc.DiSC(missing="drop-features", **QUICK).fit(X, y)
    assert list(fitted.used_features_[:2]) == [2, 3]
    assert not fitted.vectors_["B"][:2].any()
    assert np.isfinite(fitted.transform(X)).all()


def test_what_is_refused(samples):
    X, y = samples
    with pytest.raises(ValueError, match="1 class"):
        disc.DiSC().fit(X, np.zeros(len(y)))
    with pytest.raises(disc.OptionError, match="kernel='gauss'"):
        disc.DiSC(kernel="gauss").fit(X, y)
    with pytest.raises(TypeError, match="no_such_option"):
        disc.DiSC(no_such_option=1)
    with pytest.raises(ValueError, match="NaN"):
        disc.DiSC().fit(np.where(X == X[0, 0], np.nan, X), y)


def test_few_features_have_no_groups(samples):
    X, y = samples
    with pytest.warns(UserWarning, match="no groups to find"):
        fitted = disc.DiSC().fit(X[:, :3], y)
    assert fitted.transform(X[:, :3]).shape == (len(y), 0)
    assert fitted.groups_ == {"A": [], "B": []}


def test_diffusion_maps_tell_clusters_apart():
    random = np.random.default_rng(0)
    X = np.vstack([random.normal(size=(30, 5)), random.normal(size=(30, 5)) + 6])
    maps = disc.DiffusionMaps(n_components=3)
    embedding = maps.fit_transform(X)
    assert embedding.shape == (60, 3)
    assert (np.sign(embedding[:30, 0]) == -np.sign(embedding[30:, 0])).all()
    assert (np.diff(maps.eigenvalues_) <= 0).all()
    np.testing.assert_allclose(embedding, maps.eigenvectors_ * maps.eigenvalues_)
    np.testing.assert_allclose(disc.DiffusionMaps(n_components=3).fit_transform(scipy.sparse.csr_matrix(X)), embedding, atol=1e-8)


def test_diffusion_maps_are_those_of_their_definition():
    X = np.random.default_rng(2).normal(size=(40, 6))
    maps = disc.DiffusionMaps(n_components=4, kernel="rbf", bandwidth=3.0, density_exponent=0.0).fit(X)
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    weights = np.exp(-(distances / 3.0) ** 2)
    walk = weights / weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(walk @ maps.eigenvectors_, maps.eigenvectors_ * maps.eigenvalues_, atol=1e-6)
