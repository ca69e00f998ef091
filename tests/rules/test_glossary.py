"""Public names use the words of the field: options, fields, columns, names in Python and headings."""
import ast
import re

import pytest
from rule_helpers import ROOT, read

# What is not said, and what is said instead. A word stands for itself with any joint: "noise edge", "noise_edge", "noise-edge".
ANYWHERE = {
    r"relabel\w*|labellings?|random exchanges?": "permutation",
    r"resampl\w*": "bootstrap",
    r"significance levels?": "singular value",
    r"noise edge|edge of the noise": "noise threshold",
    r"left out": "excluded",
    r"pictures?": "figure",
    r"leaves|reach": "cells, n_probe",
    r"remove common|what all features share": "global signal",
    r"of feature": "labels",
    r"slepc": "mpi, petsc-options",
    r"sheets?": "manifest",
    r"redundancy": "local linear residual",
    r"opponents?|rivals?|told|bars?": "baselines, other tools, with settings, targets",
    r"draws": "replicates",
    r"centred|centring|\w*(?:colour|neighbour|behaviour)\w*|\w+(?:ised|ising|isation)": "the American spelling",
    r"stand apart|hang together|most typical": "separate, connected, hub features",
}
# Said only where they are a whole name, or begin one.
WHOLE_NAMES = {
    r"(most|fewest|smallest)( .*)?": "max_, min_",
    r"nearest|neighbors|neighbors method": "knn, bandwidth-neighbors, knn-search",
    r"samples": "metadata",
    r"kept|kept or made|keep after": "checkpoint",
    r"smallest p": "min_p",
    r"all permutations": "exact",
    r"units named|features tested": "units_in_design, n_features_tested",
    r"planes|z modes|line begin|vector residual": "degenerate_subspace, z_low_rank, bin_start, local_linear_residual",
    r"significance": "singular_values",
}
HEADINGS = {
    r"the paper again": "Reproducing the paper",
    r"reading a result": "Interpreting results",
    r"questions": "FAQ",
    r"files that can be read": "Input formats",
    r"what a run writes": "Output files",
    r"more than one machine|several machines": "Distributed runs (MPI)",
    r"the program": "Command-line reference",
}
ALLOWED = {
    ("option", "samples"): "of `disc simulate`: how many samples to make; the table of the samples is --metadata",
    ("field", "samples"): "how many samples a condition has",
    ("python", "samples"): "of Simulation and simulate: how many, as in the program",
}


def words_of(name):
    return re.sub(r"[-_\s]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).strip().lower()


def better_word(name, kind):
    """What to say instead of the name; nothing if the name may stay."""
    if (kind, name) in ALLOWED:
        return None
    words = words_of(name)
    for pattern, better in ANYWHERE.items():
        if re.search(rf"(?<!\w)(?:{pattern})(?!\w)", words):
            return better
    for pattern, better in (HEADINGS if kind == "heading" else WHOLE_NAMES).items():
        if re.fullmatch(pattern, words):
            return better
    return None


def options():
    """Flags, and the words that they take."""
    names = set()
    for path in [*(ROOT / "src" / "pipeline").glob("*option*"), *(ROOT / "apps").rglob("*.cpp")]:
        text = read(path)
        names |= set(re.findall(r'--([a-z][a-z-]+)', text))
        names |= set(re.findall(r'^\s*(?:whole|number|choice|text|selection|memory_size)\(\s*"([a-z-]+)"', text, re.MULTILINE))
        names |= set(re.findall(r'Choice\{[\w:]+, "([\w-]+)"\}', text))
    return names


def fields():
    names = set()
    for path in (ROOT / "src" / "pipeline").glob("encode_*.cpp"):
        text = read(path)
        names |= set(re.findall(r'\{\s*"(\w+)",', text)) | set(re.findall(r'\["(\w+)"\]', text))
    return names


def columns():
    names = set()
    for path in (ROOT / "src" / "pipeline").glob("encode_*.cpp"):
        for header in re.findall(r'(?:TextTable table|columns)\s*\{+((?:\s*"\w+",?)+)', read(path)):
            names |= set(re.findall(r'"(\w+)"', header))
    return names


def python_names():
    """What modules and classes define without a leading underscore, their arguments, and attributes of estimators."""
    names = set()
    for path in (ROOT / "python" / "disc_features").glob("[!_]*.py"):
        for node in ast.walk(ast.parse(read(path))):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                names.add(node.name)
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                names |= {argument.arg for argument in node.args.args + node.args.kwonlyargs}
            if isinstance(node, ast.Attribute) and node.attr.endswith("_") and not node.attr.startswith("_"):
                names.add(node.attr)
    return names


def headings():
    names = set()
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        outside = re.sub(r"^```.*?^```", "", read(path), flags=re.MULTILINE | re.DOTALL)
        names |= set(re.findall(r"^#+ (.+)$", outside, re.MULTILINE))
    return names | set(re.findall(r"^\s*- ([^:\n]+):", read(ROOT / "mkdocs.yml"), re.MULTILINE))


SOURCES = {"option": (options, "permutations"), "field": (fields, "noise_threshold"), "column": (columns, "feature_a"),
           "python": (python_names, "meta_features"), "heading": (headings, "Output files")}


@pytest.mark.parametrize("kind", SOURCES)
def test_names_are_words_of_the_field(kind):
    find, known = SOURCES[kind]
    names = find()
    assert known in names, "names are not found where they were"
    assert {name: better for name in names if (better := better_word(name, kind))} == {}


@pytest.mark.parametrize("kind, name", [
    ("option", "relabellings"), ("option", "keep-after"), ("option", "neighbors"), ("option", "remove-common"), ("option", "slepc"),
    ("field", "noise_edge"), ("field", "smallest_p"), ("field", "centred"), ("option", "standardising"), ("column", "most_typical"), ("python", "n_resamples"), ("python", "fewest_units"), ("field", "planes"), ("column", "z_modes"), ("field", "all_permutations"), ("python", "significance"),
    ("heading", "The paper again"), ("heading", "Questions")])
def test_a_word_of_ours_is_caught(kind, name):
    assert better_word(name, kind)


@pytest.mark.parametrize("kind, name", [("option", "bandwidth-neighbors"), ("field", "neighbor_recall"), ("python", "nearest_pixels")])
def test_a_word_of_the_field_is_not(kind, name):
    assert better_word(name, kind) is None


def test_exceptions_are_needed():
    assert [key for key in ALLOWED if key[1] not in SOURCES[key[0]][0]()] == []
