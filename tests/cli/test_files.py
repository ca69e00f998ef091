"""Several files per condition, preparation and named sets, as a user meets them."""

import numpy as np
import pytest

from program import disc, refused, run_ok, summary, table, write_csv

REGIONS = 24


def write_series(path, random, coupled, level):
    """A time series of one subject: half of the regions share a signal, in some subjects."""
    values = random.normal(size=(60, REGIONS))
    if coupled:
        values[:, : REGIONS // 2] += random.normal(size=(60, 1))
    values = values * level + 100 * level + np.linspace(0, level, 60)[:, None]
    header = "\t".join(f"#{i + 1}" for i in range(REGIONS))
    path.write_text(header + "\n" + "\n".join("\t".join(f"{x:.6f}" for x in row) for row in values) + "\n")


@pytest.fixture(scope="module")
def subjects(tmp_path_factory):
    """Eight subjects per group, each with its own level and scale; the patients' first regions are coupled."""
    folder = tmp_path_factory.mktemp("subjects")
    random = np.random.default_rng(5)
    lines = ["file\tcondition\tsubject\tage"]
    for i in range(16):
        group = "patient" if i < 8 else "control"
        write_series(folder / f"{group}{i:02}.1D", random, group == "patient", 1.0 + i)
        lines.append(f"{group}{i:02}.1D\t{group}\tS{i}\t{20 + i % 5}")
    (folder / "manifest.tsv").write_text("\n".join(lines) + "\n")
    return folder


def test_files_of_a_condition_are_units(subjects, out):
    run_ok("--condition", f"patient={subjects}/patient*.1D", "--condition", f"control={subjects}/control*.1D", "-o", out)
    found = summary(out)
    assert [c["samples"] for c in found["conditions"]] == [480, 480]
    assert found["statistics"]["units"] == 16 and not found["statistics"]["samples_are_units"]
    assert found["settings"]["used"]["unit"] == "file"
    assert found["settings"]["used"]["standardize-files"] is True
    assert len(found["inputs"]) == 16
    groups = [row for row in table(out / "groups.tsv") if row["condition"] == "patient"]
    assert {row["feature"] for row in groups} == {str(i + 1) for i in range(REGIONS // 2)}


def test_a_sheet_gives_the_same_result(subjects, out, tmp_path):
    run_ok("--condition", f"patient={subjects}/patient*.1D", "--condition", f"control={subjects}/control*.1D", "-o", out)
    done = run_ok("--manifest", subjects / "manifest.tsv", "-o", tmp_path / "by_manifest")
    assert (out / "groups.tsv").read_text() == (tmp_path / "by_manifest" / "groups.tsv").read_text()
    assert "permutations of 16 units (file)" in done.stdout


def test_levels_of_files_make_no_connections(subjects, out, tmp_path):
    """Without standardizing, the levels of the subjects drown everything else."""
    run_ok("--manifest", subjects / "manifest.tsv", "--standardize-files", "no", "--permutations", 0, "-o", out)
    run_ok("--manifest", subjects / "manifest.tsv", "--detrend", "yes", "--permutations", 0, "-o", tmp_path / "detrended")
    assert summary(tmp_path / "detrended")["preparation"] == [
        {"step": step, "condition": condition, "changed": changed, "count": 8}
        for step, changed in [("detrend", "files detrended"), ("standardize-files", "files centered and scaled")]
        for condition in ["patient", "control"]
    ]
    assert summary(out)["preparation"] == []


@pytest.mark.parametrize(
    "words, code, says",
    [
        (["--condition", "A"], 2, "--condition A: must be a name"),
        (["--condition", "A=nowhere*.csv", "--condition", "B=x.csv"], 2, "no file fits the pattern 'nowhere*.csv'"),
        (["--condition", "A=absent.csv", "--condition", "B=absent.csv"], 3, "absent.csv: cannot open"),
        (["a.csv", "b.csv", "--condition", "A=x.csv"], 2, "either files, or --condition, or --manifest"),
        (["--manifest", "absent.tsv"], 3, "absent.tsv"),
        (["--condition", "A=a.csv", "--names", "x,y"], 2, "--names x,y"),
        ([], 2, "FILES"),
    ],
)
def test_wrong_ways_to_name_files(words, code, says, out):
    refused(code, "run", *words, "-o", out, says=says, out=out)


def test_preparation_is_recorded(out, tmp_path):
    random = np.random.default_rng(1)
    files = []
    for name in "AB":
        values = random.normal(size=(40, 12))
        values[3, 2] = np.nan
        files.append(write_csv(tmp_path / f"{name}.csv", values))
    (tmp_path / "list.txt").write_text("\n".join(f"gene{i}" for i in range(1, 12)) + "\nabsent\n")
    run_ok(*files, "--only-features", tmp_path / "list.txt", "--missing", "mean", "--normalize", "rank", "--select",
           "variable:10", "-o", out)
    found = summary(out)
    counts = [(step["step"], step["condition"], step["count"]) for step in found["preparation"]]
    assert counts == [("only-features", None, 1), ("only-features", None, 1), ("missing mean", "A", 1),
                      ("missing mean", "B", 1), ("select variable:10", None, 1), ("normalize rank", "A", 40),
                      ("normalize rank", "B", 40)]
    assert found["features"]["total"] == 12 and found["features"]["used"] == 10


def test_counts_give_a_hint(out, tmp_path):
    random = np.random.default_rng(2)
    files = [write_csv(tmp_path / f"{name}.csv", random.poisson(4, size=(30, 10)).astype(float)) for name in "AB"]
    assert "--normalize log-cpm" in run_ok(*files, "--permutations", 0, "-o", out).stdout


def write_cube(folder, name, random):
    """An ENVI cube of 6 x 5 pixels and 12 bands, of whole numbers."""
    (folder / f"{name}.hdr").write_text("ENVI\nsamples = 5\nlines = 6\nbands = 12\ndata type = 12\ninterleave = bsq\nbyte order = 0\n")
    (folder / f"{name}.img").write_bytes(random.integers(100, 900, size=(12, 6, 5)).astype("<u2").tobytes())
    return folder / f"{name}.img"


@pytest.mark.parametrize("features", ["pixels", "bands"])
def test_images_are_no_counts(out, tmp_path, features):
    random = np.random.default_rng(3)
    files = [write_cube(tmp_path, name, random) for name in "AB"]
    assert "log-cpm" not in run_ok(*files, "--features-are", features, "--permutations", 0, "-o", out).stdout
    assert "look like counts" not in inspected(files[0], "--features-are", features)


def test_pixels_that_were_excluded_keep_the_places_of_the_others(out, tmp_path):
    random = np.random.default_rng(4)
    files = [write_cube(tmp_path, name, random) for name in "AB"]
    run_ok(*files, "--select", "variable:20", "--permutations", 0, "-o", out)
    assert summary(out)["settings"]["used"]["shape"] == "6x5"
    used = [row["feature"] for row in table(out / "features.tsv") if row["used"] == "yes"]
    places = np.load(out / "figure_data.npz")["column"].ravel()
    assert len(used) == 20
    assert [f"r{int(place) // 5 + 1}c{int(place) % 5 + 1}" for place in places] == used
    refused(2, "run", *files, "--select", "variable:20", "--shape", "4x5", "-o", tmp_path / "no", says=["--shape 4x5", "30"])


def test_the_files_are_named_in_the_end(out, tmp_path):
    random = np.random.default_rng(5)
    files = [write_csv(tmp_path / f"{name}.csv", random.normal(size=(30, 10))) for name in "AB"]
    (tmp_path / "sets.gmt").write_text("SET\t\tgene1\tgene2\n")
    done = run_ok(*files, "--permutations", 0, "--genesets", tmp_path / "sets.gmt", "-o", out)
    named = next(line for line in done.stdout.splitlines() if line.startswith("results: "))
    assert {name for name in named.split("(")[1].rstrip(")").split(", ")} == {path.name for path in out.iterdir()} - {"report.html"}


@pytest.mark.parametrize("value", ["variable", "variable:0", "expressed:2", "some", "variable:x"])
def test_wrong_selections(value, out):
    refused(2, "run", "a.csv", "b.csv", "--select", value, "-o", out, says=f"--select {value}: must be all, variable:N")


def test_named_sets(subjects, out, tmp_path):
    sets = tmp_path / "sets.gmt"
    sets.write_text("FIRST\tthe coupled ones\t" + "\t".join(map(str, range(1, 13))) + "\nLAST\t\t20\t21\t22\tabsent\n")
    done = run_ok("--manifest", subjects / "manifest.tsv", "--genesets", sets, "-o", out)
    rows = table(out / "enrichment.tsv")
    assert [row["set"] for row in rows] == ["FIRST"]
    assert (rows[0]["shared"], rows[0]["set_size"], rows[0]["tested"]) == ("12", "12", "24")
    assert float(rows[0]["p"]) == pytest.approx(1 / 2704156)  # ways to choose 12 of 24
    assert float(rows[0]["q"]) == pytest.approx(2 / 2704156)
    group = next(c for c in summary(out)["conditions"] if c["name"] == "patient")["groups"][0]
    assert group["sets"][0]["set"] == "FIRST"
    assert "FIRST: 12 of 12" in done.stdout


def test_bad_sets_are_found_before_the_work(subjects, out, tmp_path):
    sets = tmp_path / "sets.gmt"
    sets.write_text("ONLY A NAME\n")
    refused(3, "run", "--manifest", subjects / "manifest.tsv", "--genesets", sets, "-o", out, says="sets.gmt:1", out=out)


# ---- files that are unusual, or broken ----


def inspected(path, *words):
    done = disc("inspect", path, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_mixed_line_ends_mark_and_names(tmp_path):
    file = tmp_path / "größe.csv"
    file.write_bytes("\ufeffé,日本,b\r\n1,2,3\n4,5,6\r7,8,9".encode())
    assert "samples:            3" in inspected(file)
    assert "é, 日本, b" in inspected(file)


def test_ten_million_columns_in_one_line(tmp_path):
    columns = 10_000_000
    file = tmp_path / "wide.csv"
    file.write_bytes(b"1," * (columns - 1) + b"1\n")
    assert f"features:           {columns}" in inspected(file)
    file.write_bytes(b"1," * (columns - 1) + b"1\n" + b"2,3\n")
    refused(3, "inspect", file, says=["wide.csv:2: the line has 2 cells", str(columns)])
