#!/usr/bin/env python3
"""Takes over what experiments measured: experiments/results/NAME/ -> docs/paper/NAME.json and its figure. Then run tools/generate.py.

    tools/record_experiments.py NAME ...       [--from FOLDER]
"""
import argparse
import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "paper"
MAX_FIGURE = 200_000  # bytes; a larger drawing is kept as pixels
KEPT = ("experiment", "title", "status", "date", "version", "command", "processor_seconds", "summary", "excluded", "tables")


def record(name, results):
    numbers = json.loads((results / name / "numbers.json").read_text(encoding="utf-8"))
    if numbers["status"] != "done" or numbers["quick"]:
        sys.exit(f"{name}: {'quick' if numbers['quick'] else numbers['status']}; only whole runs are recorded")
    drawn = results / name / "figure.svg"
    if drawn.stat().st_size > MAX_FIGURE:
        drawn = drawn.with_suffix(".png")
    for end in (".svg", ".png"):
        (FOLDER / f"{name}{end}").unlink(missing_ok=True)
    shutil.copyfile(drawn, FOLDER / f"{name}{drawn.suffix}")
    kept = {**{key: numbers[key] for key in KEPT if key in numbers}, "figure": f"{name}{drawn.suffix}"}
    (FOLDER / f"{name}.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{name}: {numbers['date']}, {drawn.name} of {drawn.stat().st_size // 1000} kB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--from", dest="results", type=pathlib.Path, default=ROOT / "experiments" / "results")
    options = parser.parse_args()
    for name in options.names:
        record(name, options.results)


if __name__ == "__main__":
    main()
