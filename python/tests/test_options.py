"""Options have the names of the command line, and come from its table."""
import inspect
import re

import disc_features as disc
import pytest
from disc_features import _core
from disc_features._options import DESIGN, OPTIONS

TABLE = [row["name"].replace("-", "_") for row in _core.option_table()]


def keywords(function):
    return set(inspect.signature(function).parameters)


def test_run_takes_every_option_of_the_table():
    assert set(TABLE) <= keywords(disc.run)


def test_run_takes_every_flag_of_the_program(program):
    flags = set(re.findall(r"^ +(?:-\w,)?--([a-z][a-z-]*)", program("run", "--help-all").stdout, re.MULTILINE))
    # Files in and out, and the console, are the program's business: a dictionary of lists of paths is --condition.
    own = {"help", "output", "resume", "checkpoint_after", "quiet", "strict", "condition", "manifest",
           "verbose", "log", "settings", "dry_run", "title"}
    assert {flag.replace("-", "_") for flag in flags} - own <= keywords(disc.run)


def test_the_estimator_takes_every_option_that_is_not_about_samples():
    renamed = {"groups": "n_groups"}
    assert {renamed.get(name, name) for name in TABLE if name not in DESIGN} <= keywords(disc.DiSC)
    assert {"unit", "strata", "paired", "covariate"} <= set(DESIGN) & keywords(disc.DiSC.fit)


def test_every_option_is_explained():
    for keyword, option in OPTIONS.items():
        if keyword not in DESIGN:
            assert f"{keyword}: {option.help}" in disc.run.__doc__
            assert f"{keyword}: {option.help}" in disc.DiSC.__doc__


@pytest.mark.parametrize("keyword, value, sentence", [
    ("bandwidth_neighbors", 1.5, "bandwidth_neighbors=1.5: must be a whole number of at least 1, or auto"),
    ("kernel", "gauss", "kernel='gauss': must be one of"),
    ("level", float("nan"), "level='nan': must be"),
    ("drop_largest", "perhaps", "drop_largest='perhaps': must be one of yes, no"),
    ("no_such_option", 1, "no_such_option=1: there is no option of this name"),
    ("seed", -1, "seed=-1: must be a whole number"),
    ("seed", 1.5, "seed=1.5: must be a whole number"),
    ("threads", 100000, "threads=100000: must be a whole number from 0 to 1024"),
    ("preset", "mine", "preset='mine': must be one of"),
    ("samples_in", "diagonals", "samples_in='diagonals': must be one of rows, columns"),
])
def test_wrong_values_are_named(conditions, tmp_path, keyword, value, sentence):
    import numpy as np

    for name, values in conditions.items():
        np.save(tmp_path / f"{name}.npy", values)
    with pytest.raises(disc.OptionError, match=re.escape(sentence)):
        disc.run([tmp_path / "A.npy", tmp_path / "B.npy"], **{keyword: value})


def test_numpy_numbers_are_numbers(conditions, quick):
    import numpy as np

    found = disc.run(conditions, **{**quick, "vectors": np.int64(3), "level": np.float32(0.25), "drop_largest": np.bool_(False)})
    used = found.summary["settings"]["used"]
    assert (used["vectors"], used["level"], used["drop-largest"]) == (3, 0.25, False)


def test_one_version(program):
    from importlib.metadata import version

    assert disc.__version__ == version("disc-features") == program("--version").stdout.split()[1]
