"""Runs of the program `disc` on arrays, and what its files say, whatever their layout.

Used by experiments that judge a program (--disc, else $DISC, else build/release/disc, else the one beside python) rather than the Python package, so that two builds can be
compared. Every run keeps to one thread and gives way to whatever else the machine does.
"""
import csv
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

from . import common

LEVEL = 0.05
TIE = 1e-9  # p-values that are written as text


def add_flags(parser):
    """What experiments of this kind have beside the common flags."""
    parser.add_argument("--disc", help="the program to judge; default: $DISC, build/release/disc, or the one beside python")
    parser.add_argument("--permutations", type=int, default=49, help="of every run: 49 to screen, 199 for the record (default 49)")
    parser.add_argument("--seed", type=int, default=1, help="of all that is drawn")
    parser.add_argument("--jobs", type=int, default=1, help="programs that run side by side (default 1)")
    parser.add_argument("--arguments", default="", help="more options for every run of the program, as one text")


def find_program(given=None):
    """The program as a path; Skipped if there is none."""
    beside = pathlib.Path(sys.executable).with_name("disc")
    for path in filter(None, [given, os.environ.get("DISC"), common.ROOT / "build" / "release" / "disc", beside]):
        if pathlib.Path(path).exists():
            return str(pathlib.Path(path).resolve())
        if path in (given, os.environ.get("DISC")):
            raise common.Skipped(f"no program there: {path}")
    raise common.Skipped("no program disc: build it (tools/build.sh release disc_program) or give --disc")


def judged(study):
    """What every run of a study shares. The digest of the program is a part, so that a new build is not answered from results of an old one."""
    options = study.options
    study.threads = getattr(options, "jobs", study.threads)  # processes side by side; the program itself keeps to one thread
    program = find_program(getattr(options, "disc", None))
    return {"program": program, "digest": hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:16],
            "permutations": study.size(getattr(options, "permutations", 49), 19), "more": getattr(options, "arguments", "")}


def write_metadata(file, conditions, labels):
    """Labels of samples that have no names: s1, s2, ... in every condition."""
    rows = [[f"s{i + 1}", name, *(labels[label][name][i] for label in labels)] for name, values in conditions.items() for i in range(len(values))]
    with file.open("w", newline="") as stream:
        csv.writer(stream, delimiter="\t", lineterminator="\n").writerows([["sample", "condition", *labels], *rows])


def run(program, conditions, labels=None, flags=(), permutations=49, seed=0, more=""):
    """The answer to conditions (name: samples x features); labels are name: condition: one value per sample."""
    with tempfile.TemporaryDirectory(prefix="disc-judged-") as folder:
        folder = pathlib.Path(folder)
        for name, values in conditions.items():
            np.save(folder / f"{name}.npy", np.ascontiguousarray(values, dtype=float))
        files = [str(folder / f"{name}.npy") for name in conditions]
        if labels:
            write_metadata(folder / "metadata.tsv", conditions, labels)
            flags = ["--metadata", str(folder / "metadata.tsv"), *flags]
        polite = ["nice", "-n", "15"] if shutil.which("nice") else []
        command = [*polite, program, "run", *files, "-o", str(folder / "out"), "--threads", "1", "--seed", str(seed), "--permutations", str(permutations),
                   "--bootstraps", "0", *flags, *more.split()]
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        seconds = time.monotonic() - start
        if done.returncode < 0:
            raise RuntimeError(f"{program} was ended by signal {-done.returncode}")  # no result that should be kept
        if done.returncode not in (0, 4):
            return {"error": f"exit {done.returncode}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ''}", "seconds": seconds}
        return {**read_result(folder / "out"), "seconds": seconds}


def p_of(value):
    return 1.0 if value is None else float(value)


def read_members(out):
    """(condition, group as written): its features."""
    members = {}
    with (out / "groups.tsv").open(newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            members.setdefault((row["condition"], row["group"]), []).append(row["feature"])
    return members


def read_groups(condition, members):
    """Groups and candidates of a condition. Today's groups have no name and are numbered in groups.tsv; the ones to come have an id, and p, level and parent there too."""
    groups = []
    for number, group in enumerate(condition.get("groups", []), 1):
        key = str(group.get("id", number))
        features = members.get((condition["name"], key)) or members.get((condition["name"], str(number))) or group.get("features", [])
        groups.append({"condition": condition["name"], "p": p_of(group.get("p")), "parent": group.get("parent"), "direction": group.get("direction", "gained"),
                       "features": features, "view": group.get("view")})
    for group in condition.get("candidates") or []:
        groups.append({"condition": condition["name"], "p": p_of(group.get("p")), "parent": group.get("parent"), "direction": group.get("direction", "gained"),
                       "features": group.get("features", []), "view": group.get("view"), "candidate": True})
    return groups


def read_result(out):
    """What experiments ask of a run, in one form."""
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    members = read_members(out)
    conditions = summary["conditions"]
    return {"groups": [group for condition in conditions for group in read_groups(condition, members)],
            "vector_p": [p_of(p) for condition in conditions for p in condition.get("vector_p") or []],
            "pairs": sum((condition.get("pairs") or {}).get("found", 0) for condition in conditions),
            "min_p": (summary.get("statistics") or {}).get("min_p"),
            "warnings": summary.get("warnings", [])}


def significant(result, level=LEVEL):
    return [group for group in result["groups"] if group["p"] <= level + TIE and not group.get("candidate")]
