"""Files written by the programs that users have are read to equal values: `disc convert` against anndata, scipy, h5py and numpy."""

import gzip
import os
import pathlib
import struct

import numpy as np
import pytest
import scipy.io
import scipy.sparse

from program import ROOT, disc, refused, run_ok, summary, write_csv

h5py = pytest.importorskip("h5py", reason="h5py is not installed")

DATA = pathlib.Path(os.environ.get("DISC_DATA", ROOT.parent / "shared" / "data"))
TYPES = ["f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"]


def read(path, *words):
    """What disc makes of a file: a matrix (dense or sparse), and its names and labels."""
    out = path.parent / "converted.npz"
    done = disc("convert", path, "-o", out, *words)
    assert done.returncode == 0, done.stderr
    with np.load(out, allow_pickle=False) as archive:
        parts = {name: archive[name] for name in archive.files}
    parts["matrix"] = parts["X"] if "X" in parts else scipy.sparse.load_npz(out)
    return parts


def values(parts):
    matrix = parts["matrix"]
    return matrix.toarray() if scipy.sparse.issparse(matrix) else matrix


def random_matrix(generator, dtype, density=0.5, smallest=1):
    shape = generator.integers(smallest, 12, size=2)
    limit = 100 if np.dtype(dtype).kind != "f" else 1e6
    numbers = generator.uniform(0 if np.dtype(dtype).kind == "u" else -limit, limit, size=shape)
    return (numbers * (generator.uniform(size=shape) < density)).astype(dtype)


def refused_to_read(path, says, *words, code=3):
    refused(code, "inspect", path, *words, says=says)


# ---- anndata ----


@pytest.fixture(scope="module")
def anndata():
    return pytest.importorskip("anndata", reason="anndata is not installed")


def as_form(matrix, form):
    return {"dense": np.asarray, "csr": scipy.sparse.csr_matrix, "csc": scipy.sparse.csc_matrix}[form](matrix)


@pytest.mark.parametrize("form", ["dense", "csr", "csc"])
def test_anndata_in_all_forms(tmp_path, anndata, form):
    import pandas as pd

    generator = np.random.default_rng(7)
    for number, dtype in enumerate(TYPES[:6]):
        matrix = random_matrix(generator, dtype, smallest=2)
        rows, cols = matrix.shape
        cells, genes = [f"cell {i} é" for i in range(rows)], [f"gene{j}" for j in range(cols)]
        kinds = generator.choice(["b", "a", "ü"], rows)
        obs = pd.DataFrame(
            {"kind": pd.Categorical(kinds), "name": kinds, "count": np.arange(rows), "flag": np.arange(rows) % 2 == 0,
             "depth": generator.normal(size=rows)}, index=cells)
        obs.loc[cells[0], "kind"] = None
        data = anndata.AnnData(as_form(matrix, form), obs=obs, var=pd.DataFrame(index=genes), dtype=dtype)
        data.layers["twice"] = as_form(matrix * 2, form)
        data.write_h5ad(tmp_path / "x.h5ad", compression=[None, "gzip"][number % 2])
        parts = read(tmp_path / "x.h5ad")
        assert (form == "dense") == ("X" in parts)
        np.testing.assert_array_equal(values(parts), matrix)
        np.testing.assert_array_equal(values(read(tmp_path / "x.h5ad", "--layer", "twice")), matrix * 2)
        assert list(parts["features"]) == genes and list(parts["samples"]) == cells
        assert list(parts["label_kind"]) == [""] + list(kinds[1:])
        assert list(parts["label_name"]) == list(kinds)
        assert list(parts["label_count"]) == [str(i) for i in range(rows)]
        assert list(parts["label_flag"]) == [str(i % 2 == 0) for i in range(rows)]
        np.testing.assert_array_equal(parts["label_depth"].astype(float), obs["depth"])


def test_anndata_raw_and_repeated_names(tmp_path, anndata):
    import pandas as pd

    matrix = np.arange(12.0).reshape(3, 4)
    genes = ["A", "B", "A", "A"]
    data = anndata.AnnData(matrix, var=pd.DataFrame({"gene_ids": list("wxyz")}, index=genes), dtype="f4")
    data.raw = data
    data = data[:, [1]].copy()
    data.write_h5ad(tmp_path / "x.h5ad")
    np.testing.assert_array_equal(values(read(tmp_path / "x.h5ad")), matrix[:, [1]])
    raw = read(tmp_path / "x.h5ad", "--layer", "raw")
    np.testing.assert_array_equal(values(raw), matrix)
    unique = pd.Index(genes)
    assert list(raw["features"]) == list(anndata.utils.make_index_unique(unique))
    assert list(read(tmp_path / "x.h5ad", "--layer", "raw", "--feature-names", "gene_ids")["features"]) == list("wxyz")


def test_old_anndata_with_records(tmp_path):
    matrix = np.arange(6.0).reshape(2, 3)
    with h5py.File(tmp_path / "x.h5ad", "w") as file:
        file["X"] = matrix
        file["obs"] = np.array([(b"c1", 1, 0.5), (b"c2", 0, 1.5)], dtype=[("index", "S2"), ("kind", "i1"), ("depth", "f4")])
        file["var"] = np.array([(b"g1",), (b"g2",), (b"g3",)], dtype=[("index", "S2")])
        file["uns/kind_categories"] = np.array([b"ctrl", b"stim"])
    parts = read(tmp_path / "x.h5ad")
    np.testing.assert_array_equal(values(parts), matrix)
    assert list(parts["samples"]) == ["c1", "c2"] and list(parts["features"]) == ["g1", "g2", "g3"]
    assert list(parts["label_kind"]) == ["stim", "ctrl"] and list(parts["label_depth"]) == ["0.5", "1.5"]


def test_old_anndata_with_categories_elsewhere(tmp_path):
    with h5py.File(tmp_path / "x.h5ad", "w") as file:
        sparse = file.create_group("X")
        sparse.attrs["h5sparse_format"] = "csr"
        sparse.attrs["h5sparse_shape"] = [2, 3]
        sparse["data"], sparse["indices"], sparse["indptr"] = [1.0, 2.0], [2, 0], [0, 1, 2]
        file["obs/_index"] = ["c1", "c2"]
        file["obs/__categories/kind"] = ["ctrl", "stim"]
        file["obs/kind"] = np.array([1, -1], dtype="i1")
        file["obs/kind"].attrs["categories"] = file["obs/__categories/kind"].ref
        file["obs"].attrs["column-order"] = ["kind"]
        file["var/_index"] = ["g1", "g2", "g3"]
    parts = read(tmp_path / "x.h5ad")
    np.testing.assert_array_equal(values(parts), [[0, 0, 1], [2, 0, 0]])
    assert list(parts["label_kind"]) == ["stim", ""]


# ---- HDF5 ----


@pytest.mark.parametrize("dtype", TYPES + [">f8", ">i4", "f2", "?"])
def test_hdf5_of_all_types(tmp_path, dtype):
    generator = np.random.default_rng(3)
    for options in [{}, {"chunks": True}, {"compression": "gzip", "shuffle": True}, {"fletcher32": True, "chunks": True}]:
        matrix = random_matrix(generator, "f4" if dtype == "f2" else dtype).astype(dtype)
        matrix = np.nan_to_num(matrix, posinf=1, neginf=-1)
        with h5py.File(tmp_path / "x.h5", "w") as file:
            file.create_dataset("some/where", data=matrix, **options)
        np.testing.assert_array_equal(values(read(tmp_path / "x.h5")), matrix.astype(float))


def write_h5ad(path, **changes):
    """A small sparse h5ad in which anything can be replaced."""
    parts = {"X/data": [1.0, 2.0], "X/indices": [2, 0], "X/indptr": [0, 1, 2], "obs/_index": ["c1", "c2"],
             "var/_index": ["g1", "g2", "g3"], "shape": [2, 3]}
    parts.update(changes)
    with h5py.File(path, "w") as file:
        shape = parts.pop("shape")
        for name, content in parts.items():
            if callable(content):
                content(file, name)
            else:
                file[name] = content
        file["X"].attrs["encoding-type"] = "csr_matrix"
        file["X"].attrs["shape"] = shape
    return path


@pytest.mark.parametrize("changes, says", [
    ({"X/indices": [2, 3]}, "the index 3 is not a whole number from 0 to 2"),
    ({"X/indices": [2, -1]}, "the index -1 is not"),
    ({"X/indices": [2.5, 1.0]}, "whole numbers are needed"),
    ({"X/indptr": [0, 9, 2]}, "'indptr' decreases"),
    ({"X/indptr": [0, 2]}, "'indptr' has 2 values, 3 are needed"),
    ({"shape": [2, 2**62]}, "the size is probably damaged"),
    ({"shape": [-2, 3]}, "negative"),
    ({"obs/_index": ["c1"]}, "'obs' holds 1 values; the matrix needs 2"),
    ({"X/data": lambda file, name: file.create_dataset(name, shape=(10**12,), chunks=(10,), dtype="f8")},
     "the shape claims 1000000000000 values"),
    ({"X/data": lambda file, name: file.__setitem__(name, h5py.ExternalLink("other.h5", "/x"))},
     "is a link to another file, which is not followed"),
    ({"X/data": lambda file, name: file.__setitem__(name, h5py.SoftLink("/X/data"))}, "cannot be opened"),
])
def test_h5ad_that_does_not_hold_together(tmp_path, changes, says):
    refused_to_read(write_h5ad(tmp_path / "x.h5ad", **changes), [str(tmp_path / "x.h5ad"), says])


def test_unknown_compression_is_named(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file.create_dataset("X", data=np.ones((50, 50)), compression="lzf")
    refused_to_read(tmp_path / "x.h5", ["lzf", "gzip"])


@pytest.mark.parametrize("ending", [".h5ad", ".h5", ".mat", ".h5ad.gz"])
def test_truncated_files(tmp_path, ending):
    write_h5ad(tmp_path / "whole.h5ad")
    whole = (tmp_path / "whole.h5ad").read_bytes()
    if ending == ".mat":
        scipy.io.savemat(tmp_path / "whole.mat", {"X": np.ones((20, 20))})
        whole = (tmp_path / "whole.mat").read_bytes()
    if ending.endswith(".gz"):
        whole = gzip.compress(whole)
    bad = tmp_path / f"bad{ending}"
    bad.write_bytes(whole[: len(whole) // 2])
    refused_to_read(bad, [f"bad{ending}", "truncated"])


# ---- MATLAB ----


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
def test_matlab_version_5(tmp_path, dtype, compress):
    generator = np.random.default_rng(5)
    for form in [np.asarray, scipy.sparse.csc_matrix]:
        matrix = random_matrix(generator, dtype)
        if form is not np.asarray:
            matrix = matrix.astype("f8")  # the only sparse type of MATLAB
        scipy.io.savemat(tmp_path / "x.mat", {"X": form(matrix), "title": "words", "cell": np.array([1, "a"], dtype=object)},
                         do_compression=compress)
        parts = read(tmp_path / "x.mat", "--variable", "X")
        assert ("X" in parts) == (form is np.asarray)
        np.testing.assert_array_equal(values(parts), matrix)
        np.testing.assert_array_equal(values(read(tmp_path / "x.mat", "--variable", "X", "--samples-in", "columns")), matrix.T)


def test_matlab_cube_and_complex(tmp_path):
    cube = np.arange(24.0).reshape(2, 3, 4)
    scipy.io.savemat(tmp_path / "x.mat", {"cube": cube, "wave": np.array([[1 + 2j]])})
    parts = read(tmp_path / "x.mat", "--variable", "cube", "--axes", "feature,feature,sample")
    np.testing.assert_array_equal(values(parts), cube.reshape(6, 4).T)
    assert list(parts["features"][:4]) == ["r1c1", "r1c2", "r1c3", "r2c1"]
    refused_to_read(tmp_path / "x.mat", "complex", "--variable", "wave")
    refused_to_read(tmp_path / "x.mat", "3 dimensions", "--variable", "cube")


def test_matlab_version_73(tmp_path):
    path = tmp_path / "x.mat"
    matrix = np.arange(6.0).reshape(2, 3)
    with h5py.File(path, "w", userblock_size=512) as file:
        file["X"] = matrix.T
        file["X"].attrs["MATLAB_class"] = np.bytes_("double")
        file["wave"] = np.array([[1 + 2j]])
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM")
    np.testing.assert_array_equal(values(read(path, "--variable", "X")), matrix)
    refused_to_read(path, "complex", "--variable", "wave")


# ---- IDX and 10x ----


def test_idx_images_with_labels(tmp_path):
    images = np.random.default_rng(1).integers(0, 256, size=(7, 3, 2)).astype("u1")
    labels = np.arange(7, dtype="u1") % 3
    header = struct.pack(">BBBBIII", 0, 0, 8, 3, *images.shape)
    (tmp_path / "a-images-idx3-ubyte.gz").write_bytes(gzip.compress(header + images.tobytes()))
    (tmp_path / "a-labels-idx1-ubyte").write_bytes(struct.pack(">BBBBI", 0, 0, 8, 1, 7) + labels.tobytes())
    parts = read(tmp_path / "a-images-idx3-ubyte.gz")
    np.testing.assert_array_equal(values(parts), images.reshape(7, 6))
    assert list(parts["label_label"]) == [str(label) for label in labels]


def test_10x_folder_and_h5_agree(tmp_path):
    generator = np.random.default_rng(2)
    counts = scipy.sparse.csc_matrix(generator.poisson(0.5, size=(20, 9)))
    genes, cells = [f"G{j // 2}" for j in range(20)], [f"CELL{i}-1" for i in range(9)]
    folder = tmp_path / "ctrl"
    folder.mkdir()
    with gzip.open(folder / "matrix.mtx.gz", "wb") as file:
        scipy.io.mmwrite(file, counts)
    with gzip.open(folder / "features.tsv.gz", "wt") as file:
        file.writelines(f"ENS{j}\t{name}\tGene Expression\n" for j, name in enumerate(genes))
    with gzip.open(folder / "barcodes.tsv.gz", "wt") as file:
        file.writelines(cell + "\n" for cell in cells)
    with h5py.File(tmp_path / "ctrl.h5", "w") as file:
        file["matrix/data"], file["matrix/indices"], file["matrix/indptr"] = counts.data, counts.indices, counts.indptr
        file["matrix/shape"] = counts.shape
        file["matrix/barcodes"] = np.array(cells, dtype="S")
        file["matrix/features/id"] = np.array([f"ENS{j}" for j in range(20)], dtype="S")
        file["matrix/features/name"] = np.array(genes, dtype="S")
    for path in [folder, tmp_path / "ctrl.h5"]:
        parts = read(path)
        np.testing.assert_array_equal(values(parts), counts.toarray().T)
        assert list(parts["samples"]) == cells
        assert list(parts["features"][:4]) == ["G0", "G0-1", "G1", "G1-1"]
        assert list(read(path, "--feature-names", "id")["features"]) == [f"ENS{j}" for j in range(20)]


def test_converted_files_are_read_again(tmp_path):
    write_h5ad(tmp_path / "x.h5ad", **{"obs/kind": ["a", "b"]})
    first = read(tmp_path / "x.h5ad")
    os.rename(tmp_path / "converted.npz", tmp_path / "first.npz")
    second = read(tmp_path / "first.npz")
    assert first.keys() == second.keys()
    for name in first.keys() - {"matrix"}:
        np.testing.assert_array_equal(first[name], second[name])


def test_convert_writes_npz_only(tmp_path):
    write_h5ad(tmp_path / "x.h5ad")
    refused(2, "convert", tmp_path / "x.h5ad", "-o", tmp_path / "x.csv", says=["--output", "x.csv", ".npz"])
    assert not (tmp_path / "x.csv").exists()


# ---- Precomputed similarities ----


def similarities(seed):
    return np.corrcoef(np.random.default_rng(seed).normal(size=(12, 40)))


def test_named_similarities_with_negative_values(tmp_path):
    names = [f"region{j}" for j in range(12)]
    order = np.random.default_rng(3).permutation(12)  # features are matched by name
    a, b = similarities(0), similarities(1)
    shuffled = write_csv(tmp_path / "b.csv", b[np.ix_(order, order)], [names[j] for j in order], [names[j] for j in order])
    files = [write_csv(tmp_path / "a.csv", a, names, names), shuffled]
    words = ["--kernel", "precomputed", "--groups", "2"]
    refused(3, "run", *files, *words, "-o", tmp_path / "no", says=["a.csv", "negative", "--negative-weights"], out=tmp_path / "no")
    run_ok(*files, *words, "--negative-weights", "zero", "-o", tmp_path / "flag")
    clipped = [write_csv(tmp_path / f"{name}0.csv", np.maximum(values, 0), names, names) for name, values in [("a", a), ("b", b)]]
    run_ok(*clipped, *words, "--names", "a,b", "-o", tmp_path / "by hand")
    assert (tmp_path / "flag" / "groups.tsv").read_text() == (tmp_path / "by hand" / "groups.tsv").read_text()


def test_similarities_whose_rows_and_columns_differ(tmp_path):
    names = [f"region{j}" for j in range(12)]
    bad = write_csv(tmp_path / "bad.csv", np.abs(similarities(0)), names, names[::-1])
    good = write_csv(tmp_path / "good.csv", np.abs(similarities(1)), names, names)
    refused(3, "run", good, bad, "--kernel", "precomputed", "-o", tmp_path / "no", says=["bad.csv", "same order"])


# ---- Real files ----


def real(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path


def real_parts(name, tmp_path, *words):
    out = tmp_path / "converted.npz"
    done = disc("convert", real(name), "-o", out, *words)
    assert done.returncode == 0, done.stderr
    parts = dict(np.load(out, allow_pickle=False))
    parts["matrix"] = parts["X"] if "X" in parts else scipy.sparse.load_npz(out)
    return parts


def assert_same(one, other):
    assert (one["matrix"] != other["matrix"]).nnz == 0
    assert list(one["features"]) == list(other["features"])


@pytest.mark.parametrize("folder, file", [
    ("1.2.0/filtered_gene_bc_matrices/hg19_chr21", "1.2.0/filtered_gene_bc_matrices_h5.h5"),
    ("3.0.0/filtered_feature_bc_matrix", "3.0.0/filtered_feature_bc_matrix.h5")])
def test_cell_ranger_samples_agree(tmp_path, folder, file):
    samples = "scrna/format-samples/scanpy_10x_data/"
    one, other = real_parts(samples + folder, tmp_path), real_parts(samples + file, tmp_path)
    assert_same(one, other)
    assert list(one["samples"]) == list(other["samples"])


def test_three_forms_of_the_kang_data_agree(tmp_path):
    folder = "scrna/kang_harmony_10x/"
    whole = real_parts(folder + "kang_2000cells_9015genes.h5ad", tmp_path)
    for name in ["ctrl", "stim"]:
        cells = np.flatnonzero(whole["label_condition"] == name.upper())
        part = {"matrix": whole["matrix"][cells], "features": whole["features"]}
        assert_same(real_parts(folder + name, tmp_path), part)
        assert_same(real_parts(folder + f"{name}_filtered_feature_bc_matrix.h5", tmp_path), part)


def test_three_forms_of_the_kang_data_give_the_same_groups(tmp_path):
    folder = real("scrna/kang_harmony_10x")
    words = ["--normalize", "log-cpm", "--select", "variable:300", "--permutations", "0", "--bootstraps", "0"]
    forms = {"h5ad": [folder / "kang_2000cells_9015genes.h5ad", "--by", "condition"],
             "folders": [folder / "ctrl", folder / "stim", "--names", "CTRL,STIM"],
             "h5": [*(folder / f"{name}_filtered_feature_bc_matrix.h5" for name in ("ctrl", "stim")), "--names", "CTRL,STIM"]}
    for form, files in forms.items():
        run_ok(*files, *words, "-o", tmp_path / form)
    expected = summary(tmp_path / "h5ad")["conditions"]
    assert any(condition["groups"] for condition in expected)
    for form in ("folders", "h5"):
        assert (tmp_path / form / "groups.tsv").read_text() == (tmp_path / "h5ad" / "groups.tsv").read_text()
        for one, other in zip(summary(tmp_path / form)["conditions"], expected):
            np.testing.assert_allclose(one["sigma"], other["sigma"], rtol=0, atol=1e-12)


def test_jasper_ridge(tmp_path):
    name = "hyperspectral/single_cubes/jasperRidge2_R198.mat"
    parts = real_parts(name, tmp_path, "--variable", "Y")
    np.testing.assert_array_equal(parts["matrix"], scipy.io.loadmat(real(name))["Y"])
    # The cube in ENVI's form is the same scene: bands x pixels, of which MATLAB's file counts pixels down the columns.
    cube = real_parts(name.replace(".mat", ".img"), tmp_path)
    by_columns = cube["matrix"].reshape(198, 100, 100).transpose(0, 2, 1).reshape(198, 10000)
    assert round(np.mean(by_columns == parts["matrix"]), 3) == 0.992


def test_mnist(tmp_path):
    parts = real_parts("mnist/t10k-images-idx3-ubyte.gz", tmp_path)
    images = np.frombuffer(gzip.open(real("mnist/t10k-images-idx3-ubyte.gz")).read()[16:], dtype="u1")
    np.testing.assert_array_equal(parts["matrix"], images.reshape(10000, 784))
    labels = np.frombuffer(gzip.open(real("mnist/t10k-labels-idx1-ubyte.gz")).read()[8:], dtype="u1")
    np.testing.assert_array_equal(parts["label_label"].astype(int), labels)
