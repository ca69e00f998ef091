"""AnnData in, results inside it, also after it was written and read."""
import disc_features as disc
import numpy as np
import pytest
import scipy.sparse
from conftest import GROUP

anndata = pytest.importorskip("anndata")

QUICK = {"permutations": 19, "bootstraps": 5, "progress": False}


def test_results_are_written_into_the_object(adata):
    assert disc.tl.differential(adata, by="condition", **QUICK) is None
    assert list(np.flatnonzero(adata.var["disc_group_B"])) == GROUP
    assert not adata.var["disc_group_A"].any() and adata.var["disc_used"].all()
    assert adata.varm["disc_vectors_B"].shape[0] == 60
    np.testing.assert_array_equal(adata.uns["disc"]["sigma"]["B"], disc.tl.analysis(adata).sigma["B"])
    assert list(adata.uns["disc"]["conditions"]) == ["A", "B"]


def test_the_same_as_run(adata, conditions):
    disc.tl.differential(adata, by="condition", **QUICK)
    found = disc.tl.analysis(adata)
    plain = disc.run(conditions, features=list(adata.var_names), **QUICK)
    assert found._files["groups.tsv"] == plain._files["groups.tsv"]


def test_round_trip_through_a_file(adata, tmp_path):
    adata.var_names = [f"gene {j}" for j in range(60)]
    disc.tl.differential(adata, by="condition", **QUICK)
    adata.write_h5ad(tmp_path / "a.h5ad")
    again = anndata.read_h5ad(tmp_path / "a.h5ad")
    assert disc.tl.analysis(again)._files == disc.tl.analysis(adata)._files
    assert list(again.var["disc_group_B"]) == list(adata.var["disc_group_B"])
    disc.pl.weights(again)


def test_layers_sparse_and_shuffled(adata):
    dense = disc.run(adata, by="condition", **QUICK)
    other = adata[np.random.default_rng(0).permutation(adata.n_obs)].copy()
    other.layers["values"] = scipy.sparse.csr_matrix(other.X)
    other.X = np.zeros_like(other.X)
    found = disc.run(other, by="condition", layer="values", **QUICK)
    assert found.groups["B"][0].features == dense.groups["B"][0].features
    with pytest.raises(disc.InputError, match="there is no layer 'raw'; there are values"):
        disc.run(other, by="condition", layer="raw")


def test_genes_that_take_no_part(adata):
    adata.X[:, 0] = 0
    disc.tl.differential(adata, by="condition", key_added="other", **QUICK)
    assert list(adata.var["other_used"][:2]) == [False, True]
    assert np.isnan(adata.varm["other_vectors_B"][0]).all() and np.isnan(adata.var["other_energy_B"].iloc[0])


def test_copy(adata):
    changed = disc.tl.differential(adata, by="condition", copy=True, **QUICK)
    assert "disc" in changed.uns and "disc" not in adata.uns


def test_order_of_conditions_is_that_of_the_categories(adata):
    adata.obs["condition"] = adata.obs["condition"].cat.reorder_categories(["B", "A"])
    assert disc.run(adata, by="condition", **QUICK).conditions == ["B", "A"]


def test_one_object_per_condition(adata, conditions):
    parts = {name: adata[adata.obs["condition"] == name] for name in conditions}
    assert disc.run(parts, **QUICK)._files["groups.tsv"] == disc.run(adata, by="condition", **QUICK)._files["groups.tsv"]


def test_what_is_refused(adata):
    with pytest.raises(disc.InputError, match="there is no column 'treatment' in obs; there are condition, donor, depth"):
        disc.run(adata, by="treatment")
    with pytest.raises(disc.InputError, match="by is needed"):
        disc.run(adata)
    adata.obs["condition"] = adata.obs["condition"].cat.set_categories(["B"])
    with pytest.raises(disc.InputError, match="a value is missing"):
        disc.run(adata, by="condition")
    with pytest.raises(disc.InputError, match="there is no result under"):
        disc.tl.analysis(adata)


def test_meta_features_of_cells(adata):
    disc.tl.differential(adata, by="condition", **QUICK)
    disc.tl.meta_features(adata)
    np.testing.assert_allclose(adata.obs["disc_B_group1"], adata.X[:, GROUP].sum(axis=1) / np.sqrt(len(GROUP)))


def test_scanpy(adata, tmp_path):
    scanpy = pytest.importorskip("scanpy")
    adata.write_h5ad(tmp_path / "in.h5ad")
    adata = scanpy.read_h5ad(tmp_path / "in.h5ad")
    scanpy.pp.pca(adata, n_comps=5)
    disc.tl.differential(adata, by="condition", unit="donor", **QUICK)
    disc.pl.embedding(adata, "X_pca").figure.savefig(tmp_path / "a.png")
    adata.write_h5ad(tmp_path / "out.h5ad")
    assert disc.tl.analysis(scanpy.read_h5ad(tmp_path / "out.h5ad")).conditions == ["A", "B"]
