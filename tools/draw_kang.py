#!/usr/bin/env python3
"""Draws the picture of the README from a run on real cells, and writes the numbers beside it where pages have them.

    disc run kang_2000cells_9015genes.h5ad --by condition --genesets h.all.v7.0.symbols.gmt -o kang
    tools/draw_kang.py kang

The picture is docs/images/kang.svg: correlations between the core of the leading group of the stimulated cells, in both conditions.
Text between <!-- kang: ... --> and <!-- end --> is replaced. Needs numpy.
"""
import csv
import json
import pathlib
import re
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ["README.md", "docs/index.md", "docs/tutorials/kang.md", "docs/tutorials/kang-r.md"]
TARGET = "STIM"
CELL, LEFT, TOP, GAP = 12, 86, 48, 34
SHADES = 20  # on either side of zero


def color(level):
    """From blue over white to red; level from -SHADES to SHADES."""
    end = (178, 24, 43) if level > 0 else (33, 102, 172)
    share = abs(level) / SHADES
    return "#" + "".join(f"{round(255 + (c - 255) * share):02x}" for c in end)


def matrix(values, left):
    """One path per shade, which keeps the file small."""
    squares = {}
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            level = SHADES if i == j else round(float(np.clip(value, -1, 1)) * SHADES)
            squares.setdefault(level, []).append(f"M{left + j * CELL} {TOP + i * CELL}h{CELL}v{CELL}h-{CELL}z")
    return [f'<path fill="{color(level)}" d="{"".join(paths)}"/>' for level, paths in sorted(squares.items())]


def picture(names, by_condition):
    side = len(names) * CELL
    width = LEFT + 2 * side + GAP + 70
    height = TOP + side + 34
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" role="img">',
             "<style>.g{font-size:10px;fill:#333;text-anchor:end}.t{font-size:15px;fill:#111}.k{font-size:11px;fill:#444}</style>",
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for place, (title, values) in enumerate(by_condition):
        left = LEFT + place * (side + GAP)
        inside = values[np.triu_indices(len(names), 1)].mean()
        lines.append(f'<text class="t" x="{left}" y="{TOP - 14}">{title}: mean correlation {inside:.2f}</text>')
        lines += matrix(values, left)
    lines += [f'<text class="g" x="{LEFT - 6}" y="{TOP + i * CELL + 10}">{name}</text>' for i, name in enumerate(names)]
    left = LEFT + 2 * side + GAP + 16
    for step in range(2 * SHADES + 1):
        lines.append(f'<rect x="{left}" y="{TOP + (2 * SHADES - step) * 4}" width="12" height="4" fill="{color(step - SHADES)}"/>')
    for text, y in (("1", TOP + 9), ("0", TOP + SHADES * 4 + 6), ("-1", TOP + SHADES * 8 + 4)):
        lines.append(f'<text class="k" x="{left + 17}" y="{y}">{text}</text>')
    lines.append(f'<text class="k" x="{LEFT}" y="{TOP + side + 22}">Correlations of normal scores between the genes of the core, 1,000 cells per condition.</text>')
    return "\n".join([*lines, "</svg>\n"])


def in_order(values):
    """Genes along the leading eigenvector of the gain, so that what changed most comes first."""
    vectors = np.linalg.eigh(values)[1]
    return np.argsort(-np.abs(vectors[:, -1]), kind="stable")


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.summary = json.loads((folder / "summary.json").read_text())
        self.figures, self.vectors = np.load(folder / "figure_data.npz"), np.load(folder / "vectors.npz")
        self.conditions = [condition["name"] for condition in self.summary["conditions"]]
        groups = self.groups(TARGET)
        if not groups:
            raise SystemExit(f"draw_kang: {folder} has no group of {TARGET}")
        self.group = groups[0]

    def groups(self, condition, level=1):
        found = next(c for c in self.summary["conditions"] if c["name"] == condition)["groups"]
        return [group for group in found if group["level"] == level]

    def core(self):
        """Names, and their correlations in each condition."""
        key = f"{TARGET}_{self.group['id']}"
        members = self.figures[f"members_{key}"].ravel().astype(int)
        stacked = self.figures[f"correlations_{key}"].reshape(len(self.conditions), len(members), len(members))
        here = self.conditions.index(TARGET)
        order = in_order(stacked[here] - stacked[1 - here])
        names = [str(self.vectors["features"][members[i]]) for i in order]
        return names, [(name, stacked[m][np.ix_(order, order)]) for m, name in enumerate(self.conditions)]

    def rows(self):
        """The three most typical members of the leading group, as in groups.tsv."""
        with open(self.folder / "groups.tsv", newline="", encoding="utf-8") as file:
            table = list(csv.DictReader(file, delimiter="\t"))
        own = [row for row in table if (row["condition"], row["group"]) == (TARGET, self.group["id"])]
        return sorted(own, key=lambda row: -float(row["weight"]))[:3]


def listing(words):
    return ", ".join(words[:-1]) + " and " + words[-1]


def percent_free(value):
    return f"{value:.2g}".replace("e-0", "e-")


def headline(run):
    group, (names, matrices) = run.group, run.core()
    means = {name: values[np.triu_indices(len(names), 1)].mean() for name, values in matrices}
    other = next(name for name in run.conditions if name != TARGET)
    text = (f"{group['size']} genes act together in the stimulated cells and not in the controls (p = {percent_free(group['p'])}). "
            f"In its core of {group['core_size']} genes the mean correlation is {means[TARGET]:.2f}, against {means[other]:.2f} in the controls. "
            f"The genes that gained most: {listing([f'*{name}*' for name in names[:6]])}.")
    if group.get("sets"):
        best = group["sets"][0]
        text += (f" {best['shared']} of the {best['set_size']} tested genes of the Hallmark set "
                 f"`{best['set']}` are in the group (q = {percent_free(best['q'])}).")
    return "\n".join(wrapped(text)) + "\n"


def wrapped(text, width=150):
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def rows(run):
    columns = ["condition", "group", "feature", "weight", "core", "p", "q", "direction"]
    short = {"weight": 1}
    cells = [[f"{float(row[name]):.{short[name]}f}" if name in short else row[name] for name in columns] for row in run.rows()]
    return "".join("| " + " | ".join(line) + " |\n" for line in [columns, ["---"] * len(columns), *cells])


def groups(run):
    lines = ["| condition | group | genes | p | r there | elsewhere | hub genes | best Hallmark set |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for condition in run.conditions:
        for group in sorted(run.groups(condition) + run.groups(condition, 2), key=lambda one: [int(part) for part in one["id"].split(".")]):
            means = {entry["condition"]: entry["mean_correlation"] for entry in group["conditions"]}
            other = max(value for name, value in means.items() if name != condition)
            best = group.get("sets") or [None]
            known = f"{best[0]['set'].removeprefix('HALLMARK_').lower().replace('_', ' ')}, q = {percent_free(best[0]['q'])}" if best[0] else ""
            lines.append(f"| {condition} | {group['id']} | {group['size']} | {percent_free(group['p'])} | {means[condition]:.2f} | {other:.2f} | "
                         f"{', '.join(group['hubs'][:4])} | {known} |")
    return "\n".join(lines) + "\n"


MAKERS = {"headline": headline, "rows": rows, "groups": groups}


def main():
    run = Run(pathlib.Path(sys.argv[1]))
    (ROOT / "docs" / "images" / "kang.svg").write_text(picture(*run.core()), encoding="utf-8")
    for name in PAGES:
        page = ROOT / name
        if page.exists():
            text = re.sub(r"(<!-- kang: (\w+) -->\n\n?).*?(\n?<!-- end -->)",
                          lambda match: f"<!-- kang: {match[2]} -->\n\n{MAKERS[match[2]](run)}\n<!-- end -->",
                          page.read_text(encoding="utf-8"), flags=re.DOTALL)
            page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
