"""GeoTIFF scenes: every way to keep the same values gives the same dataset, maps lie where the scene lies, and sizes are not believed."""

import json

import numpy as np
import pytest
from program import disc, run_ok
from tiff import PLACE, read_tiff, tiff_bytes

SCENE = np.arange(4 * 5 * 7).reshape(4, 5, 7) % 97


def read(path, content, *words):
    """Bands x pixels, and what inspect says."""
    path.write_bytes(content)
    done = disc("convert", path, "-o", path.with_suffix(".npz"), *words)
    assert done.returncode == 0, done.stderr
    with np.load(path.with_suffix(".npz")) as archive:
        return archive["X"], list(archive["features"]), list(archive["samples"])


@pytest.mark.parametrize("kind", ["u1", "i1", "u2", "i2", "u4", "i4", "f2", "f4", "f8", "u8"])
@pytest.mark.parametrize("layout", [{}, {"planar": True}, {"tile": (16, 16)}, {"tile": (16, 16), "planar": True, "deflated": True, "order": ">"},
                                    {"big": True, "order": ">"}, {"deflated": True, "big": True}])
def test_every_layout_gives_the_same_values(kind, layout, tmp_path):
    values, features, samples = read(tmp_path / "scene.tif", tiff_bytes(SCENE.astype(kind), **layout))
    np.testing.assert_array_equal(values, SCENE.reshape(4, -1))
    assert features[:2] == ["r1c1", "r1c2"] and features[-1] == "r5c7" and samples == [f"band {b}" for b in range(1, 5)]


def test_pages_of_one_band_each_are_a_scene(tmp_path):
    small = np.zeros((1, 2, 3), "u2")
    content = tiff_bytes([*(SCENE[[b]].astype("u2") for b in range(4)), small])
    values, _, samples = read(tmp_path / "stack.tif", content)
    np.testing.assert_array_equal(values, SCENE.reshape(4, -1))
    assert samples == [f"band {b}" for b in range(1, 5)]
    assert "unlike the first are skipped: 1" in disc("inspect", tmp_path / "stack.tif").stdout


def test_no_data_is_missing_and_alpha_is_no_band(tmp_path):
    values, _, _ = read(tmp_path / "a.tif", tiff_bytes(SCENE.astype("i2"), tags={42113: (2, b"7\0")}))
    np.testing.assert_array_equal(np.isnan(values), SCENE.reshape(4, -1) == 7)
    assert f"{(SCENE == 7).sum()} values are 7" in disc("inspect", tmp_path / "a.tif").stdout
    for planar in (False, True):
        values, _, _ = read(tmp_path / "b.tif", tiff_bytes(SCENE.astype("u1"), planar=planar, tags={338: (3, [0, 0, 2])}))
        np.testing.assert_array_equal(values, SCENE[:3].reshape(3, -1))


def test_tiles_that_were_not_written_are_empty(tmp_path):
    scene = np.arange(1, 2 * 20 * 40 + 1).reshape(2, 20, 40).astype("u2")
    expected = scene.copy()
    expected[:, :16, 16:32] = 0
    for tags in ({}, {42113: (2, b"0\0")}):
        values, _, _ = read(tmp_path / "a.tif", tiff_bytes(scene, tile=(16, 16), sparse=[1], tags=tags))
        np.testing.assert_array_equal(np.nan_to_num(values), expected.reshape(2, -1))
        assert np.isnan(values).sum() == (2 * 16 * 16 if tags else 0)


def test_bands_have_the_names_that_gdal_wrote(tmp_path):
    items = "".join(f'<Item name="DESCRIPTION" sample="{b}" role="description">B{b + 2}</Item>' for b in range(4))
    _, _, samples = read(tmp_path / "a.tif", tiff_bytes(SCENE.astype("u1"), tags={42112: (2, f"<GDALMetadata>{items}</GDALMetadata>\0".encode())}))
    assert samples == ["B2", "B3", "B4", "B5"]


@pytest.mark.parametrize("change, says", [({258: (3, [12])}, "12 bits"), ({339: (3, [5])}, "sample format 5"), ({259: (3, [7])}, "COMPRESS=DEFLATE"),
                                          ({262: (3, [3]), 320: (3, [0] * 768)}, "palette"), ({277: (3, [0])}, ""),
                                          ({322: (4, [2**31]), 323: (4, [2**31])}, ""), ({256: (4, [10**9]), 257: (4, [10**9])}, "")])
def test_what_is_not_read_is_said_in_a_sentence(change, says, tmp_path):
    (tmp_path / "a.tif").write_bytes(tiff_bytes(SCENE[:1].astype("u1"), tags=change))
    done = disc("inspect", tmp_path / "a.tif")
    assert done.returncode == 3 and says in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr


def test_sizes_are_not_believed(tmp_path):
    size = {256: (4, [70_000]), 257: (4, [70_000]), 278: (4, [70_000]), 273: (4, [8]), 279: (4, [20])}
    (tmp_path / "a.tif").write_bytes(tiff_bytes(SCENE[:1].astype("u1"), tags=size))
    done = disc("inspect", tmp_path / "a.tif")
    assert done.returncode == 3 and "announces 70000 lines x 70000 samples x 1 bands of 1 bytes" in done.stderr, done.stderr


def test_truncated_files_end_in_a_sentence(tmp_path):
    content = tiff_bytes(SCENE.astype("u2"), tile=(16, 16), deflated=True)
    for length in range(8, len(content) - 1, 7):
        (tmp_path / "a.tif").write_bytes(content[:length])
        done = disc("inspect", tmp_path / "a.tif")
        assert done.returncode == 3 and done.stderr.startswith("disc: ") and len(done.stderr.splitlines()) == 1, done.stderr


def two_dates(folder, side=24):
    """Two dates in 40 bands: a square of the second goes together and did not at the first."""
    random = np.random.default_rng(5)
    before, after = random.normal(size=(2, 40, side, side))
    after[:, 4:12, 6:14] += 2 * random.normal(size=(40, 1, 1))
    for name, scene in (("before", before), ("after", after)):
        (folder / f"{name}.tif").write_bytes(tiff_bytes(scene.astype("f4"), deflated=True, tags=PLACE))
    square = np.zeros((side, side), bool)
    square[4:12, 6:14] = True
    return square


def test_maps_lie_where_the_scene_lies(tmp_path):
    square = two_dates(tmp_path)
    run_ok(tmp_path / "before.tif", tmp_path / "after.tif", "-o", tmp_path / "out", "--permutations", "39", "--bootstraps", "0")
    tags, bands = read_tiff((tmp_path / "out" / "maps.tif").read_bytes())
    for tag, (_, values) in PLACE.items():
        assert tags[tag] == values
    assert bands.shape == (4, 24, 24) and tags[42113] == b"nan\0"
    for name in ("energy before", "group before", "energy after", "group after"):
        assert f">{name}<".encode() in tags[42112]
    np.testing.assert_array_equal(bands[3] == 1, square)
    rows = [line.split("\t") for line in (tmp_path / "out" / "features.tsv").read_text().splitlines()]
    energies = {row[0]: float(row[rows[0].index("energy_after")]) for row in rows[1:]}
    assert bands[2][4, 6] == np.float32(energies["r5c7"])
    # The program reads what it wrote.
    found = json.loads(disc("inspect", "--json", tmp_path / "out" / "maps.tif").stdout)
    assert found["shape"] == [24, 24] and any("EPSG:32651" in note for note in found["notes"])
    # The next run without a scene takes the map away.
    np.save(tmp_path / "x.npy", np.random.default_rng(1).normal(size=(30, 20)))
    np.save(tmp_path / "y.npy", np.random.default_rng(2).normal(size=(30, 20)))
    run_ok(tmp_path / "x.npy", tmp_path / "y.npy", "-o", tmp_path / "out", "--permutations", "19", "--bootstraps", "0")
    assert not (tmp_path / "out" / "maps.tif").exists()


def test_bands_as_features_have_no_map(tmp_path):
    two_dates(tmp_path, 16)
    run_ok(tmp_path / "before.tif", tmp_path / "after.tif", "--features-are", "bands", "-o", tmp_path / "out", "--permutations", "0", "--bootstraps", "0")
    assert not (tmp_path / "out" / "maps.tif").exists()
