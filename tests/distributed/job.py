"""Runs the program as a job of several processes, and compares what it wrote with what one process writes."""
import os
import pathlib
import signal
import subprocess
import time

import numpy as np

import program

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}  # containers may not read each other's memory


def mpirun(processes, *words):
    return ["mpirun", "--oversubscribe", "-n", str(processes), program.PROGRAM, "run", *map(str, words)]


def finished(command, **more_environment):
    return subprocess.run(command, text=True, timeout=300, env={**ENVIRONMENT, **more_environment},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(processes, *words):
    """The finished job."""
    return finished(mpirun(processes, *words, "--engine", "mpi"))


def run_with_little_disk(processes, *words):
    """No file of its processes may have more than 2 KiB; so they talk over TCP and not by files in memory."""
    command = mpirun(processes, *words, "--engine", "mpi")
    place = command.index(program.PROGRAM)
    limited = ["bash", "-c", 'ulimit -f 2; exec "$@"', "bash"]
    return finished(command[:place] + limited + command[place:], OMPI_MCA_btl="tcp,self")


def resume_ok(processes, folder):
    done = finished(mpirun(processes, "--resume", folder))
    assert done.returncode == 0, done.stderr


def run_ok(processes, *words):
    done = run(processes, *words)
    assert done.returncode == 0, done.stderr
    return done


def start(processes, *words):
    return subprocess.Popen(mpirun(processes, *words, "--engine", "mpi"), text=True, env=ENVIRONMENT,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def children(pid):
    """The processes of the program that mpirun started."""
    found = []
    for line in subprocess.run(["ps", "-eo", "pid=,ppid=,comm="], stdout=subprocess.PIPE, text=True).stdout.splitlines():
        child, parent, name = line.split(maxsplit=2)
        if int(parent) == pid and name == pathlib.Path(program.PROGRAM).name:
            found.append(int(child))
    return sorted(found)


def wait_for_processes(running, count):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and len(children(running.pid)) < count:
        time.sleep(0.05)
    processes = children(running.pid)
    assert len(processes) == count
    return processes


def ends_soon(running, seconds=120):
    """Its exit code; a job that goes on is an error. The time is far more than it takes on a busy machine."""
    try:
        running.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        running.kill()
        running.communicate()
        raise AssertionError(f"still running after {seconds} s") from None
    return running.returncode


def kill_one(running, process):
    """Ends one process as a crash or the lack of memory would."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it was quicker
    return ends_soon(running)


def complaints(done):
    """What the program itself said went wrong; mpirun has words of its own."""
    stages = {"read", "match features", "graphs", "eigenpairs", "differential vectors", "groups", "permutations", "bootstraps",
              "figure_data"}
    # mpirun may be in the middle of a line of its own
    said = [line.split("disc: ", 1)[1] for line in done.stderr.splitlines() if "disc: " in line]
    return [line for line in said if line not in stages]


def assert_same(ours, local, sigma=1e-8):
    """Sigma, eigenvalues and groups of a job and of one process."""
    for here, there in zip(program.summary(ours)["conditions"], program.summary(local)["conditions"], strict=True):
        np.testing.assert_allclose(here["sigma"], there["sigma"], rtol=0, atol=sigma)
        np.testing.assert_allclose(here["eigenvalues"], there["eigenvalues"], rtol=0, atol=sigma)
        assert here["components"] == there["components"]
        assert here["basis_rank"] == there["basis_rank"]
    assert program.groups(ours) == program.groups(local)
