"""Pages of "Reproducing the paper", one per experiment: docs/paper/NAME.md, and the table of all claims in docs/paper.md.

A page is made of docs/paper/NAME.json, which holds what `python -m experiments.NAME` measured, of the figure that was drawn then (else bars are drawn from the numbers), and of what
docs/paper/claims.toml says about it. A number in a claim is looked up there: {TABLE>ROW>COLUMN}, each by how it begins; the summary of an
experiment is the table `summary`. `tools/record_experiments.py` takes new measurements over; `tools/generate.py` writes the pages.
"""
import json
import pathlib
import re
import tomllib
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "paper"
VERDICTS = ("holds", "holds with changes", "holds in part", "not reproduced", "does not hold", "beyond the paper")
LOOKUP = re.compile(r"\{([^{}]+)\}")
MAX_CELL, MAX_ROWS = 158, 24
CLAIMS = re.compile(r"(<!-- claims -->\n).*?(<!-- end -->)", re.DOTALL)


class Missing(Exception):
    """A claim asks for a number that was not measured."""


def pages():
    return tomllib.loads((FOLDER / "claims.toml").read_text(encoding="utf-8"))["page"]


def measured(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


# ---- Numbers of a claim -------------------------------------------------------------------------------------------

def shown(value):
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    if 0.1 <= abs(value) < 10:
        return f"{value:.2f}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def only(found, wanted, what):
    """What is called so, or else the only thing that begins so."""
    exact = [item for key, item in found if key == wanted]
    begins = exact or [item for key, item in found if key.startswith(wanted)]
    if len(begins) != 1:
        raise Missing(f"{what} '{wanted}' is there {len(begins)} times; there are: {', '.join(key for key, _ in found)}")
    return begins[0]


def look_up(numbers, place):
    table, row, column = (part.strip() for part in place.split(">"))
    tables = {**numbers.get("tables", {}), "summary": numbers["summary"]}
    rows = only(list(tables.items()), table, "the table")
    cells = only([(", ".join(str(cell) for cell in list(cells.values())[:2]), cells) for cells in rows], row, "the row")
    return shown(only(list(cells.items()), column, "the column"))


def filled(text, numbers):
    """The claim's number; names of sets as words."""
    found = LOOKUP.sub(lambda match: look_up(numbers, match.group(1)), text)
    found = re.sub(r"HALLMARK_(\w+)", lambda match: match[1].replace("_", " ").lower(), found)
    if len(found) > MAX_CELL:
        raise Missing(f"{numbers['experiment']}: {len(found)} letters are too many for a cell: {found}")
    return found


# ---- Pages --------------------------------------------------------------------------------------------------------

def short(text):
    return text if len(text) <= MAX_CELL else text[:MAX_CELL].rsplit(" ", 1)[0] + " …"


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(short(str(cell).replace("|", "\\|")) for cell in line) + " |" for line in lines)


def measured_table(title, rows):
    header = list(rows[0])
    body = [[shown(row.get(column)) for column in header] for row in rows[:MAX_ROWS]]
    more = f"\n\n{len(rows) - MAX_ROWS} more rows are in the file of numbers." if len(rows) > MAX_ROWS else ""
    return f"### {title}\n\n{table(header, body)}{more}"


# ---- Figures ------------------------------------------------------------------------------------------------------

WIDTH, LINE, LABELS = 760, 22, 330


def leading_number(cell):
    """Of "0.85 ± 0.02", "15 of 20" or a sentence."""
    of = re.search(r"(\d+) of (\d+)", str(cell))
    if of:
        return int(of[1]) / int(of[2])
    found = re.match(r"-?\d+(\.\d+)?(?= ±|$| %)", str(cell)) or re.search(r"-?\d+\.\d+", str(cell))
    return float(found[0]) if found else None


def bars_of(numbers):
    """Of the first table that has numbers: (row, column, number)."""
    tables = {**numbers.get("tables", {}), "summary": [{key: row[key] for key in ("what", "recipe", "ours")} for row in numbers["summary"]]}
    for title, rows in tables.items():
        first, *columns = list(rows[0])
        columns = [column for column in columns if any(leading_number(row[column]) is not None for row in rows)]
        columns = [column for column in columns if column not in ("replicates", "runs", "data sets", "features", "d")]
        bars = [(str(row[first]), column, leading_number(row[column])) for row in rows for column in columns]
        bars = [bar for bar in bars if bar[2] is not None]
        if bars:
            return title, bars[:40]
    raise Missing(f"{numbers['experiment']}: nothing to draw")


def drawn(numbers):
    """A bar for each number, for measurements whose own figure was not kept."""
    title, bars = bars_of(numbers)
    largest = max(abs(value) for _, _, value in bars) or 1.0
    columns = list(dict.fromkeys(column for _, column, _ in bars))
    colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
    lines = [f'<text x="0" y="15" font-weight="bold">{escape(title)}</text>']
    for place, (row, column, value) in enumerate(bars):
        y = 30 + LINE * place
        length = (WIDTH - LABELS - 70) * max(value, 0) / largest
        name = row if len(columns) == 1 else f"{row}: {column}"
        lines += [f'<text x="{LABELS - 8}" y="{y + 13}" text-anchor="end">{escape(name if len(name) < 52 else name[:50] + " …")}</text>',
                  f'<rect x="{LABELS}" y="{y + 2}" width="{length:.1f}" height="{LINE - 6}" fill="{colors[columns.index(column) % len(colors)]}"/>',
                  f'<text x="{LABELS + length + 6:.1f}" y="{y + 13}">{shown(float(value))}</text>']
    height = 36 + LINE * len(bars)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="12">'
            f'<rect width="{WIDTH}" height="{height}" fill="white"/>' + "".join(lines) + "</svg>\n")


def figure_of(numbers):
    return numbers.get("figure", f"{numbers['experiment']}.svg")


def claim_rows(page, numbers):
    return [[claim["says"], claim["verdict"], filled(claim["number"], numbers)] for claim in page["claim"]]


def how_measured(name, numbers):
    seconds = f" It took {numbers['processor_seconds']:.0f} processor seconds." if numbers.get("processor_seconds") else ""
    note = f" {numbers['note']}" if numbers.get("note") else ""
    excluded = "".join(f"\n- Not done: {part} ({reason})" for part, reason in numbers.get("excluded", []))
    return (f"Measured on {numbers['date']} with version {numbers['version']}.{seconds}{note} The numbers are in [{name}.json]({name}.json).\n\n"
            f"```\n{numbers['command']}\n```\n{excluded}")


def page_text(page):
    name, numbers = page["name"], measured(page["name"])
    chosen = page.get("tables")
    tables = [measured_table(title, rows) for title, rows in numbers.get("tables", {}).items()
              if rows and (chosen is None or any(title.startswith(one) for one in chosen))]
    figure = figure_of(numbers)
    caption = page["figure"] if "figure" in numbers else "The first numbers below as bars"
    parts = [f"# {page['title']}", f"<!-- Made by tools/generate.py from {name}.json and claims.toml: change those. -->", page["question"],
             table(["claim", "verdict", "number"], claim_rows(page, numbers)), page.get("remarks", "").strip(),
             f"![{caption}]({figure})\n\n*{caption}*",
             "## How it was measured\n\n" + how_measured(name, numbers), "## Numbers" if tables else "", *tables,
             "[All claims](../paper.md)"]
    return "\n\n".join(part for part in parts if part) + "\n"


def all_claims(every):
    rows = []
    for page in every:
        numbers = measured(page["name"])
        rows += [[f"[{claim[0]}](paper/{page['name']}.md)", *claim[1:], f"`{page['name']}`"] for claim in claim_rows(page, numbers)]
    return table(["claim", "verdict", "number", "experiment"], rows)


def generated():
    """What docs/paper.md and the pages should hold."""
    every = pages()
    index = ROOT / "docs" / "paper.md"
    yield index, CLAIMS.sub(lambda match: f"{match.group(1)}\n{all_claims(every)}\n\n{match.group(2)}", index.read_text(encoding="utf-8"))
    for page in every:
        yield FOLDER / f"{page['name']}.md", page_text(page)
        numbers = measured(page["name"])
        if "figure" not in numbers:
            yield FOLDER / f"{page['name']}.svg", drawn(numbers)
