"""Mistakes that everybody makes once are seen before the work begins, and each message names its remedy."""
import shutil

import numpy as np
import pytest

from program import disc, refused, run_ok, summary, two_conditions, write_csv

QUICK = ["--permutations", "0", "--bootstraps", "0"]


@pytest.fixture
def tables(tmp_path):
    return [write_csv(tmp_path / f"{name}.csv", values) for name, values in zip("AB", two_conditions(samples=60))]


def warnings(out):
    return " ".join(summary(out)["warnings"])


def test_the_same_file_twice_is_refused(tables, tmp_path, out):
    refused(3, "run", tables[0], tables[0], "-o", out, says=["hold the same data", "listed twice"], out=out)
    shutil.copy(tables[0], tmp_path / "copy.csv")
    refused(3, "run", tables[0], tmp_path / "copy.csv", "-o", out, says="hold the same data", out=out)


def barcodes(count):
    random = np.random.default_rng(0)
    return ["".join(random.choice(list("ACGT"), 12)) + "-1" for _ in range(count)]


def test_a_transposed_table_is_refused_with_the_way_out(tmp_path, out):
    files = []
    for name, values in zip("AB", two_conditions(samples=60)):
        genes = [f"ENSG{j:011d}" for j in range(values.shape[1])]
        files.append(write_csv(tmp_path / f"{name}.csv", values.T, features=barcodes(60), samples=genes))
    refused(3, "run", *files, "-o", out, says=["look exchanged", "--samples-in columns"], out=out)
    run_ok(*files, "--samples-in", "columns", *QUICK, "-o", out)


def test_the_same_names_of_many_samples_and_few_features_are_pointed_at(tmp_path, out):
    random = np.random.default_rng(0)
    files = [write_csv(tmp_path / f"{name}.csv", random.normal(size=(200, 20)), features=[f"AAAC{j}-1" for j in range(20)],
                       samples=[f"GENE{i}" for i in range(200)]) for name in "AB"]
    run_ok(*files, *QUICK, "-o", out)
    assert "all conditions have the same 200 samples" in warnings(out) and "--samples-in columns" in warnings(out)


def test_names_that_differ_in_case_only_are_named(tmp_path, out):
    a, b = two_conditions(samples=40)
    names = [f"gene{j}" for j in range(a.shape[1])]
    files = [write_csv(tmp_path / "A.csv", a, names), write_csv(tmp_path / "B.csv", b, [name.upper() for name in names])]
    refused(3, "run", *files, "-o", out, says=["differ in case only", "'gene0'", "'GENE0'"], out=out)


def test_few_common_features_are_a_warning(tmp_path, out):
    a, b = two_conditions(samples=40)
    names = [f"gene{j}" for j in range(a.shape[1])]
    other = [name if j % 2 else f"x{j}" for j, name in enumerate(names)]
    run_ok(write_csv(tmp_path / "A.csv", a, names), write_csv(tmp_path / "B.csv", b, other), *QUICK, "-o", out)
    assert "are common to 'A'" in warnings(out)


def test_gene_sets_that_match_nothing_are_refused(tables, tmp_path, out):
    sets = tmp_path / "sets.gmt"
    sets.write_text("ONE\t\tTP53\tMYC\tEGFR\nTWO\t\tSTAT1\tIRF7\tISG15\n")
    refused(3, "run", *tables, "--genesets", sets, "-o", out, says=["sets.gmt", "0 of the 6 members", "'TP53'"], out=out)


def test_gene_sets_of_another_species_are_recognized(tmp_path, out):
    a, b = two_conditions(samples=40)
    names = [f"Gene{j}" for j in range(a.shape[1])]
    files = [write_csv(tmp_path / f"{name}.csv", values, names) for name, values in (("A", a), ("B", b))]
    sets = tmp_path / "sets.gmt"
    sets.write_text("ONE\t\t" + "\t".join(name.upper() for name in names) + "\n")
    refused(3, "run", *files, "--genesets", sets, "-o", out, says=["capital letters", "species"], out=out)


def test_four_samples_against_sixty_are_a_warning(tmp_path, out):
    a, b = two_conditions(samples=60)
    run_ok(write_csv(tmp_path / "A.csv", a[:4]), write_csv(tmp_path / "B.csv", b), *QUICK, "-o", out)
    assert "condition A has only 4 samples, B has 60" in warnings(out)


def test_a_level_that_no_permutation_can_reach_is_a_warning(tables, out):
    run_ok(*tables, "--permutations", "10", "--bootstraps", "0", "-o", out)
    assert "with --permutations 10 no p-value can be below 9 %" in warnings(out) and "at least 19 are needed" in warnings(out)
    run_ok(*tables, "--permutations", "19", "--bootstraps", "0", "-o", out)
    assert "no p-value can be below" not in warnings(out)


def test_files_of_a_condition_in_different_units_are_a_warning(tmp_path, out):
    a, b = two_conditions(samples=60)
    files = [write_csv(tmp_path / "a1.csv", a[:30]), write_csv(tmp_path / "a2.csv", a[30:] * 1000),
             write_csv(tmp_path / "b1.csv", b[:30]), write_csv(tmp_path / "b2.csv", b[30:])]
    run_ok("--condition", f"A={files[0]},{files[1]}", "--condition", f"B={files[2]},{files[3]}", *QUICK, "-o", out)
    assert "the files of condition A seem to be in different units" in warnings(out)
    assert "the files of condition B" not in warnings(out)


def counts(scale):
    random = np.random.default_rng(0)
    rates = random.gamma(0.3, scale, size=(1, 40)) * random.gamma(4, 0.25, size=(80, 1))
    return random.poisson(rates * 3)


def test_dense_counts_are_normalized_like_sparse_ones(tmp_path):
    """The result depends on the data, not on how they are stored."""
    scipy = pytest.importorskip("scipy.sparse")
    anndata = pytest.importorskip("anndata")
    results = {}
    for kind, stored in (("dense", np.asarray), ("sparse", scipy.csr_matrix)):
        files = []
        for name, scale in (("A", 1.0), ("B", 1.5)):
            values = counts(scale)
            assert (values == 0).mean() > 0.5 and values.max() >= 10
            data = anndata.AnnData(stored(values.astype(np.float32)))
            data.var_names = [f"g{j}" for j in range(values.shape[1])]
            data.write_h5ad(tmp_path / f"{kind}{name}.h5ad")
            files.append(tmp_path / f"{kind}{name}.h5ad")
        run_ok(*files, "--names", "A,B", *QUICK, "-o", tmp_path / kind)
        results[kind] = summary(tmp_path / kind)["settings"]["used"]["normalize"]
    assert results == {"dense": "log-cpm", "sparse": "log-cpm"}
    first, second = (np.load(tmp_path / kind / "vectors.npz") for kind in results)
    for name in first.files:
        if first[name].dtype.kind == "f":
            np.testing.assert_allclose(np.abs(first[name]), np.abs(second[name]), atol=1e-6)


def test_enrichment_of_an_earlier_run_does_not_stay(tables, tmp_path, out):
    sets = tmp_path / "s.gmt"
    sets.write_text("SETX\t\t" + "\t".join(f"gene{j + 1}" for j in range(33, 44)) + "\n")
    run_ok(*tables, "--genesets", sets, *QUICK, "-o", out)
    assert (out / "enrichment.tsv").exists()
    run_ok(*tables, *QUICK, "-o", out)
    assert not (out / "enrichment.tsv").exists()
    assert disc("report", out).returncode == 0
    assert (out / "summary.json").exists() and (out / "groups.tsv").exists()


@pytest.mark.parametrize("words, code, says", [
    (["run", "A.csv,B.csv"], 3, ["A.csv,B.csv: there is no such file; several files are separated by blanks"]),
    (["run", "A.csv B.csv"], 3, ["several files are separated by blanks"]),
    (["run", "A.csv"], 2, ["two or more are needed", "disc inspect A.csv lists its labels"]),
    (["run", "https://example.org/A.csv", "B.csv"], 3, ["this is an address", "download it first"]),
    (["run", "done", "B.csv"], 3, ["done: holds the results of a run", "disc replicate"]),
    (["run", "A.csv", "B.csv", "--normalize", "log-cpm"], 3, ["log-cpm needs counts", "need no --normalize"]),
    (["run", "A.csv", "B.csv", "--seed", "abc"], 2, ["--seed: abc: must be a whole number from 0 to"]),
    (["run", "A.csv", "B.csv", "--threads", "-1"], 2, ["--threads: -1: must be a whole number from 0 to 1024"]),
    (["run", "A.csv", "B.csv", "--genesets", "sets.csv"], 3, ["a set is a name, a description and its members, separated by tabs"]),
    (["run", "--condition", "A=W1.csv,W2.csv", "--condition", "B=W3.csv,W4.csv", "--kernel", "precomputed"], 3,
     ["precomputed weights must be square", "matrices of several subjects must be averaged"]),
    (["compare", "done", "A.csv"], 3, ["A.csv: is no folder; the one that disc run wrote is needed"]),
    (["explore", "done/report.html"], 3, ["is no folder; the one that disc run wrote is needed"]),
    (["project", "A.csv", "done", "-o", "scores.tsv"], 3, ["it must be the folder of a run"]),
])
def test_further_mistakes_end_in_a_sentence_with_the_remedy(tables, tmp_path, words, code, says):
    for name in ("groups.tsv", "summary.json", "report.html"):
        (tmp_path / "done").mkdir(exist_ok=True)
        (tmp_path / "done" / name).write_text("{}")
    (tmp_path / "sets.csv").write_text("first,f1,f2,f3\n")
    for seed in range(1, 5):
        write_csv(tmp_path / f"W{seed}.csv", np.corrcoef(np.random.default_rng(seed).normal(size=(8, 40))))
    result = disc(*words, cwd=tmp_path)
    assert result.returncode == code and result.stderr.count("disc: ") >= 1, result
    assert all(part in result.stderr for part in says), result.stderr
    assert not (tmp_path / "disc-out").exists() and not (tmp_path / "scores.tsv").exists()
