"""Part of the samples, and tables that bring their conditions along."""
import disc_features as disc
import numpy as np
import pytest
from conftest import GROUP, make_conditions

pandas = pytest.importorskip("pandas")
QUICK = {"permutations": 0, "bootstraps": 0, "progress": False}


def sizes(found):
    return {condition["name"]: condition["samples"] for condition in found.summary["conditions"]}


@pytest.fixture
def frame(conditions):
    values = np.vstack(list(conditions.values()))
    table = pandas.DataFrame(values, columns=[f"g{j}" for j in range(values.shape[1])])
    table.insert(0, "group", np.repeat(["ctrl", "stim"], [len(v) for v in conditions.values()]))
    table["mouse"] = [f"m{i // 4}" for i in range(len(table))]
    table["dose"] = np.arange(len(table)) % 3
    return table


def test_a_data_frame_with_a_column_of_conditions(frame, conditions):
    found = disc.run(frame, by="group", labels=["dose"], **QUICK)
    assert sizes(found) == {"ctrl": 120, "stim": 130}
    assert len(found.features) == conditions["A"].shape[1]
    assert any(set(group.features) >= {f"g{j}" for j in GROUP} for group in found.groups["stim"])


def test_columns_of_a_data_frame_name_units_and_numbers_may_be_conditions(frame):
    found = disc.run(frame, by="dose", names=[0, 2], unit="mouse", permutations=19, bootstraps=0, progress=False)
    assert list(sizes(found)) == ["0", "2"]
    assert found.summary["statistics"]["samples_are_units"] is False


def test_where_chooses_rows_of_a_data_frame(frame):
    assert sizes(disc.run(frame, by="group", where="dose in (0, 1)", **QUICK)) == {"ctrl": 80, "stim": 87}


def test_where_chooses_cells_of_anndata(adata):
    found = disc.run(adata, groupby="condition", where="donor != d0 and depth < 4", **QUICK)
    kept = adata.obs[(adata.obs["donor"] != "d0") & (adata.obs["depth"] < 4)]
    assert sizes(found) == kept["condition"].value_counts().to_dict()
    assert found.summary["settings"]["given"]["where"] == "donor != d0 and depth < 4"


def test_where_chooses_cells_of_several_anndata(adata):
    parts = {name: adata[adata.obs["condition"] == name] for name in ("A", "B")}
    assert sizes(disc.run(parts, where="donor == d1", **QUICK)) == {
        name: int((part.obs["donor"] == "d1").sum()) for name, part in parts.items()}


def test_where_chooses_rows_of_a_file(frame, tmp_path):
    frame.to_csv(tmp_path / "one.csv", index=False)
    found = disc.run(tmp_path / "one.csv", by="group", where="dose == 1", **QUICK)
    assert sum(sizes(found).values()) == int((frame["dose"] == 1).sum())


@pytest.mark.parametrize("where, says", [("donor == d99", "no sample has the value 'd99' of 'donor'"),
                                         ("doner == d1", "no column 'doner' in obs.*did you mean 'donor'"),
                                         ("donor ~ d1", "one of ==, !=")])
def test_mistakes_in_where_are_explained(adata, where, says):
    with pytest.raises(ValueError, match=says):
        disc.run(adata, by="condition", where=where, **QUICK)


def test_conditions_given_side_by_side_are_explained(conditions):
    with pytest.raises(disc.InputError, match="one argument"):
        disc.run(conditions["A"], conditions["B"])


def test_by_and_groupby_are_the_same(adata):
    with pytest.raises(disc.OptionError, match="same as groupby"):
        disc.run(adata, by="condition", groupby="donor")


def test_messages_speak_python(conditions):
    with pytest.raises(disc.OptionError, match="^kernel='gaus': must be one of"):
        disc.run(conditions, kernel="gaus")
    bad = {"A": conditions["A"], "B": conditions["B"].copy()}
    bad["B"][0, 0] = np.nan
    with pytest.raises(disc.InputError) as error:
        disc.run(bad)
    assert "--" not in str(error.value) and "missing='drop-features'" in str(error.value)


def test_groups_as_a_data_frame(adata, analysis):
    disc.tl.differential(adata, groupby="condition", permutations=19, bootstraps=0)
    table = disc.get.groups_df(adata, "B")
    assert set(table["condition"]) == {"B"} and {"group", "feature", "weight"} <= set(table.columns)
    assert (table.groupby("group")["weight"].diff().dropna() <= 0).all()
    assert disc.get.features_df(analysis).shape[0] == 60
    with pytest.raises(disc.InputError, match="there is no condition 'C'; there are A, B"):
        disc.get.groups_df(adata, "C")


def test_scores_of_counts_do_not_depend_on_depth():
    anndata = pytest.importorskip("anndata")
    random = np.random.default_rng(0)
    rates = {name: np.exp(0.5 * values) for name, values in make_conditions(features=40).items()}
    counts = np.vstack([random.poisson(3 * rate) for rate in rates.values()]).astype(np.float32)
    data = anndata.AnnData(counts)
    data.obs["condition"] = np.repeat(list(rates), [len(rate) for rate in rates.values()])
    disc.tl.differential(data, by="condition", normalize="log-cpm", permutations=19, bootstraps=0)
    found = disc.tl.analysis(data)
    before = found.meta_features(data, "B", "groups")
    assert before.shape[1] > 0
    deeper = data.copy()
    deeper.X[0] *= 5
    after = found.meta_features(deeper, "B", "groups")
    assert np.all(np.abs(after[0] / before[0] - 1) < 0.1)  # the mean depth rises a little with it


def test_names_that_repeat_are_made_unique_with_a_warning(conditions):
    names = [f"g{j}" for j in range(60)]
    names[5] = names[7] = "g3"
    frames = {name: pandas.DataFrame(values, columns=names) for name, values in conditions.items()}
    with pytest.warns(UserWarning, match="2 feature names appear before, such as 'g3'"):
        found = disc.run(frames, **QUICK)
    assert {"g3", "g3-1", "g3-2"} <= set(found.features)


def test_parts_of_groups_have_names_not_numbers(analysis):
    table = disc.get.groups_df(analysis)
    assert set(table["group"]) == {"1"} and [type(value) for value in table["group"][:1]] == [str]
    assert analysis.groups["B"][0].id == "1" and np.isfinite(table["weight"]).all()
