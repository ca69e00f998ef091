"""Runs that are cut off and go on, and runs that do not fit the memory they may take."""

import os
import pathlib
import random
import resource
import signal
import time

import pytest
from program import OUTPUT_FILES, disc, refused, run_ok, start, summary

UNFINISHED = ".unfinished"
# DISC_KILLS=10: so many kills at random moments, of a run of a minute or more.
KILLS = int(os.environ.get("DISC_KILLS", "0"))
FEATURES, SAMPLES, PERMUTATIONS = ("10000", "124", "250") if KILLS else ("6400", "60", "30")
MOMENTS = [round(random.Random(KILLS).uniform(0.02, 0.99), 3) for _ in range(KILLS)] or [0.25, 0.5, 0.8, 0.95]


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scene")
    assert disc("simulate", "scene", "--features", FEATURES, "--samples", SAMPLES, "-o", folder).returncode == 0
    return folder


@pytest.fixture(scope="module")
def words(scene):
    return [scene / "A.npy", scene / "B.npy", "--seed", "3", "--permutations", PERMUTATIONS, "--checkpoint-after", "0", "--graph", "knn"]


@pytest.fixture(scope="module")
def expected(words, tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "out"
    begin = time.monotonic()
    run_ok(*words, "-o", out)
    assert not (out / UNFINISHED).exists()
    return out, time.monotonic() - begin


def assert_same_results(folder, whole):
    for name in OUTPUT_FILES - {"summary.json", "report.html", "pairs.tsv"}:
        assert (folder / name).read_bytes() == (whole / name).read_bytes(), name
    one, other = summary(folder), summary(whole)
    for text in (one, other):
        for key in ("timings", "date", "threads", "peak_memory_bytes", "settings"):
            text.pop(key)
    assert one == other
    assert not (folder / UNFINISHED).exists()


@pytest.mark.parametrize("share", MOMENTS)
def test_killed_run_goes_on_and_ends_with_the_same_bits(words, expected, tmp_path, share):
    whole, seconds = expected
    out = tmp_path / "out"
    process = start("run", *words, "-o", out)
    time.sleep(share * seconds)
    process.kill()
    process.wait()
    process.stdout.close()
    process.stderr.close()
    if not (out / UNFINISHED).exists():  # before the first long stage was finished
        refused(3, "run", "--resume", out, says="nothing to resume")
        run_ok(*words, "-o", out)
    else:
        assert disc("run", "--resume", out).returncode == 0
    assert_same_results(out, whole)


def cut_off(words, out):
    """A run killed once something is kept."""
    process = start("run", *words, "-o", out)
    while not list(pathlib.Path(out).glob(f"{UNFINISHED}/nearest-*")):
        assert process.poll() is None, "the run was over before anything was kept"
        time.sleep(0.02)
    process.kill()
    process.wait()
    process.stdout.close()
    process.stderr.close()


def test_damaged_checkpoints_are_not_believed(words, expected, tmp_path):
    out = tmp_path / "out"
    cut_off(words, out)
    for kept in (out / UNFINISHED).glob("nearest-*"):
        content = bytearray(kept.read_bytes())
        content[len(content) // 2] ^= 1
        kept.write_bytes(content)
    assert disc("run", "--resume", out).returncode == 0
    assert_same_results(out, expected[0])


def test_resumes_from_another_folder(words, expected, tmp_path):
    out = tmp_path / "out"
    cut_off(words, out)
    done = disc("run", "--resume", out, cwd=os.sep)
    assert done.returncode == 0, done.stderr
    assert_same_results(out, expected[0])


def test_interrupted_run_says_how_to_go_on(words, tmp_path):
    out = tmp_path / "out"
    process = start("run", *words, "-o", out)
    while not list(out.glob(f"{UNFINISHED}/nearest-*")):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 130
    assert (out / UNFINISHED).exists()
    assert "--resume" in errors


def test_nothing_to_resume(tmp_path):
    refused(3, "run", "--resume", tmp_path, says="nothing to resume")


def test_memory_limit_is_refused_with_the_figure(scene, tmp_path):
    out = tmp_path / "out"
    refused(2, "run", scene / "A.npy", scene / "B.npy", "-o", out, "--memory-limit", "50M",
            says=["--memory-limit 50 MiB", "6400 features", "need about", "MiB"], out=out)


def test_memory_limit_chooses_the_form_that_fits(tmp_path):
    assert disc("simulate", "newly-connected", "--samples", "60", "--features", "2500", "-o", tmp_path).returncode == 0
    files = [tmp_path / "A.npy", tmp_path / "B.npy"]
    few = ["--permutations", "0", "--bootstraps", "0"]
    run_ok(*files, "-o", tmp_path / "roomy", "--memory-limit", "4G", *few)
    run_ok(*files, "-o", tmp_path / "tight", "--memory-limit", "200M", *few)
    assert summary(tmp_path / "roomy")["settings"]["used"]["graph"] == "dense"
    assert summary(tmp_path / "tight")["settings"]["used"]["graph"] == "knn"
    assert summary(tmp_path / "tight")["peak_memory_bytes"] < 200 * 2**20


@pytest.mark.parametrize("text", ["8X", "-1G", "0", "G", "much"])
def test_memory_limit_must_be_an_amount(scene, tmp_path, text):
    refused(2, "run", scene / "A.npy", scene / "B.npy", "-o", tmp_path / "out", "--memory-limit", text,
            says=["--memory-limit " + text, "such as 8G"])


def test_too_little_address_space_is_a_clear_error(scene, tmp_path):
    def little():
        resource.setrlimit(resource.RLIMIT_AS, (384 * 2**20, 384 * 2**20))

    done = disc("run", scene / "A.npy", scene / "B.npy", "-o", tmp_path / "out", preexec_fn=little)
    assert done.returncode == 3, (done.returncode, done.stderr)
    assert "out of memory" in done.stderr
    assert not (tmp_path / "out").exists()
