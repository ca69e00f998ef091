"""docs/outputs.toml says what a run writes: no more, no less, and of these types."""

import io
import re
import tomllib
import zipfile

import numpy as np
import pytest
from program import ROOT, run_ok, summary, two_conditions

SCHEMA = tomllib.loads((ROOT / "docs" / "outputs.toml").read_text(encoding="utf-8"))
FILES = {place for place in SCHEMA if place.endswith((".tsv", ".npz"))}
OBJECTS = {"" if place == "summary.json" else place: fields for place, fields in SCHEMA.items() if place not in FILES}
TYPES = {"text": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict}


def conditions_of(*seeds):
    """Like the usual pair, and a third one that has what A and B share."""
    pair = two_conditions()
    return [pair[seed] if seed < 2 else np.random.default_rng(seed).normal(size=pair[0].shape) for seed in seeds]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Results that together have every field: two conditions with sets, three conditions, and the paper's way."""
    place = tmp_path_factory.mktemp("schema")
    files = []
    for name, values in zip("ABC", conditions_of(0, 1, 2)):
        np.save(place / f"{name}.npy", values)
        files.append(place / f"{name}.npy")
    sets = place / "sets.gmt"
    sets.write_text("some\tof A\t" + "\t".join(f"f{j}" for j in range(33, 45)) + "\n")
    runs = {"two": [*files[:2], "--genesets", sets, "--missing", "mean", "--normalize", "zscore", "--permutations", "39"],
            "three": [*files, "--permutations", "159", "--bootstraps", "4", "--tail", "pareto"],
            "paper": [*files[:2], "--preset", "paper-code", "--only-features", place / "names.txt"]}
    (place / "names.txt").write_text("".join(f"f{j}\n" for j in range(1, 51)))
    for name, words in runs.items():
        run_ok(*words, "-o", place / name)
    return [place / name for name in runs]


def is_of(kind, value):
    if kind.endswith(" or null"):
        return value is None or is_of(kind.removesuffix(" or null"), value)
    if kind.startswith("list of "):
        inner = kind.removeprefix("list of ").removesuffix("s")
        return isinstance(value, list) and all(is_of(inner, item) for item in value)
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def objects(value, place=""):
    """All objects in a value, with their place as the schema calls it."""
    if isinstance(value, dict):
        yield place, value
        for name, inner in value.items():
            yield from objects(inner, f"{place}.{name}" if place else name)
        if place and all(isinstance(inner, dict) for inner in value.values()):
            for inner in value.values():
                yield from objects(inner, place + "{}")
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner, place + "[]")


def test_summary_has_these_fields_of_these_types(folders):
    wrong, seen = [], set()
    for folder in folders:
        for place, found in objects(summary(folder)):
            if place not in OBJECTS:
                continue
            for name, value in found.items():
                seen.add((place, name))
                kind = OBJECTS[place].get(name, ["?"])[0]
                if kind == "?" or not is_of(kind, value):
                    wrong.append((place, name, kind, value))
    assert wrong == []
    assert {(place, name) for place, fields in OBJECTS.items() for name in fields} - seen == set()


def test_every_object_of_the_summary_is_explained(folders):
    named_by_the_user = {"settings", "settings.given", "settings.used"}
    places = {re.sub(r"(?<=convergence)\.\w+$", "{}", place.removesuffix("{}") if place == "settings{}" else place)
              for folder in folders for place, _ in objects(summary(folder))}
    assert places - named_by_the_user - {"conditions[].convergence"} - set(OBJECTS) == set()


def pattern_of(name):
    return re.compile(re.sub("NAME", "[ABC]", re.sub("_G$", r"_\\d[\\d.]*", name)))


@pytest.mark.parametrize("file", sorted(FILES))
def test_files_have_these_columns_and_arrays(folders, file):
    known = {name: pattern_of(name) for name in SCHEMA[file]}
    names = []
    for path in (folder / file for folder in folders if (folder / file).exists()):
        if file.endswith(".tsv"):
            names += path.read_text().split("\n", 1)[0].split("\t")
        else:
            names += [name.removesuffix(".npy") for name in zipfile.ZipFile(io.BytesIO(path.read_bytes())).namelist()]
    assert [name for name in names if not any(pattern.fullmatch(name) for pattern in known.values())] == []
    only_with = {"label_NAME", "means_NAME"}  # labels of samples, pixels
    assert [name for name, pattern in known.items() if name not in only_with and not any(map(pattern.fullmatch, names))] == []
