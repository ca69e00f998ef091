"""Tools for AnnData, in the manner of scanpy: results are written into the object."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ._run import one_of, run
from .analysis import Analysis
from .errors import InputError

if TYPE_CHECKING:
    from anndata import AnnData


def differential(adata: AnnData, by: Optional[str] = None, *, groupby: Optional[str] = None, where: Optional[str] = None,
                 layer: Optional[str] = None, unit: Any = None, strata: Any = None, paired: Any = None, covariate: Any = None,
                 within: Any = None, key_added: str = "disc", copy: bool = False, **options: Any) -> Optional[AnnData]:
    """Which groups of genes are connected in each condition and not in the others?

    Parameters
    ----------
    adata
        The annotated data matrix, cells x genes.
    by
        Column of ``obs`` with the conditions.
    groupby
        The same as ``by``, as scanpy calls it.
    where
        Part of the cells, by columns of ``obs``: ``"cell_type == CD14 Mono"``.
    layer
        Values to use in place of ``X``.
    within
        Column of ``obs`` with cell types: correlations within each type, in the same mixture in all conditions.
    unit, strata, paired, covariate
        Columns of ``obs``. **With several donors or animals, name them with unit**: cells of one donor are not independent.
    key_added
        Under which name results are written.
    copy
        Return a changed copy instead of changing ``adata``.
    **options
        As in :func:`disc.run`.

    Returns
    -------
    AnnData or None
        The changed copy, if one was asked for. Written, for key_added "disc" and every condition NAME:

        - ``var["disc_group_NAME"]``: number of the gene's group, 0 for none; ``var["disc_energy_NAME"]``: its energy, NaN for
          genes that took no part; ``var["disc_used"]``
        - ``varm["disc_vectors_NAME"]``: differential vectors, genes x vectors
        - ``uns["disc"]``: ``by``, ``conditions`` (NAME of each), ``sigma``, and ``files``, from which ``disc.tl.analysis(adata)``
          restores the whole result, also after the object was written and read again

    Examples
    --------
    >>> disc.tl.differential(adata, groupby="condition", unit="donor", where="cell_type == CD14 Mono")  # doctest: +SKIP
    >>> disc.get.groups_df(adata)  # doctest: +SKIP
    """
    adata = adata.copy() if copy else adata
    by = one_of(by, groupby)
    found = run(adata, by=by, where=where, layer=layer, unit=unit, strata=strata, paired=paired, covariate=covariate,
                within=within, **options)
    store(found, adata, by or "", key_added)
    return adata if copy else None


def store(found: Analysis, adata: AnnData, by: str, key: str) -> None:
    position = {name: i for i, name in enumerate(map(str, adata.var_names))}
    rows = np.array([position[name] for name in found.features])
    used = np.zeros(adata.n_vars, dtype=bool)
    used[rows] = True
    adata.var[f"{key}_used"] = used
    keys = {condition["name"]: condition["key"] for condition in found.summary["conditions"]}
    for name, groups in found.groups.items():
        labels = np.zeros(adata.n_vars, dtype=np.int32)
        for group in reversed([group for group in groups if group.parent is None]):  # where groups overlap, the first counts
            labels[[position[feature] for feature in group.features]] = int(group.id)
        adata.var[f"{key}_group_{keys[name]}"] = labels
        adata.var[f"{key}_energy_{keys[name]}"] = spread(found.energy[name], rows, adata.n_vars)
        adata.varm[f"{key}_vectors_{keys[name]}"] = spread(found.vectors[name], rows, adata.n_vars)
    adata.uns[key] = {
        "by": by,
        "conditions": np.array(list(keys.values()), dtype=object),
        "sigma": {keys[name]: sigma for name, sigma in found.sigma.items()},
        "files": {name: np.frombuffer(content, dtype=np.uint8).copy() for name, content in found._files.items()},
    }


def spread(values: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    """Values of the genes that took part at their places among all genes; NaN elsewhere."""
    everywhere = np.full((count, *values.shape[1:]), np.nan)
    everywhere[rows] = values
    return everywhere


def analysis(adata: AnnData, key: str = "disc") -> Analysis:
    """The result that ``differential`` left in ``adata``."""
    if key not in adata.uns or "files" not in adata.uns[key]:
        raise InputError(f"there is no result under uns['{key}']; disc.tl.differential writes it")
    files = adata.uns[key]["files"]
    return Analysis({name: np.asarray(content, dtype=np.uint8).tobytes() for name, content in files.items()})


def meta_features(adata: AnnData, *, by: str = "groups", layer: Optional[str] = None, key: str = "disc") -> None:
    """Writes one number per cell and group (or vector) into ``obs``: ``disc_NAME_group1``, ``disc_NAME_group1.1`` for its first part, ...

    Counts are brought to one depth and into logarithms first, if the run did so.

    Parameters
    ----------
    adata
        After ``disc.tl.differential``.
    by
        ``"groups"`` or ``"vectors"``.
    layer
        Values to use in place of ``X``.
    key
        The ``key_added`` of ``differential``.
    """
    found = analysis(adata, key)
    data = adata if layer is None else adata.copy()
    if layer is not None:
        data.X = adata.layers[layer]
    for condition in found.summary["conditions"]:
        values = found.meta_features(data, condition["name"], by)
        names = [group.id for group in found.groups[condition["name"]]] if by == "groups" else range(1, values.shape[1] + 1)
        for i, name in enumerate(names):
            adata.obs[f"{key}_{condition['key']}_{by.rstrip('s')}{name}"] = values[:, i]
