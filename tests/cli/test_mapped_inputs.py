"""Arrays that stay on the disk: what a run holds in memory does not grow with them."""

import pathlib
import time

import numpy as np
import pytest
from program import start

SAMPLES, FEATURES = 50_000, 300  # so many that the test of groups keeps sums of units, not single samples


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mapped")
    random = np.random.default_rng(1)
    for name in ("A", "B"):
        np.save(folder / f"{name}.npy", random.normal(size=(SAMPLES, FEATURES)).astype(np.float32))
    return folder / "A.npy", folder / "B.npy"


def own_memory(process):
    """Bytes that are the process's own: a mapped file is the system's."""
    try:
        for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def test_values_are_not_held(files, tmp_path):
    process = start("run", *files, "-o", tmp_path / "out", "--permutations", "3", "--threads", "1", "--scores", "values")
    peak = 0
    while process.poll() is None:
        peak = max(peak, own_memory(process))
        time.sleep(0.002)
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    both_in_double = 2 * 8 * SAMPLES * FEATURES
    assert 0 < peak < both_in_double / 2
