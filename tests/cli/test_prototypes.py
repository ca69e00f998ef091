"""Many features through prototypes: what must hold, and when they are chosen."""

import numpy as np
import pytest

from program import arrays, disc, groups, refused, run_ok, summary, table

FEW = ["--permutations", "19", "--bootstraps", "2"]


def save(folder, name, values):
    np.save(folder / f"{name}.npy", values)
    return folder / f"{name}.npy"


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scene")
    assert disc("simulate", "scene", "-o", folder, "--features", "6400", "--seed", "1").returncode == 0
    return folder


def test_as_many_prototypes_as_features_are_the_dense_form(tmp_path):
    """Bound: profiles are in single precision."""
    assert disc("simulate", "both", "-o", tmp_path, "--samples", "300", "--seed", "2").returncode == 0
    words = (tmp_path / "A.npy", tmp_path / "B.npy", "--vectors", "5", *FEW)
    run_ok(*words, "-o", tmp_path / "dense", "--graph", "dense")
    run_ok(*words, "-o", tmp_path / "through", "--graph", "prototypes", "--prototypes", "5000")
    assert groups(tmp_path / "through") == groups(tmp_path / "dense")
    through, dense = summary(tmp_path / "through"), summary(tmp_path / "dense")
    assert through["graph"]["prototypes"] == through["features"]["used"] and through["graph"]["loss"] < 1e-6
    for a, b in zip(through["conditions"], dense["conditions"], strict=True):
        assert a["dimensions"]["chosen"] == b["dimensions"]["chosen"]
        np.testing.assert_allclose(a["sigma"], b["sigma"], rtol=0, atol=1e-4)


def test_alike_features_are_put_together_and_different_ones_are_not(scene, tmp_path):
    run_ok(scene / "A.npy", scene / "B.npy", "-o", tmp_path / "scene", *FEW)
    chosen = summary(tmp_path / "scene")
    assert chosen["graph"]["form"] == "prototypes" and chosen["graph"]["prototypes"] <= 1500
    assert 0 < chosen["graph"]["loss"] <= 0.25 and "prototypes" in chosen["graph"]["why"]
    assert chosen["converged"]
    assert [condition["leading_vectors"] for condition in chosen["conditions"]] == [10, 10]
    assert chosen["statistics"]["n_features_tested"] == chosen["graph"]["prototypes"]
    vectors = arrays(tmp_path / "scene")
    assert vectors["V_B"].shape[0] == 6400
    np.testing.assert_allclose(np.linalg.norm(vectors["V_B"], axis=0), 1, atol=1e-9)
    energies = [float(row["energy_B"]) for row in table(tmp_path / "scene" / "features.tsv")]
    np.testing.assert_allclose(energies, (vectors["V_B"][:, :10] ** 2 @ vectors["sigma_B"][:10] ** 2), rtol=1e-9)

    random = np.random.default_rng(0)
    files = [save(tmp_path, name, random.normal(size=(30, 5100))) for name in "AB"]
    run_ok(*files, "-o", tmp_path / "noise", "--permutations", "0")
    assert summary(tmp_path / "noise")["graph"]["form"] == "knn"
    assert summary(tmp_path / "noise")["graph"]["loss"] > 0.25


def test_same_bits_for_any_number_of_threads(scene, tmp_path):
    answers = []
    for threads in (1, 2, 4):
        out = tmp_path / str(threads)
        run_ok(scene / "A.npy", scene / "B.npy", "-o", out, "--graph", "prototypes", "--prototypes", "200", *FEW, "--threads", threads)
        answers.append((arrays(out), (out / "groups.tsv").read_bytes()))
    for values, text in answers[1:]:
        assert text == answers[0][1]
        assert all(np.array_equal(values[name], answers[0][0][name]) for name in values)


def test_prototypes_are_refused_where_they_mean_nothing(scene, tmp_path):
    files = (scene / "A.npy", scene / "B.npy")
    refused(2, "run", *files, "-o", tmp_path / "out", "--graph", "prototypes", "--kernel", "self-tuning", says="association kernel")
    refused(2, "run", *files, "-o", tmp_path / "out", "--graph", "prototypes", "--association-cut", "fdr", says="association kernel")


def test_prototypes_that_lose_much_are_warned_of(tmp_path):
    random = np.random.default_rng(1)
    files = [save(tmp_path, name, random.normal(size=(40, 600))) for name in "AB"]
    run_ok(*files, "-o", tmp_path / "out", "--graph", "prototypes", "--prototypes", "50", "--permutations", "0")
    assert any("prototypes lose" in warning for warning in summary(tmp_path / "out")["warnings"])
