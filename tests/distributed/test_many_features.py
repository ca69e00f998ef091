"""More features than a process should have: every process reads its own."""
import numpy as np
import pytest

import job
import program


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """Some 102,400 pixels in 16 bands; A has a group that B has not."""
    folder = tmp_path_factory.mktemp("scene")
    generator = np.random.default_rng(4)
    factors = generator.normal(size=(3, 16))
    which = generator.integers(0, 3, size=320 * 320)
    for name in "AB":
        values = factors[which].T + 0.8 * generator.normal(size=(16, 320 * 320))
        if name == "B":
            values[:, which == 2] = generator.normal(size=(16, np.count_nonzero(which == 2)))
        np.save(folder / f"{name}.npy", values.astype(np.float32))
    return folder


def test_divided_features_give_the_same_graph(scene, tmp_path):
    """Of 100,000 features and more no process has all; up to there everyone has. Both ways the answer is that of one process."""
    words = (scene / "A.npy", scene / "B.npy", "--graph", "knn", "--knn", 6, "--grouping", "threshold",
             "--eigenvectors", 4, "--vectors", 2, "--tolerance", "1e-6", "--recall", "0.9")
    job.run_ok(3, *words, "-o", tmp_path / "job")
    summary = program.summary(tmp_path / "job")
    assert summary["features"]["used"] == 320 * 320
    assert summary["converged"]
    for condition in summary["conditions"]:
        assert condition["neighbor_recall"] >= 0.9
        assert np.all(np.isfinite(condition["sigma"]))
    vectors = program.arrays(tmp_path / "job")["V_A"]
    assert vectors.shape[0] == 320 * 320
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=0), 1, atol=1e-6)
