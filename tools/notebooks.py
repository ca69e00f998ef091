"""Turns pages of the documentation into notebooks: text and blocks of Python become cells.

    python tools/notebooks.py FOLDER      # docs/start/*.md, docs/tutorials/*.md -> FOLDER/start/*.ipynb, FOLDER/tutorials/*.ipynb
"""
import json
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def cell(kind, text):
    made = {"cell_type": kind, "metadata": {}, "source": text.strip("\n").splitlines(keepends=True)}
    return {**made, "outputs": [], "execution_count": None} if kind == "code" else made


def notebook_of(page):
    cells = []
    for position, part in enumerate(BLOCK.split(page)):
        if part.strip():
            cells.append(cell("code" if position % 2 else "markdown", part))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"nbformat": 4, "nbformat_minor": 4, "metadata": {"kernelspec": kernel}, "cells": cells}


def pages_with_code():
    pages = [*(DOCS / "start").glob("*.md"), *(DOCS / "tutorials").glob("*.md")]
    return sorted(page for page in pages if BLOCK.search(page.read_text(encoding="utf-8")))


def write_notebooks(folder):
    for page in pages_with_code():
        place = folder / page.parent.name / f"{page.stem}.ipynb"
        place.parent.mkdir(parents=True, exist_ok=True)
        notebook = notebook_of(page.read_text(encoding="utf-8"))
        place.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_notebooks(pathlib.Path(sys.argv[1]))
