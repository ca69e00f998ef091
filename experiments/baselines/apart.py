"""Other people's programs that cannot live in one process with disc: another language, or another numpy.

Each is a script in programs/, called with a folder. There it finds own.csv and others.csv (samples in rows, no header) and number.txt (of groups to find in own.csv);
it writes labels.csv (a label for every feature, 0 = none), the last step of turning its output into groups being the script's own.
tools/paper.sh installs what they need; without it, Skipped says so.
"""
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

from ..common import ROOT, Skipped

PROGRAMS = pathlib.Path(__file__).parent / "programs"
PYTHON = ROOT / "build" / "other_tools-env" / "bin" / "python"


def command_of(script):
    if script.suffix == ".R":
        if not shutil.which("Rscript"):
            raise Skipped("R is not installed")
        return ["Rscript", "--vanilla", str(script)]
    if not PYTHON.exists():
        raise Skipped("its environment, build/other_tools-env, is not there: `make paper` makes it")
    return [str(PYTHON), str(script)]


def run(script, X_a, X_b, number):
    """What the script wrote about A against B."""
    script = PROGRAMS / script
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.savetxt(folder / "own.csv", X_a, delimiter=",", fmt="%.7g")
        np.savetxt(folder / "others.csv", X_b, delimiter=",", fmt="%.7g")
        (folder / "number.txt").write_text(f"{number}\n")
        done = subprocess.run([*command_of(script), name], capture_output=True, text=True)
        if not (folder / "labels.csv").exists():
            raise Skipped(f"{script.name}: {(done.stderr.strip() or 'no output').splitlines()[-1]}")
        return np.loadtxt(folder / "labels.csv", delimiter=",", dtype=int, ndmin=2)
