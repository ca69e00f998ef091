"""--where: part of the samples, by their labels."""
import numpy as np
import pytest

from program import disc, refused, run_ok, summary, two_conditions

QUICK = ["--permutations", "0", "--bootstraps", "0"]


@pytest.fixture
def table(tmp_path):
    """One table: a column of conditions, one of cell types, one of ages, and genes; T cells carry the connection."""
    a, b = two_conditions(samples=60)
    lines = ["condition,cell_type,age," + ",".join(f"g{j}" for j in range(a.shape[1]))]
    for name, values in (("ctrl", a), ("stim", b)):
        for i, row in enumerate(values):
            cell_type = ["CD14 Mono", "T (naive)", "B"][i % 3]
            lines.append(f"{name},{cell_type},{20 + i % 50}," + ",".join(f"{value:.6f}" for value in row))
    path = tmp_path / "one.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def samples(out):
    return {condition["name"]: condition["samples"] for condition in summary(out)["conditions"]}


@pytest.mark.parametrize("expression, kept", [
    ("cell_type == CD14 Mono", 20),
    ("cell_type != CD14 Mono", 40),
    ("cell_type = 'T (naive)'", 20),
    ("cell_type in (CD14 Mono, B)", 40),
    ("cell_type not in [CD14 Mono, B]", 20),
    ("cell_type == B or (cell_type == CD14 Mono and age < 30)", 25),
    ("not cell_type == B", 40),
])
def test_samples_that_meet_the_expression_are_compared(table, out, expression, kept):
    run_ok(table, "--by", "condition", "--where", expression, *QUICK, "-o", out)
    assert samples(out) == {"ctrl": kept, "stim": kept} or kept == 25 and samples(out)["ctrl"] >= 20
    assert summary(out)["settings"]["given"]["where"] == expression


def test_numbers_are_compared_as_numbers(table, out):
    run_ok(table, "--by", "condition", "--where", "age >= 30 and age <= 49", *QUICK, "-o", out)
    # Ages are 20 to 69, and again 20 to 29.
    assert samples(out) == {"ctrl": 20, "stim": 20}


def test_a_condition_can_be_left_out(table, out):
    text = table.read_text()
    third = "\n".join(line.replace("ctrl", "other") for line in text.splitlines()[1:31])
    table.write_text(text + third.replace("0.", "1.") + "\n")
    run_ok(table, "--by", "condition", "--where", "condition != other", *QUICK, "-o", out)
    assert set(samples(out)) == {"ctrl", "stim"}


def test_labels_of_a_table_of_samples(pair, tmp_path, out):
    count = np.load(pair[0]).shape[0]
    rows = [f"s{i + 1}\t{'yes' if i % 2 else 'no'}" for i in range(count)]
    (tmp_path / "meta.tsv").write_text("sample\tgood\n" + "\n".join(rows) + "\n")
    run_ok(*pair, "--metadata", tmp_path / "meta.tsv", "--where", "good == yes", *QUICK, "-o", out)
    assert samples(out) == {"A": count // 2, "B": count // 2}


def test_samples_by_their_names(pair, out):
    run_ok(*pair, "--where", "sample not in (s1, s2)", *QUICK, "-o", out)
    assert samples(out)["A"] == np.load(pair[0]).shape[0] - 2


@pytest.mark.parametrize("expression, code, says", [
    ("cell_type == CD14 mono", 3, ["no sample has the value 'CD14 mono' of 'cell_type'", "CD14 Mono", "did you mean"]),
    ("celltype == B", 3, ["has no label 'celltype'", "cell_type", "did you mean 'cell_type'"]),
    ("cell_type ~ B", 2, ["one of ==, !=, <, <=, >, >=, in is needed"]),
    ("cell_type ==", 2, ["the value after '==' is missing"]),
    ("cell_type == 'B", 2, ["a quote is not closed"]),
    ("(cell_type == B", 2, ["a bracket is not closed"]),
    ("cell_type == B)", 2, ["')' is not expected there"]),
    ("cell_type > 3", 3, ["compares numbers", "CD14 Mono"]),
    ("age > old", 2, ["compares numbers, and 'old' is none"]),
    ("cell_type in (B", 2, ["the bracket after 'in' is not closed"]),
    ("age > 1000", 3, ["no sample of condition", "meets --where"]),
])
def test_mistakes_are_explained(table, out, expression, code, says):
    refused(code, "run", table, "--by", "condition", "--where", expression, "-o", out, says=says, out=out)


def test_too_many_brackets_are_refused(table, out):
    refused(2, "run", table, "--by", "condition", "--where", "(" * 5000 + "age > 1" + ")" * 5000, "-o", out,
            says="too many brackets", out=out)


def test_missing_values_meet_no_comparison(table, out):
    lines = table.read_text().splitlines()
    lines[1] = lines[1].replace("CD14 Mono", "NA")
    table.write_text("\n".join(lines) + "\n")
    done = disc("run", table, "--by", "condition", "--where", "cell_type != B", *QUICK, "-o", out)
    assert done.returncode == 0, done.stderr
    assert samples(out) == {"ctrl": 39, "stim": 40}
