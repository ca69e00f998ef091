"""From what users hold in their hands to data of the engine.

A C-contiguous or otherwise strided array of float64, float32, int16, uint16 or uint8 is used where it lies. Other types of numbers,
and sparse matrices, are copied once.
"""
import importlib
import os
import warnings
import zipfile
from collections import Counter
from typing import Any, Dict, Iterable, List, Optional, Sequence

import numpy as np

from . import _core
from .errors import InputError

USED_IN_PLACE = tuple(map(np.dtype, (np.float64, np.float32, np.int16, np.uint16, np.uint8)))


def is_anndata(data: Any) -> bool:
    return all(hasattr(data, name) for name in ("obs_names", "var_names", "obs", "X"))


def is_frame(data: Any) -> bool:
    return all(hasattr(data, name) for name in ("columns", "index", "to_numpy"))


def is_sparse(data: Any) -> bool:
    return all(hasattr(data, name) for name in ("tocsr", "nnz"))


def is_path(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike))


def files_of(data: Any) -> List[str]:
    """The path, or the paths, that make up a condition; empty for what is in memory."""
    paths = [data] if is_path(data) else data if isinstance(data, (list, tuple)) else []
    return [os.fspath(path) for path in paths] if all(map(is_path, paths)) else []


COLUMNAR = {".parquet": "read_parquet", ".pq": "read_parquet", ".feather": "read_feather", ".arrow": "read_feather"}


def opened(data: Any) -> Any:
    """A path of a format that Python libraries read, as what they make of it: Parquet and Feather as a data frame, zarr as AnnData.
    Everything else as it is."""
    if not is_path(data):
        return data
    path = os.fspath(data)
    reader = COLUMNAR.get(os.path.splitext(path)[1].lower())
    if reader is not None and os.path.isfile(path):
        return by_library("pandas", reader, path, "pandas and pyarrow")
    if is_zarr(path):
        return by_library("anndata", "read_zarr", path, "anndata and zarr")
    return data


def is_zarr(path: str) -> bool:
    marks = (".zgroup", "zarr.json")
    if os.path.isdir(path):
        return any(os.path.exists(os.path.join(path, mark)) for mark in marks)
    if not path.lower().endswith(".zip") or not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return any(mark in archive.namelist() for mark in marks)


def by_library(library: str, function: str, path: str, needed: str) -> Any:
    try:
        module = importlib.import_module(library)
        return getattr(module, function)(path) if library == "pandas" else zarr_anndata(module, importlib.import_module("zarr"), path)
    except ImportError as error:
        raise InputError(f"{path}: needs {needed} to be read; install them, or save the data in another format", file=path) from error
    except InputError:
        raise
    except Exception as error:  # whatever a library thinks of a damaged file
        raise InputError(f"{path}: cannot be read by {library}: {error}", file=path) from error


def zarr_anndata(anndata: Any, zarr: Any, path: str) -> Any:
    """Values, layers and tables of samples and features: what else is in the store is not needed, and may be of types that no library reads.
    Of SpatialData its only table."""
    store = zarr.storage.ZipStore(path, mode="r") if os.path.isfile(path) else path
    # The collected metadata of a store are of all its arrays, and fail for all if they fail for one.
    one_by_one = {} if zarr.__version__.startswith("2.") else {"use_consolidated": False}
    group = zarr.open_group(store, mode="r", **one_by_one)
    if "X" not in group and "tables" in group:
        tables = sorted(group["tables"].group_keys())
        if len(tables) != 1:
            raise InputError(f"{path}: holds the tables {', '.join(tables) or 'none'}; give the path of one of them", file=path)
        group = group["tables"][tables[0]]
    missing = [name for name in ("X", "obs", "var") if name not in group]
    if missing:
        raise InputError(f"{path}: is a zarr store without {missing[0]}; it must hold AnnData", file=path)
    read = getattr(anndata, "io", anndata.experimental).read_elem
    layers = {name: read(group["layers"][name]) for name in group["layers"]} if "layers" in group else {}
    return anndata.AnnData(read(group["X"]), obs=read(group["obs"]), var=read(group["var"]), layers=layers)


def all_opened(conditions: Any) -> Any:
    """The same for each of several conditions; a list of paths keeps its names."""
    if hasattr(conditions, "keys") and hasattr(conditions, "items") and not is_frame(conditions) and not is_anndata(conditions):
        return {name: opened(value) for name, value in conditions.items()}
    if isinstance(conditions, (list, tuple)):
        values = [opened(value) for value in conditions]
        if len(values) > 1 and len(files_of(conditions)) == len(values) and not any(map(is_path, values)):
            return dict(zip(_core.name_conditions(files_of(conditions), []), values))
        return values
    return opened(conditions)


def numbers_of(data: Any, where: str) -> np.ndarray:
    """An array of two dimensions and a type that is used in place; the same memory where that is what came in."""
    if isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(np.float64), np.nan)
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise InputError(f"{where}: rows have different lengths; a table of samples x features is needed") from error
    if array.ndim != 2:
        raise InputError(f"{where}: has shape {array.shape}; a table of samples x features is needed, with two dimensions")
    if array.dtype.kind not in "fiubO":
        raise InputError(f"{where}: holds values of type {array.dtype}; numbers are needed")
    if array.dtype in USED_IN_PLACE and array.dtype.isnative and array.flags.aligned:
        return array
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{where}: {first_no_number(array)!r} is not a number") from error


def first_no_number(array: np.ndarray) -> Any:
    for value in array.flat:
        try:
            float(value)
        except (TypeError, ValueError):
            return value
    return None


def check_sparse(data: Any, where: str) -> None:
    """scipy turns a matrix into rows by compiled code that believes what it is given."""
    try:
        if hasattr(data, "check_format"):
            data.check_format(full_check=True)
        elif data.format == "coo" and data.nnz > 0:
            for places, length in zip((data.row, data.col), data.shape):
                if places.min() < 0 or places.max() >= length:
                    raise ValueError(f"it has a place beyond {length}")
    except ValueError as error:
        raise InputError(f"{where}: the sparse matrix is damaged: {error}") from None


def sparse_dataset(data: Any, where: str) -> _core.Dataset:
    if data.dtype.kind not in "fiub":
        raise InputError(f"{where}: holds values of type {data.dtype}; numbers are needed")
    check_sparse(data, where)
    rows = data.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return _core.sparse_dataset(rows.shape[0], rows.shape[1], rows.data.astype(np.float64, copy=False),
                                rows.indices.astype(np.int64, copy=False), rows.indptr.astype(np.int64, copy=False))


def texts(values: Any, where: str) -> List[str]:
    """Labels as text. What is missing has no place in a design."""
    values = np.asarray(values)
    if values.ndim != 1:
        raise InputError(f"{where}: has shape {values.shape}; one value per sample is needed")
    found = values.astype(object).tolist()
    for value in found:
        if value is None or value != value:
            raise InputError(f"{where}: a value is missing; every sample needs one")
    return [str(value) for value in found]


def as_dataset(data: Any, name: str, layer: Optional[str], reading: Dict[str, Any]) -> _core.Dataset:
    """One condition, with the names that it brings along."""
    data = opened(data)
    where = f"condition '{name}'"
    if files_of(data):
        return datasets_of({name: data}, layer, reading)[0]
    if is_anndata(data):
        values = data.X if layer is None else layer_of(data, layer)
        dataset = as_dataset(values, name, None, reading)
        dataset.features, dataset.samples = unique(map(str, data.var_names), where), list(map(str, data.obs_names))
    elif is_frame(data):
        dataset = frame_dataset(data, where, reading.get("labels", "").split(","))
    elif is_sparse(data):
        dataset = sparse_dataset(data, where)
    else:
        dataset = _core.dense_dataset(numbers_of(data, where))
    dataset.name = name
    return dataset


def datasets_of(conditions: Dict[str, Any], layer: Optional[str], reading: Dict[str, Any]) -> List[_core.Dataset]:
    """All conditions. Those from files are read together, so that what they say about their samples is the same in all."""
    files = [(name, files_of(data)) for name, data in conditions.items() if files_of(data)]
    read = dict(zip((name for name, _ in files), _core.read_files(files, reading))) if files else {}
    return [read[name] if name in read else as_dataset(data, name, layer, reading) for name, data in conditions.items()]


def layer_of(data: Any, layer: str) -> Any:
    if layer not in data.layers:
        named = [name for name in data.layers if name is not None]  # None stands for X in anndata 0.13
        raise InputError(f"there is no layer '{layer}'; there are {', '.join(named) or 'none'}")
    return data.layers[layer]


def unique(names: Iterable[str], where: str) -> List[str]:
    """Names of features as files get them: the second "A" is "A-1", the third "A-2"; a warning says so."""
    given = list(names)
    taken, seen, copies, result = set(given), set(), Counter(), []
    for name in given:
        new = name
        while new in seen or (new != name and new in taken):
            copies[name] += 1
            new = f"{name}-{copies[name]}"
        seen.add(new)
        result.append(new)
    changed = [(old, new) for old, new in zip(given, result) if old != new]
    if changed:
        warnings.warn(f"{where}: {len(changed)} feature names appear before, such as '{changed[0][0]}'; that one is called "
                      f"'{changed[0][1]}'", stacklevel=2)
    return result


def is_words(column: Any) -> bool:
    """Whether a column of a data frame holds words or categories, and nothing that is a number."""
    kind = getattr(column.dtype, "kind", "O")
    if type(column.dtype).__name__ == "CategoricalDtype" or type(column.dtype).__name__ == "StringDtype":
        return True
    if kind not in "OUT":
        return False
    present = [value for value in column if value is not None and value == value]
    return bool(present) and all(isinstance(value, str) and not is_number(value) for value in present)


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def frame_dataset(frame: Any, where: str, labels: Sequence[str] = ()) -> _core.Dataset:
    """Columns of words, and those asked for, are labels of the rows; the others are features."""
    columns = [frame.iloc[:, j] for j in range(frame.shape[1])]  # by position: names may repeat
    described = [j for j, column in enumerate(columns) if str(column.name) in labels or is_words(column)]
    if len(described) == frame.shape[1]:
        described = []  # nothing but words: something else is wrong
    numbers = frame.iloc[:, [j for j in range(frame.shape[1]) if j not in set(described)]] if described else frame
    dataset = numeric_frame(numbers, where)
    if type(numbers.columns).__name__ != "RangeIndex":  # else nobody gave names: only positions count
        dataset.features = unique(map(str, numbers.columns), where)
    if type(frame.index).__name__ != "RangeIndex":
        dataset.samples = list(map(str, frame.index))
    for column in (columns[j] for j in described):
        values = np.asarray(column.astype(object))
        dataset.add_label(str(column.name), ["" if value is None or value != value else str(value) for value in values])
    return dataset


def numeric_frame(frame: Any, where: str) -> _core.Dataset:
    for column, dtype in frame.dtypes.items():
        if getattr(dtype, "kind", "O") not in "fiubO":
            raise InputError(f"{where}: column '{column}' holds values of type {dtype}; numbers are needed")
    if hasattr(frame, "sparse") and all(str(dtype).startswith("Sparse") for dtype in frame.dtypes) and frame.shape[1]:
        return sparse_dataset(frame.sparse.to_coo(), where)
    try:
        return _core.dense_dataset(numbers_of(frame.to_numpy(dtype=np.float64, na_value=np.nan), where))
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{where}: {first_no_number(frame.to_numpy())!r} is not a number") from error


def rows_where(chosen: np.ndarray) -> Any:
    """The rows as a slice where they lie side by side, so that taking them copies nothing; else their numbers."""
    rows = np.flatnonzero(chosen)
    if rows.size and rows[-1] - rows[0] + 1 == rows.size:
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def split_rows(labels: Any, where: str) -> Dict[str, Any]:
    """Rows per condition, in the order of the sorted labels."""
    names = np.asarray(texts(labels, where), dtype=object)
    return {name: rows_where(names == name) for name in sorted_values(labels)}


def sorted_values(labels: Any) -> List[str]:
    categories = getattr(getattr(labels, "cat", None), "categories", None)  # of a pandas column, in their own order
    if categories is not None:
        present = set(map(str, labels))
        return [str(value) for value in categories if str(value) in present]
    return [str(value) for value in np.unique(np.asarray(labels))]


def per_condition(value: Any, names: Sequence[str], option: str) -> Dict[str, Any]:
    """One entry per condition, from a dictionary or a list."""
    if hasattr(value, "keys"):
        missing = [name for name in names if name not in value]
        if missing:
            raise InputError(f"{option}: there is no entry for condition '{missing[0]}'")
        return {name: value[name] for name in names}
    if not isinstance(value, (list, tuple)) or len(value) != len(names):
        raise InputError(f"{option}: give a name of a column, or values per condition: a dictionary with {', '.join(names)}")
    return dict(zip(names, value))
