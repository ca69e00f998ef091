"""Places of samples that an h5ad file brings along are drawn; they take no part in anything else."""
import anndata
import numpy as np
import pandas as pd
import pytest

from program import disc, run_ok, table, two_conditions

QUICK = ["--permutations", "0", "--bootstraps", "0"]


def written(path, umap):
    values = np.vstack(two_conditions(samples=40))
    samples = len(values)
    obs = pd.DataFrame({"condition": ["A", "B"] * 20 + ["A", "B"] * 20}, index=[f"cell{i}" for i in range(samples)])
    data = anndata.AnnData(values, obs=obs)
    data.obsm["X_pca"] = np.zeros((samples, 5))
    if umap is not None:
        data.obsm["X_umap"] = umap(samples)
    data.write_h5ad(path)
    return path


def test_places_stay_with_their_samples(tmp_path, out):
    path = written(tmp_path / "data.h5ad", lambda samples: np.column_stack([np.arange(samples), -np.arange(samples) / 8, np.zeros(samples)]))
    run_ok(path, "--by", "condition", *QUICK, "-q", "-o", out)
    rows = table(out / "samples.tsv")
    assert [name for name in rows[0] if name.startswith("label_X")] == ["label_X_umap 1", "label_X_umap 2"]
    for row in rows:
        number = int(row["sample"].removeprefix("cell"))
        assert float(row["label_X_umap 1"]) == number and float(row["label_X_umap 2"]) == -number / 8


def test_they_change_no_result(tmp_path):
    outputs = []
    for name, umap in {"with": lambda samples: np.ones((samples, 2)), "without": None}.items():
        run_ok(written(tmp_path / f"{name}.h5ad", umap), "--by", "condition", *QUICK, "-q", "-o", tmp_path / name)
        outputs.append([(tmp_path / name / file).read_bytes() for file in ("groups.tsv", "features.tsv", "vectors.npz")])
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("umap", [lambda samples: np.zeros((samples, 1)), lambda samples: np.full((samples, 2), np.nan)])
def test_odd_places_do_no_harm(tmp_path, out, umap):
    run_ok(written(tmp_path / "data.h5ad", umap), "--by", "condition", *QUICK, "-q", "-o", out)
    assert all(row.get("label_X_umap 1", "") == "" for row in table(out / "samples.tsv"))
    assert disc("report", out).returncode == 0
