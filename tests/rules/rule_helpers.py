"""Where things are, for the tests of the rules."""
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("DISC_BUILD_DIR", ROOT / "build" / "release"))
PUBLIC_HEADERS = sorted(ROOT.glob("include/disc/*.hpp"))

# Data flow in this order; a stage may include only itself and stages before it.
STAGES = ["base", "matrix", "io", "prepare", "graph", "spectral", "differential", "groups", "stats", "simulate", "pipeline",
          "report", "distributed"]
# Public headers that are not named after their stage. disc.hpp includes everything.
HEADER_STAGE = {"options": "pipeline", "figure_data": "pipeline", "manifest": "io", "correlations": "matrix", "team": "base",
                "checkpoints": "io", "georeference": "io", "parts": "io", "plan": "pipeline", "spelling": "base", "where": "pipeline", "sparse_matrix": "matrix",
                "test_sets": "stats", "follow_up": "pipeline", "calibrate": "pipeline", "prototypes": "graph"}


def stage_of_header(name):
    """The stage of include/disc/<name>.hpp."""
    return HEADER_STAGE.get(name, name)


def read(path):
    return path.read_text(encoding="utf-8")


def shown(path):
    return str(path.relative_to(ROOT))


def tracked_files():
    """Files in version control; the test is skipped where there is none, as in an unpacked archive."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git repository")
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], stdout=subprocess.PIPE, check=True)
    names = [name for name in listing.stdout.decode().split("\0") if name]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def built(name):
    """A file of the release build; missing it is a failure, not a reason to skip."""
    path = BUILD / name
    assert path.exists(), f"{path} is not built; `make test` builds it"
    return path
