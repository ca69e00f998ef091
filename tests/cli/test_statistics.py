"""The defaults: groups with p-values, designs, contrasts. Small data, fixed seeds."""

import json

import numpy as np
import pytest
from program import disc, refused, run_ok, summary

P, N = 60, 120
SHARED, OF_A, OF_B = range(0, 12), range(20, 32), range(40, 52)


def grouped(seed, groups, samples=N):
    random = np.random.default_rng(seed)
    values = random.standard_normal((samples, P))
    for members in groups:
        values[:, list(members)] += 1.2 * random.standard_normal((samples, 1))
    return values


def names(members):
    return {f"f{j + 1}" for j in members}


@pytest.fixture
def files(tmp_path):
    np.save(tmp_path / "A.npy", grouped(1, [SHARED, OF_A]))
    np.save(tmp_path / "B.npy", grouped(2, [SHARED, OF_B]))
    return [tmp_path / "A.npy", tmp_path / "B.npy"]


def groups(folder):
    found = {}
    for line in (folder / "groups.tsv").read_text().splitlines()[1:]:
        condition, group, level, _, feature = line.split("\t")[:5]
        if level == "2" or line.endswith("\tlost"):  # a part, or what others have
            continue
        found.setdefault(condition, {}).setdefault(group, set()).add(feature)
    return {condition: list(parts.values()) for condition, parts in found.items()}


def result_of(folder):
    result = summary(folder)
    for key in ("timings", "date", "threads", "peak_memory_bytes", "inputs"):
        del result[key]
    del result["settings"]["given"]
    return result


def test_without_any_option_the_groups_are_found_with_p_values(files, out):
    done = run_ok(*files, "-o", out)
    assert groups(out) == {"A": [names(OF_A)], "B": [names(OF_B)]}
    assert "--unit" in done.stdout  # it says that samples were taken as units
    result = summary(out)
    assert result["settings"]["used"]["kernel"] == "association"
    assert result["statistics"]["samples_are_units"] and result["statistics"]["permutations"] == 199
    for condition in result["conditions"]:
        dimensions = condition["dimensions"]
        assert dimensions["rule"] in ("parallel analysis", "split halves") and 2 <= dimensions["chosen"] <= dimensions["above_noise"]
        assert [step["eigenvectors"] for step in condition["sigma_by_eigenvectors"]][:3] == [1, 2, 3]
        group, *parts = condition["groups"]
        assert (group["id"], group["level"], group["parent"]) == ("1", 1, None)
        assert all(part["parent"] == "1" for part in parts)
        assert group["direction"] == "gained" and group["view"] in result["statistics"]["views"]
        assert result["statistics"]["min_p"] <= group["p"] <= 0.05 and group["p"] <= group["q"]
        assert group["stability"] > 0.9 and group["statistic"] > 5
        here = next(c for c in group["conditions"] if c["condition"] == condition["name"])
        there = next(c for c in group["conditions"] if c["condition"] != condition["name"])
        assert here["mean_correlation_low"] <= here["mean_correlation"] <= here["mean_correlation_high"]
        assert here["mean_correlation"] > 0.4 and abs(there["mean_correlation"]) < 0.1
        assert here["conductance"] < there["conductance"]
        assert len(group["hubs"]) == 5 and all(e["correlation"] > e["elsewhere"] for e in group["edges_gained"])
        assert all(candidate["p"] > 0.05 for candidate in condition["candidates"])
        assert condition["leading_vectors"] >= 1


@pytest.mark.parametrize("flags", [["--threads", "1"], ["--threads", "4"]])
def test_the_same_bits_for_any_number_of_threads(files, out, tmp_path, flags):
    run_ok(*files, "-o", out, "--threads", "2", "--permutations", "30")
    run_ok(*files, "-o", tmp_path / "again", "--permutations", "30", *flags)
    assert json.dumps(result_of(out)) == json.dumps(result_of(tmp_path / "again"))
    assert (out / "groups.tsv").read_bytes() == (tmp_path / "again" / "groups.tsv").read_bytes()


def test_swapping_the_conditions_swaps_the_answer(files, out, tmp_path):
    run_ok(*files, "-o", out)
    run_ok(*reversed(files), "-o", tmp_path / "swapped")
    assert groups(out) == groups(tmp_path / "swapped")


def test_permuting_the_features_permutes_the_answer(files, out, tmp_path):
    order = np.random.default_rng(3).permutation(P)
    moved = []
    for file in files:
        table = tmp_path / f"{file.stem}.csv"
        header = ",".join(f"f{j + 1}" for j in order)
        np.savetxt(table, np.load(file)[:, order], delimiter=",", header=header, comments="", fmt="%.17g")
        moved.append(table)
    run_ok(*files, "-o", out)
    run_ok(*moved, "-o", tmp_path / "moved")
    assert groups(out) == groups(tmp_path / "moved")


def test_a_data_set_compared_with_itself_gives_nothing(files, out, tmp_path):
    np.save(tmp_path / "C.npy", np.load(files[0])[::-1])  # the very same would be refused
    run_ok(files[0], tmp_path / "C.npy", "-o", out)
    assert groups(out) == {}
    for condition in summary(out)["conditions"]:
        assert all(candidate["p"] > 0.5 for candidate in condition["candidates"])


def test_shifts_of_mean_and_variance_alone_give_nothing(out, tmp_path):
    random = np.random.default_rng(4)
    np.save(tmp_path / "A.npy", grouped(5, [SHARED]))
    np.save(tmp_path / "B.npy", grouped(6, [SHARED]) * np.exp(random.standard_normal(P)) + 5 * random.standard_normal(P))
    run_ok(tmp_path / "A.npy", tmp_path / "B.npy", "-o", out)
    assert groups(out) == {}


def test_a_split_is_the_answer_of_the_condition_that_has_it(out, tmp_path):
    whole = range(0, 30)
    np.save(tmp_path / "A.npy", grouped(7, [whole]))
    np.save(tmp_path / "B.npy", grouped(8, [whole[:10], whole[10:]]))
    run_ok(tmp_path / "A.npy", tmp_path / "B.npy", "-o", out)
    found = groups(out)
    assert set(found) == {"B"}
    assert sorted(map(len, found["B"])) == [10, 20]


def test_a_monotone_transformation_of_features_changes_nothing(files, out, tmp_path):
    """Normal scores enter correlations: heavy tails and outliers do not matter."""
    for file in files:
        values = np.load(file)
        values[:, ::2] = np.sinh(2 * values[:, ::2])
        np.save(tmp_path / f"heavy_{file.name}", values)
    heavy = [tmp_path / f"heavy_{file.name}" for file in files]
    run_ok(*files, "-o", out)
    run_ok(*heavy, "-o", tmp_path / "heavy", "--names", "A,B")
    assert summary(out)["settings"]["used"]["distance"] == "normal-scores"
    assert (out / "groups.tsv").read_bytes() == (tmp_path / "heavy" / "groups.tsv").read_bytes()
    run_ok(*files, "-o", out, "--scores", "values")
    assert summary(out)["settings"]["used"]["distance"] == "correlation"


def test_dependent_samples_are_exchanged_in_blocks(out, tmp_path):
    for seed, name in enumerate("AB"):
        values = grouped(20 + seed, [SHARED], samples=400)
        for t in range(1, len(values)):
            values[t] = 0.8 * values[t - 1] + 0.6 * values[t]
        np.save(tmp_path / f"{name}.npy", values)
    run_ok(tmp_path / "A.npy", tmp_path / "B.npy", "-o", out, "--permutations", "19")
    statistics = summary(out)["statistics"]
    assert not statistics["samples_are_units"] and statistics["units"] < 200
    assert groups(out) == {}
    run_ok(tmp_path / "A.npy", tmp_path / "B.npy", "-o", out, "--permutations", "19", "--block", "0")
    assert summary(out)["statistics"]["units"] == 800


def sample_table(tmp_path, columns, rows):
    file = tmp_path / "samples.tsv"
    file.write_text("\n".join(["\t".join(columns), *("\t".join(map(str, row)) for row in rows)]) + "\n")
    return file


def test_units_are_exchanged_as_one_and_few_are_listed_completely(files, out, tmp_path):
    rows = [(f"s{i + 1}", c, f"{c}{i % 4}") for c in "AB" for i in range(N)]
    table = sample_table(tmp_path, ["sample", "condition", "donor"], rows)
    done = run_ok(*files, "-o", out, "--metadata", table, "--unit", "donor")
    statistics = summary(out)["statistics"]
    assert statistics["exact"] and statistics["permutations"] == 69  # 8 over 4, beside the true one
    assert statistics["units_in_design"] == 8 and not statistics["samples_are_units"]
    assert "all 69 permutations of 8 units" in done.stdout


def test_pairs_are_exchanged_with_each_other(files, out, tmp_path):
    rows = [(f"s{i + 1}", c, f"subject{i % 6}") for c in "AB" for i in range(N)]
    table = sample_table(tmp_path, ["sample", "condition", "subject"], rows)
    run_ok(*files, "-o", out, "--metadata", table, "--paired", "subject")
    assert summary(out)["statistics"]["permutations"] == 2**6 - 1


def test_a_covariate_that_makes_the_difference_is_removed(out, tmp_path):
    random = np.random.default_rng(9)
    depth = random.standard_normal(N)
    a = grouped(10, [SHARED])
    a[:, list(OF_A)] += 1.5 * depth[:, None]
    np.save(tmp_path / "A.npy", a)
    np.save(tmp_path / "B.npy", grouped(11, [SHARED]))
    rows = [(f"s{i + 1}", c, depth[i]) for c in "AB" for i in range(N)]
    table = sample_table(tmp_path, ["sample", "condition", "depth"], rows)
    run_ok(tmp_path / "A.npy", tmp_path / "B.npy", "-o", out)
    (found,) = groups(out)["A"]
    assert names(OF_A) <= found and len(found - names(OF_A)) <= 2
    run_ok(tmp_path / "A.npy", tmp_path / "B.npy", "-o", out, "--metadata", table, "--covariate", "depth")
    assert groups(out) == {}


def test_a_contrast_asks_one_question(files, out, tmp_path):
    np.save(tmp_path / "C.npy", grouped(12, [SHARED, OF_A]))
    three = [*files, tmp_path / "C.npy"]
    run_ok(*three, "-o", out)
    assert groups(out) == {"B": [names(OF_B)]}  # A's group is in C too
    run_ok(*three, "-o", out, "--contrast", "A vs B")
    assert groups(out) == {"A": [names(OF_A)]}
    assert [c["name"] for c in summary(out)["conditions"]] == ["A", "B"]
    assert [c["is_target"] for c in summary(out)["conditions"]] == [True, False]


@pytest.mark.parametrize(
    ("code", "flags", "says"),
    [
        (2, ["--contrast", "A vs X"], ["contrast", "'X'", "A, B"]),
        (2, ["--contrast", "A"], ["contrast", "vs"]),
        (2, ["--contrast", "A vs A"], ["twice"]),
        (2, ["--unit", "donor"], ["--metadata"]),
        (2, ["--permutations", "-1"], ["permutations"]),
        (2, ["--level", "1"], ["level"]),
        (2, ["--grouping", "communities", "--kernel", "rbf"], ["association"]),
    ],
)
def test_bad_options_get_one_sentence(files, out, code, flags, says):
    refused(code, "run", *files, "-o", out, *flags, says=says, out=out)


def test_bad_sample_tables_get_one_sentence(files, out, tmp_path):
    rows = [(f"s{i + 1}", c, c) for c in "AB" for i in range(N)]
    table = sample_table(tmp_path, ["sample", "condition", "batch"], rows[:-1])
    refused(3, "run", *files, "-o", out, "--metadata", table, "--unit", "batch", says=["s120", "'B'"], out=out)
    table = sample_table(tmp_path, ["sample", "condition", "batch"], rows)
    refused(3, "run", *files, "-o", out, "--metadata", table, "--unit", "donor", says=["donor", "batch"], out=out)
    refused(3, "run", *files, "-o", out, "--metadata", table, "--strata", "batch", says=["no unit can be exchanged"], out=out)
    table = sample_table(tmp_path, ["sample", "batch"], [row[::2] for row in rows])
    refused(3, "run", *files, "-o", out, "--metadata", table, "--unit", "batch", says=["s1", "twice"], out=out)
    refused(3, "run", *files, "-o", out, "--metadata", tmp_path / "no.tsv", "--unit", "batch", says=["no.tsv"], out=out)


def test_score_knows_the_answer(tmp_path, out):
    assert disc("simulate", "newly-connected", "--samples", "500", "-q", "-o", tmp_path / "toy").returncode == 0
    run_ok(tmp_path / "toy" / "A.npy", tmp_path / "toy" / "B.npy", "-o", out, "--permutations", "59")
    scores = json.loads(disc("score", out, "--truth", tmp_path / "toy" / "truth.tsv", "--json").stdout)
    assert [score["adjusted_rand"] for score in scores] == [1.0, 1.0]
