"""Writes what `disc simulate scene` made as GeoTIFF, tiled and deflated, beside it: for checks of programs that nothing is installed beside.

    tools/scene_tif.py FOLDER       FOLDER: A.npy and B.npy of a scene; A.tif and B.tif come
"""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "cli"))
from tiff import PLACE, tiff_bytes  # noqa: E402


def convert(folder, name):
    bands = np.load(folder / f"{name}.npy").astype("float32")
    side = round(bands.shape[1] ** .5)
    (folder / f"{name}.tif").write_bytes(tiff_bytes(bands.reshape(len(bands), side, side), tile=(16, 16), deflated=True, tags=PLACE))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for date in "AB":
        convert(pathlib.Path(sys.argv[1]), date)
