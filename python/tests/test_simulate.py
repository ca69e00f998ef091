"""Data whose groups are known: the options and the numbers of ``disc simulate``."""
import csv
import inspect
import re

import disc_features as disc
import numpy as np
import pytest


def test_simulate_takes_every_flag_of_the_program(program):
    flags = set(re.findall(r"^ +(?:-\w,)?--([a-z][a-z-]*)", program("simulate", "--help").stdout, re.MULTILINE))
    console = {"help", "output", "quiet", "verbose", "log", "threads"}
    assert {flag.replace("-", "_") for flag in flags - console} == set(inspect.signature(disc.simulate).parameters) - {"problem"}


@pytest.mark.parametrize("problem, options", [
    ("newly-connected", {"samples": 40}),
    ("three", {"samples": 20, "features": 800}),
    ("partial", {"samples": 30, "partial": 0.9}),
    ("block-model", {"block_size": 30, "block_exponent": 0.6, "block_within": 0.7, "block_between": 0.05}),
    ("scene", {"features": 400, "samples": 12}),
    ("hard", {"samples": 20, "variant": "counts", "rho": 0.5}),
])
def test_same_data_as_the_program(program, tmp_path, problem, options):
    made = disc.simulate(problem, seed=3, **options)
    flags = [word for keyword, value in options.items() for word in (f"--{keyword.replace('_', '-')}", value)]
    done = program("simulate", problem, "-o", tmp_path, "--seed", 3, *flags)
    assert done.returncode == 0, done.stderr
    for name, values in made.conditions.items():
        assert values.tobytes() == np.load(tmp_path / f"{name}.npy").tobytes()
    with open(tmp_path / "truth.tsv", encoding="utf-8", newline="") as file:
        assert [tuple(row) for row in csv.reader(file, delimiter="\t")][1:] == made.truth
    assert made.precomputed == ("--kernel precomputed" in done.stdout)


def test_how_much_of_the_connection_is_kept_matters():
    some, most = (disc.simulate("partial", samples=30, partial=t, seed=1).conditions["B"] for t in (0.1, 0.9))
    assert some.shape == most.shape and not np.array_equal(some, most)


def test_weights_can_be_run():
    made = disc.simulate("block-model", block_size=60, seed=1)
    found = disc.run(made.conditions, kernel="precomputed", permutations=0, bootstraps=0)
    assert made.precomputed and set(found.conditions) == set(made.conditions)


@pytest.mark.parametrize("problem, options, sentence", [
    ("nothing", {}, "problem='nothing': must be one of newly-connected"),
    ("partial", {"partial": 2}, "partial=2: must be between 0 and 1"),
    ("hard", {"variant": "odd"}, "variant='odd': must be one of plain"),
    ("three", {"samples": 1.5}, "samples=1.5: must be a whole number"),
    ("hard", {"rho": "much"}, "rho='much': must be a number"),
    ("three", {"noise": 1}, "noise=1: is not an option of a simulation"),
    ("three", {"seed": -1}, "seed=-1: must be a whole number"),
])
def test_wrong_values_are_named(problem, options, sentence):
    with pytest.raises(disc.OptionError, match=re.escape(sentence)):
        disc.simulate(problem, **options)
