"""What goes wrong in one process ends all of them soon, with one message, and cells what was there."""
import signal
import time

import numpy as np
import pytest

import job
import program

FROM_BEFORE = '{"program": "disc", "version": "0.0.0"}'  # as the start of every summary.json that the program wrote


@pytest.fixture
def long_run(tmp_path):
    """Words of a run that takes far longer than any test waits, and its folder with results of an earlier run."""
    for name, values in zip("AB", program.two_conditions(samples=2000, noise=600)):
        np.save(tmp_path / f"{name}.npy", values)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "summary.json").write_text(FROM_BEFORE)
    return (tmp_path / "A.npy", tmp_path / "B.npy", "-o", tmp_path / "out", "--permutations", "200000"), tmp_path / "out"


def assert_untouched(out, killed=False):
    """Beside what a later run may go on from, the results of the run before. What a killed process was writing has a hidden name, and the
    next run removes it."""
    left = {path.name for path in out.iterdir()} - {".unfinished"}
    assert {name for name in left if not (killed and name.startswith(".disc-output-"))} == {"summary.json"}
    assert (out / "summary.json").read_text() == FROM_BEFORE


@pytest.mark.parametrize("victim, later", [(0, 1.0), (1, 0.3), (2, 2.5)])
def test_a_killed_process_ends_the_job(victim, later, long_run):
    words, out = long_run
    running = job.start(3, *words)
    processes = job.wait_for_processes(running, 3)
    time.sleep(later)
    assert job.kill_one(running, processes[victim]) != 0
    assert_untouched(out, killed=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_stop_the_job(number, long_run):
    words, out = long_run
    running = job.start(2, *words)
    job.wait_for_processes(running, 2)
    time.sleep(1)
    running.send_signal(number)
    assert job.ends_soon(running) != 0
    assert_untouched(out)


@pytest.mark.parametrize("processes", [1, 3])
def test_what_all_see_is_said_once(processes, tmp_path, out):
    np.save(tmp_path / "A.npy", np.zeros((5, 8)))
    (tmp_path / "B.npy").write_bytes((tmp_path / "A.npy").read_bytes()[:-20])
    done = job.run(processes, tmp_path / "A.npy", tmp_path / "B.npy", "-o", out)
    assert done.returncode == 3
    assert len(job.complaints(done)) == 1 and "truncated" in job.complaints(done)[0]
    assert not out.exists()


def test_a_value_that_one_process_sees_ends_all(tmp_path, out):
    """Of more than 100,000 features every process reads its own; the missing value is with the last."""
    values = np.random.default_rng(2).normal(size=(6, 100_500))
    np.save(tmp_path / "A.npy", values)
    values[3, -5] = np.nan
    np.save(tmp_path / "B.npy", values)
    done = job.run(3, tmp_path / "A.npy", tmp_path / "B.npy", "-o", out)
    assert done.returncode == 3
    assert len(job.complaints(done)) == 1 and "f100496" in job.complaints(done)[0]
    # mpirun gives the first process a second to clean up: on a busy machine its empty folder may stay.
    assert not out.exists() or not list(out.iterdir())


def test_an_output_that_cannot_be_written(tmp_path):
    for name, values in zip("AB", program.two_conditions()):
        np.save(tmp_path / f"{name}.npy", values)
    (tmp_path / "file").write_text("in the way")
    done = job.run(2, tmp_path / "A.npy", tmp_path / "B.npy", "-o", tmp_path / "file" / "out")
    assert done.returncode == 3
    assert len(job.complaints(done)) == 1 and "file" in job.complaints(done)[0]


def test_a_full_disk_cells_the_results_of_before(tmp_path, out):
    """Only the first process writes; a limit of file sizes is met as a full disk is."""
    for name, values in zip("AB", program.two_conditions()):
        np.save(tmp_path / f"{name}.npy", values)
    out.mkdir()
    (out / "summary.json").write_text(FROM_BEFORE)
    done = job.run_with_little_disk(2, tmp_path / "A.npy", tmp_path / "B.npy", "-o", out)
    assert done.returncode not in (0, None)
    assert len(job.complaints(done)) == 1 and "write" in job.complaints(done)[0]
    assert_untouched(out)


def test_what_the_engine_does_not_do_is_said(tmp_path, out):
    for name, values in zip("AB", program.two_conditions()):
        np.save(tmp_path / f"{name}.npy", values)
    done = job.run(2, tmp_path / "A.npy", tmp_path / "B.npy", "-o", out, "--method", "whitened")
    assert done.returncode == 2
    assert len(job.complaints(done)) == 1 and "--engine local" in job.complaints(done)[0]


def test_the_version_names_the_engine():
    """What a build without it says: not_compiled_test.cpp."""
    assert "engines: local, mpi" in program.disc("--version").stdout
