"""Pages about the paper: every experiment has one, with a verdict, a number, a command and a figure, all from its measurements."""
import json
import re
import sys

import pytest
from rule_helpers import ROOT, read

sys.path.insert(0, str(ROOT / "tools"))
import paper_pages  # noqa: E402

FOLDER = ROOT / "docs" / "paper"
PAGES = {page["name"]: page for page in paper_pages.pages()}


def experiments():
    listed = re.search(r"^EXPERIMENTS = \[(.*?)\]", read(ROOT / "experiments" / "paper.py"), re.MULTILINE | re.DOTALL)[1]
    return set(re.findall(r'"(\w+)"', listed))


def test_every_experiment_has_a_page():
    assert set(PAGES) == experiments()
    assert {path.stem for path in FOLDER.glob("*.md")} == {path.stem for path in FOLDER.glob("*.json")} == set(PAGES)
    site = read(ROOT / "mkdocs.yml")
    assert [name for name in PAGES if f"- paper/{name}.md" not in site] == []


@pytest.mark.parametrize("name", sorted(PAGES))
def test_every_claim_has_verdict_number_and_command(name):
    numbers = paper_pages.measured(name)
    assert numbers["status"] == "done" and re.fullmatch(r"\d{4}-\d\d-\d\d", numbers["date"]) and numbers["version"]
    assert re.fullmatch(rf"python3? -m experiments\.{name}( --[a-z-]+( [\w.-]+)*)*", numbers["command"])
    assert (FOLDER / paper_pages.figure_of(numbers)).stat().st_size > 300
    for claim in PAGES[name]["claim"]:
        assert claim["verdict"] in paper_pages.VERDICTS
        assert "{" in claim["number"], "a number is looked up, not written by hand"
        assert re.search(r"\d", paper_pages.filled(claim["number"], numbers))


def test_a_number_that_was_not_measured_is_missed():
    numbers = json.loads(read(FOLDER / "recovery.json"))
    assert paper_pages.filled("{summary>subsets>recipe}", numbers) == numbers["summary"][1]["recipe"]
    for place in ("no such table>subsets>recipe", "summary>no such row>recipe", "summary>subsets>no such column"):
        with pytest.raises(paper_pages.Missing):
            paper_pages.filled("{" + place + "}", numbers)


def test_other_numbers_make_another_page():
    page, numbers = PAGES["recovery"], paper_pages.measured("recovery")
    numbers["summary"][1]["recipe"] = "0.99 ± 0.09"
    assert "0.99 ± 0.09" in paper_pages.claim_rows(page, numbers)[1][2]
    assert "0.99 ± 0.09" not in read(FOLDER / "recovery.md")
