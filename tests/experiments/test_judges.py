"""What judges a program from outside: data in which nothing differs, injected groups, and the reading of results. Needs no program and no real data."""
import json
import pathlib
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from experiments import backgrounds, common, injection_real, nulls, program_runs, validity  # noqa: E402
from experiments.baselines import grown  # noqa: E402

MADE = [row for row in nulls.ROWS if row not in nulls.NEEDED]


def draw(row, seed=1, study=None):
    return nulls.ROWS[row](study, np.random.default_rng(seed))


@pytest.mark.parametrize("row", MADE)
def test_row_gives_data_that_the_program_can_use(row):
    null = draw(row)
    widths = {values.shape[1] for values in null.conditions.values()}
    assert len(widths) == 1
    for name, values in null.conditions.items():
        assert np.isfinite(values).all() and (values.std(axis=0) > 0).all()
        assert all(len(label[name]) == len(values) for label in null.labels.values())
    named = [value for flag, value in zip(null.flags, null.flags[1:]) if flag in ("--unit", "--covariate")]
    assert set(named) <= set(null.labels)
    again, other = draw(row), draw(row, seed=2)
    assert all(np.array_equal(values, again.conditions[name]) for name, values in null.conditions.items())
    assert any(not np.array_equal(values[:5], other.conditions[name][:5]) for name, values in null.conditions.items())


def test_rows_have_the_awkwardness_they_are_named_for():
    sizes = {name: np.unique(units, return_counts=True)[1].tolist() for name, units in draw("giant-donor").labels["donor"].items()}
    assert max(sizes["A"]) == 200 and sum(sizes["A"]) == sum(sizes["B"]) == 340
    assert [len(set(units)) for units in draw("three-units").labels["donor"].values()] == [3, 3]
    series = draw("series-.9").conditions["A"]
    lag = np.mean([np.corrcoef(x[1:], x[:-1])[0, 1] for x in series.T])
    assert 0.8 < lag < 0.95
    high = np.vstack(list(draw("rare-samples").conditions.values()))[:, -20:].mean(axis=1) > 6
    assert high.sum() == 3
    shares = [kinds.count("T") / len(kinds) for kinds in draw("composition").labels["cell_type"].values()]
    assert shares == [0.5, 0.9]
    spread = [np.log(values.sum(axis=1)).std() for values in draw("library-size").conditions.values()]
    assert spread[1] > 2 * spread[0]


def test_phase_randomized_series_keeps_spectra_and_correlations(monkeypatch):
    values = nulls.autoregression(np.random.default_rng(3), 176, 0.5)
    monkeypatch.setattr(backgrounds, "series", lambda study, random: values)
    null = nulls.phase_randomized(None, np.random.default_rng(4))
    whole = np.vstack(list(null.conditions.values()))
    assert np.allclose(np.abs(np.fft.rfft(whole, axis=0)[1:]), np.abs(np.fft.rfft(values, axis=0)[1:]))
    assert np.allclose(np.corrcoef(whole.T), np.corrcoef(values.T))
    assert not np.allclose(whole, values - values.mean(axis=0))


def test_halves_share_no_sample_and_lose_constant_features():
    values = np.arange(40.0).reshape(10, 4)
    values[:, 3] = 0
    values[0, 3] = 1  # constant in the half without the first sample
    a, b = backgrounds.random_halves(values, np.random.default_rng(1))
    assert a.shape == b.shape == (5, 3)
    assert sorted([*a[:, 0], *b[:, 0]]) == values[:, 0].tolist()


def test_injection_follows_its_rule():
    random = np.random.default_rng(5)
    values = 3 + 2 * random.standard_normal((4000, 30))
    changed = injection_real.inject(values, np.arange(10), 0.5, random)
    r = np.corrcoef(changed.T)
    assert np.array_equal(changed[:, 10:], values[:, 10:])
    assert np.allclose(r[:10, :10][np.triu_indices(10, 1)], 0.5, atol=0.07) and np.abs(r[:10, 10:]).max() < 0.08
    assert np.allclose(changed.mean(axis=0), values.mean(axis=0), atol=0.15) and np.allclose(changed.std(axis=0), values.std(axis=0), rtol=0.07)


@pytest.mark.parametrize("groups, hit, other", [
    ([("B", {0, 1, 2, 3}, False)], True, 0),
    ([("A", {0, 1, 2, 3}, False)], False, 1),               # the wrong condition
    ([("lost in A", {0, 1, 2, 3}, False)], False, 0),       # the same finding, seen from A
    ([("B", {0, 1, 10, 11}, False)], True, 0),              # exactly half and half
    ([("B", {0, 10, 11}, False)], False, 1),                # imprecise
    ([("B", {0}, False)], False, 0),                        # a fragment: neither found nor something else
    ([("B", set(range(20)), False), ("B", {0, 1, 2}, True)], True, 1),
    ([("B", {10, 11}, True)], False, 0),                    # a part of something else counts once, as that
    ([], False, 0)])
def test_verdict(groups, hit, other):
    result = injection_real.verdict(groups, {0, 1, 2, 3})
    assert (result["hit"], result["other"], result["groups"]) == (hit, other, len(groups))


def test_null_half_has_no_hit():
    assert not injection_real.verdict([("B", {1, 2}, False)], set())["hit"]


def write_result(folder, summary, header, rows):
    (folder / "summary.json").write_text(json.dumps(summary))
    (folder / "groups.tsv").write_text("\n".join("\t".join(row) for row in [header, *rows]) + "\n")


def test_reads_results_whose_groups_are_numbered(tmp_path):
    write_result(tmp_path, {"conditions": [{"name": "A", "groups": [], "candidates": [], "vector_p": [None, 0.5], "pairs": None},
                                           {"name": "B", "groups": [{"p": 0.02, "size": 2}], "candidates": [{"p": 0.4, "features": ["f7"]}],
                                            "vector_p": [0.3], "pairs": {"found": 4, "listed": 4}}],
                            "statistics": {"min_p": 0.02}, "warnings": ["careful"]},
                 ["condition", "group", "feature", "weight"], [["B", "1", "f1", "1"], ["B", "1", "f2", "1"]])
    result = program_runs.read_result(tmp_path)
    assert [(g["condition"], g["features"], g["p"]) for g in result["groups"]] == [("B", ["f1", "f2"], 0.02), ("B", ["f7"], 0.4)]
    assert [g["features"] for g in program_runs.significant(result)] == [["f1", "f2"]]
    assert (result["vector_p"], result["pairs"], result["min_p"], result["warnings"]) == ([1.0, 0.5, 0.3], 4, 0.02, ["careful"])


def test_reads_results_whose_groups_have_names_and_parts(tmp_path):
    groups = [{"id": "B-1", "parent": None, "p": 0.005, "direction": "gained", "view": "own"}, {"id": "B-1.1", "parent": "B-1", "p": 0.05, "direction": "gained"},
              {"id": "B-1.2", "parent": "B-1", "p": None, "direction": "gained"}, {"id": "B-2", "parent": None, "p": 0.3, "direction": "lost"}]
    rows = [["B", "B-1", "1", "", "f1"], ["B", "B-1", "1", "", "f2"], ["B", "B-1.1", "2", "B-1", "f1"], ["B", "B-1.2", "2", "B-1", "f2"], ["B", "B-2", "1", "", "f3"]]
    write_result(tmp_path, {"conditions": [{"name": "B", "groups": groups}], "warnings": []}, ["condition", "group", "level", "parent", "feature"], rows)
    result = program_runs.read_result(tmp_path)
    assert [(g["features"], g["parent"]) for g in program_runs.significant(result)] == [(["f1", "f2"], None), (["f1"], "B-1")]
    assert result["groups"][3]["direction"] == "lost" and result["vector_p"] == [] and result["pairs"] == 0


FAKE = """#!{python}
import json, pathlib, sys
out = pathlib.Path(sys.argv[sys.argv.index("-o") + 1])
if "--bad" in sys.argv:
    print("disc: --bad: not known", file=sys.stderr)
    sys.exit(2)
out.mkdir()
table = pathlib.Path(sys.argv[sys.argv.index("--metadata") + 1]).read_text() if "--metadata" in sys.argv else ""
(out / "summary.json").write_text(json.dumps({{"conditions": [], "warnings": [" ".join(sys.argv[1:]), table]}}))
(out / "groups.tsv").write_text("condition\\tgroup\\tfeature\\n")
"""


@pytest.fixture
def fake(tmp_path):
    file = tmp_path / "disc"
    file.write_text(FAKE.format(python=sys.executable))
    file.chmod(0o755)
    return str(file)


def test_program_gets_files_labels_and_options(fake):
    values = {"A": np.zeros((2, 3)), "B": np.ones((1, 3))}
    found = program_runs.run(fake, values, {"donor": {"A": ["a", "b"], "B": ["c"]}}, ["--unit", "donor"], 19, 7, "--scores ranks")
    command, table = found["warnings"]
    assert command.startswith("run ") and "A.npy" in command and "B.npy" in command
    for words in ("--unit donor", "--permutations 19", "--seed 7", "--threads 1", "--scores ranks"):
        assert words in command
    assert table.splitlines() == ["sample\tcondition\tdonor", "s1\tA\ta", "s2\tA\tb", "s1\tB\tc"]


def test_what_the_program_refuses_is_an_error(fake):
    assert program_runs.run(fake, {"A": np.zeros((2, 3))}, more="--bad")["error"] == "exit 2: disc: --bad: not known"


def test_a_line_of_the_table_counts_runs():
    quiet = {"group_p": [0.4], "groups": [], "vector_p": [0.2], "pairs": 0, "min_p": 0.02, "warnings": [], "seconds": 1.0}
    loud = {**quiet, "group_p": [0.01], "groups": [5], "pairs": 3, "warnings": ["label 'cell_type' explains group 1"]}
    only_vector = {**quiet, "vector_p": [0.02]}
    cells = validity.line("composition", [quiet, loud, only_vector, {"error": "exit 3: no"}])
    assert cells[:9] == ["composition", 3, 2, 1, 1, 1, 1, "1", "1.0"]
    assert "label # explains group # (1)" in cells[9] and "1 failed: exit 3: no" in cells[9]


def test_grown_groups_find_a_group_and_nothing_in_noise():
    random = np.random.default_rng(6)
    a, b = random.standard_normal((2, 60, 80))
    assert [labels.max() for labels in grown.groups(a, b)] == [0, 0]
    labels_a, labels_b = grown.groups(a, injection_real.inject(b, np.arange(12), 0.7, random))
    assert labels_a.max() == 0 and set(np.flatnonzero(labels_b)) >= set(range(11)) and (labels_b > 0).sum() < 16


def test_a_program_that_is_not_there_is_said(tmp_path):
    with pytest.raises(common.Skipped, match="nowhere"):
        program_runs.find_program(str(tmp_path / "nowhere"))


def test_a_new_build_is_another_setting(tmp_path):
    digests = []
    for text in ("one", "two"):
        (tmp_path / "disc").write_text(text)
        options = common.arguments("", ["--out", str(tmp_path), "--disc", str(tmp_path / "disc")], program_runs.add_flags)
        digests.append(program_runs.judged(common.Study("x", options))["digest"])
    assert digests[0] != digests[1]
