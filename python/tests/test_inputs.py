"""What may be passed as data, what becomes of it, and what is refused."""
import pickle

import disc_features as disc
import numpy as np
import pytest
import scipy.sparse
from conftest import GROUP, make_conditions


def same(one, other):
    assert one._files["groups.tsv"] == other._files["groups.tsv"]
    for name in one.conditions:
        np.testing.assert_allclose(one.sigma[name], other.sigma[name], rtol=1e-12)


@pytest.mark.parametrize("layout", [
    np.asfortranarray,
    lambda x: np.repeat(np.repeat(x, 2, axis=0), 3, axis=1)[::2, ::3],  # a view with gaps
    lambda x: x[::-1, ::-1].copy()[::-1, ::-1],  # negative strides
    lambda x: x.astype(">f8"),
    lambda x: x.astype(object),
    lambda x: x.tolist(),
    lambda x: np.ma.masked_array(x, mask=np.zeros_like(x, dtype=bool)),
    lambda x: np.frombuffer(b"\0" + x.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(x.shape),  # unaligned
], ids=["fortran", "gaps", "backwards", "big-endian", "object", "lists", "masked", "unaligned"])
def test_the_layout_does_not_matter(layout, conditions, analysis, quick):
    same(disc.run({name: layout(values) for name, values in conditions.items()}, **quick), analysis)


def test_read_only_arrays_are_fine(conditions, analysis, quick):
    frozen = {name: values.copy() for name, values in conditions.items()}
    for values in frozen.values():
        values.setflags(write=False)
    same(disc.run(frozen, **quick), analysis)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.int8, np.uint16, bool, np.longdouble])
def test_other_numbers_are_converted(dtype, conditions, quick):
    scaled = {name: np.clip(np.round(values * 20 + 60), 0, 120) for name, values in conditions.items()}
    if dtype is bool:
        scaled = {name: values > 60 for name, values in scaled.items()}
    same(disc.run({name: values.astype(dtype) for name, values in scaled.items()}, **quick),
         disc.run({name: values.astype(np.float64) for name, values in scaled.items()}, **quick))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil"])
def test_sparse_matrices(form, conditions, quick):
    few = {name: np.where(np.abs(values) > 1, values, 0) for name, values in conditions.items()}
    same(disc.run({name: scipy.sparse.coo_matrix(values).asformat(form) for name, values in few.items()}, **quick),
         disc.run(few, **quick))


def test_sparse_arrays_unsorted_and_repeated(conditions, quick):
    few = {name: np.where(np.abs(values) > 1, values, 0) for name, values in conditions.items()}

    def untidy(values):
        sparse = scipy.sparse.csr_array(values)
        for begin, end in zip(sparse.indptr[:-1], sparse.indptr[1:]):
            sparse.indices[begin:end] = sparse.indices[begin:end][::-1].copy()
            sparse.data[begin:end] = sparse.data[begin:end][::-1].copy()
        return scipy.sparse.csr_array((sparse.data, sparse.indices, sparse.indptr), shape=sparse.shape)

    before = {name: untidy(values) for name, values in few.items()}
    kept = {name: values.indices.copy() for name, values in before.items()}
    same(disc.run(before, **quick), disc.run(few, **quick))
    for name, values in before.items():
        np.testing.assert_array_equal(values.indices, kept[name])  # what the user owns is left alone


@pytest.mark.parametrize("form, part", [("csc", "indices"), ("csc", "indptr"), ("csr", "indices"), ("coo", "row"), ("coo", "col")])
def test_a_sparse_matrix_that_leads_outside_is_refused(conditions, quick, form, part):
    sparse = scipy.sparse.csr_matrix(conditions["A"]).asformat(form)
    getattr(sparse, part)[1] = 10**6
    with pytest.raises(disc.InputError, match="damaged"):
        disc.run({"A": sparse, "B": conditions["B"]}, **quick)


def test_a_damaged_sparse_matrix_is_refused(conditions, quick):
    sparse = scipy.sparse.csr_matrix(conditions["A"])
    sparse.indices[0] = 10**6
    sparse.has_canonical_format = True
    with pytest.raises(disc.InputError, match="damaged"):
        disc.run({"A": sparse, "B": conditions["B"]}, **quick)


def test_data_frames_bring_names(conditions, quick):
    pandas = pytest.importorskip("pandas")
    names = [f"gene{j}" for j in range(60)]
    frames = {name: pandas.DataFrame(values, columns=names) for name, values in conditions.items()}
    frames["B"] = frames["B"][names[::-1]]  # matched by name, in any order
    found = disc.run(frames, **quick)
    assert sorted(found.groups["B"][0].features) == sorted(names[j] for j in GROUP)
    frames["A"] = frames["A"].astype(str)
    with pytest.raises(disc.InputError, match="is not a number|numbers are needed"):
        disc.run({**frames, "A": frames["A"].replace(frames["A"].iloc[2, 3], "n/a")}, **quick)


def test_frames_with_sparse_columns_and_missing_values(conditions, quick):
    pandas = pytest.importorskip("pandas")
    few = {name: np.where(np.abs(values) > 1, values, 0) for name, values in conditions.items()}
    frames = {name: pandas.DataFrame(values).astype(pandas.SparseDtype(float, 0.0)) for name, values in few.items()}
    same(disc.run(frames, **quick), disc.run(few, **quick))
    gaps = pandas.DataFrame(conditions["A"]).astype("Float64")
    gaps.iloc[0, 0] = pandas.NA
    with pytest.raises(disc.InputError, match="NaN at sample 's1'"):
        disc.run({"A": gaps, "B": conditions["B"]}, **quick)


def test_names_of_features(conditions, quick):
    names = [f"n{j}" for j in range(60)]
    assert set(disc.run(conditions, features=names, **quick).groups["B"][0].features) == {names[j] for j in GROUP}
    with pytest.raises(disc.InputError, match="59 names for 60 features"):
        disc.run(conditions, features=names[1:], **quick)
    with pytest.raises(disc.InputError, match="n1"):
        disc.run(conditions, features=["n1", *names[1:]], **quick)


@pytest.mark.parametrize("bad, sentence", [
    (np.float64(3.0), r"shape \(\)"),
    (np.zeros(5), r"shape \(5,\)"),
    (np.zeros((2, 3, 4)), r"shape \(2, 3, 4\)"),
    ([[1.0, 2.0], [3.0]], "different lengths|two dimensions"),
    (np.array([["a", "b"], ["c", "d"]]), "numbers are needed"),
    (np.array([[1, "x"], [2, 3]], dtype=object), "'x' is not a number"),
    (np.zeros((4, 60), dtype=complex), "complex"),
    (np.zeros((4, 60), dtype="datetime64[s]"), "datetime"),
    (None, r"shape \(\)"),
], ids=["0-d", "1-d", "3-d", "ragged", "text", "object", "complex", "dates", "None"])
def test_what_is_no_table_is_refused(bad, sentence, conditions):
    with pytest.raises(disc.InputError, match=sentence):
        disc.run({"A": bad, "B": conditions["B"]})


@pytest.mark.parametrize("shape", [(0, 60), (1, 60), (120, 0), (120, 3)])
def test_too_little_is_refused(shape, conditions):
    with pytest.raises(disc.InputError):
        disc.run({"A": np.zeros(shape), "B": conditions["B"][:, :shape[1]]})


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite(value, conditions, quick):
    holed = {**conditions, "A": conditions["A"].copy()}
    holed["A"][3, 4] = value
    with pytest.raises(disc.InputError, match=r"sample 's4' \(row 4\), feature 'f5'"):
        disc.run(holed, **quick)
    found = disc.run(holed, missing="drop-features", **quick)
    assert list(found.excluded) == ["f5"] and len(found.features) == 59


def test_shapes_that_do_not_match(conditions):
    with pytest.raises(disc.InputError, match="60"):
        disc.run({"A": conditions["A"], "B": conditions["B"][:, :50]})


@pytest.mark.parametrize("bad", [{}, {"A": np.zeros((3, 5))}, np.zeros((3, 5)), 5, "file.csv"])
def test_conditions_must_be_several(bad):
    with pytest.raises(disc.InputError):
        disc.run(bad)


def test_errors_can_be_pickled():
    error = disc.InputError("a.csv:3: bad", file="a.csv", line=3)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.file, again.line) == ("a.csv:3: bad", "a.csv", 3)


def test_names_of_conditions_in_lists(conditions, quick):
    values = list(conditions.values())
    assert disc.run(values, **quick).conditions == ["A", "B"]
    assert disc.run(values, names=["x", "y"], **quick).conditions == ["x", "y"]
    with pytest.raises(disc.OptionError, match="names='x': must name every condition"):
        disc.run(values, names=["x"], **quick)


def test_strange_names_survive(quick, tmp_path):
    conditions = make_conditions()
    features = ["tab\there", 'quote"d', "ünïcode", "comma,", " "] + [f"g{j}" for j in range(55)]
    found = disc.run({"a/b": conditions["A"], "new\nline": conditions["B"]}, features=features, **quick)
    assert found.conditions == ["a/b", "new\nline"]
    assert len(found.groups["new\nline"][0]) == len(GROUP)
    assert found.weights("new\nline", "groups").sum() > 0
    found.save(tmp_path)
    assert disc.Analysis.load(tmp_path).groups["new\nline"][0].features == found.groups["new\nline"][0].features
    found.to_frame("features")


def written_by_pandas(frame, path):
    pytest.importorskip("pyarrow")
    getattr(frame, {"parquet": "to_parquet", "feather": "to_feather"}[path.suffix[1:]])(path)


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_columnar_files_are_read_by_pandas(conditions, quick, tmp_path, suffix):
    pandas = pytest.importorskip("pandas")
    files = []
    for name, values in conditions.items():
        files.append(tmp_path / f"{name}.{suffix}")
        written_by_pandas(pandas.DataFrame(values, columns=[f"f{j + 1}" for j in range(values.shape[1])]), files[-1])
    assert groups_of(disc.run(files, **quick)) == groups_of(disc.run(conditions, **quick))


def groups_of(found):
    return {name: [(group.features, group.p) for group in groups] for name, groups in found.groups.items()}


def test_columnar_files_need_a_library(tmp_path, monkeypatch):
    from disc_features import _inputs

    path = tmp_path / "data.parquet"
    path.write_bytes(b"PAR1 and so on")
    monkeypatch.setattr(_inputs.importlib, "import_module", lambda name: (_ for _ in ()).throw(ImportError(name)))
    with pytest.raises(disc.InputError, match="needs pandas and pyarrow"):
        disc.run([path, path])


@pytest.mark.parametrize("zipped", [False, True])
def test_zarr_is_read_by_anndata(adata, quick, tmp_path, zipped):
    zarr = pytest.importorskip("zarr")
    path = tmp_path / ("data.zarr.zip" if zipped else "data.zarr")
    if zipped:
        with zarr.storage.ZipStore(path, mode="w") as store:
            adata.write_zarr(store)
    else:
        adata.write_zarr(path)
    assert groups_of(disc.run(path, by="condition", **quick)) == groups_of(disc.run(adata, by="condition", **quick))


def test_damaged_zarr_is_named(tmp_path):
    pytest.importorskip("zarr")
    pytest.importorskip("anndata")
    (tmp_path / "data.zarr").mkdir()
    (tmp_path / "data.zarr" / "zarr.json").write_text("{}")
    with pytest.raises(disc.InputError, match="data.zarr"):
        disc.run(tmp_path / "data.zarr", by="condition")


def test_the_only_table_of_spatial_data_is_read(adata, quick, tmp_path):
    zarr = pytest.importorskip("zarr")
    anndata = pytest.importorskip("anndata")
    for tables in (["cells"], ["cells", "spots"]):
        path = tmp_path / f"{len(tables)}.zarr"
        group = zarr.open_group(str(path), mode="w")
        for name in tables:
            anndata.io.write_elem(group.require_group("tables"), name, adata)
        if len(tables) == 1:
            assert groups_of(disc.run(path, by="condition", **quick)) == groups_of(disc.run(adata, by="condition", **quick))
        else:
            with pytest.raises(disc.InputError, match="holds the tables cells, spots"):
                disc.run(path, by="condition", **quick)


def test_a_store_that_holds_no_anndata_is_named(tmp_path):
    zarr = pytest.importorskip("zarr")
    pytest.importorskip("anndata")
    zarr.open_group(str(tmp_path / "x.zarr"), mode="w").create_group("images")
    with pytest.raises(disc.InputError, match="without X"):
        disc.run(tmp_path / "x.zarr", by="condition")
