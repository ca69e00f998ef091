"""Folders that lie: what is in them must not be overwritten, followed or obeyed, and a killed run leaves nothing half done."""

import fcntl
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest

from program import OUTPUT_FILES, PROGRAM, disc, refused, run_ok, start, summary, two_conditions

QUICK = ["--permutations", "0", "--bootstraps", "0", "-q"]


def contents(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir() if path.is_file()}


def note(*words, place="/"):
    """What a run that was cut off leaves in its folder, with the digest the program makes of it."""
    text = "\0".join([place, *words]).encode()
    return b"disc run, format 1\n" + digest(text) + b"\n" + text


def digest(data):
    prime, start_value, mask = 1099511628211, 14695981039346656037, 2**64 - 1

    def mix(value, word):
        value = (value ^ word) * prime & mask
        return value ^ value >> 32

    lanes = [start_value + lane for lane in range(4)]
    at = 0
    while at + 32 <= len(data):
        lanes = [mix(lane, int.from_bytes(data[at + 8 * k: at + 8 * k + 8], "little")) for k, lane in enumerate(lanes)]
        at += 32
    value = start_value
    for lane in lanes:
        value = mix(value, lane)
    for byte in data[at:]:
        value = mix(value, byte)
    return b"%016x" % mix(value, len(data))


def with_note(folder, content):
    (folder / ".unfinished").mkdir(parents=True)
    (folder / ".unfinished" / "run").write_bytes(content)
    return folder


# ---- Inputs are not overwritten -----------------------------------------------------------------------------------


def test_manifest_called_like_a_result_is_not_overwritten(pair, tmp_path):
    rows = "".join(f"{path.name}\t{path.stem}\n" for path in pair)
    table = tmp_path / "samples.tsv"
    table.write_text("file\tcondition\n" + rows)
    before = table.read_bytes()
    refused(2, "run", "--manifest", table, *QUICK, "-o", tmp_path, says=["samples.tsv", "which the run reads"])
    assert table.read_bytes() == before


def test_list_of_features_called_like_a_result_is_not_overwritten(pair, tmp_path):
    names = tmp_path / "features.tsv"
    names.write_text("".join(f"f{j}\n" for j in range(1, 40)))
    before = names.read_bytes()
    refused(2, "run", *pair, "--only-features", names, *QUICK, "-o", tmp_path, says=["features.tsv", "which the run reads"])
    assert names.read_bytes() == before


def test_folder_of_ten_x_data_is_not_overwritten(tmp_path):
    generator = np.random.default_rng(0)
    for name in ("ctrl", "stim"):
        folder = tmp_path / name
        folder.mkdir()
        counts = generator.poisson(2.0, size=(8, 30)) + 1
        entries = "".join(f"{i + 1} {j + 1} {counts[i, j]}\n" for i in range(8) for j in range(30))
        (folder / "matrix.mtx").write_text(f"%%MatrixMarket matrix coordinate integer general\n8 30 240\n{entries}")
        (folder / "features.tsv").write_text("".join(f"E{i}\tG{i}\tGene Expression\n" for i in range(8)))
        (folder / "barcodes.tsv").write_text("".join(f"c{j}\n" for j in range(30)))
    before = contents(tmp_path / "ctrl")
    refused(2, "run", tmp_path / "ctrl", tmp_path / "stim", *QUICK, "-o", tmp_path / "ctrl", says="which the run reads")
    assert contents(tmp_path / "ctrl") == before


def test_file_that_no_run_wrote_is_not_overwritten(pair, tmp_path):
    mine = tmp_path / "groups.tsv"
    mine.write_text("my own groups\n")
    refused(2, "run", *pair, *QUICK, "-o", tmp_path, says=["groups.tsv", "no run of disc wrote"])
    assert mine.read_text() == "my own groups\n"
    run_ok(*pair, *QUICK, "-o", tmp_path / "out")
    run_ok(*pair, *QUICK, "-o", tmp_path / "out")  # results of an earlier run are replaced


def test_convert_does_not_overwrite_what_it_reads(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.eye(4))
    refused(2, "convert", tmp_path / "a.npz", "-o", tmp_path / "a.npz", says="is the file to be read")


def test_results_of_an_earlier_run_do_not_stay_beside_new_ones(pair, out, tmp_path):
    sets = tmp_path / "sets.gmt"
    sets.write_text("SET\tx\tf1\tf2\tf21\tf22\n")
    run_ok(*pair, *QUICK, "--genesets", sets, "-o", out)
    assert (out / "enrichment.tsv").exists()
    run_ok(*pair, *QUICK, "-o", out)
    assert not (out / "enrichment.tsv").exists()


# ---- What --resume believes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"/", b"disc run, format 1\n", b"disc run, format 1\n0123456789abcdef\n/\0run"])
def test_damaged_note_is_not_resumed(tmp_path, content):
    refused(3, "run", "--resume", with_note(tmp_path / "x", content), says="nothing to resume")


def test_note_of_another_command_is_not_obeyed(tmp_path):
    folder = with_note(tmp_path / "x", note("simulate", "subsets", "-o", str(tmp_path / "elsewhere")))
    refused(3, "run", "--resume", folder, says="does not hold a run", out=tmp_path / "elsewhere")


def test_note_that_writes_elsewhere_is_not_obeyed(pair, tmp_path):
    folder = with_note(tmp_path / "x", note("run", *map(str, pair), "-o", str(tmp_path / "elsewhere")))
    refused(3, "run", "--resume", folder, says="writes elsewhere", out=tmp_path / "elsewhere")


def test_note_that_resumes_itself_ends(tmp_path):
    folder = tmp_path / "x"
    with_note(folder, note("run", "--resume", str(folder)))
    refused(3, "run", "--resume", folder, says="it is not gone on with")


def test_note_that_is_a_folder_or_a_pipe_is_not_read(tmp_path):
    (tmp_path / "a" / ".unfinished" / "run").mkdir(parents=True)
    refused(3, "run", "--resume", tmp_path / "a", says="nothing to resume")
    (tmp_path / "b" / ".unfinished").mkdir(parents=True)
    os.mkfifo(tmp_path / "b" / ".unfinished" / "run")
    refused(3, "run", "--resume", tmp_path / "b", says="nothing to resume")


def test_unfinished_folder_of_somebody_else_stays(pair, out):
    (out / ".unfinished").mkdir(parents=True)
    (out / ".unfinished" / "mine").write_text("mine")
    run_ok(*pair, "--permutations", "0", "--bootstraps", "0", "-q", "--checkpoint-after", "0", "-o", out)
    assert contents(out / ".unfinished") == {"mine": b"mine"}


def test_unfinished_folder_that_is_a_link_is_not_followed(pair, out, tmp_path):
    out.mkdir()
    (tmp_path / "victim").mkdir()
    (out / ".unfinished").symlink_to(tmp_path / "victim")
    run_ok(*pair, *QUICK, "--checkpoint-after", "0", "-o", out)
    assert contents(tmp_path / "victim") == {}


# ---- All or nothing -----------------------------------------------------------------------------------------------

# Ends the process, or fails, at the n-th renaming of a result.
INTERPOSER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int seen;
int rename(const char* from, const char* to) {
  int (*real)(const char*, const char*) = dlsym(RTLD_NEXT, "rename");
  if (strstr(from, ".disc-output-") && !strstr(from, ".npz.") && ++seen == atoi(getenv("AT"))) {
    if (getenv("FAIL")) return errno = ENOSPC, -1;
    kill(getpid(), SIGKILL);
  }
  return real(from, to);
}
"""


@pytest.fixture(scope="module")
def interposer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("interposer")
    (folder / "at.c").write_text(INTERPOSER)
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", folder / "at.so", folder / "at.c", "-ldl"], check=True)
    return folder / "at.so"


@pytest.fixture(scope="module")
def old_and_new(tmp_path_factory):
    """Two inputs, and the results of two runs on them."""
    folder = tmp_path_factory.mktemp("results")
    files = [folder / "A.npy", folder / "B.npy"]
    for file, values in zip(files, two_conditions(samples=60)):
        np.save(file, values)
    run_ok(*files, *QUICK, "-o", folder / "old")
    run_ok(*files, *QUICK, "--select", "variable:30", "-o", folder / "new")
    return files, folder / "old", folder / "new"


@pytest.mark.parametrize("at, fails", [(1, False), (2, False), (5, False), (8, False), (1, True), (5, True)])
def test_end_between_renames_leaves_old_or_new_results(old_and_new, out, interposer, at, fails):
    files, before, new = old_and_new
    shutil.copytree(before, out)
    old = contents(out)
    env = {**os.environ, "LD_PRELOAD": str(interposer), "AT": str(at), **({"FAIL": "1"} if fails else {})}
    done = disc("run", *files, *QUICK, "--select", "variable:30", "-o", out, env=env)
    assert done.returncode == (3 if fails else -signal.SIGKILL)
    disc("report", out)
    assert [name for name in os.listdir(out) if name.startswith(".disc")] == []
    present = contents(out)
    same = [name for name in OUTPUT_FILES - {"summary.json", "report.html"} if present[name] == contents(new)[name]]
    if at == 1:  # the step that makes the new files the results
        assert {name: present[name] for name in old if name != "report.html"} == {
            name: old[name] for name in old if name != "report.html"}
    else:
        assert sorted(same) == sorted(OUTPUT_FILES - {"summary.json", "report.html"})
        assert summary(out)["settings"]["given"]["select"] == "variable:30"


def test_left_overs_of_a_killed_run_are_removed_and_those_of_a_living_one_stay(pair, out):
    run_ok(*pair, *QUICK, "-o", out)
    dead, alive = out / ".disc-output-aaaaaa", out / ".disc-output-bbbbbb"
    for folder in (dead, alive):
        folder.mkdir()
        (folder / "groups.tsv").write_text("half")
    holder = os.open(alive, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    run_ok(*pair, *QUICK, "-o", out)
    assert not dead.exists()
    assert alive.exists()
    os.close(holder)


def test_links_in_a_shared_folder_are_not_followed(pair, out, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("victim")
    run_ok(*pair, *QUICK, "-o", out)
    for name in OUTPUT_FILES:
        (out / name).unlink(missing_ok=True)
        (out / name).symlink_to(victim)
    done = disc("run", *pair, *QUICK, "-o", out)
    assert done.returncode in (0, 2)
    assert victim.read_text() == "victim"


def test_hangup_is_an_interruption(tmp_path):
    assert disc("simulate", "scene", "--features", "6400", "--samples", "60", "-q", "-o", tmp_path).returncode == 0
    out = tmp_path / "out"
    process = start("run", tmp_path / "A.npy", tmp_path / "B.npy", "--permutations", "500000", "--tolerance", "1e-14", "--eigenvectors", "300", "-o", out)
    while "eigenpairs" not in (line := process.stderr.readline()):
        assert line, "the run was over before its longest stage"
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=300)
    assert process.returncode == 130
    assert not out.exists() or [name for name in os.listdir(out) if name != ".unfinished"] == []


# ---- Odd places ---------------------------------------------------------------------------------------------------


def test_empty_output_is_refused(pair, tmp_path):
    refused(2, "run", *pair, *QUICK, "-o", "", says="--output")


def test_empty_name_of_a_file_is_refused(pair, out):
    refused(3, "run", "", pair[0], *QUICK, "-o", out, says="'': is not the name of a file", out=out)


def test_vanished_working_folder_is_refused(pair, tmp_path):
    place = tmp_path / "gone"
    place.mkdir()
    script = f"cd '{place}' && rmdir '{place}' && exec '{PROGRAM}' run '{pair[0]}' '{pair[1]}' -q -o out"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith("disc: ") and "internal error" not in done.stderr


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_full_standard_output_is_an_error(flag):
    with open("/dev/full", "w") as full:
        done = disc(flag, stdout=full)
    assert done.returncode == 3
    assert "cannot write to the standard output" in done.stderr


def test_few_addresses_do_not_hang_the_program():
    def few():
        resource.setrlimit(resource.RLIMIT_AS, (200_000 * 1024, 200_000 * 1024))

    began = time.monotonic()
    done = disc("--version", preexec_fn=few)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < 10
