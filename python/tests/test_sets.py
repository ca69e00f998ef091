"""disc.test, Analysis.test, replicate and project."""
import pickle

import numpy as np
import pytest

import disc_features as disc
from conftest import GROUP, make_conditions

SETS = {"group": [f"f{j + 1}" for j in GROUP], "noise": [f"f{j}" for j in range(30, 40)]}


def rows_of(tests):
    return tests.to_frame().set_index("set").to_dict("index")


@pytest.fixture(scope="module")
def pandas():
    return pytest.importorskip("pandas")


def test_sets_of_a_dictionary(conditions, pandas):
    rows = rows_of(disc.test(conditions, SETS, permutations=99, progress=False))
    assert rows["group"]["p"] == 0.01 and rows["group"]["direction"] == "gained" and rows["group"]["condition"] == "B"
    assert rows["noise"]["p"] > 0.05 and rows["noise"]["found"] == 10


def test_one_list_is_one_set(conditions, pandas):
    assert rows_of(disc.test(conditions, SETS["group"], permutations=19, progress=False))["set"]["p"] == 0.05


def test_a_gmt_file_and_the_program_agree(conditions, program, tmp_path, pandas):
    sets = tmp_path / "sets.gmt"
    sets.write_text("".join(f"{name}\t\t" + "\t".join(members) + "\n" for name, members in SETS.items()))
    for name, values in conditions.items():
        np.save(tmp_path / f"{name}.npy", values)
    done = program("test", tmp_path / "A.npy", tmp_path / "B.npy", "--sets", sets, "--permutations", 99, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    disc.test([tmp_path / "A.npy", tmp_path / "B.npy"], sets, permutations=99, progress=False).save(tmp_path / "python")
    assert (tmp_path / "python" / "sets.tsv").read_text() == (tmp_path / "out" / "sets.tsv").read_text()


def test_anndata_with_units(adata, pandas):
    sets = {"group": [f"gene{j}" for j in GROUP]}
    found = disc.test(adata, sets, by="condition", unit="donor", permutations=99, progress=False)
    assert found.summary["units"] == 24 and rows_of(found)["group"]["p"] <= 0.05
    assert disc.test(adata, sets, by="condition", unit="donor", without="d3", permutations=99, progress=False).summary["units"] == 22


def test_mistakes_end_in_sentences(conditions):
    with pytest.raises(disc.InputError, match="no member of the sets"):
        disc.test(conditions, {"other": ["x", "y", "z"]}, progress=False)
    with pytest.raises(disc.InputError, match="list of names of features"):
        disc.test(conditions, {"other": "f1"}, progress=False)
    with pytest.raises(disc.OptionError, match="permutations"):
        disc.test(conditions, SETS, permutations=0, progress=False)
    with pytest.raises(disc.InputError, match="unit 'nobody'"):
        disc.test(conditions, SETS, without=["nobody"], progress=False)


def test_tests_can_be_pickled(conditions):
    found = disc.test(conditions, SETS, permutations=19, progress=False)
    assert pickle.loads(pickle.dumps(found)).summary == found.summary


def test_sets_in_the_data_of_a_run(analysis, conditions, tmp_path, quick, pandas):
    assert rows_of(analysis.test(SETS, conditions, permutations=99, progress=False))["group"]["p"] == 0.01
    with pytest.raises(disc.InputError, match="must be given again"):
        analysis.test(SETS)
    for name, values in conditions.items():
        np.save(tmp_path / f"{name}.npy", values)
    of_files = disc.run([tmp_path / "A.npy", tmp_path / "B.npy"], **quick)
    assert rows_of(of_files.test(SETS, permutations=99, progress=False))["group"]["p"] == 0.01


def test_groups_hold_in_a_second_study(analysis, pandas):
    held = analysis.replicate(make_conditions(seed=5), permutations=99, progress=False).to_frame()
    assert list(held["verdict"])[0] == "holds" and (held["found"] == held["members"]).all()
    random = np.random.default_rng(9)
    noise = {name: random.normal(size=(60, 60)) for name in "AB"}
    assert "holds" not in set(analysis.replicate(noise, permutations=99, progress=False).to_frame()["verdict"])


def test_scores_of_new_samples(analysis, pandas):
    new = make_conditions(seed=6)["B"]
    scores = analysis.project(new)
    group = analysis.groups["B"][0]
    members = new[:, [int(name[1:]) - 1 for name in group.features]]
    assert np.allclose(scores["B 1"], ((members - members.mean(0)) / members.std(0)).mean(1))
    part = analysis.project(pandas.DataFrame(new[:, :15], columns=[f"f{j + 1}" for j in range(15)]))
    assert set(part.attrs["missing"]["B 1"]) == {name for name in group.features if int(name[1:]) > 15}


def test_within_takes_arrays_too(quick):
    random = np.random.default_rng(0)
    kinds = {"A": np.repeat(["T", "B"], [60, 60]), "B": np.repeat(["T", "B"], [108, 12])}
    data = {name: random.normal(size=(120, 40)) + 2 * (values == "T")[:, None] * (np.arange(40) > 15) for name, values in kinds.items()}
    found = disc.run(data, within=kinds, permutations=39, bootstraps=0, progress=False)
    assert found.groups == {"A": [], "B": []}
    assert [condition["samples"] for condition in found.summary["conditions"]] == [72, 72]
