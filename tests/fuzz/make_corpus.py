"""Makes the small files in corpus/ from which fuzzing starts. Needs numpy and scipy; run it again only to add files."""
import gzip
import io
import pathlib
import struct
import sys

import numpy as np
import scipy.io
import scipy.sparse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "cli"))
from tiff import PLACE, tiff_bytes  # noqa: E402

CORPUS = pathlib.Path(__file__).parent / "corpus"


def put(folder, name, data):
    (CORPUS / folder).mkdir(parents=True, exist_ok=True)
    (CORPUS / folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def npy(array, version=None):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version, allow_pickle=True)
    return out.getvalue()


def npz(save=np.savez, **arrays):
    out = io.BytesIO()
    save(out, **arrays)
    return out.getvalue()


def csv_files():
    # The first byte of a csv input chooses the options: a blank (32) forces a comma, "@" (64) leaves all to detection.
    tables = {
        "plain": "a,b,c\n1,2,3\n4,5,6\n", "no_header": "1,2\n3,4\n", "row_names": "id\ta\tb\nx\t1\t2\ny\t3\t4\n",
        "shorter_header": "a b\nx 1 2\ny 3 4\n", "corner": ",0,1\n0,1.5,2\n1,3,4\n",
        "quoted": '"a, b","say ""hi"""\n"1",2\n',
        "missing": "a;b\nNA;\nnan;-inf\n1e-5;+2.\n", "line_ends": "a|b\r1|2\r\n3|4\n\n", "ragged": "a,b\n1,2\n3\n",
        "comments": "# made by x\n#a b\n1 2\n3 4\n", "mark": "\ufeffa,b\n1,2\n", "open_quote": 'a,b\n1,"2\n', "long_number": "0.1234567890123456789,1e400\n",
    }
    for name, text in tables.items():
        put("csv", name, "@" + text)
    put("csv", "options", "?" + tables["plain"])
    put("csv", "gzip", b"@" + gzip.compress(tables["plain"].encode(), mtime=0))


def xml_files():
    put("xml", "sheet", '<?xml version="1.0"?><worksheet xmlns:x="y"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c>'
                        '<c r="B1"><v>1.5</v></c></row></sheetData></worksheet>')
    put("xml", "texts", "<x:sst><!-- a --><si><t>a &amp; b &#65;&#xe4;</t></si><si><r><t><![CDATA[<c>]]></t></r></si></x:sst>")


def npy_files():
    values = np.arange(6.0).reshape(2, 3)
    for kind in ["<f8", ">f8", "<f4", "<f2", "<i8", ">i4", "<i2", "|i1", "<u8", ">u4", "<u2", "|u1", "|b1"]:
        put("npy", kind.translate(str.maketrans("<>|", "lbn")), npy(values.astype(kind)))
    put("npy", "fortran", npy(np.asfortranarray(values)))
    put("npy", "version2", npy(values, (2, 0)))
    put("npy", "version3", npy(values, (3, 0)))
    put("npy", "vector", npy(values[0]))
    put("npy", "text", npy(np.array([["a", "b"]])))
    put("npy", "pickled", npy(np.array([[None, 1]], dtype=object)))
    put("npy", "structured", npy(np.zeros(2, dtype=[("a", "<f8"), ("b", "<i4")])))
    put("npy", "truncated", npy(values)[:-3])
    put("npy", "claim", npy(values).replace(b"(2, 3), }" + b" " * 20, b"(1000000000000, 3), }" + b" " * 8))
    put("npy", "gzip", gzip.compress(npy(values), mtime=0))


def npz_files():
    values = np.arange(6.0).reshape(2, 3)
    put("npz", "plain", npz(X=values))
    put("npz", "deflated", npz(np.savez_compressed, X=values))
    put("npz", "named", npz(X=values, features=np.array(["a", "b", "c"]), samples=np.array([1, 2])))
    put("npz", "two", npz(A=values, B=values))
    entries = {"data": np.array([1.0, 2, 3]), "shape": np.array([2, 3])}
    put("npz", "csr", npz(format=np.array(b"csr"), indices=np.array([0, 2, 1]), indptr=np.array([0, 2, 3]), **entries))
    put("npz", "csc", npz(format=np.array(b"csc"), indices=np.array([0, 1, 0]), indptr=np.arange(4), **entries))
    put("npz", "coo", npz(format=np.array(b"coo"), row=np.array([0, 1, 0]), col=np.array([2, 1, 0]), **entries))
    # Contents to be packed, see fuzz_npz.cpp: format; then for each array its length and its values.
    put("npz", "packed_csr", bytes([0, 2, 2, 3, 3, 1, 2, 3, 3, 0, 2, 1, 3, 0, 2, 3]))
    put("npz", "packed_csc", bytes([1, 2, 2, 3, 3, 1, 2, 3, 3, 0, 1, 0, 4, 0, 1, 2, 3]))
    put("npz", "packed_coo", bytes([2, 2, 2, 3, 3, 1, 2, 3, 0, 0, 3, 0, 1, 0, 3, 2, 1, 0]))


def matrix_market_files():
    start = "%%MatrixMarket matrix "
    put("matrix_market", "coordinate", start + "coordinate real general\n% note\n2 3 2\n1 1 1.5\n2 3 -2\n")
    put("matrix_market", "pattern", start + "coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n")
    put("matrix_market", "skew", start + "coordinate integer skew-symmetric\n2 2 1\n2 1 3\n")
    put("matrix_market", "repeated", start + "coordinate integer general\n2 2 3\n2 2 3\n1 1 1\n2 2 4\n")
    put("matrix_market", "array", start + "array real general\n2 2\n1\n2\n3\n4\n")
    put("matrix_market", "array_symmetric", start + "array real symmetric\n2 2\n1\n2\n3\n")
    put("matrix_market", "claim", start + "coordinate real general\n1000000000000 3 1\n1 1 1\n")


def idx_files():
    def idx(kind, *shape, values=b"\x00\x01\x02\x03\x04\x05\x06\x07"):
        return bytes([0, 0, kind, len(shape)]) + b"".join(length.to_bytes(4, "big") for length in shape) + values

    put("idx", "images", idx(8, 2, 2, 2))
    put("idx", "matrix", idx(0x0b, 2, 2))
    put("idx", "double", idx(0x0e, 1, 1))
    put("idx", "labels", idx(8, 8))
    put("idx", "truncated", idx(8, 3, 2, 2))
    put("idx", "claim", idx(0x0e, 2**32 - 1, 2**32 - 1, 2**32 - 1))


def mat_files():
    # The header is put in front by fuzz_mat.cpp; the first byte chooses byte order and variable.
    def mat(variables, **options):
        out = io.BytesIO()
        scipy.io.savemat(out, variables, **options)
        return out.getvalue()[128:]

    values = np.arange(6.0).reshape(2, 3)
    put("mat", "double", b"\0" + mat({"X": values}))
    put("mat", "compressed", b"\0" + mat({"X": values}, do_compression=True))
    put("mat", "bytes", b"\0" + mat({"X": values.astype("u1")}))
    put("mat", "sparse", b"\0" + mat({"X": scipy.sparse.csc_matrix(values)}))
    put("mat", "two", b"\2" + mat({"X": values, "Y": values}))
    put("mat", "complex", b"\0" + mat({"X": values * 1j}))
    put("mat", "others", b"\0" + mat({"text": "abc", "cell": np.array([1, "a"], dtype=object), "structure": {"a": 1}}))
    put("mat", "cube", b"\0" + mat({"X": np.arange(8).reshape(2, 2, 2)}))


def hdf5_files():
    # See hdf5_from_bytes.hpp: for each object its kind, then its content; attributes are numbers (even) or text (odd).
    integers, matrix, group, texts = 2, 3, 1, 4
    numbers = lambda *values: [len(values), *values]
    sparse = [integers, 0, *numbers(5, 7, 8), integers, 1, *numbers(1, 0, 2), integers, 1, *numbers(0, 1, 3)]
    put("h5ad", "csr", bytes([0, group, 1, 1, 2, 0, *numbers(2, 3), *sparse, group, 1, 0, 1, 0, texts, 0, 2, 1, 4, group,
                              integers, 4, *numbers(0, 1), texts, 0, 2, 1, 3, 0, 0, 0, 0, group, texts, 0, 3, 1, 3, 4]))
    put("h5ad", "dense", bytes([0, matrix, 2, 3, *numbers(1, 2, 3, 4, 5, 6), 0, 1, 0, 0, 0, 0, 0, 0, group, 1, 0, 1, 0,
                                texts, 0, 2, 1, 4]))
    put("ten_x", "version3", bytes([group, *sparse, integers, 0, *numbers(3, 2), texts, 1, 2, 1, 4, group, texts, 1, 3, 1,
                                    3, 4, texts, 1, 3, 1, 3, 1]))
    put("ten_x", "version2", bytes([group, *sparse, integers, 0, *numbers(3, 2), texts, 1, 2, 1, 4, 0, 0, 0, 0, texts, 1, 3,
                                    1, 3, 4, texts, 1, 3, 1, 3, 1]))
    put("hdf5", "matrix", bytes([0, matrix, 2, 3, *numbers(1, 2, 3, 4, 5, 6)]))
    put("hdf5", "axes", bytes([6, matrix, 2, 3, *numbers(1, 2, 3, 4, 5, 6)]))
    put("hdf5", "matlab", bytes([1, matrix, 2, 3, *numbers(1, 2, 3, 4, 5, 6)]))
    put("hdf5", "matlab_sparse", bytes([1, group, 1, 0, 0, *numbers(2), *sparse]))


def envi_files():
    # The first byte chooses pixels or bands; then the header, a zero byte, and the values, see fuzz_envi.cpp.
    values = bytes(range(24))
    for number, order in enumerate(["bsq", "bil", "bip"]):
        header = f"ENVI\nsamples = 4\nlines = 2\nbands = 3\ndata type = 1\ninterleave = {order}\nbyte order = 0\n"
        put("envi", order, bytes([number]) + header.encode() + b"\0" + values)
    start = b"\0ENVI\nsamples = 2\nlines = 1\nbands = 2\nheader offset = 3\ninterleave = bsq\n"
    put("envi", "wavelengths", start + b"data type = 2\nwavelength = {\n 0.5, 0.7}\nbyte order = 1\n\0abc" + bytes(8))
    put("envi", "ignored", start + b"data type = 4\ndata ignore value = -1\nband names = {x, x}\n\0abc" + bytes(16))
    put("envi", "claim", b"\0ENVI\nsamples = 4000000000\nlines = 4000000000\nbands = 4000000000\ndata type = 5\n\0ab")


def nifti_files():
    def image(dim, kind, values, order="<", offset=352.0, slope=0.0):
        header = bytearray(352)
        struct.pack_into(order + "i", header, 0, 348)
        struct.pack_into(order + f"{len(dim) + 1}h", header, 40, len(dim), *dim)
        struct.pack_into(order + "h", header, 70, kind)
        struct.pack_into(order + "3f", header, 108, offset, slope, 1.0)
        header[344:347] = b"n+1"
        return bytes(header) + values

    put("nifti", "short", image([2, 2, 1, 2], 4, bytes(16)))
    put("nifti", "big_endian", image([2, 1, 1], 16, bytes(8), ">"))
    put("nifti", "scaled", image([3], 2, b"abc", slope=0.5))
    put("nifti", "claim", image([32767] * 7, 64, b""))
    put("nifti", "offset", image([2], 2, b"ab", offset=1e30))


def tiff_files():
    scene = np.arange(2 * 3 * 5).reshape(2, 3, 5)
    put("tiff", "strips", tiff_bytes(scene.astype("u1"), tags=PLACE))
    put("tiff", "bands", tiff_bytes(scene.astype("i2"), planar=True, order=">"))
    put("tiff", "tiles", tiff_bytes(scene.astype("f4"), tile=(16, 16), deflated=True, sparse=[0], tags={42113: (2, b"3\0")}))
    put("tiff", "big", tiff_bytes(scene.astype("f8"), big=True, deflated=True))
    put("tiff", "pages", tiff_bytes([scene[[0]].astype("u2"), scene[[1]].astype("u2")]))
    names = b'<M><Item name="DESCRIPTION" sample="1" role="description">B2</Item></M>\0'
    put("tiff", "named", tiff_bytes(scene.astype("u4"), tags={42112: (2, names), 338: (3, [2])}))


def gct_files():
    put("gct", "plain", "#1.2\n2\t2\nNAME\tDescription\ts1\ts2\ng1\tx\t1\t2\ng2\t\t3\tNA\n")
    put("gct", "line_ends", "#1.2\r\n1\t1\r\nNAME\tDescription\ts\r\ng\t\"quoted\"\t-1e5\r\n")
    put("gct", "claim", "#1.2\n99999999\t99999999\nNAME\tDescription\ts1\ng1\tx\t1\n")


csv_files()
npy_files()
npz_files()
matrix_market_files()
idx_files()
mat_files()
hdf5_files()
envi_files()
nifti_files()
xml_files()
tiff_files()
gct_files()
