"""Pages that can be read: short sentences where people start, no table cell that is a paragraph."""
import re

import pytest
from rule_helpers import ROOT, read

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FIRST_READ = [ROOT / "README.md", ROOT / "docs" / "index.md", *sorted((ROOT / "docs" / "tutorials").glob("*.md")),
              *sorted((ROOT / "docs" / "start").glob("*.md"))]
MAX_CELL, MAX_WORDS = 160, 40
SPOKEN = [*PAGES, *sorted((ROOT / "report" / "src").rglob("*.ts")), *sorted((ROOT / "python" / "disc_features").glob("*.py")),
          *sorted((ROOT / "apps" / "disc").glob("*.cpp")), ROOT / "src" / "pipeline" / "options.cpp", *sorted(ROOT.glob("*.md"))]
BRITISH = re.compile(r"(?i)\b\w*(?:colour|neighbour|behaviour|favour|labelling|labelled|modelled|judgement|licence|centred|centring|centre(?=s?\b)"
                     r"|(?:normal|standard|general|recogn|serial|random|vector|special|summar|regular|optim|minim|maxim|initial|organ|character)is(?:e|ed|es|ing|ation|er)\b"
                     r"|analys(?:e|ed|ing)\b|\bgrey\b|\btowards\b|\blearnt\b)\w*")
MEANT = {"aria-labelledby", "--normalise"}  # a mistake that is answered


def without_code(text):
    text = re.sub(r"^```.*?^```", "\n", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def shown(text):
    """As it is read: links without their targets."""
    return re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)


def cells(text):
    for line in without_code(text).splitlines():
        if line.startswith("|"):
            yield from (shown(cell).strip() for cell in re.split(r"(?<!\\)\|", line.strip("|")))


def sentences(text):
    text = "\n".join(line for line in without_code(text).splitlines() if not line.startswith(("|", "#", "!")))
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", shown(text)):
        words = re.sub(r"\bet al\.|\be\.g\.|\bvs\.", "", " ".join(paragraph.split()))
        yield from re.split(r"(?<=[.?!:;])[\s*\"')]+(?=[A-Z`*\"(])", words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_cell_is_a_paragraph(page):
    assert [cell for cell in cells(read(page)) if len(cell) > MAX_CELL] == []


@pytest.mark.parametrize("page", FIRST_READ, ids=lambda page: page.stem)
def test_sentences_are_short(page):
    assert [sentence for sentence in sentences(read(page)) if len(sentence.split()) > MAX_WORDS] == []


def british(text):
    return [word for word in re.findall(r"[\w-]+", text) if BRITISH.search(word) and word not in MEANT]


@pytest.mark.parametrize("page", SPOKEN, ids=lambda page: page.name)
def test_one_spelling(page):
    assert british(read(page)) == []


def test_the_other_spelling_is_seen():
    assert british("centred colours of a center, --normalise or normalised, analysed behaviour and noise otherwise raised towards four") == [
        "centred", "colours", "normalised", "analysed", "behaviour", "towards"]


def test_the_page_names_its_sections_by_an_attribute_that_exists():
    """There is no aria-labeledby: with that spelling screen readers find no names."""
    assert british('"aria-labelledby"') == []
    assert not [page.name for page in SPOKEN if "aria-labeled" in read(page)]


def test_what_is_too_long_is_seen():
    assert [len(cell) for cell in cells("| a | " + "b" * 200 + " |\n")] == [1, 200]
    assert [len(sentence.split()) for sentence in sentences("One two. " + "Word " + "word " * 44 + "end.\n\n- A list.")] == [2, 46, 3]


def test_pages_agree_on_the_cells_of_kang():
    """tools/draw_kang.py writes the same numbers into several pages; they come from one run."""
    told = {}
    for page in PAGES:
        for name, text in re.findall(r"<!-- kang: (\w+) -->(.*?)<!-- end -->", read(page), flags=re.DOTALL):
            told.setdefault(name, {}).setdefault(text.strip(), []).append(page.name)
    assert {"headline", "rows", "groups"} <= set(told)
    assert {name: list(texts.values()) for name, texts in told.items() if len(texts) > 1} == {}
