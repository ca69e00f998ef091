"""What must hold for the results of a run, whatever the data."""

import json
import re

import numpy as np
import pytest

import reference
from program import OUTPUT_FILES, ROOT, arrays, assert_no_nan, disc, groups, run_ok, summary, table, two_conditions, write_csv

QUICK = ["--permutations", "0", "--bootstraps", "0"]  # where p does not matter
SETTINGS = ["--kernel", "self-tuning", "--eigenvectors", "4", "--bandwidth-neighbors", "8", "--vectors", "1", "--groups", "1", *QUICK]


def save(folder, name, values):
    np.save(folder / f"{name}.npy", values)
    return folder / f"{name}.npy"


def same_vectors(a, b, tolerance=1e-6):
    """Equal up to signs."""
    signs = np.sign((a * b).sum(axis=0))
    np.testing.assert_allclose(a, b * signs, rtol=0, atol=tolerance)


def test_the_right_groups_are_found(pair, out):
    run_ok(*pair, "-o", out, *SETTINGS)
    found = groups(out)
    assert found["A"] == {frozenset(f"f{j}" for j in range(33, 45))}
    assert found["B"] == {frozenset(f"f{j}" for j in range(45, 57))}


def test_the_constants_that_decide_are_recorded(pair, out):
    run_ok(*pair, "-o", out, *QUICK)
    source = (ROOT / "src" / "stats" / "policy.hpp").read_text()
    written = dict(re.findall(r"^inline constexpr (?:std::array<.*?>|[\w:]+) (\w+)(?: = )?([^;]+);", source, re.MULTILINE))
    assert len(written) > 50
    assert {name: [float(value) for value in re.split(r"[{}, ]+", text) if value] for name, text in written.items()} == {
        entry["name"]: entry["values"] for entry in summary(out)["policy"]}


def test_schema(pair, out):
    run_ok(*pair, "-o", out, "--bandwidth-neighbors", "8", "--preset", "paper-text", "--seed", "5", "--threads", "2")
    assert {path.name for path in out.iterdir()} == OUTPUT_FILES
    result = summary(out)
    keys = ["version", "settings", "features", "conditions", "warnings", "converged", "inputs", "seed", "threads"]
    assert set(result) == {*keys, "timings", "date", "peak_memory_bytes", "statistics", "component_features",
                           "preparation", "policy", "graph"}
    assert result["policy"] is None, "the paper's way has no use for them"
    given, used = result["settings"]["given"], result["settings"]["used"]
    assert given["bandwidth-neighbors"] == 8 and given["preset"] == "paper-text"
    assert used["bandwidth-neighbors"] == 8 and used["kernel"] == "self-tuning" and used["eigenvectors"] == 14
    assert used["drop-largest"] is True and isinstance(used["tolerance"], float)
    assert result["features"] == {"total": 56, "used": 56, "excluded": []}
    assert result["seed"] == 5 and result["threads"] == 2
    assert [entry["file"] for entry in result["inputs"]] == [str(path) for path in pair]
    assert all(len(entry["digest"]) == 16 for entry in result["inputs"])
    assert all(entry["seconds"] >= 0 for entry in result["timings"])
    assert result["peak_memory_bytes"] > 1_000_000
    vectors = arrays(out)
    assert set(vectors) == {"features", "V_A", "U_A", "sigma_A", "V_B", "U_B", "sigma_B"}
    assert list(vectors["features"]) == [f"f{j}" for j in range(1, 57)]
    for condition in result["conditions"]:
        assert condition["samples"] == 300
        name = condition["name"]
        assert vectors[f"V_{name}"].shape == (56, len(condition["sigma"]))
        assert vectors[f"U_{name}"].shape == (56, condition["eigenvectors_used"])
        assert list(vectors[f"sigma_{name}"]) == condition["sigma"]
        assert len(condition["eigenvalues"]) == condition["eigenvectors_used"]
        assert condition["leading_vectors"] <= len(condition["sigma"]) == len(condition["degenerate_subspace"])
        np.testing.assert_allclose(np.linalg.norm(vectors[f"V_{name}"], axis=0), 1, atol=1e-9)
        assert set(condition["convergence"]) == {"eigenvectors", "vectors"}
        for group in condition["groups"]:
            rows = [r for r in table(out / "groups.tsv") if (r["condition"], r["group"]) == (name, str(group["id"]))]
            assert len(rows) == group["size"]
            assert set(group["top_features"]) <= {row["feature"] for row in rows}
            assert np.isclose(np.mean([float(row["weight"]) for row in rows]), group["mean_energy"])
    features = table(out / "features.tsv")
    assert list(features[0]) == ["feature", "used", "reason", "energy_A", "group_A", "energy_B", "group_B"]
    assert len(features) == 56


def comparable(folder):
    result = summary(folder)
    for key in ("timings", "date", "threads", "peak_memory_bytes"):
        del result[key]
    del result["settings"]["given"]
    return json.dumps(result)


@pytest.mark.parametrize("solver", ["lapack", "lanczos"])
def test_same_bits_for_any_number_of_threads_and_twice(pair, tmp_path, solver):
    places = []
    for attempt, threads in enumerate([1, 2, 4, 4]):
        places.append(tmp_path / f"out{attempt}")
        run_ok(*pair, "-o", places[-1], "--threads", threads, "--solver", solver, "--permutations", "20")
    first = arrays(places[0])
    for place in places[1:]:
        assert comparable(place) == comparable(places[0])
        for name in ("groups.tsv", "features.tsv"):
            assert (place / name).read_bytes() == (places[0] / name).read_bytes()
        for name, array in arrays(place).items():
            assert array.tobytes() == first[name].tobytes(), name


def test_permuting_the_features_permutes_the_answer(tmp_path):
    a, b = two_conditions()
    names = [f"gene{j}" for j in range(a.shape[1])]
    order = np.random.default_rng(3).permutation(len(names))
    shuffled = [names[j] for j in order]
    plain, mixed = tmp_path / "plain", tmp_path / "mixed"
    run_ok(write_csv(tmp_path / "A.csv", a, names), write_csv(tmp_path / "B.csv", b, names), "-o", plain, *SETTINGS)
    (tmp_path / "mix").mkdir()
    files = [write_csv(tmp_path / "mix" / f"{name}.csv", x[:, order], shuffled) for name, x in (("A", a), ("B", b))]
    run_ok(*files, "-o", mixed, *SETTINGS)
    one, two = arrays(plain), arrays(mixed)
    assert list(two["features"]) == shuffled
    assert groups(plain) == groups(mixed)
    for name in ("V_A", "V_B", "U_A", "U_B"):
        same_vectors(one[name][order], two[name])


def test_order_of_features_may_differ_between_files(tmp_path):
    a, b = two_conditions()
    names = [f"gene{j}" for j in range(a.shape[1])]
    order = np.random.default_rng(4).permutation(len(names))
    files = [write_csv(tmp_path / "A.csv", a, names), write_csv(tmp_path / "B.csv", b, names)]
    (tmp_path / "mix").mkdir()
    mixed = write_csv(tmp_path / "mix" / "B.csv", b[:, order], [names[j] for j in order])
    run_ok(*files, "-o", tmp_path / "one", *SETTINGS)
    run_ok(files[0], mixed, "-o", tmp_path / "two", *SETTINGS)
    one, two = arrays(tmp_path / "one"), arrays(tmp_path / "two")
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_swapping_the_conditions_swaps_the_answer(pair, tmp_path):
    run_ok(*pair, "-o", tmp_path / "one", *SETTINGS)
    run_ok(*reversed(pair), "-o", tmp_path / "two", *SETTINGS)
    one, two = arrays(tmp_path / "one"), arrays(tmp_path / "two")
    assert set(one) == set(two)
    for name in ("V_A", "V_B", "U_A", "U_B"):
        same_vectors(one[name], two[name], 1e-9)
    assert groups(tmp_path / "one") == groups(tmp_path / "two")


def test_constant_feature_is_excluded_with_the_reason(tmp_path, out):
    a, b = two_conditions()
    b[:, 3] = 7
    done = run_ok(save(tmp_path, "A", a), save(tmp_path, "B", b), "-o", out, *QUICK)
    assert summary(out)["features"]["excluded"] == [{"feature": "f4", "reason": "constant in condition B"}]
    assert summary(out)["features"]["used"] == 55
    left = [row for row in table(out / "features.tsv") if row["used"] == "no"]
    assert [row["feature"] for row in left] == ["f4"] and left[0]["energy_A"] == "" and left[0]["group_B"] == ""
    assert "f4" not in list(arrays(out)["features"])
    assert "excluded: 1 of 56" in done.stdout
    assert_no_nan(out)


def test_features_that_are_not_common_are_excluded(tmp_path, out):
    a, b = two_conditions()
    names = [f"gene{j}" for j in range(a.shape[1])]
    write_csv(tmp_path / "A.csv", a, names)
    write_csv(tmp_path / "B.csv", b, names[:-1] + ["stranger"])
    run_ok(tmp_path / "A.csv", tmp_path / "B.csv", "-o", out, *QUICK)
    left = {row["feature"]: row["reason"] for row in summary(out)["features"]["excluded"]}
    assert set(left) == {"gene55", "stranger"} and all("not in condition" in reason for reason in left.values())


def test_missing_values_can_be_excluded(tmp_path, out):
    a, b = two_conditions()
    a[5, 9] = np.nan
    run_ok(save(tmp_path, "A", a), save(tmp_path, "B", b), "-o", out, "--missing", "drop-features", *QUICK)
    assert [row["feature"] for row in summary(out)["features"]["excluded"]] == ["f10"]
    assert_no_nan(out)


KERNELS = ["self-tuning", "adaptive", "rbf", "association"]


@pytest.mark.parametrize("kernel", KERNELS)
def test_fifty_duplicates(tmp_path, out, kernel):
    a, b = two_conditions()
    a, b = (np.hstack([x] + 50 * [x[:, :1]]) for x in (a, b))
    run_ok(save(tmp_path, "A", a), save(tmp_path, "B", b), "-o", out, "--kernel", kernel, *QUICK)
    assert summary(out)["features"]["used"] == 106
    assert_no_nan(out)
    vectors = arrays(out)
    for name in "AB":  # what cannot be told apart is treated alike
        copies = vectors[f"U_{name}"][[0, *range(56, 106)]]
        np.testing.assert_allclose(copies, np.tile(copies[:1], (51, 1)), rtol=0, atol=1e-7)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("samples, noise", [(10, 100), (3, 40), (6000, 20)])
def test_shapes(tmp_path, out, kernel, samples, noise):
    a, b = two_conditions(samples=samples, noise=noise)
    words = ["--bandwidth-neighbors", "8"] if kernel in ("self-tuning", "adaptive") else []
    run_ok(save(tmp_path, "A", a), save(tmp_path, "B", b), "-o", out, "--kernel", kernel, *words, *QUICK)
    assert_no_nan(out)
    assert_definitions({"A": a, "B": b}, out, kernel)


def assert_definitions(data, out, kernel, tolerance=1e-8):
    """Eigenvectors of the walks, and singular vectors of P Q, of what numpy makes of the same data."""
    vectors = arrays(out)
    for condition in summary(out)["conditions"]:
        name = condition["name"]
        walk = reference.walk(data[name], kernel)
        reference.assert_eigenvectors(walk, vectors[f"U_{name}"], np.array(condition["eigenvalues"]), tolerance)
        others = [vectors[f"U_{other}"] for other in data if other != name]
        reference.assert_differential(walk, others, vectors[f"V_{name}"], np.array(condition["sigma"]), 10 * tolerance)


@pytest.fixture
def of_method(pair, out):
    """Of a run with the method: both conditions' walks, and everything that the equations of condition A speak of."""
    def run(method):
        run_ok(*pair, "-o", out, "--method", method, *QUICK)
        assert_no_nan(out)
        a, b = (np.load(path) for path in pair)
        vectors = arrays(out)
        return a, b, vectors, vectors["V_A"], vectors["sigma_A"]

    return run


def test_the_method_is_the_default(of_method, out):
    a, b, *_ = of_method("disc")
    assert_definitions({"A": a, "B": b}, out, "association")


def test_generalized_solves_its_equation(of_method):
    a, b, _, found, mu = of_method("generalized")
    others = reference.laplacian(b, "association")
    others += 0.01 * np.trace(others) / len(others) * np.eye(len(others))
    np.testing.assert_allclose(reference.laplacian(a, "association") @ found, mu * (others @ found), rtol=0, atol=1e-9)
    assert (np.diff(mu) >= 0).all() and mu[0] > 0


def test_regularized_inverse_solves_its_equation(of_method):
    a, b, _, found, mu = of_method("regularized-inverse")
    others = np.eye(len(found)) + reference.walk(b, "association")
    operator = np.linalg.solve(others, reference.walk(a, "association"))
    np.testing.assert_allclose(mu, np.sort(np.linalg.eigvals(operator).real)[::-1][: len(mu)], rtol=0, atol=1e-9)
    np.testing.assert_allclose(operator @ found[:, :1], mu[0] * found[:, :1], rtol=0, atol=1e-9)


def test_whitened_points_at_the_group_of_the_condition(of_method):
    *_, found, _ = of_method("whitened")
    assert set(np.argsort(-np.abs(found[:, 0]))[:12]) == set(range(32, 44))


def test_diffusion_maps_are_the_own_eigenvectors(of_method, out):
    *_, vectors, found, sigma = of_method("diffusion-maps")
    own = vectors["U_A"][:, 1:] / np.linalg.norm(vectors["U_A"][:, 1:], axis=0)
    same_vectors(found / np.linalg.norm(found, axis=0), own[:, : found.shape[1]], 1e-9)
    np.testing.assert_allclose(sigma, summary(out)["conditions"][0]["eigenvalues"][1: len(sigma) + 1], rtol=0, atol=1e-12)


def test_changing_data_is_the_distance_between_representations(of_method, out):
    a, b, vectors, found, sigma = of_method("changing-data")
    conjugates = []
    for name, values, condition in zip("AB", (a, b), summary(out)["conditions"]):
        weights = reference.regularized(reference.weights(values, "association"), "association")
        own = vectors[f"U_{name}"] * np.sqrt(weights.sum(axis=1))[:, None]
        own /= np.linalg.norm(own, axis=0)
        conjugates.append((own * condition["eigenvalues"]) @ own.T)
    distance = np.linalg.norm(conjugates[0] - conjugates[1], axis=1)
    np.testing.assert_allclose(found[:, 0] * sigma[0], distance, rtol=0, atol=1e-8)


def test_single_precision_is_the_same_to_its_digits(pair, out):
    run_ok(*pair, "-o", out, "--precision", "single", "--kernel", "self-tuning", "--bandwidth-neighbors", "8", "--tolerance", "1e-5", *QUICK)
    assert_definitions({path.stem: np.load(path) for path in pair}, out, "self-tuning", 1e-4)


def test_groups_of_the_threshold_are_the_large_entries_by_sign(pair, out):
    run_ok(*pair, "-o", out, "--grouping", "threshold", "--vectors", "1", "--kernel", "self-tuning", "--eigenvectors", "4", *QUICK)
    for name in "AB":
        vector = arrays(out)[f"V_{name}"][:, 0]
        sizes = np.arange(1, len(vector) + 1)
        size = sizes[-np.sort(-np.abs(vector)) > 0.5 / np.sqrt(sizes)].max()
        sides = [np.flatnonzero(sign * vector > 0.5 / np.sqrt(size)) for sign in (1, -1)]
        assert groups(out)[name] == {frozenset(f"f{j + 1}" for j in side) for side in sides if len(side) >= 3}


def test_as_many_groups_as_are_asked_for(pair, out):
    run_ok(*pair, "-o", out, "--grouping", "kmeans", "--drop-largest", "no", "--groups", "3", *QUICK)
    members = [row["feature"] for row in table(out / "groups.tsv") if row["condition"] == "A"]
    assert len(groups(out)["A"]) == 3 and sorted(members) == sorted(f"f{j}" for j in range(1, 57))


def test_equal_conditions_have_no_nan(pair, tmp_path, out):
    run_ok(pair[0], save(tmp_path, "C", np.load(pair[0])[::-1].copy()), "-o", out)  # the same samples in another order
    assert len({condition["name"] for condition in summary(out)["conditions"]}) == 2
    assert_no_nan(out)


def test_features_that_nothing_is_connected_to_are_reported(tmp_path, out):
    """The list of partners has no entry at all; the run once ended with an error when it had done everything."""
    generator = np.random.default_rng(0)
    files = {name: [] for name in "AB"}
    for number in range(40):
        files["AB"[number % 2]].append(save(tmp_path, f"n{number}", generator.normal(size=(4, 6))))
    lines = [f"{path.name}\t{name}\n" for name in "AB" for path in files[name]]
    (tmp_path / "manifest.tsv").write_text("file\tcondition\n" + "".join(lines))
    run_ok("--manifest", tmp_path / "manifest.tsv", *QUICK, "-o", out)
    with np.load(out / "figure_data.npz") as figure_data:
        assert (figure_data["partners_A"] == -1).all() and figure_data["partners_A"].shape == (6, 1)


def test_three_conditions(tmp_path, out):
    a, b = two_conditions()
    c = two_conditions(seed=1)[0]
    files = [save(tmp_path, name, x) for name, x in zip("ABC", (a, b, c))]
    run_ok(*files, "-o", out, *QUICK)
    assert [condition["name"] for condition in summary(out)["conditions"]] == ["A", "B", "C"]
    assert_no_nan(out)
    assert_definitions({"A": a, "B": b, "C": c}, out, "association")


def test_files_of_the_same_name_are_told_apart_by_their_folders(tmp_path, out):
    files = []
    for folder, values in zip(("ctrl", "stim"), two_conditions()):
        (tmp_path / folder).mkdir()
        files.append(save(tmp_path / folder, "X", values))
    run_ok(*files, "-o", out, *QUICK)
    assert [condition["name"] for condition in summary(out)["conditions"]] == ["ctrl_X", "stim_X"]
    assert "V_ctrl_X" in arrays(out)


def test_odd_names_of_conditions(pair, out):
    run_ok(*pair, "-o", out, "--names", "day 0/ctrl,naïve \\ β", *QUICK)
    names = [condition["name"] for condition in summary(out)["conditions"]]
    assert names == ["day 0/ctrl", "naïve \\ β"]
    assert all("V_" + condition["key"] in arrays(out) for condition in summary(out)["conditions"])


def test_samples_in_columns(pair, tmp_path):
    transposed = []
    (tmp_path / "t").mkdir()
    for path in pair:
        transposed.append(save(tmp_path / "t", path.stem, np.ascontiguousarray(np.load(path).T)))
    run_ok(*pair, "-o", tmp_path / "one", *QUICK)
    run_ok(*transposed, "-o", tmp_path / "two", "--samples-in", "columns", *QUICK)
    one, two = arrays(tmp_path / "one"), arrays(tmp_path / "two")
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_formats_give_the_same_answer(tmp_path):
    answers = []
    a, b = two_conditions()
    names = [f"f{j + 1}" for j in range(a.shape[1])]
    for kind in ("npy", "csv", "npz"):
        folder = tmp_path / kind
        folder.mkdir()
        files = [folder / f"{name}.{kind}" for name in "AB"]
        for path, values in zip(files, (a, b)):
            if kind == "csv":
                write_csv(path, values, names)
            elif kind == "npy":
                np.save(path, values)
            else:
                np.savez_compressed(path, values=values)
        run_ok(*files, "-o", folder / "out", *QUICK)
        answers.append(arrays(folder / "out"))
    for other in answers[1:]:
        assert all(np.array_equal(answers[0][name], other[name]) for name in other)


def test_strict_is_about_convergence_only(tmp_path):
    generator = np.random.default_rng(0)
    files = [save(tmp_path, name, generator.normal(size=(300, 250))) for name in "AB"]
    hopeless = ["--solver", "lanczos", "--max-restarts", "1", "--tolerance", "1e-14", "--eigenvectors", "30", *QUICK]
    assert disc("run", *files, "-o", tmp_path / "loose", *hopeless).returncode == 0
    assert summary(tmp_path / "loose")["converged"] is False
    assert summary(tmp_path / "loose")["warnings"]
    done = disc("run", *files, "-o", tmp_path / "strict", *hopeless, "--strict")
    assert done.returncode == 4 and "converge" in done.stderr
    assert {path.name for path in (tmp_path / "strict").iterdir()} == OUTPUT_FILES
    assert disc("run", *files, "-o", tmp_path / "fine", "--solver", "lapack", "--strict", *QUICK).returncode == 0


@pytest.mark.parametrize("kernel", ["self-tuning", "association"])
def test_all_others_as_neighbors_are_the_dense_form(kernel, tmp_path):
    """Bound: 1e-10, of two ways to the same weights and solvers that stop at 1e-13."""
    assert disc("simulate", "both", "-o", tmp_path, "--samples", "300", "--seed", "2").returncode == 0
    words = (tmp_path / "A.npy", tmp_path / "B.npy", "--kernel", kernel, "--eigenvectors", "10", "--vectors", "5", "--grouping",
             "threshold", "--tolerance", "1e-13", *QUICK)
    features = np.load(tmp_path / "A.npy").shape[1]
    run_ok(*words, "-o", tmp_path / "dense", "--graph", "dense")
    run_ok(*words, "-o", tmp_path / "sparse", "--graph", "knn", "--knn", features - 1, "--knn-search", "exact")
    for dense, sparse in zip(summary(tmp_path / "dense")["conditions"], summary(tmp_path / "sparse")["conditions"], strict=True):
        np.testing.assert_allclose(sparse["sigma"], dense["sigma"], rtol=0, atol=1e-10)
        np.testing.assert_allclose(sparse["eigenvalues"], dense["eigenvalues"], rtol=0, atol=1e-10)
