"""Data that every test may use, and the program that was installed with the package."""
import os
import pathlib
import signal
import subprocess
import sysconfig

import numpy as np
import pytest

os.environ.setdefault("MPLBACKEND", "Agg")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # what tests start can be interrupted, even where this process cannot
    signal.signal(signal.SIGINT, signal.default_int_handler)

GROUP = list(range(10, 22))  # columns that are connected in condition B only


def make_conditions(samples=120, features=60, seed=0):
    """Noise in A; in B the columns of GROUP share a factor."""
    random = np.random.default_rng(seed)
    a = random.normal(size=(samples, features))
    b = random.normal(size=(samples + 10, features))
    b[:, GROUP] += 1.5 * random.normal(size=(samples + 10, 1))
    return {"A": a, "B": b}


@pytest.fixture(scope="session")
def conditions():
    return make_conditions()


@pytest.fixture(scope="session")
def quick():
    """Options that make a run short."""
    return {"permutations": 19, "bootstraps": 5, "progress": False}


@pytest.fixture(scope="session")
def analysis(conditions, quick):
    import disc_features as disc

    return disc.run(conditions, **quick)


@pytest.fixture(scope="session")
def program():
    """Runs the `disc` of this environment."""
    path = pathlib.Path(sysconfig.get_path("scripts")) / "disc"
    assert path.exists(), "the package brings the program along"

    def run(*arguments):
        return subprocess.run([str(path), *map(str, arguments)], capture_output=True, text=True)

    return run


@pytest.fixture
def adata(conditions):
    anndata = pytest.importorskip("anndata")
    import pandas

    samples = sum(len(values) for values in conditions.values())
    obs = pandas.DataFrame({
        "condition": pandas.Categorical(np.repeat(list(conditions), [len(v) for v in conditions.values()])),
        "donor": [f"d{i % 12}" for i in range(samples)],
        "depth": np.arange(samples, dtype=float) % 7,
    }, index=[f"cell{i}" for i in range(samples)])
    var = pandas.DataFrame(index=[f"gene{j}" for j in range(60)])
    return anndata.AnnData(np.vstack(list(conditions.values())), obs=obs, var=var)
