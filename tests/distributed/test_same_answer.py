"""A job of several processes finds what one process finds."""
import numpy as np
import pytest

import job
import program

GOLDEN = program.ROOT / "tests" / "golden" / "data"
# Every problem with every number of processes, and both with either preset.
CASES = [(problem, ("paper-code", "paper-text")[(i + processes) % 2], processes)
         for i, problem in enumerate(["small", "newly-connected", "three"]) for processes in (1, 2, 3, 4)]


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """Results of one process, computed once: local(name, words...) is their folder."""
    known = {}

    def run(*words):
        if words not in known:
            known[words] = tmp_path_factory.mktemp("local") / "out"
            program.run_ok(*words, "-o", known[words])
        return known[words]

    return run


@pytest.mark.parametrize("problem, preset, processes", CASES)
def test_golden_cases(problem, preset, processes, local, out):
    files = sorted((GOLDEN / problem).glob("X_*.npz"))
    words = (*files, "--preset", preset, "--eigenvectors", "10", "--vectors", "5")
    job.run_ok(processes, *words, "-o", out)
    job.assert_same(out, local(*words))


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """Problems of `disc simulate`, made once."""
    known = {}

    def make(problem):
        if problem not in known:
            known[problem] = tmp_path_factory.mktemp(problem)
            done = program.disc("simulate", problem, "-o", known[problem], "--samples", "400", "--seed", "3")
            assert done.returncode == 0, done.stderr
        return sorted(known[problem].glob("?.npy"))

    return make


def p_values(folder):
    conditions = program.summary(folder)["conditions"]
    return [[(group["p"], group["q"]) for group in c["groups"] + c["candidates"]] for c in conditions]


@pytest.mark.parametrize("problem, processes", [("newly-connected", 2), ("subsets", 3), ("both", 4), ("three", 3)])
def test_default_run_with_p_values(problem, processes, simulated, local, out):
    words = (*simulated(problem), "--permutations", "19")
    job.run_ok(processes, *words, "-o", out)
    job.assert_same(out, local(*words))
    ours, theirs = program.summary(out)["statistics"], program.summary(local(*words))["statistics"]
    assert ours["permutations"] == theirs["permutations"] == 19
    assert p_values(out) == p_values(local(*words))


@pytest.mark.parametrize("search, processes", [("exact", 1), ("exact", 3), ("approximate", 4)])
def test_graphs_of_nearest_features(search, processes, simulated, local, out):
    """The approximate search divides the features otherwise, so that only the exact one has the same neighbours to the last."""
    words = (*simulated("subsets"), "--graph", "knn", "--knn-search", search, "--knn", "10",
             "--permutations", "19")
    job.run_ok(processes, *words, "-o", out)
    job.assert_same(out, local(*words))


@pytest.mark.parametrize("words", [("--kernel", "rbf"), ("--kernel", "adaptive", "--graph", "knn", "--knn", "12"),
                                   ("--distance", "abs-correlation", "--graph", "knn"),
                                   ("--distance", "spearman", "--permutations", "19"), ("--association-cut", "fdr")], ids=" ".join)
def test_other_graphs(words, simulated, local, out):
    words = (*simulated("newly-connected"), *words)
    job.run_ok(3, *words, "-o", out)
    job.assert_same(out, local(*words))


def test_vectors_and_pictures_are_whole(simulated, local, out):
    words = (*simulated("newly-connected"), "--permutations", "19")
    job.run_ok(3, *words, "-o", out)
    ours, theirs = program.arrays(out), program.arrays(local(*words))
    assert set(ours) == set(theirs)
    leading = program.summary(out)["conditions"][0]["leading_vectors"]
    assert leading > 0
    np.testing.assert_allclose(ours["V_A"][:, :leading], theirs["V_A"][:, :leading], atol=1e-6)
    with np.load(out / "figure_data.npz") as here, np.load(local(*words) / "figure_data.npz") as there:
        # Correlations, values and partners need all values in one process; so does which members of a group changed most.
        assert set(here.files) <= set(there.files)
        for name in here.files:
            if name.startswith(("members_", "group_")):
                continue
            if here[name].dtype.kind == "f":
                np.testing.assert_allclose(here[name], there[name], atol=1e-5, err_msg=name)
            else:
                np.testing.assert_array_equal(here[name], there[name], err_msg=name)
