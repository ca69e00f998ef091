import numpy as np
import pytest

import program


@pytest.fixture
def out(tmp_path):
    """Where a run writes to; does not exist yet."""
    return tmp_path / "out"


@pytest.fixture
def pair(tmp_path):
    """Two small conditions as files A.npy and B.npy."""
    files = []
    for name, values in zip("AB", program.two_conditions()):
        np.save(tmp_path / f"{name}.npy", values)
        files.append(tmp_path / f"{name}.npy")
    return files
