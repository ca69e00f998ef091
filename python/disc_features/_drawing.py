"""What the figures of ``disc.pl`` share: where they are drawn, which group they are of, and its numbers."""
import functools
import inspect
import io
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import tl
from .analysis import Analysis, Group, in_a_cell
from .errors import InputError

GRAY = "0.8"
CHANGE = {"gained": "#b2182b", "lost": "#2166ac", "shared": "#8a929c"}  # colors of the report
GroupId = Union[int, str]


def figure(draw: Callable) -> Callable:
    """A function that draws into axes, with ``show`` and ``save`` on top."""
    @functools.wraps(draw)
    def drawn(*given: Any, show: Optional[bool] = None, save: Any = None, **options: Any) -> Any:
        ax = draw(*given, **options)
        if save is not None:
            np.ravel(ax)[0].figure.savefig(save, dpi=300, bbox_inches="tight")
        if show:
            from matplotlib import pyplot

            pyplot.show()
        return ax

    signature = inspect.signature(draw)
    more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in ("show", "save")]
    setattr(drawn, "__signature__", signature.replace(parameters=[*signature.parameters.values(), *more]))
    return drawn


def analysis_of(result: Any, key: str) -> Analysis:
    return result if isinstance(result, Analysis) else tl.analysis(result, key)


def axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def panels(ax: Any, count: int, height: float = 3.6) -> np.ndarray:
    """Axes side by side: those given, or those of a new figure."""
    if ax is None:
        from matplotlib import pyplot

        return np.ravel(pyplot.subplots(1, count, figsize=(3.8 * count, height), layout="constrained")[1])
    given = np.ravel(ax)
    if len(given) != count:
        raise InputError(f"the figure has {count} parts, so ax must hold {count} axes, not {len(given)}")
    return given


def bare(ax: Any) -> None:
    """Only the axes that are read."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def says(ax: Any, text: str) -> Any:
    """A sentence in place of a picture: a notebook runs through, whatever was found."""
    for one in np.ravel(ax):
        one.set_axis_off()
    np.ravel(ax)[0].text(0.5, 0.5, text, ha="center", va="center", transform=np.ravel(ax)[0].transAxes)
    return ax


def without_group(ax: Any, condition: str) -> Any:
    return says(ax, f"no group of features is connected\nin {condition} and not elsewhere")


def chosen(found: Analysis, condition: Optional[str]) -> str:
    """The condition asked for; else the one whose first group gained most."""
    if condition is None:
        return max(found.conditions, key=lambda name: gain(found, name))
    if condition not in found.conditions:
        raise InputError(f"there is no condition '{condition}'; there are {', '.join(found.conditions)}")
    return condition


def gain(found: Analysis, condition: str) -> float:
    """How much stronger the first group of a condition is connected there than elsewhere; -1 where it has none."""
    groups = found.groups[condition]
    if not groups:
        return -1.0
    means = {entry["condition"]: entry.get("mean_correlation") or 0.0 for entry in groups[0].evidence.get("conditions", [])}
    here = abs(means.pop(condition, 0.0))
    return here - max(map(abs, means.values()), default=0.0)


def group_of(found: Analysis, condition: str, group: GroupId) -> Optional[Group]:
    """A group by its number, or a part by "1.2"; None where the condition has no groups at all."""
    groups: List[Group] = found.groups[condition]
    if not groups:
        return None
    for one in groups:
        if one.id == str(group):
            return one
    raise InputError(f"condition '{condition}' has no group {group}; there are {', '.join(one.id for one in groups)}")


def group_numbers(found: Analysis, condition: str) -> np.ndarray:
    """The group of every feature, 0 for none; where groups overlap, the first counts."""
    numbers = np.zeros(len(found.features), dtype=int)
    position = {in_a_cell(str(name)): i for i, name in enumerate(found.features)}
    for group in reversed([one for one in found.groups[condition] if one.parent is None]):
        numbers[[position[name] for name in group.features]] = int(group.id)
    return numbers


def color_of(group: Group) -> str:
    return f"C{(int(group.id.split('.')[0]) - 1) % 10}"


def title(group: Group) -> str:
    p = "" if np.isnan(group.p) else f", p = {group.p:.2g}"
    return f"{group.condition}, group {group.id}: {len(group)} features{p}"


def arrays(found: Analysis) -> Dict[str, np.ndarray]:
    """What the run kept for its figures."""
    if "figure_data.npz" not in found._files:
        raise InputError("the run kept no correlations and values for figures")
    with np.load(io.BytesIO(found._files["figure_data.npz"])) as archive:
        return {name: archive[name] for name in archive.files}


def keys(found: Analysis) -> Dict[str, str]:
    return {condition["name"]: condition["key"] for condition in found.summary["conditions"]}


class Members(NamedTuple):
    """The members of a group that are drawn, with their correlations in every condition."""

    names: List[str]
    correlations: Dict[str, np.ndarray]
    elsewhere: str  # the other condition where they are connected most

    def taken(self, order: np.ndarray) -> "Members":
        return Members([self.names[i] for i in order], {name: values[np.ix_(order, order)] for name, values in self.correlations.items()},
                       self.elsewhere)


def members_of(found: Analysis, group: Group) -> Members:
    kept, key = arrays(found), f"{keys(found)[group.condition]}_{group.id}"
    if f"correlations_{key}" not in kept:
        raise InputError(f"the run kept no correlations of group {group.id} of '{group.condition}'")
    at = kept[f"members_{key}"].ravel().astype(int)
    stacked = kept[f"correlations_{key}"].reshape(len(found.conditions), len(at), len(at))
    correlations = dict(zip(found.conditions, stacked))
    others = [name for name in found.conditions if name != group.condition]
    elsewhere = max(others, key=lambda name: float(np.abs(upper(correlations[name])).mean()))
    return Members([str(found.features[i]) for i in at], correlations, elsewhere)


def upper(matrix: np.ndarray) -> np.ndarray:
    """One value per pair."""
    return matrix[np.triu_indices(len(matrix), 1)]


def values_of(found: Analysis, names: Sequence[str]) -> Dict[str, np.ndarray]:
    """The values of features in the samples that the run kept: condition -> samples x features."""
    kept = arrays(found)
    known = [str(found.features[i]) for i in kept.get("value_features", np.zeros(0)).ravel().astype(int)]
    missing = [name for name in names if name not in known]
    if missing:
        raise InputError(f"the run kept no values of '{missing[0]}'; it keeps those of members of groups and of pairs that changed"
                         + (f", such as '{known[0]}'" if known else ""))
    at = [known.index(name) for name in names]
    return {name: kept[f"values_{key}"][:, at] for name, key in keys(found).items()}


def placed(strengths: np.ndarray, steps: int = 300) -> np.ndarray:
    """Where the members of a network stand (Fruchterman and Reingold): always the same places, within -1 and 1."""
    count = len(strengths)
    angle, radius = np.arange(count) * np.pi * (3 - np.sqrt(5)), np.sqrt((np.arange(count) + 0.5) / max(count, 1))
    places = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    ideal = 1.5 / np.sqrt(max(count, 1))
    pull = strengths / np.sqrt(1 + (strengths > 0).sum(axis=0).max(initial=0) / 4)
    for step in range(steps):
        apart = places[:, None] - places[None]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 0.01)
        force = (ideal / distance) ** 2 - pull * distance / ideal
        move = (force[:, :, None] * apart).sum(axis=1) - 0.1 * places
        length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        places = places + move / length * np.minimum(length, 0.1 * (1 - step / steps) + 0.002)
    # Far ones come nearer: what is in the middle needs the room.
    radius = np.linalg.norm(places - places.mean(axis=0), axis=1, keepdims=True)
    places = (places - places.mean(axis=0)) * np.maximum(radius / max(radius.max(initial=0), 1e-9), 1e-9) ** -0.4
    span = np.ptp(places, axis=0)
    return 2 * (places - places.min(axis=0)) / np.where(span > 0, span, 1) - 1


class Line(NamedTuple):
    a: int
    b: int
    kind: str


def lines_of(members: Members, condition: str, min_correlation: float, max_lines: int) -> Tuple[List[Line], int]:
    """The pairs worth drawing, those that changed most first, and how many there are in all."""
    here = np.abs(members.correlations[condition])
    others = np.max([np.abs(values) for name, values in members.correlations.items() if name != condition], axis=0)
    found = []
    for a, b in zip(*np.triu_indices(len(here), 1)):
        if max(here[a, b], others[a, b]) >= min_correlation:
            kind = "gained" if others[a, b] < here[a, b] / 2 else "lost" if here[a, b] < others[a, b] / 2 else "shared"
            found.append((kind == "shared", -abs(here[a, b] - others[a, b]), Line(int(a), int(b), kind)))
    found.sort(key=lambda one: one[:2])
    return [line for _, _, line in found[:max_lines]], len(found)
