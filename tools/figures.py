"""Runs the pages that draw something and keeps what each block draws, for the documentation site: FOLDER/PAGE-BLOCK.png,
and where a block draws more, PAGE-BLOCKb.png and so on.

    python tools/figures.py FOLDER                                 # tools/docs.sh does it; needs the package with matplotlib
    python tools/figures.py docs/images --data DATA PAGE...        # tools/tutorials.sh does it, where the real data are

Data that are not shipped are replaced by the stand-ins of docs/tutorials/stand_ins.py. The site says under each figure which data it shows.
"""
import argparse
import importlib.util
import os
import pathlib
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from notebooks import BLOCK, DOCS, pages_with_code  # noqa: E402

sys.path.insert(0, str(DOCS / "tutorials"))
import stand_ins  # noqa: E402

FURTHER = ["", *"bcdefghijk"]
KANG = {"kang.h5ad": "scrna/kang_harmony_10x/kang_2000cells_9015genes.h5ad", "hallmark.gmt": "genesets/h.all.v7.0.symbols.gmt"}
# Where the real data of a page are, by the names that the page gives them.
REAL = {
    "kang": KANG,
    "kang-scanpy": KANG,
    "landscape": {**{name: f"hyperspectral/landsat_taizhou/{name}" for name in ("2000TM", "2000TM.HDR", "2003TM", "2003TM.HDR", "change.bmp", "unchanged.bmp")},
                  **{f"jasperRidge2_R198.{end}": f"hyperspectral/single_cubes/jasperRidge2_R198.{end}" for end in ("hdr", "img")}},
    "mnist": {name: f"mnist/{name}" for part in ("train", "t10k") for name in (f"{part}-images-idx3-ubyte.gz", f"{part}-labels-idx1-ubyte.gz")},
}


def fetch(page, data):
    """Into the folder at hand."""
    if data is None:
        stand_ins.make(".", [page.stem] if page.stem in stand_ins.MAKERS else [])
    else:
        for name, path in REAL[page.stem].items():
            pathlib.Path(name).symlink_to(data / path)


def draw(page, folder, data):
    """What the blocks of a page draw, one after the other, in an empty folder; how many figures there are."""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    names, count, back = {"__name__": "page"}, 0, pathlib.Path.cwd()
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        try:
            fetch(page, data)
            for number, block in enumerate(blocks):
                exec(compile(block, str(page), "exec"), names)  # our own pages
                for place, figure in enumerate(pyplot.get_fignums()):
                    name = f"{page.stem}-{number}{FURTHER[place]}.png"
                    pyplot.figure(figure).savefig(folder / name, dpi=80 if place == 0 else 60, bbox_inches="tight")
                    count += 1
                pyplot.close("all")
        finally:
            os.chdir(back)
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("pages", nargs="*", help="names without .md; default: all that draw")
    parser.add_argument("--data", type=pathlib.Path)
    given = parser.parse_args()
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages_with_code():
        if "import scanpy" in page.read_text(encoding="utf-8") and importlib.util.find_spec("scanpy") is None:
            print(f"figures: {page.relative_to(DOCS)} is not drawn anew: scanpy is not installed")
            continue
        draws = "disc.pl." in page.read_text(encoding="utf-8")
        if (page.stem in given.pages if given.pages else draws) and draw(page, folder, given.data and given.data.resolve()) == 0:
            raise SystemExit(f"figures: {page.relative_to(DOCS)} draws nothing")


if __name__ == "__main__":
    main()
