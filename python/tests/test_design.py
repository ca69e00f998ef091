"""Who belongs to whom: units, strata, pairs and covariates, as columns or as arrays."""
import disc_features as disc
import numpy as np
import pytest
from conftest import GROUP

QUICK = {"permutations": 19, "bootstraps": 0, "progress": False}


@pytest.fixture
def donors(conditions):
    return {name: [f"{name}{i % 8}" for i in range(len(values))] for name, values in conditions.items()}


@pytest.fixture
def table(conditions, donors, tmp_path):
    """The same as a file, for the program's way."""
    rows = ["sample\tcondition\tdonor\tbatch\tage"]
    for name, values in conditions.items():
        rows += [f"s{i + 1}\t{name}\t{donors[name][i]}\t{i % 2}\t{i % 5}" for i in range(len(values))]
    path = tmp_path / "samples.tsv"
    path.write_text("\n".join(rows) + "\n")
    return path


def answer(found):
    tested = [[(g["p"], g["q"]) for g in c["groups"] + c["candidates"]] for c in found.summary["conditions"]]
    return found._files["groups.tsv"], found.summary["statistics"], tested


def test_units_as_arrays_are_those_of_a_table(conditions, donors, table):
    found = disc.run(conditions, unit=donors, **QUICK)
    assert found.summary["statistics"]["units_in_design"] == 16 and not found.summary["statistics"]["samples_are_units"]
    assert answer(found) == answer(disc.run(conditions, metadata=table, unit="donor", **QUICK))
    assert answer(found) == answer(disc.run(conditions, unit=list(donors.values()), **QUICK))


def test_strata_and_covariates(conditions, donors, table):
    lengths = {name: len(values) for name, values in conditions.items()}
    batch = {name: np.arange(length) % 2 for name, length in lengths.items()}
    age = {name: np.arange(length) % 5 for name, length in lengths.items()}
    assert answer(disc.run(conditions, strata=batch, covariate=age, **QUICK)) == answer(
        disc.run(conditions, metadata=table, strata="batch", covariate="age", **QUICK))
    both = {name: np.column_stack([age[name], np.arange(length) ** 2 % 7]) for name, length in lengths.items()}
    assert answer(disc.run(conditions, covariate=both, **QUICK)) != answer(disc.run(conditions, covariate=age, **QUICK))


def test_pairs(conditions):
    equal = {name: values[:120] for name, values in conditions.items()}
    subject = {name: [f"p{i}" for i in range(120)] for name in equal}
    found = disc.run(equal, paired=subject, **QUICK)
    assert found.summary["settings"]["used"]["paired"] == "paired" and len(found.groups["B"][0]) == len(GROUP)
    with pytest.raises(disc.OptionError, match="paired='paired': cannot be combined with unit"):
        disc.run(equal, paired=subject, unit=subject, **QUICK)


def test_columns_of_anndata(adata, conditions):
    found = disc.run(adata, by="condition", unit="donor", covariate=["depth"], **QUICK)
    arrays = {option: {name: adata.obs[column][adata.obs["condition"] == name] for name in conditions}
              for option, column in (("unit", "donor"), ("covariate", "depth"))}
    assert answer(found)[1:] == answer(disc.run(conditions, **arrays, **QUICK))[1:]
    with pytest.raises(disc.InputError, match="there is no column 'animal' in obs; there are condition, donor, depth"):
        disc.run(adata, by="condition", unit="animal", **QUICK)


def test_the_estimator(conditions, donors):
    X, y = np.vstack(list(conditions.values())), np.repeat(["A", "B"], [120, 130])
    unit = np.concatenate([donors["A"], donors["B"]])
    order = np.random.default_rng(0).permutation(len(y))
    fitted = disc.DiSC(permutations=19, bootstraps=0).fit(X[order], y[order], unit=unit[order])
    assert fitted.analysis_.summary["statistics"]["units_in_design"] == 16
    in_order = disc.DiSC(permutations=19, bootstraps=0).fit(X, y, unit=unit)
    assert answer(in_order.analysis_)[1:] == answer(disc.run(conditions, unit=donors, **QUICK))[1:]
    with pytest.raises(ValueError, match="unit has 3 values for 250 samples"):
        disc.DiSC().fit(X, y, unit=["a", "b", "c"])


@pytest.mark.parametrize("unit, sentence", [
    ({"A": ["x"] * 120}, "unit: there is no entry for condition 'B'"),
    ({"A": ["x"] * 119, "B": ["y"] * 130}, "'unit' has 119 values for the 120 samples of condition 'A'"),
    ({"A": [None] * 120, "B": ["y"] * 130}, "a value is missing"),
    ({"A": [float("nan")] * 120, "B": ["y"] * 130}, "a value is missing"),
    (np.zeros(250), "unit: give a name of a column, or values per condition"),
    ({"A": np.zeros((120, 2, 2)), "B": ["y"] * 130}, "one value per sample"),
])
def test_what_is_refused(unit, sentence, conditions):
    with pytest.raises(disc.InputError, match=sentence):
        disc.run(conditions, unit=unit, **QUICK)


def test_a_column_that_is_nowhere(conditions):
    with pytest.raises(disc.Error, match="donor"):
        disc.run(conditions, unit="donor", **QUICK)


def test_conditions_within_one_file(adata, tmp_path):
    """A file whose samples have labels: the same as the object that it was written from."""
    adata.obs["condition"] = adata.obs["condition"].astype(str)
    adata.write_h5ad(tmp_path / "all.h5ad")
    from_file = disc.run(tmp_path / "all.h5ad", by="condition", unit="donor", **QUICK)
    assert from_file.conditions == ["A", "B"] and from_file.summary["settings"]["used"]["by"] == "condition"
    assert answer(from_file) == answer(disc.run(adata, by="condition", unit="donor", **QUICK))
    assert disc.run(adata, by="condition", names=["B", "A"], **QUICK).conditions == ["B", "A"]
    for one in (tmp_path / "all.h5ad", adata):
        with pytest.raises(disc.OptionError, match="names='C': is not a value of 'condition', which has A, B"):
            disc.run(one, by="condition", names=["A", "C"], **QUICK)


def test_one_file_beside_several_has_the_same_labels(conditions, program, tmp_path):
    x = conditions["B"]
    paths = {name: tmp_path / f"{name}.csv" for name in ("one", "two", "three")}
    for path, values in zip(paths.values(), [conditions["A"], x[: len(x) // 2], x[len(x) // 2:]]):
        np.savetxt(path, values, delimiter=",")
    quick = {"permutations": 0, "bootstraps": 0, "progress": False}
    found = disc.run({"A": paths["one"], "B": [paths["two"], paths["three"]]}, **quick)
    found.save(tmp_path / "python")
    program("run", "--condition", f"A={paths['one']}", "--condition", f"B={paths['two']},{paths['three']}", "--permutations", "0",
            "--bootstraps", "0", "-o", tmp_path / "program")
    for name in ("groups.tsv", "samples.tsv"):
        assert (tmp_path / "python" / name).read_text() == (tmp_path / "program" / name).read_text()
    assert (tmp_path / "python" / "samples.tsv").read_text().splitlines()[1].split("\t")[1] == "one:s1"


def test_several_files_make_a_condition(conditions, tmp_path):
    files = {}
    for name, values in conditions.items():
        for part, rows in enumerate(np.array_split(values, 6)):
            np.save(tmp_path / f"{name}{part}.npy", rows)
        files[name] = [tmp_path / f"{name}{part}.npy" for part in range(6)]
    statistics = disc.run(files, **QUICK).summary["statistics"]
    assert statistics["units_in_design"] == 12  # a file is a unit


def test_units_are_a_data_frame(conditions, quick):
    pytest.importorskip("pandas")
    donors = {name: [f"{i % 15}" for i in range(len(values))] for name, values in conditions.items()}
    donors["B"][0] = "alone"
    units = disc.run(conditions, unit=donors, **quick).to_frame("units")
    own = units[(units["condition"] == "B") & (units["group"].astype(float) == 1) & (units["unit_condition"] == "B")]
    assert set(own["unit"]) == set(donors["B"]) and own["unit_size"].sum() == len(donors["B"])
    alone = own[own["unit"] == "alone"].iloc[0]
    assert np.isnan(alone["variance"]) and np.isnan(alone["mean_correlation"]) and np.isfinite(alone["score"])
    assert own["mean_correlation"].median() > 0.2


def test_features_that_go_against_the_others_count_with_their_sign(conditions, quick):
    turned = {name: values.copy() for name, values in conditions.items()}
    turned["B"][:, GROUP[:5]] *= -1
    found = disc.run(turned, **quick)
    group = found.groups["B"][0]
    assert len({sign for name, sign in zip(group.features, group.signs) if int(name[1:]) - 1 in GROUP[:5]}) == 1 and set(group.signs) == {1, -1}
    scores = {name: found.meta_features(values, "B", "groups")[:, 0] for name, values in turned.items()}
    assert scores["B"].var() > 5 * scores["A"].var()
    rows = [float(row["group_B_1"]) for row in found._table("samples.tsv") if row["condition"] == "B"]
    assert abs(np.corrcoef(rows, scores["B"])[0, 1]) > 0.99
