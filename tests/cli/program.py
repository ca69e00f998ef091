"""Runs the program under test and reads what it wrote."""

import json
import os
import pathlib
import signal
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("DISC", str(ROOT / "build" / "release" / "disc"))
OUTPUT_FILES = {"summary.json", "groups.tsv", "features.tsv", "pairs.tsv", "samples.tsv", "units.tsv", "vectors.npz", "figure_data.npz",
                "report.html", "disc_mqc.json"}


# What tests start can be interrupted, even where this process was started so that it cannot be (nohup, a job in the background).
for _number, _usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)


def disc(*words, **options):
    """The finished process; text in stdout and stderr."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run([PROGRAM, *map(str, words)], text=True, timeout=600, **options)


def start(*words):
    return subprocess.Popen(
        [PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )


def run_ok(*words):
    """disc run that must succeed."""
    done = disc("run", *words)
    assert done.returncode == 0, done.stderr
    return done


def refused(code, *words, says=(), out=None):
    """The program must end with this code and one clear sentence, and leave nothing behind."""
    done = disc(*words)
    assert done.returncode == code, f"exit code {done.returncode}, stderr: {done.stderr}"
    complaints = [line for line in done.stderr.splitlines() if line.startswith("disc: ")]
    sentence = complaints[-1]
    for part in [says] if isinstance(says, str) else says:
        assert part in sentence, f"{part!r} is not in {sentence!r}"
    assert "internal error" not in done.stderr
    assert done.stdout == ""
    if out is not None:
        assert not pathlib.Path(out).exists(), "something was left behind"
    return sentence


def summary(folder):
    def no_constant(word):
        raise AssertionError(f"{word} in summary.json")

    text = (pathlib.Path(folder) / "summary.json").read_text()
    return json.loads(text, parse_constant=no_constant)


def arrays(folder):
    with np.load(pathlib.Path(folder) / "vectors.npz", allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def table(path):
    """Rows of a tab-separated file as dictionaries."""
    header, *rows = [line.split("\t") for line in pathlib.Path(path).read_text().splitlines()]
    assert all(len(row) == len(header) for row in rows)
    return [dict(zip(header, row)) for row in rows]


def groups(folder):
    """condition -> set of groups, each a frozen set of features."""
    members = {}
    for row in table(pathlib.Path(folder) / "groups.tsv"):
        members.setdefault((row["condition"], row["group"]), set()).add(row["feature"])
    found = {condition["name"]: set() for condition in summary(folder)["conditions"]}
    for (condition, _), features in members.items():
        found[condition].add(frozenset(features))
    return found


def assert_no_nan(folder):
    """No NaN or infinity in any output; summary() refuses them in the JSON."""
    summary(folder)
    for name, array in arrays(folder).items():
        if array.dtype.kind == "f":
            assert np.isfinite(array).all(), name
    for name in ("groups.tsv", "features.tsv"):
        for row in table(pathlib.Path(folder) / name):
            for column, cell in row.items():
                if column == "weight" or column.startswith("energy_"):
                    assert cell == "" or np.isfinite(float(cell)), (name, column, cell)


def two_conditions(samples=300, noise=20, size=12, seed=0):
    """A and B: one group in both, one only in A, one only in B, and noise. Groups are far above the noise."""
    generator = np.random.default_rng(seed)

    def group(connected):
        factor = generator.normal(size=(samples, 1)) if connected else 0
        return 0.3 * generator.normal(size=(samples, size)) + factor if connected else generator.normal(size=(samples, size))

    def condition(connected):
        return np.hstack([generator.normal(size=(samples, noise))] + [group(c) for c in connected])

    return condition([True, True, False]), condition([True, False, True])


def write_csv(path, values, features=None, samples=None):
    features = features or [f"gene{j + 1}" for j in range(values.shape[1])]
    samples = samples or [f"cell{i + 1}" for i in range(values.shape[0])]
    lines = ["," + ",".join(features)]
    lines += [name + "," + ",".join(repr(float(v)) for v in row) for name, row in zip(samples, values)]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")
    return path
