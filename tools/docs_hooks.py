"""For the documentation site: "<!-- api: NAME -->" becomes the signature and the description of disc.NAME, as installed, and the
pages to start with are there as notebooks too.

Links that leave docs/ (to the code, say) are right in a checkout; the site points them to nothing, so they become plain text.
"""
import functools
import importlib
import inspect
import itertools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from mkdocs.structure.files import File  # noqa: E402
from notebooks import BLOCK, pages_with_code, write_notebooks  # noqa: E402

API = re.compile(r"<!-- api: ([\w.]+) -->")
LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[\w./-]+)\)")
DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
MATHJAX = pathlib.Path(__file__).resolve().parent / "site" / "node_modules" / "mathjax" / "es5" / "tex-svg.js"
FIGURES = pathlib.Path(__file__).resolve().parents[1] / "build" / "figures"
ENTRY = re.compile(r"^([A-Za-z_]\w*(?:, [A-Za-z_]\w*)*): (?=\S)", re.MULTILINE)

SECTION = re.compile(r"^([A-Z]\w+)\n-{4,}\n", re.MULTILINE)
INDENTED = re.compile(r"^(\S[^\n]*)\n((?: {4}\S[^\n]*\n?)+)", re.MULTILINE)


def on_page_markdown(markdown, page, **_):
    folder = (DOCS / page.file.src_uri).parent
    markdown = API.sub(lambda match: described(match.group(1)), markdown)
    if DOCS / page.file.src_uri in pages_with_code():
        markdown = with_figures(markdown, page.file.src_uri)
        markdown += f'\n<a href="{pathlib.Path(page.file.src_uri).stem}.ipynb" download>This page as a notebook</a>\n'
    return LINK.sub(lambda match: match.group(0) if inside(folder / match.group(2)) else match.group(1), markdown)


def with_figures(markdown, uri):
    """Under a block of Python, what it draws: from real data where docs/images has it, else as tools/figures.py drew it."""
    place, numbers = pathlib.Path(uri), itertools.count()

    def shown(block):
        name = f"{place.stem}-{next(numbers)}"
        for folder, data in ((DOCS / "images", "from the real data"), (FIGURES, "from the stand-in" if place.parent.name == "tutorials" else "by the code above")):
            drawn = sorted(figure.name for figure in folder.glob(f"{name}*.png") if re.fullmatch(r"[b-k]?", figure.stem.removeprefix(name)))
            if drawn:
                return block.group(0) + "".join(f"\n![What this draws](../{folder.name}/{figure})\n" for figure in drawn) + f"\n*Drawn {data}.*\n"
        return block.group(0)
    return BLOCK.sub(shown, markdown)


def on_files(files, config, **_):
    """What is not kept with the pages: what draws the formulas, which tools/docs.sh installs, and the figures of the pages' code."""
    for figure in sorted(FIGURES.glob("*.png")):
        files.append(File.generated(config, f"figures/{figure.name}", abs_src_path=str(figure)))
    if MATHJAX.exists():
        files.append(File.generated(config, "javascripts/tex-svg.js", abs_src_path=str(MATHJAX)))
    else:
        print(f"docs: {MATHJAX.name} is not installed (tools/docs.sh does it); formulas are shown as TeX", file=sys.stderr)
    return files


def inside(target):
    return DOCS in target.resolve().parents


def on_post_build(config, **_):
    write_notebooks(pathlib.Path(config["site_dir"]))


def described(name):
    thing = functools.reduce(getattr, name.split("."), importlib.import_module("disc_features"))
    signature = "" if isinstance(thing, property) else shown_signature(thing)
    text = inspect.cleandoc(inspect.getdoc(thing) or "").replace("``", "`")
    # A parameter per line of the docstring is an entry of a list on the page.
    text = ENTRY.sub(lambda match: "- " + ", ".join(f"`{word}`" for word in match.group(1).split(", ")) + ": ", text)
    text = re.sub(r"(?m)^(?<!\n\n)- (?=`)", "\n- ", without_numpydoc(text))
    return f"```text\ndisc.{name}{signature}\n```\n\n{text}\n"


def without_numpydoc(text):
    """Headings that are underlined, and entries with their text indented below, as Markdown has them."""
    text = SECTION.sub(r"\n**\1**\n\n", text)
    text = INDENTED.sub(lambda match: f"- `{match.group(1).strip('*')}`: {' '.join(match.group(2).split())}\n", text)
    text = re.sub(r"(?m)^    (?=\S)", "", text)
    return re.sub(r"(?m)^>>> .*(\n>>> .*)*", lambda match: "```python\n" + match.group().replace(">>> ", "").replace("  # doctest: +SKIP", "") + "\n```", text)


def shown_signature(thing):
    """Without the annotations, which the text says in words, and without the options, which follow in a list."""
    parameters = [str(p.replace(annotation=inspect.Parameter.empty)) for p in inspect.signature(thing).parameters.values()
                  if p.name != "self"]
    text = f"({', '.join(parameters)})"
    return text if len(text) < 400 else f"({', '.join(parameters[:12])}, ...)"
