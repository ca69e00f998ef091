"""Options that nobody would think of giving together, and folders of results that were tampered with: a result, or one sentence.

The same ones every time; DISC_COMBINATIONS says how many of each (make check: 1,000)."""

import json
import os
import random
import shutil

import pytest

from program import disc, run_ok

COUNT = int(os.environ.get("DISC_COMBINATIONS", "30"))
NUMBERS = ["0", "1", "2", "3", "7", "19", "-1", "0.5", "0.999", "1e-300", "1e300", "99999999999999999999", "nan", "inf", "x", ""]
FEW = {"permutations": ["0", "3", "-1", "x"], "bootstraps": ["0", "3", "-1", "x"], "restarts": ["1", "5", "0"], "threads": ["1", "2", "0"],
       "max-restarts": ["1", "30", "0"]}
# They name files, or other machines, or end the run before it begins.
LEFT_OUT = {"output", "log", "resume", "settings", "engine", "petsc-options", "help", "help-all", "dry-run", "condition", "manifest", "version",
            "checkpoint-after", "memory-limit", "strict", "quiet", "verbose", "only-features", "genesets", "metadata", "atlas", "sets", "truth"}


def options():
    """Flags of disc run with the values that are tried."""
    listed = json.loads(disc("options").stdout)["commands"]
    found = {}
    for option in next(command for command in listed if command["name"] == "run")["options"]:
        flag = next((flag for flag in reversed(option["flags"]) if flag.startswith("--")), None)
        if flag is None or flag[2:] in LEFT_OUT:
            continue
        values = FEW.get(flag[2:]) or [*option["choices"], "x"] if option["choices"] else FEW.get(flag[2:], NUMBERS)
        found[flag] = [None] if option["type"] == "flag" else values
    return found


@pytest.fixture
def small(tmp_path):
    import numpy as np
    from program import two_conditions
    for name, values in zip("AB", two_conditions(samples=24, noise=8, size=5)):
        np.save(tmp_path / f"{name}.npy", values)
    return [tmp_path / "A.npy", tmp_path / "B.npy"]


def assert_answered(done, words):
    where = f"disc {' '.join(map(repr, words))}: exit code {done.returncode}, {done.stderr[-500:]}"
    assert done.returncode in (0, 2, 3, 4), where
    assert "internal error" not in done.stderr, where
    if done.returncode in (2, 3):
        assert len([line for line in done.stderr.splitlines() if line.startswith("disc: ")]) >= 1, where


def test_any_options_together_end_in_a_result_or_in_a_sentence(small, tmp_path):
    choice = random.Random(1)
    known = options()
    assert len(known) > 40
    ended = []
    for _ in range(COUNT):
        words = ["run", *small, "-o", tmp_path / "out", "-q"]
        chosen = {"--permutations": "3", "--bootstraps": "0"}
        for flag in choice.sample(sorted(known), choice.randint(1, 3)):
            chosen[flag] = choice.choice(known[flag])
        for flag, value in chosen.items():
            words += [flag] if value is None else [f"{flag}={value}"]
        done = disc(*words)
        assert_answered(done, words)
        ended.append(done.returncode)
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
    assert 0 in ended and 2 in ended


def tampered_value(choice, value):
    """Another value, of the same kind or of another."""
    if isinstance(value, dict) and value and choice.random() < 0.8:
        key = choice.choice(sorted(value))
        if choice.random() < 0.2:
            return {name: kept for name, kept in value.items() if name != key}
        return {**value, key: tampered_value(choice, value[key])}
    if isinstance(value, list) and value and choice.random() < 0.8:
        place = choice.randrange(len(value))
        return [*value[:place], tampered_value(choice, value[place]), *value[place + choice.randint(0, 1):]]
    return choice.choice([None, True, -1, 0, 1e308, 2**63, "", "x", "</script>", "\u0000", [], {}, [[]], {"a": 1}, "NaN", "1e-320"])


def tamper(choice, folder):
    file = choice.choice(sorted(path for path in folder.iterdir() if path.is_file()))
    content = file.read_bytes()
    kind = choice.random()
    if file.suffix == ".json" and kind < 0.7:
        file.write_text(json.dumps(tampered_value(choice, json.loads(content))))
    elif file.suffix == ".tsv" and kind < 0.7:
        lines = [line.split("\t") for line in content.decode().split("\n")]
        row = choice.choice(lines)
        row[choice.randrange(len(row))] = choice.choice(["", "x", "-1", "1e999", "nan", "99999999999999999999", "\x00", "a\tb", '"'])
        file.write_text("\n".join("\t".join(row) for row in lines))
    elif kind < 0.8:
        file.unlink()
    elif kind < 0.9:
        file.write_bytes(content[: choice.randrange(len(content) + 1)])
    else:
        place = choice.randrange(max(1, len(content)))
        file.write_bytes(content[:place] + bytes([choice.randrange(256)]) + content[place + 1:])


def test_tampered_results_are_read_or_refused(small, tmp_path):
    choice = random.Random(2)
    whole, out = tmp_path / "whole", tmp_path / "out"
    run_ok(*small, "--permutations", "3", "--bootstraps", "3", "--eigenvectors", "3", "-o", whole)
    ended = []
    for _ in range(COUNT):
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(whole, out)
        for _ in range(choice.randint(1, 3)):
            tamper(choice, out)
        for words in (["report", out], ["compare", whole, out], ["run", "--resume", out], ["score", out, "--truth", whole / "groups.tsv"]):
            done = disc(*words)
            assert_answered(done, words)
            ended.append(done.returncode)
    assert 0 in ended and 3 in ended
