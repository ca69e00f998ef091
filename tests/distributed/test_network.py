"""Processes that share no memory and no loopback device, as on several machines: each in a network namespace of its own, joined by slow links."""
import sys

import pytest

import job
import program

sys.path.append(str(program.ROOT / "tools"))

import network  # noqa: E402

WHY_NOT = network.why_not()
pytestmark = pytest.mark.skipif(WHY_NOT is not None, reason=str(WHY_NOT))


def run_on_network(processes, *words):
    """What every process sent over its link."""
    with network.Network(processes, megabits=200) as links:
        command = links.mpirun([program.PROGRAM, "run", *map(str, words), "--engine", "mpi"])
        done = job.finished(command, **links.environment)
        assert done.returncode == 0, done.stderr
        return links.sent()


@pytest.mark.parametrize("processes", [2, 3])
def test_the_same_answer_over_a_network(processes, tmp_path, out):
    assert program.disc("simulate", "subsets", "-o", tmp_path, "--samples", "400", "--seed", "3").returncode == 0
    words = (*sorted(tmp_path.glob("?.npy")), "--graph", "knn", "--knn", "10", "--permutations", "19")
    local = tmp_path / "local"
    program.run_ok(*words, "-o", local)
    sent = run_on_network(processes, *words, "-o", out)
    job.assert_same(out, local)
    assert min(sent) > 10_000  # it really went this way
