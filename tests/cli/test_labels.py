"""One file, its conditions in a label: --by, and labels in place of a table of the samples."""

import json

import numpy as np
import pytest

from program import arrays, disc, groups, refused, run_ok, summary, two_conditions, write_csv

QUICK = ["--permutations", "19", "--bootstraps", "0"]


def save(path, values, **labels):
    np.savez(path, X=values, features=np.array([f"g{j}" for j in range(values.shape[1])]),
             **{"label_" + name: np.array(column, dtype=str) for name, column in labels.items()})
    return path


@pytest.fixture
def one_file(tmp_path):
    """A and B in one file, in turns, with a donor each."""
    a, b = two_conditions(samples=60)
    values = np.empty((120, a.shape[1]))
    values[0::2], values[1::2] = a, b
    donors = [f"d{i // 2 % 10}" + "AB"[i % 2] for i in range(120)]
    return save(tmp_path / "both.npz", values, kind=["A", "B"] * 60, donor=donors, depth=np.arange(120))


@pytest.fixture
def two_files(tmp_path):
    a, b = two_conditions(samples=60)
    return [save(tmp_path / "A.npz", a), save(tmp_path / "B.npz", b)]


def test_by_a_label_is_the_same_as_two_files(tmp_path, one_file, two_files):
    run_ok(*two_files, *QUICK, "-o", tmp_path / "two")
    run_ok(one_file, "--by", "kind", *QUICK, "-o", tmp_path / "one")
    assert (tmp_path / "one" / "groups.tsv").read_text() == (tmp_path / "two" / "groups.tsv").read_text()
    one, two = arrays(tmp_path / "one"), arrays(tmp_path / "two")
    assert one.keys() == two.keys()
    for name in one:
        np.testing.assert_array_equal(one[name], two[name])
    assert groups(tmp_path / "one")["A"]


def test_by_a_column_of_a_table(tmp_path, two_files, one_file):
    a, b = two_conditions(samples=60)
    csv = write_csv(tmp_path / "both.csv", np.vstack([a, b]), features=[f"g{j}" for j in range(a.shape[1])])
    rows = [f"cell{i + 1}\t{'A' if i < 60 else 'B'}" for i in range(119)]  # the last one has no row
    (tmp_path / "cells.tsv").write_text("sample\tkind\n" + "\n".join(rows) + "\n")
    run_ok(csv, "--metadata", tmp_path / "cells.tsv", "--by", "kind", *QUICK, "-o", tmp_path / "out")
    counts = {condition["name"]: condition["samples"] for condition in summary(tmp_path / "out")["conditions"]}
    assert counts == {"A": 60, "B": 59}
    assert any("1 of 120 samples have no value of 'kind'" in text for text in summary(tmp_path / "out")["warnings"])


def test_names_choose_and_order_the_values(tmp_path, out):
    values = np.random.default_rng(0).normal(size=(90, 12))
    file = save(tmp_path / "x.npz", values, digit=[10, 9, 1] * 30)
    names = lambda *words: [c["name"] for c in run_and_read(file, out, *words)["conditions"]]
    assert names() == ["1", "9", "10"]
    assert names("--names", "10,1") == ["10", "1"]
    refused(2, "run", file, "--by", "digit", "--names", "1,7", "-o", tmp_path / "no", says=["--names 7", "1, 9, 10"],
            out=tmp_path / "no")


def run_and_read(file, out, *words):
    run_ok(file, "--by", "digit", "--permutations", "0", "--bootstraps", "0", *words, "-o", out)
    return summary(out)


def test_labels_serve_as_units(tmp_path, one_file, out):
    run_ok(one_file, "--by", "kind", "--unit", "donor", "--covariate", "depth", *QUICK, "-o", out)
    assert summary(out)["statistics"]["units"] == 20


@pytest.mark.parametrize("words, code, says", [
    (["--by", "sex"], 3, ["both.npz", "no label 'sex'", "kind", "donor"]),
    (["--by", "depth"], 2, ["--by depth", "has 120 values"]),
    (["--by", "kind", "--names", "A"], 2, ["--by kind", "two values"]),
    (["--by", "kind", "--unit", "litter"], 3, ["no label 'litter'"]),
    ([], 2, ["FILES", "--by"]),
])
def test_what_is_refused(one_file, out, words, code, says):
    refused(code, "run", one_file, *words, "-o", out, says=says, out=out)


def test_by_is_for_one_file(two_files, out):
    refused(2, "run", *two_files, "--by", "kind", "-o", out, says=["--by kind", "one file"], out=out)


def test_by_without_labels(tmp_path, out, pair):
    refused(2, "run", pair[0], "--by", "kind", "-o", out, says=["--by kind", "--metadata"], out=out)


def test_inspect_lists_labels_and_suggests_a_command(one_file):
    text = disc("inspect", one_file).stdout
    assert "kind  (A 60, B 60)" in text
    assert f"disc run {one_file} --by kind" in text
    labels = {label["name"]: label for label in json.loads(disc("inspect", one_file, "--json").stdout)["labels"]}
    assert labels["donor"]["distinct"] == 20 and labels["donor"]["missing"] == 0
    assert labels["kind"]["first_values"] == [{"value": "A", "samples": 60}, {"value": "B", "samples": 60}]
