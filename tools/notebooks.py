"""Turns pages of the documentation into notebooks: text and blocks of Python become cells.

    python tools/notebooks.py FOLDER      # docs/start/*.md -> FOLDER/*.ipynb
"""
import json
import pathlib
import re
import sys

START = pathlib.Path(__file__).resolve().parents[1] / "docs" / "start"
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


def write_notebooks(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for page in sorted(START.glob("*.md")):
        notebook = notebook_of(page.read_text(encoding="utf-8"))
        (folder / f"{page.stem}.ipynb").write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_notebooks(pathlib.Path(sys.argv[1]))
