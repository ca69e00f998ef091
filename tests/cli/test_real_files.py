"""Files written by the libraries that people use are read to the values that went in, or refused with a way out."""
import json

import numpy as np
import pytest

from program import disc, refused, run_ok, summary, two_conditions

QUICK = ["--permutations", "0", "--bootstraps", "0"]


def read(path, tmp_path, *flags):
    """What disc convert makes of a file."""
    target = tmp_path / "read.npz"
    done = disc("convert", path, "-o", target, *flags)
    assert done.returncode == 0, done.stderr
    with np.load(target) as archive:
        return {name: archive[name] for name in archive.files}


# ---- Excel ----

openpyxl = pytest.importorskip("openpyxl")


def workbook(path, rows, sheet="Sheet", at=(1, 1), more=()):
    book = openpyxl.Workbook()
    book.active.title = sheet
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            if value is not None:
                book.active.cell(row=at[0] + i, column=at[1] + j, value=value)
    for name, content in more:
        other = book.create_sheet(name)
        for row in content:
            other.append(row)
    book.save(path)
    return path


def test_xlsx_is_read(tmp_path):
    values = np.random.default_rng(0).normal(size=(6, 4))
    rows = [["sample", "g<1>", "g & 2", "g\"3\"", "ä4"]] + [[f"s{i}", *map(float, row)] for i, row in enumerate(values)]
    found = read(workbook(tmp_path / "a.xlsx", rows), tmp_path)
    np.testing.assert_allclose(found["X"], values, rtol=1e-14)  # openpyxl writes 16 digits
    assert list(found["features"]) == ["g<1>", "g & 2", "g\"3\"", "ä4"]
    assert list(found["samples"]) == [f"s{i}" for i in range(6)]


def test_xlsx_with_conditions_gaps_and_missing_values(tmp_path):
    rows = [["group", "x", "y", "z"], ["a", 1, 2.5, None], ["a", True, 3, 4], ["b", 5, "NA", -1e-7], ["b", 7, 8, 9]]
    found = read(workbook(tmp_path / "a.xlsx", rows, at=(3, 2)), tmp_path)
    assert list(found["label_group"]) == ["a", "a", "b", "b"]
    np.testing.assert_array_equal(found["X"], [[1, 2.5, np.nan], [1, 3, 4], [5, np.nan, -1e-7], [7, 8, 9]])


def test_a_sheet_of_an_xlsx_can_be_chosen(tmp_path):
    path = workbook(tmp_path / "a.xlsx", [["a", "b"], [1, 2], [3, 4]], more=[("second", [["c", "d"], [5, 6], [7, 8]])])
    np.testing.assert_array_equal(read(path, tmp_path, "--variable", "second")["X"], [[5, 6], [7, 8]])
    refused(3, "inspect", path, "--variable", "third", says=["no sheet 'third'", "Sheet, second"])


def test_words_among_the_numbers_of_an_xlsx_are_placed(tmp_path):
    path = workbook(tmp_path / "a.xlsx", [["a", "b"], [1, 2], [3, "oops"], [5, 6]])
    refused(3, "inspect", path, says=["a.xlsx:3:2", "'oops' is not a number"])


def test_an_empty_xlsx_is_refused(tmp_path):
    refused(3, "inspect", workbook(tmp_path / "a.xlsx", []), says="the sheet is empty")


def test_a_run_on_xlsx(tmp_path, out):
    for name, values in zip("AB", two_conditions(samples=40)):
        workbook(tmp_path / f"{name}.xlsx", [[f"g{j}" for j in range(values.shape[1])]] + [list(map(float, row)) for row in values])
    run_ok(tmp_path / "A.xlsx", tmp_path / "B.xlsx", *QUICK, "-o", out)
    assert [condition["samples"] for condition in summary(out)["conditions"]] == [40, 40]


# ---- loom ----


def test_loom_is_read_as_loom(tmp_path):
    loompy = pytest.importorskip("loompy")
    genes_by_cells = np.random.default_rng(0).poisson(2.0, size=(7, 5)).astype(float)
    path = tmp_path / "real.loom"
    loompy.create(str(path), {"": genes_by_cells, "spliced": genes_by_cells + 1},
                  {"Gene": np.array([f"g{j}" for j in range(7)]), "Accession": np.array([f"ENSG{j}" for j in range(7)])},
                  {"CellID": np.array([f"cell{i}" for i in range(5)]), "type": np.array(list("aabbb")), "age": np.arange(5)})
    found = read(path, tmp_path)
    np.testing.assert_array_equal(found["X"], genes_by_cells.T)
    assert list(found["features"]) == [f"g{j}" for j in range(7)] and list(found["samples"]) == [f"cell{i}" for i in range(5)]
    assert list(found["label_type"]) == list("aabbb") and list(found["label_age"]) == list("01234")
    np.testing.assert_array_equal(read(path, tmp_path, "--layer", "spliced")["X"], genes_by_cells.T + 1)
    assert list(read(path, tmp_path, "--feature-names", "Accession")["features"])[0] == "ENSG0"
    refused(3, "inspect", path, "--layer", "other", says=["no layer 'other'", "matrix, spliced"])
    assert json.loads(disc("inspect", path, "--json").stdout)["format"] == "loom"


# ---- NIfTI ----

nibabel = pytest.importorskip("nibabel")
SHAPE = (4, 5, 3)
AFFINE = np.array([[-2.0, 0, 0, 90], [0, 2, 0, -126], [0, 0, 2, -72], [0, 0, 0, 1]])


def scan(path, kind=None, affine=AFFINE, times=6):
    values = np.random.default_rng(0).normal(size=(*SHAPE, times)).astype(np.float32)
    (kind or nibabel.Nifti1Image)(values, affine).to_filename(path)
    return path, values


def parcels():
    return np.random.default_rng(1).integers(0, 4, size=SHAPE).astype(np.int16)


def means(values, labels):
    return np.stack([values[labels == k].mean(axis=0) for k in (1, 2, 3)], axis=1)


@pytest.mark.parametrize("kind", ["Nifti1Image", "Nifti2Image"])
def test_images_of_nibabel_are_read(tmp_path, kind):
    path, values = scan(tmp_path / "scan.nii.gz", getattr(nibabel, kind))
    np.testing.assert_array_equal(read(path, tmp_path)["X"], values.reshape(-1, values.shape[3], order="F").T)


@pytest.mark.parametrize("orientation", ["LAS", "RAS", "PIR", "SAL"])
def test_an_atlas_in_another_orientation_is_put_in_place(tmp_path, orientation):
    path, values = scan(tmp_path / "scan.nii")
    labels = parcels()
    atlas = nibabel.Nifti1Image(labels, AFFINE)
    turned = atlas.as_reoriented(nibabel.orientations.ornt_transform(nibabel.io_orientation(AFFINE),
                                                                     nibabel.orientations.axcodes2ornt(orientation)))
    turned.to_filename(tmp_path / "atlas.nii")
    found = read(path, tmp_path, "--atlas", tmp_path / "atlas.nii")
    np.testing.assert_allclose(found["X"], means(values, labels), atol=1e-5)
    assert list(found["features"]) == ["1", "2", "3"]


def test_an_atlas_of_other_voxels_gives_each_voxel_the_parcel_at_its_place(tmp_path):
    path, values = scan(tmp_path / "scan.nii")
    labels = parcels()
    finer = np.kron(labels, np.ones((2, 2, 2), np.int16))
    affine = AFFINE @ np.array([[0.5, 0, 0, -0.25], [0, 0.5, 0, -0.25], [0, 0, 0.5, -0.25], [0, 0, 0, 1]])
    nibabel.Nifti2Image(finer, affine).to_filename(tmp_path / "atlas.nii")
    found = read(path, tmp_path, "--atlas", tmp_path / "atlas.nii")
    np.testing.assert_allclose(found["X"], means(values, labels), atol=1e-5)


def test_the_place_may_be_a_quaternion(tmp_path):
    path, values = scan(tmp_path / "scan.nii")
    labels = parcels()
    atlas = nibabel.Nifti1Image(np.flip(labels, axis=0), AFFINE @ np.array([[-1, 0, 0, SHAPE[0] - 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]))
    atlas.header.set_qform(atlas.affine, code=1)
    atlas.header.set_sform(None, code=0)
    atlas.to_filename(tmp_path / "atlas.nii")
    np.testing.assert_allclose(read(path, tmp_path, "--atlas", tmp_path / "atlas.nii")["X"], means(values, labels), atol=1e-5)


def test_a_resampled_atlas_is_told(tmp_path, out):
    files = []
    for name, seed in (("A", 0), ("B", 1)):
        values = np.random.default_rng(seed).normal(size=(*SHAPE, 30)).astype(np.float32)
        nibabel.Nifti1Image(values, AFFINE).to_filename(tmp_path / f"{name}.nii")
        files.append(tmp_path / f"{name}.nii")
    labels = np.arange(1, 61, dtype=np.int16).reshape(SHAPE) % 8 + 1
    turned = AFFINE @ np.array([[-1, 0, 0, SHAPE[0] - 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    nibabel.Nifti1Image(labels, turned).to_filename(tmp_path / "atlas.nii")
    done = run_ok(*files, "--atlas", tmp_path / "atlas.nii", *QUICK, "-o", out)
    assert "lie at other places" in done.stdout


def test_an_atlas_elsewhere_is_refused(tmp_path):
    path, _ = scan(tmp_path / "scan.nii")
    far = AFFINE.copy()
    far[:3, 3] += 1000
    nibabel.Nifti1Image(parcels(), far).to_filename(tmp_path / "atlas.nii")
    refused(3, "inspect", path, "--atlas", tmp_path / "atlas.nii", says="no parcels where")


# ---- What is not read ----


def test_a_zarr_store_is_refused_with_the_way_out(tmp_path):
    anndata = pytest.importorskip("anndata")
    pytest.importorskip("zarr")
    anndata.AnnData(np.eye(4, dtype=np.float32)).write_zarr(tmp_path / "real.zarr")
    refused(3, "inspect", tmp_path / "real.zarr", says=["zarr store", "write_h5ad"])


def test_a_zipped_zarr_store_is_refused_with_the_way_out(tmp_path):
    zarr = pytest.importorskip("zarr")
    store = zarr.ZipStore(str(tmp_path / "real.zarr.zip"), mode="w")
    zarr.group(store=store).create_dataset("X", data=np.eye(4))
    store.close()
    refused(3, "inspect", tmp_path / "real.zarr.zip", says=["zarr store", "write_h5ad"])


@pytest.mark.parametrize("name, content, says", [
    ("a.rds", b"X\n\0\0\0\3\0\4\3\1", "write.csv"),
    ("a.RData", b"RDX3\nX\n\0\0\0\3", "write.csv"),
    ("a.rds", b"\x42\x5a\x68\x39\0\0" * 5, "write.csv"),
    ("a.parquet", b"PAR1\x15\x04\x15\0\0", "pandas.read_parquet"),
    ("a.feather", b"ARROW1\0\0\x78", "pandas.read_parquet"),
    ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "save it as .xlsx or .csv"),
    ("a.pkl", b"\x80\x04\x95\x10\0\0", "numpy.save"),
])
def test_files_of_other_programs_are_named_with_the_way_out(tmp_path, name, content, says):
    (tmp_path / name).write_bytes(content)
    refused(3, "inspect", tmp_path / name, says=[name, says])


def test_a_wrong_extension_does_no_harm(tmp_path):
    (tmp_path / "a.rds").write_text("x,y\n1,2\n3,4\n")
    assert disc("inspect", tmp_path / "a.rds").returncode == 0
