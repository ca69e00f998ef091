#!/usr/bin/env python3
"""Draws the README's picture from a run: per condition, the differential energy of every feature, colored by the group found.

    tools/draw_picture.py demo/out demo/data/truth.tsv docs/images/newly-connected.svg
"""
import csv
import pathlib
import sys
from xml.sax.saxutils import escape

WIDTH, PANEL, LEFT, TOP = 900, 150, 64, 44
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"]  # can be told apart by color-blind readers


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def panel(features, truth, condition, top):
    """One condition: bands where the truth has groups, a point per feature."""
    used = [row for row in features if row["used"] == "yes"]
    energy = [float(row[f"energy_{condition}"]) for row in used]
    highest = max(energy) * 1.08
    across = (WIDTH - LEFT - 20) / len(used)
    place = {row["feature"]: LEFT + (i + 0.5) * across for i, row in enumerate(used)}
    yield (f'<text x="{LEFT}" y="{top - 8}" class="title">Connected in {escape(condition)} and not in the other condition</text>')
    groups = {}
    for row in truth:
        if row["condition"] == condition and row["feature"] in place:
            groups.setdefault(row["group"], []).append(place[row["feature"]])
    for members in groups.values():
        left, right = min(members) - across / 2, max(members) + across / 2
        yield f'<rect x="{left:.1f}" y="{top}" width="{right - left:.1f}" height="{PANEL}" class="truth"/>'
    yield f'<path d="M{LEFT} {top}V{top + PANEL}H{WIDTH - 20}" class="axis"/>'
    for row, value in zip(used, energy):
        group = row[f"group_{condition}"]
        color = COLOURS[(int(group) - 1) % len(COLOURS)] if group else "#9a9a9a"
        yield (f'<circle cx="{place[row["feature"]]:.1f}" cy="{top + PANEL * (1 - value / highest):.1f}" r="3" fill="{color}"/>')
    yield f'<text transform="translate({LEFT - 14} {top + PANEL / 2}) rotate(-90)" class="label">energy</text>'


def main():
    results, truth, output = (pathlib.Path(argument) for argument in sys.argv[1:4])
    features, true_groups = read(results / "features.tsv"), read(truth)
    conditions = [name[len("energy_"):] for name in features[0] if name.startswith("energy_")]
    height = TOP + len(conditions) * (PANEL + 56)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">',
             "<style>.title{font-size:16px;fill:#222}.label{font-size:13px;fill:#555;text-anchor:middle}"
             ".axis{fill:none;stroke:#777}.truth{fill:#ffe9a8}</style>",
             f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>']
    for i, condition in enumerate(conditions):
        lines += panel(features, true_groups, condition, TOP + i * (PANEL + 50))
    lines.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{height - 14}" class="label">features 1 to {len(features)}; '
                 "yellow: the true groups; colors: the groups found; gray: in no group</text></svg>")
    output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
