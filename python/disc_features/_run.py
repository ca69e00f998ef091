"""disc.run: the function form of ``disc run``."""
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._inputs import all_opened, as_dataset, datasets_of, files_of, is_anndata, is_frame, is_path, per_condition, split_rows, texts
from ._options import DESIGN, OPTIONS, READING, given_texts, with_option_keywords
from ._progress import Progress, close, progress_callback
from .analysis import Analysis
from .errors import InputError, OptionError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import RunOptions


def run(conditions: Union[Mapping[str, Any], Sequence[Any], Any], *others: Any, by: Optional[str] = None,
        groupby: Optional[str] = None, where: Optional[str] = None, layer: Optional[str] = None,
        names: Optional[Sequence[str]] = None, features: Optional[Sequence[str]] = None, preset: Optional[str] = None,
        seed: int = 0, threads: int = 0, progress: Progress = None, unit: Any = None, strata: Any = None,
        paired: Any = None, covariate: Any = None, within: Any = None, metadata: Any = None, **options: "Unpack[RunOptions]") -> Analysis:
    """Finds the groups of features that are connected in each condition and not in the others.

    An array of float64, float32, int16, uint16 or uint8 is not copied, whatever its strides. The sentences of errors are those of
    the program, with its options named as here.

    Parameters
    ----------
    conditions
        A dictionary from the name of a condition to its data, or a list of data. Data are samples x features: a numpy array, a
        scipy sparse matrix, a pandas data frame, an AnnData object, or the path of a file that ``disc run`` reads, or of a Parquet, Feather
        or zarr file where pandas or anndata can read it. A list of paths
        is a condition made of several files: each is a unit.
        Or, with ``by``, one AnnData object, data frame or path whose samples have labels that say their condition.
    by
        Column of ``obs`` or of the data frame, or label in the file, that holds the conditions. Columns of words in a data frame
        are labels of its rows, not features.
    groupby
        The same as ``by``, as scanpy calls it.
    where
        Part of the samples, by their labels: ``"cell_type == CD14 Mono and age >= 60"``, with ``==``, ``!=``, ``<``, ``<=``,
        ``>``, ``>=``, ``in (A, B)``, ``and``, ``or``, ``not`` and brackets.
    layer
        Layer of AnnData, or of an h5ad file, to use in place of ``X``.
    names
        Names of the conditions, where a list is given; with ``by``, those that are wanted.
    features
        Names of the features, for arrays.
    preset, seed, threads
        As on the command line; threads = 0 uses all cores, and the result does not depend on it.
    progress
        None shows a bar in terminals and notebooks, True always, False never; or a function of (stage, fraction).
    within
        Kinds of samples, such as cell types: correlations are those within each, in the same mixture in all conditions. Given as
        ``unit``.
    unit, strata, paired, covariate
        Who belongs to whom, as on the command line: a name of a column of ``obs`` or of the data frame, of a label in the files,
        or of the table ``metadata``; or values, one per sample, as a dictionary or list of arrays, one per condition.
    metadata
        Path of a table of the samples.

    Returns
    -------
    Analysis
        The groups of each condition, and everything that is known about them.

    Raises
    ------
    InputError
        The data cannot be used as they are.
    OptionError
        An option has a value that is not allowed.

    Examples
    --------
    >>> found = disc.run({"control": X0, "treated": X1})  # doctest: +SKIP
    >>> found = disc.run(adata, by="condition", unit="donor", where="cell_type == CD14 Mono")  # doctest: +SKIP
    >>> found = disc.run(frame, by="group", unit="mouse")  # doctest: +SKIP
    """
    if others:
        raise InputError("conditions are given as one argument: disc.run({'A': A, 'B': B}) or disc.run([A, B]); "
                         "what else there is has names, such as by='condition'")
    collected = collect(conditions, one_of(by, groupby), where, layer, names, features,
                        {"unit": unit, "strata": strata, "paired": paired, "covariate": covariate, "within": within}, metadata, options)
    return run_datasets(collected.datasets, collected.given, preset, seed, threads, progress, collected.files)


class Collected(NamedTuple):
    """Data as the engine takes them, with all options, and the files they come from."""

    datasets: List[_core.Dataset]
    given: Dict[str, Any]
    files: List[Tuple[str, str]]


def collect(conditions: Any, by: Optional[str], where: Optional[str], layer: Optional[str], names: Optional[Sequence[str]],
            features: Optional[Sequence[str]], labels: Dict[str, Any], metadata: Any, options: Dict[str, Any]) -> Collected:
    conditions = all_opened(conditions)
    reading = reading_texts(options, layer, [by, *labels.values()], where)
    table = "" if metadata is None else os.fspath(metadata)
    if by is not None and (is_path(conditions) or (is_frame(conditions) and not is_anndata(conditions))):
        data: Dict[str, Any] = {"": conditions}
        datasets = _core.split_conditions(as_dataset(conditions, "", None, reading), by, table, list(map(str, names or [])),
                                          where or "")
    else:
        data = by_name(conditions, by, names, where)
        datasets = datasets_of(data, layer, reading)
        if where is not None and by is None:
            add_labels("where", _core.where_labels(where), data, datasets, only_known=True)
    if features is not None:
        for dataset in datasets:
            dataset.features = list(map(str, features))
    columns = {option: add_labels(option, value, data, datasets) for option, value in labels.items() if value is not None}
    files = [(path, _core.file_digest(path)) for value in data.values() for path in files_of(value)]
    return Collected(datasets, {**options, **columns, "metadata": table or None, "by": by, "where": where}, files)


def one_of(by: Optional[str], groupby: Optional[str]) -> Optional[str]:
    if by is not None and groupby is not None and by != groupby:
        raise OptionError(f"--by {by}: is the same as groupby, which is {groupby!r}; give one of them", "by")
    return groupby if by is None else by


def reading_texts(options: Dict[str, Any], layer: Optional[str], columns: List[Any], where: Optional[str]) -> Dict[str, str]:
    """The options of reading, taken out of the others. Columns that the design speaks of are labels, even if they hold numbers."""
    reading = given_texts({**{name: options.pop(name) for name in READING if name in options}, "layer": layer})
    named = [name for value in columns for name in ([value] if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [])
             if isinstance(name, str)]
    parts = [part for name in named for part in name.split(",")] + (_core.where_labels(where) if where else [])
    labels = reading.get("labels", "").split(",") + [part[:-2] if part[-2:-1] == ":" else part for part in parts]
    if any(labels):
        reading["labels"] = ",".join(dict.fromkeys(filter(None, labels)))
    return reading


def run_datasets(datasets: List[_core.Dataset], options: Dict[str, Any], preset: Optional[str], seed: int, threads: int,
                 progress: Progress, files: Sequence[Tuple[str, str]] = ()) -> Analysis:
    callback = progress_callback(progress)
    try:
        return Analysis(_core.run(datasets, preset or "", given_texts(options), list(files),
                                  checked(threads, "threads", 1024), checked(seed, "seed", 2**64 - 1), callback))
    finally:
        close(callback)


def checked(value: Any, option: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value <= most:
        raise OptionError(f"--{option} {value}: must be a whole number from 0 to {most}", option)
    return int(value)


def by_name(conditions: Any, by: Optional[str], names: Optional[Sequence[str]], where: Optional[str] = None) -> Dict[str, Any]:
    """Data by condition."""
    if is_anndata(conditions):
        return split_anndata(conditions, by, names, where)
    if by is not None:
        raise OptionError(f"--by {by}: is for one AnnData object, one data frame or one file, whose samples it divides", "by")
    if isinstance(conditions, Mapping):
        found = {str(name): value for name, value in conditions.items()}
    elif isinstance(conditions, (list, tuple)):
        values = list(conditions)
        placeholders = [os.fspath(value) if is_path(value) else chr(ord("A") + i % 26) for i, value in enumerate(values)]
        found = dict(zip(_core.name_conditions(placeholders, list(names or [])), values))
    else:
        raise InputError("conditions must be a dictionary from names to data, a list of data, or one AnnData object or data frame "
                         "with by=...")
    if len(found) < 2:
        raise InputError(f"there are {len(found)} conditions; at least 2 are needed")
    return found


def split_anndata(adata: Any, by: Optional[str], names: Optional[Sequence[str]], where: Optional[str] = None) -> Dict[str, Any]:
    if by is None:
        raise InputError("by is needed: the column of obs that holds the conditions, one of " + ", ".join(map(str, adata.obs.columns)))
    column_of(adata, by)
    if where is not None:
        labels = {name: words(column_of(adata, name)) for name in _core.where_labels(where)}
        adata = adata[_core.where_rows(where, labels)]
    rows = split_rows(column_of(adata, by), f"obs column '{by}'")
    unknown = [name for name in map(str, names or []) if name not in rows]
    if unknown:
        raise OptionError(f"--names {unknown[0]}: is not a value of '{by}', which has {', '.join(rows)}"
                          + _core.did_you_mean(unknown[0], list(rows)), "names")
    rows = {name: rows[name] for name in (map(str, names) if names else rows)}
    if len(rows) < 2:
        raise InputError(f"obs column '{by}' holds {len(rows)} conditions; at least 2 are needed")
    return {name: adata[chosen] for name, chosen in rows.items()}


def words(values: Any) -> List[str]:
    """Labels as text, empty where one is missing."""
    return ["" if value is None or value != value else str(value) for value in np.asarray(values).astype(object)]


def column_of(adata: Any, name: str) -> Any:
    if name not in adata.obs:
        known = list(map(str, adata.obs.columns))
        raise InputError(f"there is no column '{name}' in obs; there are {', '.join(known) or 'none'}{_core.did_you_mean(name, known)}")
    return adata.obs[name]


def add_labels(option: str, value: Any, data: Dict[str, Any], datasets: List[_core.Dataset], only_known: bool = False) -> List[str]:
    """Gives every condition its labels; returns the names of their columns, the value of the option. only_known: those that are
    nowhere are left to the engine to complain of."""
    if isinstance(value, str) or (isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)):
        columns = value.split(",") if isinstance(value, str) else list(value)
        for column in columns:
            for source, dataset in zip(data.values(), datasets):
                name = column[:-2] if column[-2:-1] == ":" else column  # "mouse:_": the part before the last _
                if not is_anndata(source) or name in dataset.labels or (only_known and name not in source.obs):
                    continue
                if only_known:
                    dataset.add_label(name, words(source.obs[name]))
                else:
                    dataset.add_label(name, texts(column_of(source, name), f"obs column '{name}'"))
        return columns
    columns = []
    for dataset, labels in zip(datasets, per_condition(value, [dataset.name for dataset in datasets], option).values()):
        labels = np.asarray(labels)
        several = labels.T if labels.ndim == 2 else [labels]
        columns = [option] if len(several) == 1 else [f"{option}{i + 1}" for i in range(len(several))]
        for column, cells in zip(columns, several):
            dataset.add_label(column, texts(cells, f"{option} of condition '{dataset.name}'"))
    return columns


with_option_keywords(run, {**READING, **{keyword: row.help for keyword, row in OPTIONS.items() if keyword not in DESIGN}})
