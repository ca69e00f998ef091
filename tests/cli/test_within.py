"""--within: correlations within kinds of samples, and units.tsv: how every unit shows every group."""
import numpy as np
import pytest

from program import disc, groups, refused, run_ok, summary, table

QUICK = ["--permutations", "39", "--bootstraps", "0"]


def write_table(path, conditions):
    """conditions: name -> (kinds, values)."""
    first = next(iter(conditions.values()))[1]
    lines = ["condition,kind,donor," + ",".join(f"g{j}" for j in range(first.shape[1]))]
    for name, (kinds, values) in conditions.items():
        lines += [f"{name},{kind},d{i % 6}," + ",".join(f"{value:.6f}" for value in row) for i, (kind, row) in enumerate(zip(kinds, values))]
    path.write_text("\n".join(lines) + "\n")
    return path


def mixture(random, of_t, of_b, planted=False, features=50):
    """Two kinds that differ in the mean of the last 25 features; in B, if planted, the first eight go together."""
    kinds = random.permutation(["T"] * of_t + ["B"] * of_b)  # sorted, they would look like a time series
    values = random.normal(size=(of_t + of_b, features))
    values[:, 25:] += np.where(kinds == "T", 1.0, -1.0)[:, None] * np.linspace(1.5, 2.5, features - 25)
    if planted:
        values[:, :8] += 1.5 * random.normal(size=(len(kinds), 1))
    return kinds, values


@pytest.fixture
def study(tmp_path):
    def make(planted, seed=0):
        random = np.random.default_rng(seed)
        return write_table(tmp_path / "one.csv", {"A": mixture(random, 60, 60), "B": mixture(random, 108, 12, planted)})

    return make


def significant(out):
    return [set(group["top_features"]) for condition in summary(out)["conditions"] for group in condition["groups"] if group["level"] == 1]


def test_another_mixture_is_no_connection(study, tmp_path):
    found = {}
    for words in ((), ("--within", "kind")):
        out = tmp_path / f"out{len(words)}"
        run_ok(study(False), "--by", "condition", *words, *QUICK, "-o", out)
        found[len(words)] = significant(out)
    assert found[0] and found[2] == []


def test_what_is_connected_within_kinds_is_found(study, out):
    run_ok(study(True), "--by", "condition", "--within", "kind", *QUICK, "-o", out)
    assert groups(out)["A"] == set()
    best = max(groups(out)["B"], key=len)
    assert {f"g{j}" for j in range(8)} <= best and len(best) <= 10
    assert summary(out)["settings"]["used"]["within"] == "kind"


def test_kinds_have_the_same_share_everywhere(study, out):
    run_ok(study(False), "--by", "condition", "--within", "kind", "--permutations", "0", "-o", out)
    # Shares at least .5 and .1: six tenths of all samples are left, five sixths of them T.
    assert [condition["samples"] for condition in summary(out)["conditions"]] == [72, 72]
    assert [step["count"] for step in summary(out)["preparation"] if step["step"] == "within kind"] == [48, 48]
    kinds = [row["label_kind"] for row in table(out / "samples.tsv") if row["condition"] == "A"]
    assert kinds.count("T") == 60 and kinds.count("B") == 12


def test_kinds_that_a_condition_lacks_take_no_part(tmp_path, out):
    random = np.random.default_rng(3)
    kinds, values = mixture(random, 60, 60)
    path = write_table(tmp_path / "one.csv", {"A": (kinds, values), "B": (["T"] * 70 + ["NK"] * 50, random.normal(size=(120, 50)))})
    run_ok(path, "--by", "condition", "--within", "kind", "--permutations", "0", "-o", out)
    assert any("B, NK take no part" in warning for warning in summary(out)["warnings"])
    refused(2, "run", path, "--by", "condition", "--within", "kind", "--where", "kind != T", "-o", tmp_path / "no", says=["--within", "10 samples"])


def test_a_label_that_is_not_there_is_named(study, out):
    refused(3, "run", study(False), "--by", "condition", "--within", "cell_type", "-o", out, says="cell_type")


def test_weights_have_no_kinds(study, out):
    refused(2, "run", study(False), "--by", "condition", "--within", "kind", "--kernel", "rbf", "-o", out, says=["--within", "association"])


def test_sets_are_tested_within_kinds(study, tmp_path):
    (tmp_path / "sets.gmt").write_text("of_kinds\t\t" + "\t".join(f"g{j}" for j in range(25, 50)) + "\n")
    p = {}
    for words in ((), ("--within", "kind")):
        done = disc("test", study(False), "--by", "condition", *words, "--sets", tmp_path / "sets.gmt", "-o", tmp_path / "tested")
        assert done.returncode == 0, done.stderr
        p[len(words)] = float(table(tmp_path / "tested" / "sets.tsv")[0]["p"])
    assert p[0] <= 0.01 and p[2] > 0.05


def test_units_show_the_group_or_not(study, out):
    path = study(True)
    run_ok(path, "--by", "condition", "--unit", "donor", "--where", "kind == T", *QUICK, "-o", out)
    rows = [row for row in table(out / "units.tsv") if (row["condition"], row["group"]) == ("B", "1")]
    assert {(row["unit_condition"], row["unit"]) for row in rows} == {(c, f"d{i}") for c in "AB" for i in range(6)}
    assert sum(int(row["unit_size"]) for row in rows if row["unit_condition"] == "B") == 108
    own = [float(row["mean_correlation"]) for row in rows if row["unit_condition"] == "B"]
    other = [float(row["mean_correlation"]) for row in rows if row["unit_condition"] == "A"]
    assert min(own) > 0.3 and abs(np.mean(other)) < 0.1
    assert min(float(row["variance"]) for row in rows if row["unit_condition"] == "B") > max(float(row["variance"]) for row in rows if row["unit_condition"] == "A")


def test_units_are_as_defined(study, out):
    path = study(True)
    run_ok(path, "--by", "condition", "--unit", "donor", "--scores", "values", *QUICK, "-o", out)
    members = [row["feature"] for row in table(out / "groups.tsv") if (row["condition"], row["group"]) == ("B", "1")]
    lines = [line.split(",") for line in path.read_text().splitlines()]
    columns = [lines[0].index(name) for name in members]
    values = np.array([[float(line[j]) for j in columns] for line in lines[1:]])
    z = (values - values.mean(0)) / values.std(0)
    rows = [i for i, line in enumerate(lines[1:]) if line[0] == "B" and line[2] == "d2"]
    row = next(row for row in table(out / "units.tsv") if (row["condition"], row["group"], row["unit_condition"], row["unit"]) == ("B", "1", "B", "d2"))
    assert np.isclose(float(row["score"]), z[rows].mean())
    assert np.isclose(float(row["variance"]), z[rows].mean(1).var(ddof=1))
    correlations = np.corrcoef(values[rows].T)
    assert np.isclose(float(row["mean_correlation"]), correlations[~np.eye(len(members), dtype=bool)].mean(), atol=1e-5)


def test_there_is_no_row_where_samples_are_units(study, out):
    run_ok(study(True), "--by", "condition", *QUICK, "-o", out)
    assert table(out / "units.tsv") == []


def test_a_run_that_finds_nothing_says_what_it_could_have_seen(tmp_path, out):
    random = np.random.default_rng(2)
    path = write_table(tmp_path / "noise.csv", {name: mixture(random, 30, 0, features=30) for name in "AB"})
    done = run_ok(path, "--by", "condition", *QUICK, "-o", out)
    assert "with 30 samples in the smallest condition" in done.stdout and "0.72" in done.stdout
