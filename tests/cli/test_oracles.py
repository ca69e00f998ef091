"""Steps that other programs do, too, are held against theirs: scikit-learn, scipy, pandas."""

import numpy as np
import pandas
import pytest
from scipy.stats import hypergeom
from sklearn.cluster import KMeans

from program import arrays, disc, groups, run_ok, summary, table

QUICK = ["--permutations", "0", "--bootstraps", "0", "-q"]


def spread(points, labels):
    """What k-means makes small: squared distances from the means of the clusters."""
    return sum(((points[labels == label] - points[labels == label].mean(axis=0)) ** 2).sum() for label in np.unique(labels))


@pytest.mark.parametrize("count", [2, 3, 5])
def test_no_clusters_of_scikit_learn_are_tighter(pair, out, count):
    run_ok(*pair, "--grouping", "kmeans", "--groups", count, "--drop-largest", "no", "--min-group-size", "1", "--vectors", "4", *QUICK, "-o", out)
    for condition in summary(out)["conditions"]:
        points = arrays(out)[f"V_{condition['name']}"][:, : condition["leading_vectors"]]
        labels = np.full(len(points), -1)
        for label, members in enumerate(groups(out)[condition["name"]]):
            labels[[int(name[1:]) - 1 for name in members]] = label
        assert (labels >= 0).all() and len(np.unique(labels)) == count
        theirs = KMeans(count, n_init=20, random_state=0).fit(points).inertia_
        assert spread(points, labels) <= theirs * (1 + 1e-9)


def test_sets_have_the_p_of_scipy_and_the_q_of_all_of_them(pair, out, tmp_path):
    generator = np.random.default_rng(2)
    features = [f"f{j + 1}" for j in range(56)]
    sets = {f"S{k}": sorted(generator.choice(features, size, replace=False)) for k, size in enumerate([3, 5, 9, 14, 20, 30, 50])}
    sets["planted"] = features[32:40]
    lines = "".join(f"{name}\tsome\t" + "\t".join(members) + "\n" for name, members in sets.items())
    (tmp_path / "sets.gmt").write_text(lines)
    run_ok(*pair, "--genesets", tmp_path / "sets.gmt", "--permutations", "99", "--bootstraps", "0", "-q", "-o", out)
    members = {}
    for row in table(out / "groups.tsv"):
        members.setdefault((row["condition"], row["group"]), set()).add(row["feature"])
    expected = {}
    for group, inside in members.items():
        for name, chosen in sets.items():
            shared = len(inside & set(chosen))
            expected[(*group, name)] = hypergeom.sf(shared - 1, len(features), len(chosen), len(inside))
    order = sorted(expected, key=expected.get)
    q, last = {}, 1.0
    for rank in range(len(order), 0, -1):
        last = min(last, expected[order[rank - 1]] * len(order) / rank)
        q[order[rank - 1]] = last
    rows = table(out / "enrichment.tsv")
    assert any(row["set"] == "planted" and float(row["q"]) < 0.01 for row in rows)
    for row in rows:
        key = (row["condition"], row["group"], row["set"])
        assert float(row["p"]) == pytest.approx(expected[key], rel=1e-5)
        assert float(row["q"]) == pytest.approx(q[key], rel=1e-5)


def odd_cell(generator):
    """A number as people write them."""
    value = generator.normal() * 10.0 ** generator.integers(-12, 12)
    forms = [repr(float(value)), f"{value:.6e}", f"{value:.3f}", f"{value:+.10g}", f"{value:.4E}", str(int(np.clip(value, -1e9, 1e9))), f'"{value:.8g}"']
    return forms[generator.integers(len(forms))]


@pytest.mark.parametrize("seed", range(12))
def test_text_is_read_as_pandas_reads_it(tmp_path, seed):
    generator = np.random.default_rng(seed)
    rows, columns = int(generator.integers(1, 9)), int(generator.integers(2, 9))
    separator = ",;\t"[seed % 3]
    names = [f"n{j}" if generator.random() < 0.7 else f'"n {j}{separator}x"' for j in range(columns)]
    missing = ["NA", "NaN", "nan"][seed % 3]
    cells = [[missing if generator.random() < 0.1 else odd_cell(generator) for _ in range(columns)] for _ in range(rows)]
    with_rows = seed % 2 == 0
    lines = [separator.join((["id"] if with_rows else []) + names)]
    lines += [separator.join(([f"r{i}"] if with_rows else []) + row) for i, row in enumerate(cells)]
    ends = ["\n", "\r\n"][seed % 2]
    file = tmp_path / ("t.tsv" if separator == "\t" else "t.csv")
    file.write_bytes((ends.join(lines) + ends).encode())
    theirs = pandas.read_csv(file, sep=separator, index_col=0 if with_rows else None, float_precision="round_trip")
    done = disc("convert", file, "-o", tmp_path / "t.npz")
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "t.npz") as ours:
        assert list(ours["features"]) == list(theirs.columns)
        np.testing.assert_array_equal(ours["X"], theirs.to_numpy(dtype=float))
        if with_rows:
            assert list(ours["samples"]) == list(theirs.index)
