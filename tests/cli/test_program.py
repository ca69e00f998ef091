"""The program itself: help, what it prints and where, being interrupted, the smaller commands."""

import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

from program import OUTPUT_FILES, PROGRAM, ROOT, disc, run_ok, start, summary, table

COMMANDS = ["run", "test", "replicate", "project", "calibrate", "explore", "simulate", "inspect", "score"]


def flags_in(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


def test_version():
    done = disc("--version")
    assert done.returncode == 0 and re.fullmatch(r"disc \d+\.\d+\.\d+\nengines: local.*\n", done.stdout)


def test_help_names_the_commands_and_shows_examples():
    done = disc("--help")
    assert done.returncode == 0 and done.stderr == ""
    assert all(command in done.stdout for command in COMMANDS)
    assert "disc run control.csv treated.csv" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_and_everything_in_it_is_in_the_manual(command):
    done = disc(command, "--help")
    assert done.returncode == 0 and done.stderr == ""
    manual = (ROOT / "docs" / "cli.md").read_text()
    assert flags_in(done.stdout) - flags_in(manual) == set()


def test_manual_names_no_flags_that_do_not_exist():
    known = flags_in("".join(disc(*words, "--help-all").stdout for words in [[]] + [[command] for command in COMMANDS]) + "--normalise")  # the last is a mistake that is answered
    assert flags_in((ROOT / "docs" / "cli.md").read_text()) - known == set()


# ---- what is printed where ----


def test_result_on_stdout_and_plain_progress_on_stderr(pair, out):
    done = run_ok(*pair, "-o", out)
    assert "A: " in done.stdout and "B: " in done.stdout and str(out) in done.stdout
    assert "disc: read\n" in done.stderr and "\r" not in done.stderr and "\x1b" not in done.stderr


def test_quiet(pair, out):
    done = run_ok(*pair, "-o", out, "--quiet")
    assert done.stdout == "" and done.stderr == ""
    assert {path.name for path in out.iterdir()} == OUTPUT_FILES


def test_moving_line_on_a_terminal_is_erased(pair, out):
    ours, theirs = pty.openpty()
    process = subprocess.Popen([PROGRAM, "run", *map(str, pair), "-o", str(out)], stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 4096):
            shown += chunk
    except OSError:
        pass  # how Linux says that the other end is closed
    assert process.wait() == 0
    assert b"read" in shown and b"%" in shown
    assert shown.endswith(b"\r\x1b[K")


def test_default_output_folder(pair, tmp_path):
    done = disc("run", *pair, cwd=tmp_path)
    assert done.returncode == 0
    assert {path.name for path in (tmp_path / "disc-out").iterdir()} == OUTPUT_FILES


def test_second_run_replaces_its_own_files_only(pair, out):
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    run_ok(*pair, "-o", out, "--seed", "1")
    run_ok(*pair, "-o", out, "--seed", "2")
    assert summary(out)["seed"] == 2
    assert {path.name for path in out.iterdir()} == OUTPUT_FILES | {"notes.txt"}


# ---- interrupting ----


@pytest.fixture
def large(tmp_path):
    """Conditions whose analysis takes far longer than any test waits."""
    generator = np.random.default_rng(0)
    files = [tmp_path / "large_A.npy", tmp_path / "large_B.npy"]
    for path in files:
        np.save(path, generator.normal(size=(200, 5000)).astype(np.float32))
    return files


def begin(*words):
    """Starts a run and waits until it is past reading."""
    process = start(*words)
    for line in process.stderr:
        if line.startswith("disc: ") and "read" not in line:
            break
    threading.Thread(target=process.stderr.read, daemon=True).start()
    time.sleep(0.5)
    assert process.poll() is None, "the run is over before it could be interrupted"
    return process


def seconds_of_work(process):
    """Of all its processors so far, also once it has ended."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def code_of_what_ends_soon(process, seconds=5):
    """What a process ends with that was told to end, which it may work no more than a few seconds for: how long that takes is up to
    what else the machine does."""
    before, deadline = seconds_of_work(process), time.monotonic() + 300
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        assert seconds_of_work(process) - before < seconds and time.monotonic() < deadline, "it goes on"
        time.sleep(0.01)
    assert seconds_of_work(process) - before < seconds
    return process.wait()


SLOW = [["--solver", "lapack"], ["--solver", "lanczos", "--eigenvectors", "400", "--tolerance", "1e-14"]]


@pytest.mark.parametrize("words", SLOW, ids=["lapack", "lanczos"])
@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_soon_and_nothing_left(large, out, words, which):
    process = begin("run", *large, "-o", out, *words)
    process.send_signal(which)
    assert code_of_what_ends_soon(process) == 130
    assert not out.exists()


def test_interrupted_run_keeps_the_old_results(pair, large, out):
    run_ok(*pair, "-o", out)
    before = {name: (out / name).read_bytes() for name in OUTPUT_FILES}
    process = begin("run", *large, "-o", out, *SLOW[0])
    process.send_signal(signal.SIGINT)
    assert code_of_what_ends_soon(process) == 130
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_killed_run_keeps_the_old_results(pair, large, out):
    run_ok(*pair, "-o", out)
    before = {name: (out / name).read_bytes() for name in OUTPUT_FILES}
    process = begin("run", *large, "-o", out, *SLOW[0])
    process.kill()
    process.wait()
    assert {name: (out / name).read_bytes() for name in OUTPUT_FILES} == before


# ---- simulate, inspect, score ----


def test_simulate_run_score(tmp_path):
    toy = tmp_path / "toy"
    done = disc("simulate", "newly-connected", "-o", toy, "--samples", "500", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in toy.iterdir()} == {"A.npy", "B.npy", "truth.tsv"}
    assert np.load(toy / "A.npy").shape == (500, 250)
    truth = table(toy / "truth.tsv")
    assert list(truth[0]) == ["condition", "group", "feature"] and len(truth) == 100
    command = done.stdout.split("now try: disc ")[1].split()
    assert disc(*command).returncode == 0
    shown = disc("score", toy / "out", "--truth", toy / "truth.tsv")
    assert shown.returncode == 0 and "adjusted Rand" in shown.stdout
    scores = json.loads(disc("score", toy / "out", "--truth", toy / "truth.tsv", "--json").stdout)
    assert [score["condition"] for score in scores] == ["A", "B"]
    assert all(score["groups_true"] == 2 and -1 <= score["adjusted_rand"] <= 1 for score in scores)


def test_the_truth_scores_one(tmp_path):
    toy = tmp_path / "toy"
    disc("simulate", "newly-connected", "-o", toy, "--samples", "100")
    run_ok(toy / "A.npy", toy / "B.npy", "-o", toy / "out")
    (toy / "out" / "groups.tsv").write_text((toy / "truth.tsv").read_text())
    scores = json.loads(disc("score", toy / "out", "--truth", toy / "truth.tsv", "--json").stdout)
    for score in scores:
        assert score["adjusted_rand"] == score["precision"] == score["recall"] == 1
        assert all(match["jaccard"] == 1 for match in score["matches"])


def problems():
    text = disc("simulate", "--help").stdout.split("Problems:\n")[1].split("\n\n")[0]
    return [line.split(":")[0].strip() for line in text.splitlines()]


def test_every_problem_can_be_simulated_and_run(tmp_path):
    assert {"newly-connected", "subsets", "both", "three", "partial", "block-model"} <= set(problems())
    for problem in problems():
        size = ["--features", "400"] if problem == "scene" else []
        done = disc("simulate", problem, "-o", tmp_path / problem, "--samples", "100", "--block-size", "60", *size)
        assert done.returncode == 0, done.stderr
        command = done.stdout.split("now try: disc ")[1].split()
        assert disc(*command).returncode == 0, problem


def test_simulation_depends_on_the_seed_and_not_on_the_threads(tmp_path):
    data = {}
    for name, words in {"a": ["--threads", 1], "b": ["--threads", 4], "c": ["--threads", 4, "--seed", 2]}.items():
        disc("simulate", "both", "-o", tmp_path / name, "--samples", "50", *words)
        data[name] = (tmp_path / name / "B.npy").read_bytes()
    assert data["a"] == data["b"] != data["c"]


def test_inspect(tmp_path):
    (tmp_path / "x.csv").write_text("id,g1,g2,g3\nc1,0,5,1\nc2,0,nan,2\n")
    shown = disc("inspect", tmp_path / "x.csv")
    assert shown.returncode == 0 and "g1" in shown.stdout and "c1" in shown.stdout
    facts = json.loads(disc("inspect", tmp_path / "x.csv", "--json").stdout)
    assert (facts["format"], facts["samples"], facts["features"]) == ("csv", 2, 3)
    assert facts["non_finite"] == 1 and facts["zeros"] == 2 and facts["constant_features"] == 1
    assert facts["first_features"] == ["g1", "g2", "g3"] and facts["features_named"] is True
