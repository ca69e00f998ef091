"""disc.run: the function form of ``disc run``."""
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._inputs import as_dataset, datasets_of, files_of, is_anndata, is_path, per_condition, split_rows, texts
from ._options import DESIGN, OPTIONS, READING, given_texts, with_option_keywords
from ._progress import Progress, close, progress_callback
from .analysis import Analysis
from .errors import InputError, OptionError


def run(conditions: Union[Mapping[str, Any], Sequence[Any], Any], *, by: Optional[str] = None, layer: Optional[str] = None,
        names: Optional[Sequence[str]] = None, features: Optional[Sequence[str]] = None, preset: Optional[str] = None,
        seed: int = 0, threads: int = 0, progress: Progress = None, unit: Any = None, strata: Any = None,
        paired: Any = None, covariate: Any = None, metadata: Any = None, **options: Any) -> Analysis:
    """Finds the groups of features that are connected in each condition and not in the others.

    conditions: a dictionary from the name of a condition to its data, or a list of data. Data are samples x features: a numpy
        array, a scipy sparse matrix, a pandas data frame, an AnnData object, or the path of a file that ``disc run`` reads. A list
        of paths is a condition made of several files: each is a unit.
        Or one AnnData object, or one path, whose samples have labels that say their condition, with ``by``.
    by: column of ``obs``, or label in the file, that holds the conditions.
    layer: layer of AnnData, or of an h5ad file, to use in place of ``X``.
    names: names of the conditions, where a list is given; with ``by``, those that are wanted.
    features: names of the features, for arrays.
    preset, seed, threads: as on the command line; threads = 0 uses all cores, and the result does not depend on it.
    progress: None shows a bar in terminals and notebooks, True always, False never; or a function of (stage, fraction).
    unit, strata, paired, covariate: who belongs to whom, as on the command line: a name of a column of ``obs``, of a label in the
        files, or of the table ``metadata``; or values, one per sample, as a dictionary or list of arrays, one per condition.
    metadata: path of a table of the samples.

    An array of float64, float32, int16, uint16 or uint8 is not copied, whatever its strides. Raises InputError and OptionError with the sentences of the program.
    """
    reading = given_texts({**{name: options.pop(name) for name in READING if name in options}, "layer": layer})
    table = "" if metadata is None else os.fspath(metadata)
    if is_path(conditions) and by is not None:
        data: Dict[str, Any] = {"": conditions}
        datasets = _core.split_conditions(as_dataset(conditions, "", None, reading), by, table, list(names or []))
    else:
        data = by_name(conditions, by, names)
        datasets = datasets_of(data, layer, reading)
    if features is not None:
        for dataset in datasets:
            dataset.features = list(map(str, features))
    labels = {"unit": unit, "strata": strata, "paired": paired, "covariate": covariate}
    columns = {option: add_labels(option, value, data, datasets) for option, value in labels.items() if value is not None}
    files = [(path, _core.file_digest(path)) for value in data.values() for path in files_of(value)]
    return run_datasets(datasets, {**options, **columns, "metadata": table or None, "by": by}, preset, seed, threads, progress, files)


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


def by_name(conditions: Any, by: Optional[str], names: Optional[Sequence[str]]) -> Dict[str, Any]:
    """Data by condition."""
    if is_anndata(conditions):
        return split_anndata(conditions, by, names)
    if by is not None:
        raise OptionError(f"--by {by}: is for one AnnData object or one file, whose samples it divides", "by")
    if isinstance(conditions, Mapping):
        found = {str(name): value for name, value in conditions.items()}
    elif isinstance(conditions, (list, tuple)):
        values = list(conditions)
        placeholders = [os.fspath(value) if is_path(value) else chr(ord("A") + i % 26) for i, value in enumerate(values)]
        found = dict(zip(_core.name_conditions(placeholders, list(names or [])), values))
    else:
        raise InputError("conditions must be a dictionary from names to data, a list of data, or an AnnData object with by=...")
    if len(found) < 2:
        raise InputError(f"there are {len(found)} conditions; at least 2 are needed")
    return found


def split_anndata(adata: Any, by: Optional[str], names: Optional[Sequence[str]]) -> Dict[str, Any]:
    if by is None:
        raise InputError("by is needed: the column of obs that holds the conditions, one of " + ", ".join(adata.obs.columns))
    rows = split_rows(column_of(adata, by), f"obs column '{by}'")
    unknown = [name for name in names or [] if name not in rows]
    if unknown:
        raise OptionError(f"--names {unknown[0]}: is not a value of '{by}', which has {', '.join(rows)}", "names")
    rows = {name: rows[name] for name in names or rows}
    if len(rows) < 2:
        raise InputError(f"obs column '{by}' holds {len(rows)} conditions; at least 2 are needed")
    return {name: adata[chosen] for name, chosen in rows.items()}


def column_of(adata: Any, name: str) -> Any:
    if name not in adata.obs:
        raise InputError(f"there is no column '{name}' in obs; there are {', '.join(map(str, adata.obs.columns)) or 'none'}")
    return adata.obs[name]


def add_labels(option: str, value: Any, data: Dict[str, Any], datasets: List[_core.Dataset]) -> List[str]:
    """Gives every condition its labels; returns the names of their columns, the value of the option."""
    if isinstance(value, str) or (isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)):
        columns = value.split(",") if isinstance(value, str) else list(value)
        for column in columns:
            for source, dataset in zip(data.values(), datasets):
                if is_anndata(source) and column not in dataset.labels:
                    dataset.add_label(column, texts(column_of(source, column), f"obs column '{column}'"))
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
