"""Results as data frames, in the manner of scanpy."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from . import tl
from .analysis import Analysis
from .errors import InputError

if TYPE_CHECKING:
    from anndata import AnnData
    from pandas import DataFrame


def groups_df(result: Union[AnnData, Analysis], condition: Optional[str] = None, *, key: str = "disc") -> DataFrame:
    """The members of all groups, one row each, those of largest weight first.

    Parameters
    ----------
    result
        AnnData after ``disc.tl.differential``, or what ``disc.run`` returned.
    condition
        Only the groups of this condition.
    key
        The ``key_added`` of ``differential``.
    """
    frame = table(result, "groups", condition, key)
    columns = ["condition", "group", "weight"]
    return frame.sort_values(columns, ascending=[True, True, False], kind="stable", ignore_index=True)


def pairs_df(result: Union[AnnData, Analysis], condition: Optional[str] = None, *, key: str = "disc") -> DataFrame:
    """Single pairs of features whose correlation changed; parameters as in ``groups_df``."""
    return table(result, "pairs", condition, key)


def features_df(result: Union[AnnData, Analysis], *, key: str = "disc") -> DataFrame:
    """One row per feature: whether it took part, or why not, and its energy in each condition."""
    return table(result, "features", None, key)


def table(result: Any, name: str, condition: Optional[str], key: str) -> DataFrame:
    found = result if isinstance(result, Analysis) else tl.analysis(result, key)
    frame = found.to_frame(name)
    if condition is None:
        return frame
    if condition not in found.conditions:
        raise InputError(f"there is no condition '{condition}'; there are {', '.join(found.conditions)}")
    return frame[frame["condition"] == condition].reset_index(drop=True)
