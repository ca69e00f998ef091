"""Values, names and files of extreme kinds: the right result, or one clear sentence."""

import gzip
import os
import resource
import struct
import subprocess
import time

import numpy as np
import pytest

from program import PROGRAM, disc, groups, refused, run_ok, start, summary, table, two_conditions

h5py = pytest.importorskip("h5py")

QUICK = ["--permutations", "0", "--bootstraps", "0", "-q"]


def saved(tmp_path, *arrays, names="AB"):
    for name, values in zip(names, arrays):
        np.save(tmp_path / f"{name}.npy", values)
    return [tmp_path / f"{name}.npy" for name in names[: len(arrays)]]


@pytest.mark.parametrize("method", ["diffusion-maps", "changing-data", "disc"])
def test_noise_without_any_vector_has_no_groups(tmp_path, out, method):
    generator = np.random.default_rng(0)
    files = saved(tmp_path, generator.normal(size=(40, 60)), generator.normal(size=(40, 60)))
    done = disc("run", *files, "--method", method, "--permutations", "19", "--bootstraps", "0", "-o", out)
    assert done.returncode == 0, done.stderr
    if (out / "report.html").exists():  # a build without the page makes none
        assert disc("report", out).returncode == 0
    assert groups(out) == {"A": set(), "B": set()}


def test_more_pairs_than_the_filter_has_room_for(tmp_path, out):
    generator = np.random.default_rng(0)
    files = saved(tmp_path, generator.normal(size=(300, 56)), generator.normal(size=(300, 56)))
    run_ok(*files, "--graph", "knn", "--knn", "10", "--solver", "chebyshev", "--eigenvectors", "53", "--vectors", "2", *QUICK,
           "-o", out)
    assert summary(out)["converged"]
    assert all(condition["dimensions"]["chosen"] == 53 for condition in summary(out)["conditions"])


# ---- HDF5 ---------------------------------------------------------------------------------------------------------


def compact_file(path, rows, cols, stored):
    with h5py.File(path, "w") as file:
        space = h5py.h5s.create_simple((rows, cols))
        layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        layout.set_layout(h5py.h5d.COMPACT)
        data = h5py.h5d.create(file.id, b"X", h5py.h5t.NATIVE_INT32, space, layout)
        data.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(rows * cols, dtype="i4").reshape(rows, cols))
    content = bytearray(path.read_bytes())
    at = content.find(b"\x03\x00" + struct.pack("<H", rows * cols * 4))
    assert at > 0
    content[at + 2: at + 4] = struct.pack("<H", stored)
    path.write_bytes(content)
    return path


def test_compact_dataset_is_not_read_beyond_what_is_stored(tmp_path):
    whole = compact_file(tmp_path / "whole.h5", 100, 40, 16000)
    assert disc("inspect", whole).returncode == 0
    for stored in (1, 8000, 15999):
        file = compact_file(tmp_path / f"{stored}.h5", 100, 40, stored)
        done = disc("convert", file, "-o", tmp_path / "leak.npz")
        assert done.returncode == 3, done.stderr
        assert not (tmp_path / "leak.npz").exists()


def test_shape_beyond_a_compact_dataset_is_refused(tmp_path):
    file = compact_file(tmp_path / "a.h5", 100, 40, 1)
    file.write_bytes(file.read_bytes().replace(struct.pack("<QQ", 100, 40), struct.pack("<QQ", 3000, 4000)))
    refused(3, "inspect", file, says="a.h5")


def test_groups_nested_very_deep_are_refused_soon(tmp_path):
    file = tmp_path / "deep.h5"
    with h5py.File(file, "w") as opened:
        group = opened
        for _ in range(600):
            group = group.create_group("g")
        group["X"] = np.zeros((4, 4))
    began = time.monotonic()
    refused(3, "inspect", file, says="deep")
    assert time.monotonic() - began < 5


def test_one_damaged_dataset_does_not_hide_another(tmp_path):
    file = tmp_path / "two.h5"
    with h5py.File(file, "w") as opened:
        opened["bad"] = np.arange(777.0)
        opened["good"] = np.arange(12.0).reshape(4, 3)
        place = h5py.h5o.get_info(opened["bad"].id).addr
    content = bytearray(file.read_bytes())
    content[place] = 0x7F  # the version of its header
    file.write_bytes(content)
    done = disc("inspect", file)
    assert done.returncode == 0, done.stderr
    assert "3" in done.stdout and "good" in done.stdout


def test_library_of_a_damaged_file_says_nothing_of_its_own(tmp_path):
    """libhdf5 once told at the end of every program that it could not close what it had failed to open."""
    file = tmp_path / "a.h5"
    with h5py.File(file, "w") as opened:
        for name in "abc":
            opened.create_dataset(f"{name}/values", data=np.arange(60.0).reshape(12, 5), compression="gzip", chunks=(4, 5))
    whole = file.read_bytes()
    refusals = 0
    for place in range(400, len(whole), max(1, len(whole) // 60)):
        file.write_bytes(whole[:place] + bytes(byte ^ 0x55 for byte in whole[place:place + 3]) + whole[place + 3:])
        done = disc("inspect", file)
        assert done.returncode in (0, 3), (place, done.stderr)
        assert all(line.startswith("disc: ") for line in done.stderr.splitlines()), (place, done.stderr)
        refusals += done.returncode == 3
    assert refusals > 5


# ---- Scale --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["--kernel", "self-tuning"], ["--kernel", "rbf"]])
def test_data_times_a_power_of_two_give_the_same_groups(tmp_path, options):
    first, second = two_conditions(samples=60)
    run_ok(*saved(tmp_path, first, second), *options, *QUICK, "-o", tmp_path / "plain")
    expected = groups(tmp_path / "plain")
    assert any(expected.values())
    for exponent in (900, -900):
        out = tmp_path / str(exponent)
        run_ok(*saved(tmp_path, np.ldexp(first, exponent), np.ldexp(second, exponent)), *options, *QUICK, "-o", out)
        assert groups(out) == expected, exponent


def test_one_huge_feature_does_not_hide_the_others(tmp_path):
    first, second = two_conditions(samples=80)
    run_ok(*saved(tmp_path, first, second), *QUICK, "-o", tmp_path / "plain")
    scale = np.zeros(first.shape[1], dtype=int)
    scale[7], scale[9] = 1000, -600
    run_ok(*saved(tmp_path, np.ldexp(first, scale), np.ldexp(second, scale)), *QUICK, "-o", tmp_path / "out")
    assert groups(tmp_path / "out") == groups(tmp_path / "plain")


def test_features_too_far_apart_for_distances_are_refused(tmp_path, out):
    scale = 10.0 ** np.linspace(-300, 300, 40)
    files = saved(tmp_path, *(np.random.default_rng(k).normal(size=(60, 40)) * scale for k in (0, 1)))
    for kernel in ("self-tuning", "rbf", "adaptive"):
        refused(3, "run", *files, "--kernel", kernel, *QUICK, "-o", out, says="bring features to one scale", out=out)


@pytest.mark.parametrize("option, value", [("--level", "1e-320"), ("--association-power", "1e-310"), ("--epsilon", "1e-320"),
                                           ("--degree-regularization", "1e308"), ("--self-weight", "1e308")])
def test_values_without_digits_or_end_are_refused(pair, out, option, value):
    refused(2, "run", *pair, option, value, *QUICK, "-o", out, says=option, out=out)


def test_subnormal_energy_is_read(pair, out):
    run_ok(*pair, *QUICK, "-o", out)
    lines = (out / "features.tsv").read_text().splitlines()
    column = next(k for k, name in enumerate(lines[0].split("\t")) if name.startswith("energy_"))
    cells = lines[1].split("\t")
    cells[column] = "1e-320"
    lines[1] = "\t".join(cells)
    (out / "features.tsv").write_text("\n".join(lines) + "\n")
    assert disc("report", out).returncode == 0


def test_samples_beyond_memory_are_refused(tmp_path):
    refused(2, "simulate", "newly-connected", "--samples", "99999999999", "-o", tmp_path / "x", says="do not fit into memory",
            out=tmp_path / "x")


# ---- Names --------------------------------------------------------------------------------------------------------


def test_file_name_in_latin_1_names_a_condition(tmp_path, out):
    first, second = two_conditions(samples=60)
    place = os.fsencode(tmp_path)
    np.save(tmp_path / "b.npy", second)
    with open(place + b"/contr\xf4le.npy", "wb") as file:
        np.save(file, first)
    done = subprocess.run([PROGRAM, b"run", place + b"/contr\xf4le.npy", place + b"/b.npy", b"-q", b"--permutations", b"0",
                           b"-o", os.fsencode(out)], capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert summary(out)["conditions"][0]["name"] == "contrôle"
    for name in ("groups.tsv", "features.tsv", "pairs.tsv", "samples.tsv"):
        (out / name).read_text(encoding="utf-8")


def test_feature_names_in_latin_1_are_written_as_utf_8(tmp_path, out):
    for name, values in zip("ab", two_conditions(samples=60)):
        with open(tmp_path / f"{name}.csv", "wb") as file:
            file.write(b",".join(b"prot\xe9ine%d" % j for j in range(values.shape[1])) + b"\n")
            np.savetxt(file, values, delimiter=",")
    run_ok(tmp_path / "a.csv", tmp_path / "b.csv", *QUICK, "-o", out)
    assert table(out / "features.tsv")[3]["feature"] == "protéine3"


def test_names_cannot_steer_the_terminal(tmp_path, out):
    evil = "\x1b]0;title\x07\x9b31m"
    files = []
    for name, values in zip("ab", two_conditions(samples=100)):
        np.savez(tmp_path / f"{name}.npz", X=values, features=np.array([f"{evil}{j}" for j in range(values.shape[1])]))
        files.append(tmp_path / f"{name}.npz")
    shown = [disc("inspect", files[0]).stdout, disc("run", *files, "--permutations", "19", "--bootstraps", "0", "-o", out).stdout,
             disc("inspect", tmp_path / f"no{evil}.csv").stderr]
    for text in shown:
        assert text and not any(letter in text for letter in "\x1b\x07\x9b")
    assert "title" in shown[0]


def test_very_long_names_are_refused(tmp_path):
    file = tmp_path / "long.csv"
    file.write_text("N" * 100_000 + ",b\n" + "1,2\n" * 5)
    refused(3, "inspect", file, says=["feature 1", "100000 bytes", "at most 4096"])


# ---- Size ---------------------------------------------------------------------------------------------------------


def test_memory_limit_holds_while_reading(tmp_path):
    bomb = tmp_path / "bomb.csv.gz"
    with gzip.open(bomb, "wb", compresslevel=1) as file:
        for _ in range(200):
            file.write(b"#" * 2**20)
    refused(3, "run", bomb, bomb, "--names", "A,B", "--memory-limit", "100M", "-q", "-o", tmp_path / "out",
            says=["bomb.csv.gz", "--memory-limit"], out=tmp_path / "out")


@pytest.mark.parametrize("command", ["inspect", "run"])
def test_text_that_never_ends_is_refused_for_its_size(tmp_path, command):
    """Two GB of letters without a line end, 2 MB packed, where 300 MB are allowed."""
    bomb = tmp_path / "bomb.csv.gz"
    with gzip.open(bomb, "wb", compresslevel=1) as file:
        for _ in range(128):
            file.write(b"x" * 2**24)

    def little():
        resource.setrlimit(resource.RLIMIT_AS, (300 * 2**20, 300 * 2**20))

    words = [bomb] if command == "inspect" else [bomb, bomb, "--names", "A,B", "-q", "-o", tmp_path / "out"]
    done = disc(command, *words, preexec_fn=little)
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith("disc: ") and "internal error" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_large_empty_sparse_matrix_is_inspected_soon(tmp_path):
    file = tmp_path / "small.mtx"
    file.write_text("%%MatrixMarket matrix coordinate real general\n100000 100000 1\n1 1 1\n")
    began = time.monotonic()
    done = disc("inspect", file)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < 5
    assert "zeros:              9999999999" in done.stdout


def test_sparse_values_are_counted_as_dense_ones_are(tmp_path):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    values = np.array([[0, 1, 2, 5.0], [0, 1, 0, 5], [0, 1, -3, 5]])
    np.savez(tmp_path / "dense.npz", X=values)
    scipy_sparse.save_npz(tmp_path / "sparse.npz", scipy_sparse.csr_matrix(values))
    dense, sparse = (disc("inspect", tmp_path / f"{kind}.npz").stdout.splitlines() for kind in ("dense", "sparse"))
    counted = ("range", "zeros", "not finite", "constant")
    assert [line for line in dense if line.startswith(counted)] == [line for line in sparse if line.startswith(counted)]


def test_input_cut_short_while_it_is_used_is_an_input_error(tmp_path):
    generator = np.random.default_rng(0)
    files = saved(tmp_path, generator.normal(size=(3000, 700)), generator.normal(size=(3000, 700)))
    process = start("run", *files, "--permutations", "199", "-o", tmp_path / "out")
    while "distances" not in (line := process.stderr.readline()):
        assert line, "the run was over before it came to the distances"
    os.truncate(files[1], 0)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 3, errors
    assert "cut short" in errors
