"""A job that was cut off goes on from its last finished stage, with as many processes as there are then."""
import os
import random
import time

import pytest

import job
import program

PROCESSES = 3
KILLS = int(os.environ.get("DISC_KILLS", "2"))  # at random moments


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scene")
    assert program.disc("simulate", "scene", "--features", "1600", "--samples", "40", "-o", folder).returncode == 0
    return (folder / "A.npy", folder / "B.npy", "--graph", "knn", "--permutations", "20", "--checkpoint-after", "0")


@pytest.fixture(scope="module")
def whole(words, tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "out"
    began = time.monotonic()
    job.run_ok(PROCESSES, *words, "-o", out)
    assert not (out / ".unfinished").exists()
    return out, time.monotonic() - began


def assert_same_bits(out, whole):
    for name in ("groups.tsv", "features.tsv", "vectors.npz"):
        assert (out / name).read_bytes() == (whole / name).read_bytes(), name
    job.assert_same(out, whole, sigma=0)
    assert not (out / ".unfinished").exists()


def cut_off_after(stage, words, out):
    """Kills the last process once something of the stage is kept."""
    running = job.start(PROCESSES, *words, "-o", out)
    while not list(out.glob(f".unfinished/{stage}-*")):
        assert running.poll() is None, f"over before anything of '{stage}' was kept: {running.communicate()}"
        time.sleep(0.02)
    assert job.kill_one(running, job.children(running.pid)[-1]) != 0
    assert not (out / "summary.json").exists()


@pytest.mark.parametrize("stage", ["nearest", "vectors", "permutations"])
def test_goes_on_to_the_same_bits(stage, words, whole, out):
    cut_off_after(stage, words, out)
    job.resume_ok(PROCESSES, out)
    assert_same_bits(out, whole[0])


@pytest.mark.parametrize("processes", [2])
def test_goes_on_with_another_number_of_processes(processes, words, whole, out):
    cut_off_after("vectors", words, out)
    job.resume_ok(processes, out)
    job.assert_same(out, whole[0])


@pytest.mark.parametrize("number", range(KILLS))
def test_killed_at_any_moment(number, words, whole, out):
    generator = random.Random(number)
    running = job.start(PROCESSES, *words, "-o", out)
    processes = job.wait_for_processes(running, PROCESSES)
    time.sleep(generator.uniform(0, 0.9 * whole[1]))
    code = job.kill_one(running, generator.choice(processes))
    if (out / ".unfinished").exists():
        assert code != 0
        job.resume_ok(PROCESSES, out)
    elif code != 0:  # before anything was kept
        job.run_ok(PROCESSES, *words, "-o", out)
    assert_same_bits(out, whole[0])
