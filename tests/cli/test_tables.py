"""One table with everything: conditions, subjects and features in columns; decimals with a comma; names that repeat."""
import json

import numpy as np
import pytest

from program import disc, groups, refused, run_ok, summary, two_conditions, write_csv

QUICK = ["--permutations", "0", "--bootstraps", "0"]


def grouped_table(path, separator=",", names=("ctrl", "stim"), subject=False, decimal=".", samples=40):
    a, b = two_conditions(samples=samples)
    header = ["group"] + (["mouse"] if subject else []) + [f"g{j}" for j in range(a.shape[1])]
    lines = [separator.join(header)]
    for name, values in zip(names, (a, b)):
        for i, row in enumerate(values):
            cells = [str(name)] + ([f"{name}{i // 4}_{i % 4}"] if subject else []) + [f"{v:.6f}".replace(".", decimal) for v in row]
            lines.append(separator.join(cells))
    path.write_text("\n".join(lines) + "\n")
    return path


def sizes(out):
    return {condition["name"]: condition["samples"] for condition in summary(out)["conditions"]}


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_a_column_of_conditions(tmp_path, out, separator):
    run_ok(grouped_table(tmp_path / "one.txt", separator), "--by", "group", *QUICK, "-o", out)
    assert sizes(out) == {"ctrl": 40, "stim": 40}
    assert summary(out)["features"]["total"] == two_conditions(samples=4)[0].shape[1]


def test_a_column_of_conditions_that_are_numbers(tmp_path, out):
    run_ok(grouped_table(tmp_path / "one.csv", names=(0, 1)), "--by", "group", *QUICK, "-o", out)
    assert sizes(out) == {"0": 40, "1": 40}
    assert summary(out)["features"]["total"] == two_conditions(samples=4)[0].shape[1]


def test_repeated_rows_of_a_subject(tmp_path, out):
    table = grouped_table(tmp_path / "one.csv", subject=True)
    run_ok(table, "--by", "group", "--unit", "mouse:_", "--permutations", "19", "--bootstraps", "0", "-o", out)
    found = summary(out)
    assert found["statistics"]["units"] == 20
    assert not found["statistics"]["samples_are_units"]


def test_the_same_groups_as_from_two_files(tmp_path, out):
    run_ok(grouped_table(tmp_path / "one.csv", samples=150), "--by", "group", *QUICK, "-o", out)
    for name, values in zip(("ctrl", "stim"), two_conditions(samples=150)):
        write_csv(tmp_path / f"{name}.csv", np.round(values, 6), features=[f"g{j}" for j in range(values.shape[1])])
    run_ok(tmp_path / "ctrl.csv", tmp_path / "stim.csv", *QUICK, "-o", tmp_path / "two")
    assert groups(out) == groups(tmp_path / "two")


def test_inspect_lists_the_columns_of_words_as_labels(tmp_path):
    table = grouped_table(tmp_path / "one.csv")
    found = json.loads(disc("inspect", table, "--json").stdout)
    assert [label["name"] for label in found["labels"]] == ["group"]
    assert any("--by group" in note for note in found["notes"])


def test_a_word_among_numbers_is_still_an_error(tmp_path, out):
    table = grouped_table(tmp_path / "one.csv")
    lines = table.read_text().splitlines()
    cells = lines[5].split(",")
    lines[5] = ",".join(cells[:3] + ["oops"] + cells[4:])
    table.write_text("\n".join(lines) + "\n")
    refused(3, "run", table, "--by", "group", "-o", out, says=["one.csv:6:4", "'oops' is not a number"], out=out)


def test_decimal_comma(tmp_path, out):
    table = grouped_table(tmp_path / "one.csv", ";", decimal=",")
    refused(3, "run", table, "--by", "group", "-o", out, says="--decimal comma", out=out)
    run_ok(table, "--by", "group", "--decimal", "comma", *QUICK, "-o", out)
    run_ok(grouped_table(tmp_path / "two.csv"), "--by", "group", *QUICK, "-o", tmp_path / "point")
    first, second = (np.load(folder / "vectors.npz") for folder in (out, tmp_path / "point"))
    assert all(np.array_equal(first[name], second[name]) for name in first.files)


def test_with_a_decimal_comma_a_point_is_no_decimal(tmp_path, out):
    table = grouped_table(tmp_path / "one.csv", ";")
    refused(3, "run", table, "--by", "group", "--decimal", "comma", "-o", out, says="is not a number", out=out)


def test_duplicate_names_are_made_unique_in_every_format(tmp_path, out):
    a, b = two_conditions(samples=40)
    names = [f"g{j}" for j in range(a.shape[1])]
    names[6] = "g3"
    files = [write_csv(tmp_path / f"{name}.csv", values, names) for name, values in (("A", a), ("B", b))]
    done = run_ok(*files, *QUICK, "-o", out)
    assert "the feature name 'g3' appears twice; the second is called 'g3-1'" in done.stdout
    assert "1 names" not in done.stdout
    for name, values in (("A", a), ("B", b)):
        np.savez(tmp_path / f"{name}.npz", X=values, features=names)
    assert "'g3-1'" in run_ok(tmp_path / "A.npz", tmp_path / "B.npz", "--variable", "X", *QUICK, "-o", tmp_path / "o2").stdout
