"""The package and the program give the same numbers for the same options."""
import json

import disc_features as disc
import numpy as np
import pytest

# What a run says about itself and not about the data.
OF_THE_PROCESS = ("timings", "date", "peak_memory_bytes", "inputs", "settings")

GRID = [
    {},
    {"seed": 7},
    {"threads": 1},
    {"distance": "spearman", "association_cut": "hard"},
    {"preset": "paper-code", "bandwidth_neighbors": 5, "eigenvectors": 4},
    {"preset": "paper-text", "vectors": 3, "groups": 2, "drop_largest": False},
    {"kernel": "rbf", "bandwidth": 2.5, "solver": "lanczos"},
    {"method": "generalized", "grouping": "kmeans"},
    {"grouping": "threshold", "threshold_size": 12},
    {"precision": "single"},
    {"contrast": "B vs A"},
    {"level": 0.5, "min_group_size": 4},
]


def flags(options):
    for keyword, value in options.items():
        yield "--" + keyword.replace("_", "-")
        yield {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@pytest.fixture(scope="module")
def files(conditions, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for name, values in conditions.items():
        np.save(folder / f"{name}.npy", values)
    return [folder / f"{name}.npy" for name in conditions]


@pytest.mark.parametrize("options", GRID, ids=lambda options: "-".join(options) or "defaults")
def test_same_numbers(options, conditions, files, program, tmp_path):
    options = {"permutations": 19, "bootstraps": 5, **options}
    done = program("run", *files, "-o", tmp_path / "out", "--quiet", *flags(options))
    assert done.returncode == 0, done.stderr
    disc.run(conditions, progress=False, **options).save(tmp_path / "saved")
    for name in ("groups.tsv", "features.tsv"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "saved" / name).read_bytes()
    with np.load(tmp_path / "out" / "vectors.npz") as ours, np.load(tmp_path / "saved" / "vectors.npz") as theirs:
        assert ours.files == theirs.files
        for name in ours.files:
            np.testing.assert_array_equal(ours[name], theirs[name])
    written, saved = (json.loads((tmp_path / folder / "summary.json").read_text()) for folder in ("out", "saved"))
    assert written["settings"]["used"] == saved["settings"]["used"]
    for field in written.keys() - set(OF_THE_PROCESS):
        assert written[field] == saved[field], field


def test_reading_files_is_the_same_as_arrays(conditions, files, quick):
    from_files, from_arrays = disc.run(files, **quick), disc.run(conditions, **quick)
    assert from_files.conditions == ["A", "B"]
    assert from_files._files["groups.tsv"] == from_arrays._files["groups.tsv"]
    assert [entry["file"] for entry in from_files.summary["inputs"]] == [str(file) for file in files]


def test_a_folder_of_the_program_can_be_loaded(files, program, tmp_path):
    assert program("run", *files, "-o", tmp_path, "-q", "--permutations", 19, "--bootstraps", 0).returncode == 0
    loaded = disc.Analysis.load(tmp_path)
    assert loaded.conditions == ["A", "B"] and len(loaded.groups["B"]) == 1


def test_same_sentences(conditions, files, program, tmp_path):
    done = program("run", *files, "-o", tmp_path / "out", "--bandwidth-neighbors", 0)
    assert done.returncode == 2
    with pytest.raises(disc.OptionError) as raised:
        disc.run(conditions, bandwidth_neighbors=0)
    # The option is called as a keyword here; the rest is the same.
    assert done.stderr.strip().split(": ", 2)[2] == str(raised.value).split(": ", 1)[1]
    assert str(raised.value).startswith("bandwidth_neighbors") and raised.value.option == "bandwidth-neighbors"
    done = program("run", tmp_path / "none.npy", files[1], "-o", tmp_path / "out")
    assert done.returncode == 3
    with pytest.raises(disc.InputError) as raised:
        disc.run([tmp_path / "none.npy", files[1]])
    assert done.stderr.strip().endswith(str(raised.value))
    assert raised.value.file == str(tmp_path / "none.npy")
