"""TIFFs written and read without a library: strips or tiles, bands side by side or one after the other, in either byte order."""

import struct
import zlib

import numpy as np

TYPES = {1: "u1", 2: "S1", 3: "u2", 4: "u4", 12: "f8", 16: "u8"}
FORMATS = {"u": 1, "i": 2, "f": 3}


def entries_of(values, tile, planar, order, deflated):
    """The tiles of one image as bytes."""
    bands, lines, columns = values.shape
    high, wide = tile
    groups = [values[[b]] for b in range(bands)] if planar else [values]
    pieces = []
    for group in groups:
        for y in range(0, lines, high):
            for x in range(0, columns, wide):
                piece = group[:, y:y + high, x:x + wide]
                if wide < columns or lines < high:  # tiles are full, strips need not be
                    piece = np.pad(piece, [(0, 0), (0, high - piece.shape[1]), (0, wide - piece.shape[2])])
                raw = piece.transpose(1, 2, 0).astype(values.dtype.newbyteorder(order)).tobytes()
                pieces.append(zlib.compress(raw) if deflated else raw)
    return pieces


def tiff_bytes(pages, tile=None, planar=False, order="<", deflated=False, big=False, tags=None, sparse=()):
    """Pages are arrays of bands x lines x columns; tags are {number: (type, values)}; pieces in `sparse` are not written."""
    pages = [pages] if isinstance(pages, np.ndarray) else pages
    mark = b"II" if order == "<" else b"MM"
    wide = ("Q", 8, 20, 16) if big else ("I", 4, 12, 4)
    out = bytearray(mark + (struct.pack(order + "HHHQ", 43, 8, 0, 16) if big else struct.pack(order + "HI", 42, 8)))
    link = len(out) - wide[1]
    for values in pages:
        bands, lines, columns = values.shape
        shape = tile or (max(1, lines // 2), columns)
        offsets, lengths = [], []
        for number, piece in enumerate(entries_of(values, shape, planar, order, deflated)):
            offsets.append(0 if number in sparse else len(out))
            lengths.append(0 if number in sparse else len(piece))
            out += b"" if number in sparse else piece
        size = 16 if big else 4
        entries = {256: (4, [columns]), 257: (4, [lines]), 258: (3, [8 * values.dtype.itemsize] * bands), 259: (3, [8 if deflated else 1]), 262: (3, [1]),
                   277: (3, [bands]), 284: (3, [2 if planar else 1]), 339: (3, [FORMATS[values.dtype.kind]] * bands)}
        if tile:
            entries |= {322: (4, [shape[1]]), 323: (4, [shape[0]]), 324: (size, offsets), 325: (size, lengths)}
        else:
            entries |= {278: (4, [shape[0]]), 273: (size, offsets), 279: (size, lengths)}
        entries |= tags or {}
        fields = b""
        for tag, (kind, given) in sorted(entries.items()):
            data = given if kind == 2 else np.array(given, order + TYPES[kind]).tobytes()
            count = len(data) if kind == 2 else len(given)
            if len(data) > wide[1]:
                out += b"\0" * (len(out) % 2)
                place = len(out)
                out += data
                data = struct.pack(order + wide[0], place)
            fields += struct.pack(order + "HH" + wide[0], tag, kind, count) + data.ljust(wide[1], b"\0")
        out += b"\0" * (len(out) % 2)
        struct.pack_into(order + wide[0], out, link, len(out))
        out += struct.pack(order + ("Q" if big else "H"), len(entries)) + fields
        link = len(out)
        out += bytes(wide[1])
    return bytes(out)


PLACE = {33550: (12, [30.0, 30.0, 0.0]), 33922: (12, [0.0, 0.0, 0.0, 500000.0, 3600000.0, 0.0]),
         34735: (3, [1, 1, 0, 3, 1024, 0, 1, 1, 1026, 34737, 7, 0, 3072, 0, 1, 32651]), 34736: (12, [6378137.0]), 34737: (2, b"UTM 51|\0")}


def read_tiff(content):
    """The tags, and bands x lines x columns, of a little-endian TIFF as libtiff writes maps: strips, one band after the other, deflated."""
    assert content[:4] == b"II*\0"
    begin = struct.unpack_from("<I", content, 4)[0]
    tags = {}
    for k in range(struct.unpack_from("<H", content, begin)[0]):
        tag, kind, count = struct.unpack_from("<HHI", content, begin + 2 + 12 * k)
        kind = np.dtype("<" + TYPES[kind]) if kind != 2 else np.dtype("S1")
        length = kind.itemsize * count
        place = begin + 10 + 12 * k if length <= 4 else struct.unpack_from("<I", content, begin + 10 + 12 * k)[0]
        tags[tag] = content[place:place + length] if kind == "S1" else np.frombuffer(content, kind, count, place).tolist()
    raw = b"".join(zlib.decompress(content[at:at + length]) for at, length in zip(tags[273], tags[279]))
    return tags, np.frombuffer(raw, "<f4").reshape(tags[277][0], tags[257][0], tags[256][0])
