"""disc test, replicate and project: questions that need no search."""
import json

import numpy as np
import pytest

from program import disc, refused, run_ok, summary, table, two_conditions, write_csv

QUICK = ["--permutations", "99"]
OF_B = [f"gene{j}" for j in range(45, 57)]  # of two_conditions: connected in B only, after 20 of noise, 12 shared and 12 of A
OF_A = [f"gene{j}" for j in range(33, 45)]
NOISE = [f"gene{j}" for j in range(1, 21)]


def write_sets(path, **sets):
    path.write_text("".join(f"{name}\tabout {name}\t" + "\t".join(members) + "\n" for name, members in sets.items()))
    return path


@pytest.fixture
def study(tmp_path):
    a, b = two_conditions(samples=100)
    return write_csv(tmp_path / "A.csv", a), write_csv(tmp_path / "B.csv", b)


@pytest.fixture
def second(tmp_path):
    a, b = two_conditions(samples=80, seed=7)
    return write_csv(tmp_path / "A2.csv", a), write_csv(tmp_path / "B2.csv", b)


@pytest.fixture
def sets(tmp_path):
    return write_sets(tmp_path / "sets.gmt", noise=NOISE, of_b=[*OF_B, "nowhere"], of_a=OF_A[:5], few=["gene1", "gone"])


@pytest.fixture
def found(study, tmp_path):
    folder = tmp_path / "run"
    run_ok(*study, "--permutations", "19", "--bootstraps", "2", "-o", folder)
    return folder


def ask(*words):
    done = disc("test", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_sets_that_differ_come_first_with_their_direction(study, sets, out):
    shown = ask(*study, "--sets", sets, *QUICK, "-o", out)
    rows = {row["set"]: row for row in table(out / "sets.tsv")}
    assert [row["set"] for row in table(out / "sets.tsv")][2:] == ["noise", "few"]
    assert rows["of_b"]["condition"] == "B" and rows["of_b"]["direction"] == "gained" and rows["of_b"]["p"] == "0.01"
    assert rows["of_a"]["direction"] == "lost" and rows["of_a"]["compared_with"] == "A"
    assert float(rows["noise"]["p"]) > 0.05
    assert (rows["of_b"]["members"], rows["of_b"]["found"]) == ("13", "12")
    assert "nowhere" not in rows["of_b"]["features"].split(",")
    assert float(rows["of_b"]["correlation_B"]) > 0.8 and abs(float(rows["of_b"]["correlation_A"])) < 0.1
    assert rows["few"]["p"] == "" and rows["few"]["found"] == ""
    assert "12 of 13" in shown and "not tested: 1 set with" in shown and "99 permutations of 200 samples" in shown


def test_the_summary_says_how_it_was_done(study, sets, out):
    ask(*study, "--sets", sets, *QUICK, "--seed", "4", "-o", out)
    record = json.loads((out / "sets.json").read_text())
    assert record["permutations"] == 99 and record["seed"] == 4 and record["min_p"] == 0.01
    assert [condition["samples"] for condition in record["conditions"]] == [100, 100]
    assert len(record["inputs"]) == 3


def test_nothing_is_written_unless_asked_for(study, sets, tmp_path):
    before = sorted(tmp_path.iterdir())
    ask(*study, "--sets", sets, *QUICK)
    assert sorted(tmp_path.iterdir()) == before


def test_a_run_brings_its_data_and_settings(tmp_path, sets, out):
    a, b = two_conditions(samples=60)
    lines = ["condition,batch," + ",".join(f"gene{j + 1}" for j in range(a.shape[1]))]
    lines += [f"{name},{'xy'[i % 2]}," + ",".join(f"{value:.6f}" for value in row)
              for name, values in (("ctrl", a), ("stim", b)) for i, row in enumerate(values)]
    data = tmp_path / "one.csv"
    data.write_text("\n".join(lines) + "\n")
    run_ok(data, "--by", "condition", "--where", "batch == x", "--permutations", "0", "--level", "0.2", "-o", tmp_path / "run")
    ask(tmp_path / "run", "--sets", sets, *QUICK, "-o", out / "of_run")
    ask(data, "--by", "condition", "--where", "batch == x", "--sets", sets, *QUICK, "-o", out / "of_data")
    assert (out / "of_run" / "sets.tsv").read_text() == (out / "of_data" / "sets.tsv").read_text()


def test_a_unit_can_be_left_out(tmp_path, study, sets, out):
    rows = [f"{name}\tcell{i + 1}\td{i % 10}" for name in "AB" for i in range(100)]
    (tmp_path / "meta.tsv").write_text("condition\tsample\tdonor\n" + "\n".join(rows) + "\n")
    design = ["--metadata", tmp_path / "meta.tsv", "--unit", "donor"]
    assert "20 units (donor)" in ask(*study, "--sets", sets, *design, *QUICK)
    assert "16 units (donor)" in ask(*study, "--sets", sets, *design, *QUICK, "--without", "d3", "--without", "d4")
    refused(3, "test", *study, "--sets", sets, *design, "--without", "d33", says="there is no unit 'd33'")


def test_sets_of_other_names_are_refused(study, tmp_path):
    other = write_sets(tmp_path / "other.gmt", one=["x", "y", "z"])
    refused(3, "test", *study, "--sets", other, says="0 of the 3 members")
    capitals = write_sets(tmp_path / "capitals.gmt", one=[name.upper() for name in OF_B])
    refused(3, "test", *study, "--sets", capitals, says="another species")


def test_weights_have_no_samples_to_exchange(study, sets):
    refused(2, "test", *study, "--sets", sets, "--distance", "euclidean", says=["--distance", "normal-scores"])


def test_groups_hold_in_a_second_study(found, second, out):
    done = disc("replicate", found, *second, "--names", "A,B", *QUICK, "-o", out)
    assert done.returncode == 0, done.stderr
    rows = table(out / "replication.tsv")
    assert {(row["condition"], row["verdict"]) for row in rows if "." not in row["group"]} == {("A", "holds"), ("B", "holds")}
    assert all(row["found"] == row["members"] for row in rows)
    assert json.loads((out / "replication.json").read_text())["permutations"] == 99
    assert "groups hold" in done.stdout


def test_conditions_of_other_names_are_taken_in_their_order(found, second):
    done = disc("replicate", found, *second, *QUICK)
    assert done.returncode == 0 and "opposite" not in done.stdout, done.stderr


def test_a_study_the_other_way_round_is_told(found, second):
    done = disc("replicate", found, second[1], second[0], "--names", "A,B", *QUICK)
    assert done.returncode == 0 and "opposite" in done.stdout and "0 of" in done.stdout


def test_groups_of_noise_are_not_shown(found, tmp_path):
    random = np.random.default_rng(5)
    files = [write_csv(tmp_path / f"{name}.csv", random.normal(size=(60, 56))) for name in "AB"]
    shown = disc("replicate", found, *files, *QUICK).stdout
    assert "not shown" in shown and "holds" not in shown.split("groups hold")[0]


def test_missing_members_are_counted(found, second, tmp_path):
    a, b = (np.loadtxt(path, delimiter=",", skiprows=1, usecols=range(1, 57)) for path in second)
    names = [f"gene{j + 1}" for j in range(56)]
    kept = [j for j in range(56) if names[j] not in OF_B[:4]]
    files = [write_csv(tmp_path / name, values[:, kept], [names[j] for j in kept]) for name, values in (("A.csv", a), ("B.csv", b))]
    out = tmp_path / "fewer"
    assert disc("replicate", found, *files, *QUICK, "-o", out).returncode == 0
    row = next(row for row in table(out / "replication.tsv") if row["condition"] == "B")
    assert int(row["members"]) - int(row["found"]) >= 4 and row["verdict"] == "holds"


def test_conditions_that_cannot_be_told_apart_are_refused(found, second, tmp_path):
    third = write_csv(tmp_path / "third.csv", np.random.default_rng(8).normal(size=(40, 56)))
    refused(3, "replicate", found, *second, third, "--names", "x,y,z", says=["--names", "x, y, z"])
    refused(2, "replicate", found, says="FILES of the second study")
    refused(3, "replicate", found.parent, *second, says="is not the folder of a run")


def test_the_study_of_the_run_is_no_second_one(found, study):
    refused(3, "replicate", found, *study, says=["A.csv", "where its groups were found"])


def test_scores_are_large_where_the_members_are(found, second, out):
    done = disc("project", found, second[1], "-o", out)
    assert done.returncode == 0, done.stderr
    rows = table(out / "scores.tsv")
    assert len(rows) == 80
    values = np.loadtxt(second[1], delimiter=",", skiprows=1, usecols=range(1, 57))
    members = [row["feature"] for row in table(found / "groups.tsv") if (row["condition"], row["group"]) == ("B", "1")]
    own = values[:, [int(name[4:]) - 1 for name in members]]
    expected = ((own - own.mean(0)) / own.std(0)).mean(1)
    assert np.allclose([float(row["group_B_1"]) for row in rows], expected)


def test_missing_members_are_allowed_and_named(found, second, tmp_path, out):
    values = np.loadtxt(second[1], delimiter=",", skiprows=1, usecols=range(1, 57))[:, :50]
    assert disc("project", found, write_csv(tmp_path / "part.csv", values), "-o", out).returncode == 0
    row = next(row for row in table(out / "members.tsv") if (row["condition"], row["group"]) == ("B", "1"))
    assert int(row["found"]) < int(row["members"]) and "gene56" in row["missing"].split(",")
    strangers = write_csv(tmp_path / "strangers.csv", values, [f"other{j}" for j in range(50)])
    refused(3, "project", found, strangers, "-o", tmp_path / "no", says="no member of any group", out=tmp_path / "no")


def test_a_run_that_found_nothing_has_nothing_to_ask(tmp_path, out):
    random = np.random.default_rng(1)
    files = [write_csv(tmp_path / f"{name}.csv", random.normal(size=(30, 20))) for name in "AB"]
    run_ok(*files, "--permutations", "19", "-o", out)
    assert summary(out)["conditions"][0]["groups"] == []
    for words in (["replicate", out, *files], ["project", out, files[0], "-o", tmp_path / "scores"]):
        done = disc(*words)
        assert done.returncode == 0 and "found no group" in done.stdout
