"""disc.test, and the groups of a run in other data: ``disc test``, ``disc replicate`` and ``disc project``."""
from __future__ import annotations

import io
import json
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._inputs import as_dataset, is_path
from ._options import OPTIONS, READING, given_texts, with_option_keywords
from ._progress import Progress, close, progress_callback
from ._run import Collected, checked, collect, one_of
from .errors import InputError

if TYPE_CHECKING:
    from pandas import DataFrame

    from .analysis import Analysis

Sets = Union[str, "os.PathLike[str]", Mapping[str, Sequence[str]], Sequence[str]]
TEXT = ("set", "description", "condition", "direction", "compared_with", "features", "group", "verdict")
FOR_SETS = {keyword: row for keyword, row in OPTIONS.items()
            if (row.section in ("Data", "Design") and keyword != "shape") or keyword in ("distance", "scores", "block")}


class SetTests:
    """What a test of given sets, or of the groups of another study, says."""

    def __init__(self, files: Dict[str, bytes]):
        self._files = {name: content for name, content in files.items() if name.endswith((".tsv", ".json"))}
        #: Notes on the data.
        self.warnings: List[str] = list(files.get("warnings", []))
        #: How it was done: permutations, units, settings, see docs/outputs.md.
        self.summary: Dict[str, Any] = json.loads(next(text for name, text in files.items() if name.endswith(".json")))

    def __reduce__(self):
        return SetTests, ({**self._files, "warnings": self.warnings},)

    def to_frame(self) -> DataFrame:
        """One row per set and condition, the smallest p first; or one row per group of the run."""
        import pandas

        text = next(text for name, text in self._files.items() if name.endswith(".tsv"))
        header = text.split(b"\n", 1)[0].decode(errors="replace").split("\t")
        numeric = [name for name in header if name not in TEXT]
        return pandas.read_csv(io.BytesIO(text), sep="\t", quoting=3, dtype={name: str for name in header if name in TEXT},
                               keep_default_na=False, na_values={name: [""] for name in numeric})

    def save(self, folder: Any) -> None:
        """Writes the files of ``disc test -o`` or ``disc replicate -o``."""
        _core.write_plain_files(os.fspath(folder), self._files)

    def __repr__(self) -> str:
        try:
            return self.to_frame().drop(columns=["features", "description"], errors="ignore").head(20).to_string(index=False)
        except ImportError:
            return next(text for name, text in self._files.items() if name.endswith(".tsv")).decode(errors="replace")

    def _repr_html_(self) -> str:
        return self.to_frame().drop(columns=["features", "description"], errors="ignore").to_html(index=False)


def named_sets(sets: Sets) -> List[Tuple[str, List[str]]]:
    """Sets by name: of a .gmt file, a dictionary, or one list of features."""
    if is_path(sets):
        return _core.read_gmt(os.fspath(sets))
    if isinstance(sets, Mapping):
        for name, members in sets.items():
            if isinstance(members, str):
                raise InputError(f"set '{name}' must be a list of names of features, not the text {members!r}")
        return [(str(name), list(map(str, members))) for name, members in sets.items()]
    members = list(sets)
    if not all(isinstance(member, str) for member in members):
        raise InputError("sets must be a dictionary from names to lists of features, one list of features, or the path of a .gmt file")
    return [("set", members)]


def test(conditions: Any, sets: Sets, *, by: Optional[str] = None, groupby: Optional[str] = None, where: Optional[str] = None,
         layer: Optional[str] = None, names: Optional[Sequence[str]] = None, features: Optional[Sequence[str]] = None,
         permutations: int = 999, min_members: int = 3, without: Sequence[str] = (), seed: int = 0, threads: int = 0,
         progress: Progress = None, unit: Any = None, strata: Any = None, paired: Any = None, covariate: Any = None,
         within: Any = None, metadata: Any = None, **options: Any) -> SetTests:
    """Tests given sets of features, such as pathways: is a set connected more, or less, in one condition than in the others?

    Nothing is searched for, so the power is full and the answer takes seconds.

    Parameters
    ----------
    conditions
        The data, as for ``disc.run``.
    sets
        A dictionary from names to lists of features, one list, or the path of a ``.gmt`` file.
    permutations
        Random exchanges of units between the conditions; all where fewer exist.
    min_members
        Sets with fewer members among the features are not tested.
    without
        Names of units that are excluded.
    by, groupby, where, layer, names, features, seed, threads, progress, unit, strata, paired, covariate, within, metadata
        As for ``disc.run``.

    Returns
    -------
    SetTests
        ``to_frame()`` has p, q, direction and mean correlations of every set.

    Examples
    --------
    >>> disc.test(adata, "h.all.symbols.gmt", by="condition", unit="donor").to_frame()  # doctest: +SKIP
    >>> disc.test({"control": X0, "treated": X1}, {"mine": ["gene1", "gene2", "gene3"]})  # doctest: +SKIP
    """
    collected = collect(conditions, one_of(by, groupby), where, layer, names, features,
                        {"unit": unit, "strata": strata, "paired": paired, "covariate": covariate, "within": within}, metadata, options)
    return test_collected(collected, sets, permutations, min_members, without, seed, threads, progress)


def test_collected(collected: Collected, sets: Sets, permutations: int, min_members: int, without: Sequence[str], seed: int,
                   threads: int, progress: Progress) -> SetTests:
    callback = progress_callback(progress)
    try:
        return SetTests(_core.test_sets(collected.datasets, given_texts(collected.given), collected.files, named_sets(sets), permutations,
                                        min_members, [without] if isinstance(without, str) else list(map(str, without)),
                                        checked(threads, "threads", 1024), checked(seed, "seed", 2**64 - 1), callback))
    finally:
        close(callback)


def replicate(analysis: Analysis, collected: Collected, permutations: int, min_members: int, seed: int, threads: int,
              progress: Progress) -> SetTests:
    callback = progress_callback(progress)
    try:
        return SetTests(_core.replicate(collected.datasets, given_texts(collected.given), collected.files,
                                        analysis._files["groups.tsv"], analysis._files["summary.json"], permutations, min_members,
                                        checked(threads, "threads", 1024), checked(seed, "seed", 2**64 - 1), callback))
    finally:
        close(callback)


def project(analysis: Analysis, data: Any, layer: Optional[str]) -> Tuple[np.ndarray, List[Tuple[str, str]], List[List[str]], List[str]]:
    """Scores, groups (condition, number), missing members of each, names of the samples."""
    dataset = as_dataset(data, "new", layer, {})
    scores, groups, missing = _core.project_groups([dataset], analysis._files["groups.tsv"], analysis._files["summary.json"])
    return scores, groups, missing, dataset.samples


with_option_keywords(test, {**READING, **{keyword: row.help for keyword, row in FOR_SETS.items()}})
