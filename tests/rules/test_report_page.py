"""The report page makes elements from names and text: nothing from the data is ever parsed as HTML or run."""
import re

import pytest
from rule_helpers import ROOT, read, shown

SOURCES = sorted(ROOT.glob("report/src/**/*.ts"))
FORBIDDEN = re.compile(r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser)\b|\beval\(|\bnew Function\b")


def test_there_are_sources():
    assert SOURCES


@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_nothing_is_parsed_as_html(path):
    assert FORBIDDEN.findall(read(path)) == []


@pytest.mark.parametrize("text", ["node.innerHTML = name", "x.insertAdjacentHTML('a', b)", "document.write(x)", "eval(code)"])
def test_the_rule_notices_it(text):
    assert FORBIDDEN.search(text)
