"""Memory that is refused, files that cannot be opened, read or written, at the N-th call of a small run: one sentence, and nothing half written.

`make test` takes some of all N, the same ones every time; DISC_FAILING_CALLS says how many (make check: 1,500, and of memory every single one)."""

import os
import re
import shutil
import subprocess

import numpy as np
import pytest

from program import OUTPUT_FILES, disc, two_conditions

SAMPLED = int(os.environ.get("DISC_FAILING_CALLS", "25"))
WITHOUT_THE_PAGE = OUTPUT_FILES - {"report.html"}
pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """With the library that lets calls fail, two inputs, and what a run makes of them."""
    folder = tmp_path_factory.mktemp("failing")
    source = os.path.join(os.path.dirname(__file__), "failing_calls.c")
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-w", "-o", folder / "failing.so", source, "-ldl"], check=True)
    for name, values in zip("AB", two_conditions(samples=40, noise=8, size=6)):
        header = ",".join(f"g{j}" for j in range(values.shape[1]))
        np.savetxt(folder / f"{name}.csv", values, delimiter=",", header=header, comments="")
    return folder


def run(place, kind, at, *words, **more_environment):
    """And how many calls of the kind there were."""
    environment = {**os.environ, "LD_PRELOAD": str(place / "failing.so"), "FAILING": kind, "FAIL_AT": str(at),
                   "FAIL_COUNT": str(place / "count"), "OPENBLAS_NUM_THREADS": "1", **more_environment}
    done = disc("run", "A.csv", "B.csv", "--permutations", "3", "--bootstraps", "3", "--threads", "1", "-q", *words, "-o", "out",
                cwd=place, env=environment)
    return done, int((place / "count").read_text())


def test_small_files_are_not_mapped(place, tmp_path):
    """A process may have some 65,000 maps: as many small files were once the end of it."""
    generator = np.random.default_rng(0)
    rows = []
    for number in range(40):
        np.save(tmp_path / f"{number}.npy", generator.normal(size=(4, 6)))
        rows.append(f"{number}.npy\t{'AB'[number % 2]}\n")
    (tmp_path / "manifest.tsv").write_text("file\tcondition\n" + "".join(rows))
    environment = {**os.environ, "LD_PRELOAD": str(place / "failing.so"), "FAILING": "maps", "FAIL_AT": "0",
                   "FAIL_COUNT": str(place / "count")}
    done = disc("run", "--manifest", tmp_path / "manifest.tsv", "--permutations", "0", "--bootstraps", "0", "-q", "-o", tmp_path / "out",
                env=environment)
    assert done.returncode == 0, done.stderr
    assert int((place / "count").read_text()) < 20


def moments(count):
    """From 1: spread over the run, one in each part."""
    if SAMPLED >= count:
        return range(1, count + 1)
    edges = np.linspace(1, count, SAMPLED + 1).astype(int)
    generator = np.random.default_rng(1)
    return [1] + [int(generator.integers(low, max(low + 1, high))) for low, high in zip(edges, edges[1:])]


def tables(out):
    return {path.name: path.read_bytes() for path in out.iterdir() if path.name in {"groups.tsv", "features.tsv", "samples.tsv"}}


def assert_whole(place, before, after):
    """All files of one run: of the one before, or of this one. What was not moved to its place is moved by whoever looks next."""
    disc("report", "out", cwd=place)
    assert {path.name for path in (place / "out").iterdir()} - {"report.html"} == WITHOUT_THE_PAGE
    assert tables(place / "out") in (before, after)


@pytest.mark.parametrize("kind", ["memory", "files"])
def test_a_call_that_fails_ends_in_one_sentence_and_loses_nothing(place, kind):
    shutil.rmtree(place / "out", ignore_errors=True)
    done, count = run(place, kind, 0, "--select", "variable:20")
    assert done.returncode == 0 and count > 20, done.stderr
    after = tables(place / "out")
    shutil.rmtree(place / "out")
    assert run(place, kind, 0)[0].returncode == 0
    before = tables(place / "out")
    assert before != after
    shutil.rmtree(place / "before", ignore_errors=True)
    shutil.copytree(place / "out", place / "before")
    ended = set()
    for at in moments(count):
        done, _ = run(place, kind, at, "--select", "variable:20")
        where = f"call {at} of {count}: exit code {done.returncode}, {done.stderr}"
        assert done.returncode in (0, 2, 3), where  # 2: the results of before cannot be told from files of the user
        sentences = [line for line in done.stderr.splitlines() if line.startswith("disc: ")]
        assert len(sentences) == (0 if done.returncode == 0 else 1) and "internal error" not in done.stderr, where
        assert_whole(place, before, after)
        ended.add(done.returncode)
        shutil.rmtree(place / "out")
        shutil.copytree(place / "before", place / "out")
    assert ended - {0} != set(), "no call that failed was noticed"


def test_whatever_memory_is_refused_the_run_ends_in_one_sentence_or_goes_on(place):
    """Each call fails in a child that is made at that moment: what children cost is what is left of them, not the run up to there."""
    shutil.rmtree(place / "out", ignore_errors=True)
    done, count = run(place, "memory", 0)
    assert done.returncode == 0 and count > 1000, done.stderr
    whole = tables(place / "out")
    shutil.rmtree(place / "out")
    report = place / "children"
    report.unlink(missing_ok=True)
    parts = 16 if SAMPLED >= 1000 else 1  # all calls take minutes
    step = parts if parts > 1 else count // (4 * SAMPLED)
    for part in range(parts):
        done, _ = run(place, "memory", part, FAIL_EACH=str(report), FAIL_STEP=str(step))
        assert done.returncode == 0 and tables(place / "out") == whole, done.stderr
    said = re.split(r"^call (\d+): (-?\d+)\n", report.read_text(errors="replace"), flags=re.MULTILINE)
    children = list(zip(said[0::3], said[1::3], said[2::3]))
    assert len(children) > 0.9 * parts * count / step
    for text, call, status in children:
        where = f"call {call} of {count}: status {status}, {text}"
        assert os.WIFEXITED(int(status)) and os.WEXITSTATUS(int(status)) in (0, 3, 77), where  # 77: went on, to its results
        sentences = [line for line in text.splitlines() if line.startswith("disc: ")]
        failed = os.WEXITSTATUS(int(status)) == 3
        assert len(sentences) == (1 if failed else 0) and "internal error" not in text, where
