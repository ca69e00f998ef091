import pathlib
import shutil
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

import program  # noqa: E402


def pytest_collection_modifyitems(items):
    """Without the engine its tests are skipped, by name."""
    here = pathlib.Path(__file__).parent
    has_engine = "mpi was not built in" not in program.disc("--version").stdout
    reason = None if has_engine else "this disc was built without the engine mpi (cmake -DDISC_WITH_SLEPC=ON)"
    if has_engine and shutil.which("mpirun") is None:
        reason = "there is no mpirun"
    for item in items:
        if reason and here in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"
