"""Every copy of a repeated eigenvalue is found: solvers that work on one vector miss them and report convergence."""
import numpy as np
import pytest

import job
import program


def torus(side, samples=4):
    """Points of a square lattice on a torus: each has four nearest, all at the same distance."""
    angle = 2 * np.pi * np.arange(side) / side
    a, b = [g.ravel() for g in np.meshgrid(angle, angle)]
    return np.stack([np.cos(a), np.sin(a), np.cos(b), np.sin(b)])


@pytest.mark.parametrize("processes", [1, 3])
def test_every_copy_on_a_lattice(processes, tmp_path, out):
    side, count = 45, 40
    points = torus(side)
    step = np.linalg.norm(points[:, 0] - points[:, 1])
    np.save(tmp_path / "A.npy", points)
    np.save(tmp_path / "B.npy", points[::-1])  # other values, the same distances
    job.run_ok(processes, tmp_path / "A.npy", tmp_path / "B.npy", "-o", out, "--distance", "euclidean", "--kernel", "rbf",
               "--bandwidth", step, "--graph", "knn", "--knn", 4, "--degree-regularization", 0,
               "--eigenvectors", count, "--vectors", 3, "--solver", "lanczos", "--remove-global-signal", "no")
    weight = np.exp(-1)
    cosines = np.cos(2 * np.pi * np.arange(side) / side)
    every = np.sort(((1 + 2 * weight * (cosines[:, None] + cosines[None, :])) / (1 + 4 * weight)).ravel())[::-1]
    assert np.isclose(every[1], every[4]), "the second value has four copies"
    found = program.summary(out)["conditions"][0]["eigenvalues"]
    np.testing.assert_allclose(found, every[:count + 1], atol=1e-8)


@pytest.mark.parametrize("processes", [1, 3])
def test_every_component(processes, tmp_path, out):
    components, size = 66, 40
    generator = np.random.default_rng(5)
    for name in "AB":
        # Whole numbers: the search compares in single precision, and with these its products have no rounding errors.
        centres = np.round(100 * generator.normal(size=(8, components, 1)))
        values = centres + np.round(10 * generator.normal(size=(8, components, size)))
        np.save(tmp_path / f"{name}.npy", values.reshape(8, -1))
    words = (tmp_path / "A.npy", tmp_path / "B.npy", "--distance", "euclidean", "--kernel", "self-tuning", "--graph", "knn",
             "--knn", 12, "--eigenvectors", 80, "--vectors", 3, "--remove-global-signal", "no")
    job.run_ok(processes, *words, "-o", out)
    program.run_ok(*words, "-o", tmp_path / "local")
    for here, there in zip(program.summary(out)["conditions"], program.summary(tmp_path / "local")["conditions"]):
        assert here["components"] == there["components"] >= components
        assert np.count_nonzero(np.isclose(here["eigenvalues"], 1, atol=1e-12)) == min(81, here["components"])
        np.testing.assert_allclose(here["eigenvalues"], there["eigenvalues"], atol=1e-8)
        np.testing.assert_allclose(here["sigma"], there["sigma"], atol=1e-7)
