"""Files that claim more than they hold, or lead nowhere: exit code 3, one sentence with file and value, and little memory."""

import gzip
import os
import resource
import struct
import zipfile

import numpy as np
import pytest

from program import disc, refused

def little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))


def in_little_memory(path, says, *words):
    """Refused by `disc inspect`, with 1 GiB of addresses to live in."""
    done = disc("inspect", path, *words, preexec_fn=little_memory)
    assert done.returncode == 3, done.stderr
    assert done.stdout == ""
    sentence = done.stderr.splitlines()[-1]
    assert sentence.startswith(f"disc: {path}")
    sentence = sentence[len(f"disc: {path}"):]
    for part in [says] if isinstance(says, str) else says:
        assert part in sentence, f"{part!r} is not in {sentence!r}"


def test_a_file_without_end_in_little_memory():
    """It is the file that is too large, not the matrices of its features."""
    def little():
        resource.setrlimit(resource.RLIMIT_AS, (400 * 2**20, 400 * 2**20))

    done = disc("inspect", "/dev/zero", preexec_fn=little, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    assert done.returncode == 3 and done.stdout == "", done.stderr
    assert done.stderr.startswith("disc: /dev/zero: reading it takes more memory than this process may have")


def npy_header(shape, dtype="<f8"):
    text = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def nifti_header(*dimensions):
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, len(dimensions), *dimensions, *[1] * (7 - len(dimensions)))
    struct.pack_into("<hh", header, 70, 16, 32)
    struct.pack_into("<f", header, 108, 352)
    header[344:348] = b"n+1\0"
    return bytes(header)


def mat_header(rows, columns):
    """A matrix of version 5 of that size, and one value."""
    def element(kind, content):
        return struct.pack("<ii", kind, len(content)) + content + bytes(-len(content) % 8)

    matrix = element(6, struct.pack("<II", 6, 0)) + element(5, struct.pack("<ii", rows, columns)) + element(1, b"X") + element(9, bytes(8))
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + element(14, matrix)


# ---- zip bombs ----


@pytest.fixture(scope="module")
def bomb(tmp_path_factory):
    """An archive of 5 MB whose member unpacks to 1 GiB of zeros."""
    path = tmp_path_factory.mktemp("bomb") / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open("X.npy", "w") as member:
            member.write(npy_header((2, 3)))
            for _ in range(16):
                member.write(bytes(64 * 2**20))
    assert path.stat().st_size < 8 * 2**20
    return path


def test_zip_bomb_behind_a_small_array(bomb):
    """What lies behind the values of an array is not unpacked."""
    done = disc("inspect", bomb, preexec_fn=little_memory)
    assert done.returncode == 0, done.stderr
    assert "samples:            2" in done.stdout and "features:           3" in done.stdout


def test_member_that_claims_more_than_it_holds(tmp_path):
    path = tmp_path / "claims.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("X.npy", npy_header((10**7, 10**7)) + bytes(1000))
    in_little_memory(path, ["(10000000, 10000000)", "truncated"])


def test_compression_without_bounds_is_not_opened(tmp_path):
    path = tmp_path / "lzma.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("X.npy", npy_header((2, 3)) + bytes(48))
    in_little_memory(path, ["X.npy", "compression"])


def test_gzip_inside_gzip_is_not_followed(tmp_path):
    path = tmp_path / "twice.csv.gz"
    path.write_bytes(gzip.compress(gzip.compress(b"a,b\n1,2\n")))
    in_little_memory(path, "compressed twice")


# ---- dimensions that are negative, overflow, or are too large for the file ----


@pytest.mark.parametrize("name, content, says", [
    ("a.npy", npy_header((2**40, 2**40)) + bytes(64), "(1099511627776, 1099511627776)"),
    ("a.npy", npy_header((-2, 3)) + bytes(64), "-2"),
    ("a.npy", npy_header((2**70, 3)) + bytes(64), "1180591620717411303424"),
    ("a-idx3-ubyte", struct.pack(">BBBBIII", 0, 0, 8, 3, 2**32 - 1, 2**32 - 1, 2**32 - 1) + bytes(64), "4294967295"),
    ("a.mtx", b"%%MatrixMarket matrix coordinate real general\n9000000000000000000 9000000000000000000 1\n1 1 1\n", "9000000000000000000"),
    ("a.mtx", b"%%MatrixMarket matrix coordinate real general\n-3 2 1\n1 1 1\n", "-3"),
    ("a.mtx", b"%%MatrixMarket matrix array real general\n4000000000 4000000000\n1\n", "4000000000"),
    ("a.mat", mat_header(2**31 - 1, 2**31 - 1), "2147483647"),
    ("a.mat", mat_header(-2, 3), "damaged"),
    ("a.nii", nifti_header(32767, 32767, 32767, 32767) + bytes(64), "announces 4611123094243246084 bytes"),
    ("a.nii", nifti_header(-3, 2, 2, 2) + bytes(64), "-3"),
    ("a.gct", b"#1.2\n99999999999\t99999999999\nName\tDescription\ts1\ns\td\t1\n", "99999999999"),
    ("a.gct", b"#1.2\n-1\t1\nName\tDescription\ts1\ng\td\t1\n", "-1"),
], ids=lambda value: value if isinstance(value, str) else "")
def test_sizes_in_headers(tmp_path, name, content, says):
    (tmp_path / name).write_bytes(content)
    in_little_memory(tmp_path / name, says)


@pytest.mark.parametrize("claim", ["samples = 4000000000", "samples = -1", "samples = many"])
def test_cube_smaller_than_its_header_says(tmp_path, claim):
    (tmp_path / "cube.hdr").write_text(f"ENVI\n{claim}\nlines = 1000000\nbands = 1000000\ndata type = 5\ninterleave = bsq\n")
    (tmp_path / "cube.img").write_bytes(bytes(64))
    refused(3, "inspect", tmp_path / "cube.img", says=["cube.", claim.split()[-1]])


# ---- HDF5: shapes that do not fit, links that lead nowhere or in a circle ----


@pytest.fixture
def h5py():
    return pytest.importorskip("h5py", reason="h5py is not installed")


def write_10x(h5py, path, **changes):
    parts = {"data": [1, 2], "indices": [2, 0], "indptr": [0, 1, 2], "shape": [3, 2], "barcodes": np.array(["AC", "GT"], dtype="S"),
             "features/id": np.array(["e1", "e2", "e3"], dtype="S"), "features/name": np.array(["a", "b", "c"], dtype="S")}
    with h5py.File(path, "w") as file:
        for name, content in {**parts, **changes}.items():
            file["matrix/" + name] = content
    return path


@pytest.mark.parametrize("changes, says", [
    ({"shape": [3, 2, 1]}, "shape"),
    ({"shape": [-3, 2]}, "-3"),
    ({"shape": [2**62, 2**62]}, str(2**62)),
    ({"indptr": [0, 1, 2, 2]}, "4 values"),
    ({"indices": [3, 0]}, "the index 3"),
    ({"barcodes": np.array(["AC"], dtype="S")}, "lists 1 cells, but the matrix has 2"),
    ({"features/name": np.array(["a"], dtype="S")}, "features"),
])
def test_10x_file_whose_parts_do_not_fit(tmp_path, h5py, changes, says):
    in_little_memory(write_10x(h5py, tmp_path / "a.h5", **changes), says)


def test_links_in_a_circle(tmp_path, h5py):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["one/value"] = [1.0]
        file["one/two"] = file["/"]  # a hard link back to the root
        file["x"], file["y"] = h5py.SoftLink("/y"), h5py.SoftLink("/x")
    in_little_memory(tmp_path / "a.h5", "1 dimension")
    in_little_memory(tmp_path / "a.h5", "x", "--variable", "x")


# ---- gzip that ends early ----


@pytest.mark.parametrize("name, content", [
    ("a.csv.gz", b"a,b\n" + b"1,2\n" * 20000),
    ("a.npy.gz", npy_header((100, 100)) + bytes(80000)),
    ("a.mtx.gz", b"%%MatrixMarket matrix array real general\n100 100\n" + b"1\n" * 10000),
    ("a.nii.gz", nifti_header(10, 10, 10, 10) + bytes(40000)),
    ("a.gct.gz", b"#1.2\n9\t1\nName\tDescription\ts1\n" + b"g\td\t1\n" * 9),
], ids=lambda value: value if isinstance(value, str) else "")
def test_truncated_gzip(tmp_path, name, content):
    whole = gzip.compress(content)
    for end in (len(whole) - 5, len(whole) // 2, 12):
        (tmp_path / name).write_bytes(whole[:end])
        in_little_memory(tmp_path / name, "truncated")
