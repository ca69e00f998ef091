"""What else could have made a group is said, in warnings that summary.json keeps; and what is done about units, codes and depth."""

import numpy as np
from program import run_ok, summary

FEATURES, SAMPLES = 40, 120


def noise(seed, samples=SAMPLES):
    return np.random.default_rng(seed).standard_normal((samples, FEATURES))


def with_group(values, members, seed, strength=1.2):
    values = values.copy()
    values[:, members] += strength * np.random.default_rng(seed).standard_normal((len(values), 1))
    return values


def write(folder, conditions, labels):
    """Arrays, and a table of their samples."""
    lines = ["\t".join(["sample", "condition", *labels])]
    for name, values in conditions.items():
        np.save(folder / f"{name}.npy", values)
        for i in range(len(values)):
            lines.append("\t".join([f"s{i + 1}", name, *(str(labels[label][name][i]) for label in labels)]))
    (folder / "samples.tsv").write_text("\n".join(lines) + "\n")
    return [*(folder / f"{name}.npy" for name in conditions), "--metadata", folder / "samples.tsv"]


def warnings_of(folder, *words, permutations=39):
    run_ok(*words, "--permutations", permutations, "--bootstraps", 0, "-o", folder)
    return summary(folder)["warnings"]


def kinds(seed, share):
    """Samples of two kinds that differ in the level of ten features, and the kind of each."""
    kind = (np.arange(SAMPLES) < share * SAMPLES).astype(int)
    values = noise(seed)
    values[:, 5:15] += 3.0 * kind[:, None]
    return values, np.array(["T", "B"])[kind]


def test_a_change_of_composition_is_named_and_its_remedy_works(tmp_path):
    (a, kind_a), (b, kind_b) = kinds(1, 0.5), kinds(2, 0.05)
    words = write(tmp_path, {"A": a, "B": b}, {"cell_type": {"A": kind_a, "B": kind_b}})
    found = warnings_of(tmp_path / "out", *words)
    assert any("follows the label 'cell_type'" in warning and "--covariate cell_type" in warning for warning in found)
    adjusted = warnings_of(tmp_path / "adjusted", *words, "--covariate", "cell_type")
    assert not any("cell_type" in warning for warning in adjusted)
    assert not any(condition["groups"] for condition in summary(tmp_path / "adjusted")["conditions"])


def test_codes_of_batches_are_levels(tmp_path):
    batches = np.tile([1, 2, 3, 4], SAMPLES // 4)
    levels = np.array([0, 2, -3, 1.0])[batches - 1]  # in no linear relation to the codes
    conditions = {name: noise(seed) + np.outer(levels, np.arange(FEATURES) < 10) for name, seed in (("A", 3), ("B", 4))}
    words = write(tmp_path, conditions, {"batch": {name: batches for name in conditions}})
    run_ok(*words, "--covariate", "batch", "--permutations", 19, "--bootstraps", 0, "-o", tmp_path / "out")
    steps = [step for step in summary(tmp_path / "out")["preparation"] if step["step"] == "covariate batch"]
    assert [(step["changed"], step["count"]) for step in steps] == [("levels centered", 4)] * 2


def test_numbers_of_many_values_keep_their_slope(tmp_path):
    ages = np.linspace(20, 80, SAMPLES)
    conditions = {"A": noise(5), "B": noise(6)}
    words = write(tmp_path, conditions, {"age": {name: ages for name in conditions}})
    run_ok(*words, "--covariate", "age", "--permutations", 19, "--bootstraps", 0, "-o", tmp_path / "out")
    assert {step["changed"] for step in summary(tmp_path / "out")["preparation"]} == {"slopes removed"}


def test_a_label_that_looks_like_units_is_named(tmp_path):
    donors = np.repeat(["d1", "d2", "d3", "d4"], SAMPLES // 4)
    conditions = {"A": noise(7), "B": noise(8)}
    words = write(tmp_path, conditions, {"donor_id": {name: donors for name in conditions}})
    assert any("--unit donor_id" in warning for warning in warnings_of(tmp_path / "out", *words))
    assert not any("--unit" in warning for warning in warnings_of(tmp_path / "by", *words, "--unit", "donor_id"))


def test_one_unit_that_carries_a_group_is_named(tmp_path):
    donors = np.repeat([f"d{k}" for k in range(12)], 10)
    b = noise(10)
    b[donors == "d3"] = with_group(b[donors == "d3"], slice(0, 8), 11, strength=8.0)
    words = write(tmp_path, {"A": noise(9), "B": b}, {"donor": {name: donors for name in "AB"}})
    found = warnings_of(tmp_path / "out", *words, "--unit", "donor", "--scores", "values", "--level", "0.9")
    assert any("rests on one unit" in warning and "'d3'" in warning for warning in found), found


def test_units_of_unequal_size_are_matched(tmp_path):
    small, large = np.repeat([f"a{k}" for k in range(8)], 10), np.repeat([f"b{k}" for k in range(8)], 40)
    words = write(tmp_path, {"A": noise(12, 80), "B": noise(13, 320)}, {"donor": {"A": small, "B": large}})
    found = warnings_of(tmp_path / "out", *words, "--unit", "donor")
    assert any("160 of 400 samples were used" in warning for warning in found)
    sampling = summary(tmp_path / "out")["statistics"]["sampling"]
    assert sampling["matched"] and sampling["samples_used"] == 160


def test_a_series_says_that_it_is_one(tmp_path):
    def series(seed):
        values = noise(seed, 240)
        for t in range(1, len(values)):
            values[t] += 0.8 * values[t - 1]
        return values
    words = write(tmp_path, {"A": series(14), "B": series(15)}, {})
    assert any("as in a time series: blocks of" in warning for warning in warnings_of(tmp_path / "out", *words))


def test_few_units_say_that_nothing_can_be_found(tmp_path):
    donors = np.repeat(["d1", "d2", "d3"], SAMPLES // 3)
    words = write(tmp_path, {"A": noise(16), "B": noise(17)}, {"donor": {name: donors for name in "AB"}})
    found = warnings_of(tmp_path / "out", *words, "--unit", "donor", permutations=199)
    assert any("the design allows 19 permutations of 6 units: no p-value can be below 0.1" in warning for warning in found), found


def test_checks_before_the_work_are_kept_with_the_result(tmp_path):
    words = write(tmp_path, {"A": noise(18, 8), "B": noise(19)}, {})
    assert any("has only 8 samples" in warning for warning in warnings_of(tmp_path / "out", *words))


def test_more_permutations_where_p_is_the_smallest_possible(tmp_path):
    clear = write(tmp_path, {"A": noise(20), "B": with_group(noise(21), slice(0, 10), 22)}, {})
    run_ok(*clear, "--permutations", 19, "--max-permutations", 99, "--bootstraps", 0, "-o", tmp_path / "clear")
    found = summary(tmp_path / "clear")
    assert found["statistics"]["permutations"] == 99
    assert found["statistics"]["min_p"] == 0.01
    assert min(group["p"] for condition in found["conditions"] for group in condition["groups"]) == 0.01
    (tmp_path / "null").mkdir()
    nothing = write(tmp_path / "null", {"A": noise(23), "B": noise(24)}, {})
    run_ok(*nothing, "--permutations", 19, "--max-permutations", 99, "--bootstraps", 0, "-o", tmp_path / "nothing")
    assert summary(tmp_path / "nothing")["statistics"]["permutations"] <= 19
