"""What one expects of a program: help, suggestions, completion, a log, running again, and no harm to other people's folders."""
import json
import os
import pty
import re
import shutil
import subprocess

import pytest

from program import PROGRAM, disc, refused, run_ok, summary

QUICK = ["--permutations", "0", "--bootstraps", "0"]
COMMANDS = ["run", "test", "replicate", "project", "simulate", "inspect", "convert", "score", "report", "completion", "man"]


# ---- help ----


def test_help_is_a_command():
    assert disc("help").stdout == disc("--help").stdout
    assert disc("help", "run").stdout == disc("run", "--help").stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_of_its_own(command):
    shown = disc(command, "--help")
    assert shown.returncode == 0
    assert command == "run" or "disc run ctrl/" not in shown.stdout, "examples of another command"


def test_the_short_help_is_short_and_the_long_one_complete():
    short, long = disc("run", "--help").stdout, disc("run", "--help-all").stdout
    assert short.count("\n") < 75 and "--by" in short and "--where" in short and "--help-all" in short
    assert "--association-z" not in short and "--association-z" in long
    assert len(set(re.findall(r"--[a-z-]+", long))) > 70


def test_help_fits_the_terminal():
    for columns in (70, 110):
        shown = disc("run", "--help-all", env={**os.environ, "COLUMNS": str(columns)}).stdout
        described = [line for line in shown.splitlines() if line.startswith(" " * 34)]
        assert len(described) > 100 and max(map(len, described)) <= columns


# ---- suggestions ----


@pytest.mark.parametrize("words, meant", [
    (["run", "a", "b", "--normalise", "none"], "--normalize"),
    (["run", "a", "b", "--neighbours", "10"], "--bandwidth-neighbors"),
    (["run", "a", "b", "--genesset", "x"], "--genesets"),
    (["run", "a", "b", "--samples_in", "rows"], "--samples-in"),
    (["rnu", "a", "b"], "run"),
    (["inspekt", "a"], "inspect"),
    (["simulate", "three", "--feature", "10"], "--features"),
    (["run", "a", "b", "--kernel", "asociation"], "association"),
    (["run", "a", "b", "--normalize", "logcpm"], "log-cpm"),
    (["run", "a", "b", "--preset", "paper"], "paper-"),
    (["run", "a", "b", "--samples-in", "column"], "columns"),
    (["completion", "bsh"], "bash"),
])
def test_did_you_mean(words, meant):
    assert f"did you mean '{meant}" in refused(2, *words)


def test_no_suggestion_where_nothing_is_alike():
    assert "did you mean" not in refused(2, "xyzzyx")


# ---- completion and manual ----


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_all_commands_options_and_values(shell):
    script = disc("completion", shell).stdout
    for word in [*COMMANDS, "association-z", "log-cpm", "drop-samples"]:
        assert word in script
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=script, text=True).returncode == 0


def test_bash_completes():
    def completed(*words):
        line = " ".join(f"'{word}'" for word in words)
        done = subprocess.run(["bash", "-c", f'eval "$({PROGRAM} completion bash)"; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; '
                               '_disc; echo "${COMPREPLY[@]}"'], capture_output=True, text=True)
        return done.stdout.split()

    assert completed("disc", "ins") == ["inspect"]
    assert completed("disc", "run", "--associ") == ["--association-power", "--association-cut", "--association-z", "--association-fdr"]
    assert completed("disc", "run", "--samples-in", "c") == ["columns"]


def test_the_manual_page_is_well_formed(tmp_path):
    page = disc("man").stdout
    assert page.startswith(".TH DISC 1") and r"\-\-association\-z" in page
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, text=True, capture_output=True)
        assert done.returncode == 0 and done.stderr == ""


# ---- a run's surroundings ----


def test_verbose_says_what_happens_when(pair, out):
    done = disc("run", *pair, *QUICK, "-v", "-o", out)
    assert re.search(r"^\[ +[0-9.]+ s\] graphs$", done.stderr, re.MULTILINE)


def test_the_log_has_stages_warnings_and_errors(pair, tmp_path, out):
    log = tmp_path / "run.log"
    run_ok(*pair, *QUICK, "-q", "--log", log, "-o", out)
    disc("run", *pair, "--shape", "3x3", "-q", "--log", log, "-o", out)
    text = log.read_text()
    assert re.search(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d .*graphs$", text, re.MULTILINE)
    assert "error: --shape 3x3" in text
    refused(3, "run", *pair, "--log", tmp_path / "no" / "folder.log", "-o", tmp_path / "other", says="folder.log")


def test_a_dry_run_computes_and_writes_nothing(pair, out):
    done = run_ok(*pair, "--dry-run", "-o", out)
    assert "condition: A, 300 samples" in done.stdout and "features: " in done.stdout and "memory: about" in done.stdout
    assert "--graph dense" in done.stdout
    assert not out.exists()


def test_a_dry_run_finds_what_is_wrong(pair, out):
    refused(2, "run", *pair, "--dry-run", "--eigenvectors", "100000", "-o", out, says="eigenvectors", out=out)


def test_a_run_can_be_done_again_from_its_summary(pair, tmp_path, out):
    run_ok(*pair, *QUICK, "--names", "old,young", "--distance", "spearman", "--drop-largest", "no", "--seed", "3", "-o", out)
    run_ok("--settings", out / "summary.json", "-o", tmp_path / "again")
    first, second = summary(out), summary(tmp_path / "again")
    assert first["settings"]["used"] == second["settings"]["used"] and first["seed"] == second["seed"] == 3
    assert (out / "groups.tsv").read_text() == (tmp_path / "again" / "groups.tsv").read_text()


def test_options_given_now_win_over_those_of_the_summary(pair, tmp_path, out):
    run_ok(*pair, *QUICK, "--distance", "spearman", "-o", out)
    run_ok("--settings", out / "summary.json", "--distance", "correlation", "-o", tmp_path / "again")
    used = summary(tmp_path / "again")["settings"]["used"]
    assert used["distance"] == "correlation" and used["permutations"] == 0


def test_changed_files_are_told(pair, tmp_path, out):
    run_ok(*pair, *QUICK, "-o", out)
    shutil.copy(pair[0], tmp_path / "kept.npy")
    pair[0].write_bytes(pair[1].read_bytes()[:-8] + b"\0" * 8)
    done = disc("run", "--settings", out / "summary.json", "-o", tmp_path / "again")
    assert "A.npy has changed since that run" in done.stderr


def test_settings_must_be_a_summary(pair, tmp_path, out):
    (tmp_path / "x.json").write_text(json.dumps({"a": 1}))
    refused(3, "run", "--settings", tmp_path / "x.json", "-o", out, says="is not the summary.json of a run", out=out)
    refused(3, "run", "--settings", tmp_path / "absent.json", "-o", out, says="absent.json", out=out)


def in_terminal(words):
    """What is shown on a terminal of 80 columns."""
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "COLUMNS": "80"})
    os.close(slave)
    text = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    process.communicate()
    os.close(master)
    return text.decode(errors="replace")


def test_inner_stages_do_not_overwrite_the_outer_ones(pair, out):
    """What lies two stages deep begins anew all the time; its name and share are not shown."""
    shown = in_terminal(["run", *pair, "--permutations", "60", "--bootstraps", "20", "-o", out])
    lines = re.findall(r"\r\x1b\[K([^\r\x1b]+?) +\[", shown)
    within = {line.strip() for line in lines if line.startswith("groups")}
    assert within, lines
    assert all(line.count(":") <= 1 for line in within)
    assert not any(line.startswith("eigenpairs:") for line in lines)


def test_members_are_listed_by_weight(pair, out):
    done = run_ok(*pair, "--permutations", "19", "--bootstraps", "0", "-o", out)
    rows = [line.split("\t") for line in (out / "groups.tsv").read_text().splitlines()]
    header, rows = rows[0], rows[1:]
    column = {name: header.index(name) for name in ("group", "feature", "weight", "condition")}
    first = [row for row in rows if row[column["condition"]] == "B" and row[column["group"]] in ("1", "B-1")]
    weights = [float(row[column["weight"]]) for row in first]
    assert len(set(weights)) > 5 and weights == sorted(weights, reverse=True)
    heaviest = first[0][column["feature"]]
    line = next(line for line in done.stdout[done.stdout.index("B: "):].splitlines() if "group 1" in line or "B-1" in line)
    assert re.search(r": ([^:]*)$", line).group(1).split(", ")[0] == heaviest


def test_groups_of_a_condition_that_is_a_number_are_called_groups(pair, out):
    """"9-1" would be read as a difference."""
    run_ok(*pair, "--names", "4,9", "--permutations", "19", "--bootstraps", "0", "-o", out)
    names = [name for name in json.loads((out / "disc_mqc.json").read_text())["data"]]
    assert names and all(re.search(r": [49] group 1", name) for name in names), names
