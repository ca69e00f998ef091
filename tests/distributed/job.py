"""Runs the program as a job of several processes, and compares what it wrote with what one process writes."""
import os
import subprocess

import numpy as np

import program

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}  # containers may not read each other's memory


def command(processes, *words):
    return ["mpirun", "--oversubscribe", "-n", str(processes), program.PROGRAM, "run", *map(str, words), "--engine", "slepc"]


def run(processes, *words):
    """The finished job."""
    return subprocess.run(command(processes, *words), text=True, timeout=300, env=ENVIRONMENT,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run_ok(processes, *words):
    done = run(processes, *words)
    assert done.returncode == 0, done.stderr
    return done


def start(processes, *words):
    return subprocess.Popen(command(processes, *words), text=True, env=ENVIRONMENT,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def complaints(done):
    """What the program itself said went wrong; mpirun has words of its own."""
    stages = {"disc: read", "disc: match features", "disc: graphs"}
    return [line for line in done.stderr.splitlines() if line.startswith("disc: ") and line not in stages]


def assert_same(ours, local, sigma=1e-8):
    """Sigma, eigenvalues and groups of a job and of one process."""
    for here, there in zip(program.summary(ours)["conditions"], program.summary(local)["conditions"], strict=True):
        np.testing.assert_allclose(here["sigma"], there["sigma"], rtol=0, atol=sigma)
        np.testing.assert_allclose(here["eigenvalues"], there["eigenvalues"], rtol=0, atol=sigma)
        assert here["components"] == there["components"]
        assert here["basis_rank"] == there["basis_rank"]
    assert program.groups(ours) == program.groups(local)
