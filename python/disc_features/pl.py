"""Figures of a result. Every function takes an Analysis, or AnnData after ``disc.tl.differential``, and returns axes.

All take ``ax`` (axes to draw into), ``show`` (True: show the figure now) and ``save`` (a path: write it there, at 300 dots per inch
if it is not a vector format). Where there is no group to draw, the axes say so.
"""
import functools
import inspect
from typing import Any, Callable, List, Literal, Optional, Tuple

import numpy as np

from . import tl
from .analysis import Analysis, Group
from .errors import InputError

GREY = "0.8"


def figure(draw: Callable) -> Callable:
    """A function that draws into axes, with ``show`` and ``save`` on top."""
    @functools.wraps(draw)
    def drawn(*given: Any, show: Optional[bool] = None, save: Any = None, **options: Any) -> Any:
        ax = draw(*given, **options)
        if save is not None:
            ax.figure.savefig(save, dpi=300, bbox_inches="tight")
        if show:
            from matplotlib import pyplot

            pyplot.show()
        return ax

    signature = inspect.signature(draw)
    more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in ("show", "save")]
    setattr(drawn, "__signature__", signature.replace(parameters=[*signature.parameters.values(), *more]))
    return drawn


@figure
def significance(result: Any, *, ax: Any = None, key: str = "disc") -> Any:
    """sigma of every differential vector, by condition."""
    found, ax = analysis_of(result, key), axes(ax)
    for color, (name, sigma) in enumerate(found.sigma.items()):
        ax.plot(np.arange(1, len(sigma) + 1), sigma, "-o", color=f"C{color}", label=name)
    ax.set_xlabel("differential vector")
    ax.set_ylabel("σ")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend()
    return ax


@figure
def vectors(result: Any, condition: Optional[str] = None, *, vector: int = 1, top: int = 5, ax: Any = None,
            key: str = "disc") -> Any:
    """The entries of one differential vector, coloured by group, with the names of the largest."""
    found, ax = analysis_of(result, key), axes(ax)
    condition = chosen(found, condition)
    values = found.vectors[condition]
    if not 1 <= vector <= values.shape[1]:
        raise InputError(f"condition '{condition}' has vectors 1 to {values.shape[1]}, not {vector}")
    values = values[:, vector - 1]
    at = np.arange(len(values))
    ax.vlines(at, 0, values, color=GREY)
    ax.scatter(at, values, c=colors(found, condition), s=12, zorder=2)
    for i in np.argsort(-np.abs(values))[:top]:
        ax.annotate(str(found.features[i]), (i, values[i]), fontsize="x-small", ha="center",
                    va="bottom" if values[i] >= 0 else "top")
    ax.set_xlabel("feature")
    ax.set_ylabel(f"entry of vector {vector}")
    ax.set_title(f"{condition}: σ = {found.sigma[condition][vector - 1]:.3g}")
    return ax


@figure
def weights(result: Any, condition: Optional[str] = None, *, group: int = 1, top: int = 20, ax: Any = None,
            key: str = "disc") -> Any:
    """How typical the members of a group are of it: the largest weights."""
    found, ax = analysis_of(result, key), axes(ax)
    one = group_of(found, chosen(found, condition), group)
    if one is None:
        return without_group(ax, chosen(found, condition))
    order = np.argsort(-one.weights, kind="stable")[:top][::-1]
    ax.barh([one.features[i] for i in order], one.weights[order], color=f"C{group - 1}")
    ax.set_xlabel("weight")
    ax.set_title(title(one))
    return ax


@figure
def group_graph(result: Any, condition: Optional[str] = None, *, group: int = 1, ax: Any = None, key: str = "disc") -> Any:
    """The connections that a group gained most; thicker where the correlation rose more."""
    found, ax = analysis_of(result, key), axes(ax)
    one = group_of(found, chosen(found, condition), group)
    if one is None:
        return without_group(ax, chosen(found, condition))
    edges = one.evidence.get("edges_gained", [])
    names = list(dict.fromkeys(name for edge in edges for name in (edge["a"], edge["b"]))) or one.features[:20]
    angle = 2 * np.pi * np.arange(len(names)) / len(names)
    place = dict(zip(names, zip(np.cos(angle), np.sin(angle))))
    for edge in edges:
        ends = np.array([place[edge["a"]], place[edge["b"]]])
        ax.plot(ends[:, 0], ends[:, 1], color=f"C{group - 1}", linewidth=6 * max(edge["correlation"] - edge["elsewhere"], 0.02))
    for name, (x, y) in place.items():
        ax.plot(x, y, "o", color=f"C{group - 1}", markersize=8, zorder=3)
        # Names grow outwards: long ones must not lie on the lines.
        ax.annotate(name, (1.08 * x, 1.12 * y), ha="center" if abs(x) < 0.2 else "left" if x > 0 else "right", va="center", fontsize="small")
    ax.set_xlim(-2, 2)
    ax.set_ylim(-1.35, 1.35)
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.set_title(title(one))
    return ax


@figure
def embedding(adata: Any, basis: str = "X_umap", condition: Optional[str] = None, *, group: int = 1, ax: Any = None,
              key: str = "disc", size: float = 4, cmap: str = "viridis") -> Any:
    """Cells at their places of an embedding, coloured by the meta-feature of a group."""
    found, ax = tl.analysis(adata, key), axes(ax)
    condition = chosen(found, condition)
    one = group_of(found, condition, group)
    if one is None:
        return without_group(ax, condition)
    basis = basis if basis in adata.obsm or basis.startswith("X_") else "X_" + basis
    if basis not in adata.obsm:
        raise InputError(f"there is no embedding '{basis}' in obsm; there are {', '.join(adata.obsm) or 'none'}"
                         + ("; scanpy.tl.umap makes it" if basis == "X_umap" else ""))
    values = found.meta_features(adata, condition, "groups")[:, group - 1]
    order = np.argsort(values)  # large values on top
    places = np.asarray(adata.obsm[basis])[order]
    points = ax.scatter(places[:, 0], places[:, 1], c=values[order], s=size, cmap=cmap, linewidths=0)
    ax.figure.colorbar(points, ax=ax, label=f"group {group} of {condition}")
    name = basis[2:] if basis.startswith("X_") else basis
    name = {"umap": "UMAP", "tsne": "tSNE", "pca": "PC"}.get(name, name)
    ax.set_xlabel(f"{name}1")
    ax.set_ylabel(f"{name}2")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_title(title(one))
    return ax


@figure
def image(result: Any, shape: Tuple[int, int], condition: Optional[str] = None, *, values: Any = "groups", ax: Any = None,
          key: str = "disc", order: Literal["C", "F"] = "C") -> Any:
    """For features that are pixels, f1, f2, ... in this order: their ``groups``, ``energy``, or the number of a vector, as a picture."""
    found, ax = analysis_of(result, key), axes(ax)
    condition = chosen(found, condition)
    pixels = np.full(shape[0] * shape[1], np.nan)
    at = pixel_numbers(found, pixels.size)
    if values == "groups":
        pixels[at] = group_numbers(found, condition)
        pixels[pixels == 0] = np.nan
        drawn = ax.imshow(pixels.reshape(shape, order=order), cmap="tab10", vmin=0.5, vmax=10.5, interpolation="nearest")
    else:
        pixels[at] = found.energy[condition] if values == "energy" else found.vectors[condition][:, int(values) - 1]
        drawn = ax.imshow(pixels.reshape(shape, order=order), interpolation="nearest")
        ax.figure.colorbar(drawn, ax=ax)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_title(f"{condition}: {values}")
    return ax


def pixel_numbers(found: Analysis, count: int) -> np.ndarray:
    every = [row["feature"] for row in found._table("features.tsv")]
    if len(every) != count:
        raise InputError(f"the result has {len(every)} features, the picture {count} pixels")
    try:
        return np.array([int(str(name).lstrip("fx")) - 1 for name in found.features])
    except ValueError as error:
        raise InputError("features have names of their own; a picture needs features that are numbered pixels: f1, f2, ...") from error


def analysis_of(result: Any, key: str) -> Analysis:
    return result if isinstance(result, Analysis) else tl.analysis(result, key)


def axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def chosen(found: Analysis, condition: Optional[str]) -> str:
    """The condition asked for; else the first that has groups."""
    if condition is None:
        return next((name for name, groups in found.groups.items() if groups), found.conditions[0])
    if condition not in found.conditions:
        raise InputError(f"there is no condition '{condition}'; there are {', '.join(found.conditions)}")
    return condition


def without_group(ax: Any, condition: str) -> Any:
    """Says that there is nothing to draw: a notebook runs through, whatever was found."""
    ax.text(0.5, 0.5, f"no group of features is connected\nin {condition} and not elsewhere", ha="center", va="center",
            transform=ax.transAxes)
    ax.set_axis_off()
    return ax


def group_of(found: Analysis, condition: str, number: int) -> Optional[Group]:
    """A group by its number; None where the condition has no groups at all."""
    groups: List[Group] = found.groups[condition]
    if not groups:
        return None
    if not 1 <= number <= len(groups):
        raise InputError(f"condition '{condition}' has {len(groups)} groups; there is no group {number}")
    return groups[number - 1]


def group_numbers(found: Analysis, condition: str) -> np.ndarray:
    weights = found.weights(condition, "groups")
    first = (weights > 0).argmax(axis=1) + 1 if weights.shape[1] else 0  # where groups overlap, the first counts
    return np.where(weights.any(axis=1), first, 0)


def colors(found: Analysis, condition: str) -> List[str]:
    return [GREY if number == 0 else f"C{int(number) - 1}" for number in group_numbers(found, condition)]


def title(group: Group) -> str:
    p = "" if np.isnan(group.p) else f", p = {group.p:.2g}"
    return f"{group.condition}, group {group.id}: {len(group)} features{p}"
