"""The map in ARCHITECTURE.md is walked: files, verbs and the order of the steps are what it says."""
import re

import pytest
from rule_helpers import ROOT, STAGES, read, shown

PAGE = read(ROOT / "ARCHITECTURE.md")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")]
PATH = re.compile(r"`([\w.*-]*(?:/[\w.*-]+)*/?)`")
SOURCE = re.compile(r"\.(?:cpp|hpp|ts|md|toml|py|cmake|sh|mjs)$")


def paths_of(text):
    """Names of files and folders; one without a folder lies beside the last. X stands for any stage."""
    folder = None
    for name in PATH.findall(text.replace("X", "stats")):
        if SOURCE.search(name) and "/" not in name and folder is not None:
            yield folder / name
        elif "/" in name:
            path = ROOT / name
            yield path
            folder = path if name.endswith("/") else path.parent


def test_every_file_and_folder_is_there():
    missing = {shown(path) for line in PAGE.splitlines() for path in paths_of(line) if not path.exists()}
    assert missing == set()


def test_every_decision_is_there():
    numbers = set(re.findall(r"`(?:docs/decisions/)?(\d{3})(?=[-`])", PAGE))
    assert numbers and {number for number in numbers if not list((ROOT / "docs" / "decisions").glob(f"{number}-*.md"))} == set()


def test_stages_are_in_order():
    chain = next(line for line in PAGE.splitlines() if line.startswith("base -> "))
    assert re.findall(r"\w+", chain.split("  ")[0]) == STAGES


def verbs():
    for row in ROWS:
        stage = row[0].strip("`")
        if len(row) == 4 and stage in STAGES:
            yield from ((stage, name) for cell in row[1:] for name in re.findall(r"`(\w+)[^`]*`", cell))


@pytest.mark.parametrize("stage,name", verbs())
def test_every_verb_and_type_is_declared(stage, name):
    headers = "".join(read(path) for path in sorted((ROOT / "include" / "disc").glob("*.hpp")))
    assert re.search(rf"\b{name}\b", headers), f"{stage}: no {name}"


def test_the_page_reads_in_the_order_of_the_method():
    page = read(ROOT / "src" / "pipeline" / "run.cpp")
    start = page.index("Analysis run(Engine&")
    steps = re.findall(r"(?:engine\.|test->|\b)(read|prepare|design|find_vectors|find_groups|make_figure_data)\(", page[start:])
    assert steps == ["read", "prepare", "design", "find_vectors", "find_groups", "make_figure_data"]
    assert re.findall(r"test->(\w+)\(", page) == ["analyze_truth", "permute", "compare_pairs", "evidence"]


def callers(function):
    """Sources of the stage stats that call it."""
    call = re.compile(rf"(?<![\w:]){function}\(")
    return {path.name for path in sorted((ROOT / "src" / "stats").glob("*.cpp")) if call.search(read(path))} - {f"{function}.cpp"}


def test_all_labellings_go_through_one_function():
    assert callers("analyze") == {"permutation_test.cpp", "evidence.cpp"}  # the truth and permutations; bootstraps
    assert len(re.findall(r"(?<![\w:])analyze\(", read(ROOT / "src" / "stats" / "permutation_test.cpp"))) == 2  # all features, or those left
