"""disc calibrate: p-values on random halves of the user's own data."""

import numpy as np
from program import disc, refused

HEADER = "condition\thalves\tsamples_a\tsamples_b\tp\tgroups\tlargest_group"


def table(folder):
    lines = (folder / "calibration.tsv").read_text().splitlines()
    assert lines[0] == HEADER
    return [line.split("\t") for line in lines[1:]]


def calibrate(*words):
    done = disc("calibrate", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_halves_of_one_file_show_nothing(tmp_path):
    values = np.random.default_rng(1).standard_normal((120, 30))
    values[:, :8] += np.random.default_rng(2).standard_normal((120, 1))  # in both halves
    np.save(tmp_path / "data.npy", values)
    said = calibrate(tmp_path / "data.npy", "--repeats", 8, "--permutations", 19, "-o", tmp_path / "out")
    assert "in accord with p-values that hold" in said
    rows = table(tmp_path / "out")
    assert len(rows) == 8 and all(row[2:4] == ["60", "60"] for row in rows)
    assert all(float(row[4]) >= 0.05 for row in rows)
    page = (tmp_path / "out" / "calibration.html").read_text()
    assert page.count("<circle") == 8 and "<script" not in page


def test_halves_hold_whole_units(tmp_path):
    """Samples of a donor are nearly alike: with donors as units the halves hold whole donors, and little is found."""
    random = np.random.default_rng(3)
    donors = np.repeat([f"d{k}" for k in range(10)], 12)
    values = np.repeat(random.standard_normal((10, 25)), 12, axis=0) + 0.3 * random.standard_normal((120, 25))
    np.save(tmp_path / "data.npy", values)
    lines = ["sample\tdonor", *(f"s{i + 1}\t{donor}" for i, donor in enumerate(donors))]
    (tmp_path / "samples.tsv").write_text("\n".join(lines) + "\n")
    calibrate(tmp_path / "data.npy", "--metadata", tmp_path / "samples.tsv", "--unit", "donor", "--repeats", 6, "--permutations", 19,
              "-o", tmp_path / "out")
    rows = table(tmp_path / "out")
    assert all(int(row[2]) == 60 for row in rows)  # five donors, whole
    assert sum(float(row[4]) <= 0.05 for row in rows) <= 2
    assert "donor" in (tmp_path / "out" / "calibration.html").read_text()


def test_hostile_names_stay_text(tmp_path):
    values = np.random.default_rng(4).standard_normal((40, 10))
    name = tmp_path / "<b onload=x>.npy"
    np.save(name, values)
    calibrate(f"{tmp_path}/<b onload=x>.npy", "--repeats", 2, "--permutations", 19, "-o", tmp_path / "out")
    assert "<b onload" not in (tmp_path / "out" / "calibration.html").read_text()


def test_too_few_permutations_or_units_are_refused(tmp_path):
    np.save(tmp_path / "data.npy", np.random.default_rng(5).standard_normal((3, 10)))
    assert "must be at least 19" in refused(2, "calibrate", tmp_path / "data.npy", "--permutations", 5)
    assert "random halves need at least 4" in refused(3, "calibrate", tmp_path / "data.npy")
