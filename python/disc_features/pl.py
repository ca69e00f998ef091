"""Figures of a result. Every function takes an Analysis, or AnnData after ``disc.tl.differential``, and returns axes.

All take ``ax`` (axes to draw into; where there is one part per condition, as many), ``show`` (True: show the figure now) and ``save``
(a path: write it there, at 300 dots per inch if it is not a vector format). Without ``condition`` it is the one whose first group
changed most; ``group`` is a number, or ``"1.2"`` for a part. Where there is no group to draw, the axes say so.
"""
import re
from typing import Any, Dict, List, Literal, Optional, Tuple

import numpy as np

from . import tl
from ._drawing import (CHANGE, GRAY, GroupId, Line, Members, analysis_of, axes, bare, chosen, color_of, figure, group_numbers, group_of,
                       lines_of, members_of, panels, placed, says, title, upper, values_of, without_group)
from .analysis import Analysis, Group, in_a_cell
from .errors import InputError


@figure
def singular_values(result: Any, *, ax: Any = None, key: str = "disc") -> Any:
    """The singular values of the differential vectors, by condition."""
    found, ax = analysis_of(result, key), axes(ax)
    for color, (name, sigma) in enumerate(found.sigma.items()):
        ax.plot(np.arange(1, len(sigma) + 1), sigma, "-o", color=f"C{color}", label=name)
    ax.set_xlabel("differential vector")
    ax.set_ylabel("singular value")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(frameon=False)
    bare(ax)
    return ax


@figure
def vectors(result: Any, condition: Optional[str] = None, *, vector: int = 1, top: int = 5, ax: Any = None,
            key: str = "disc") -> Any:
    """The entries of one differential vector, colored by group, with the names of the largest."""
    found, ax = analysis_of(result, key), axes(ax)
    condition = chosen(found, condition)
    values = found.vectors[condition]
    if not 1 <= vector <= values.shape[1]:
        raise InputError(f"condition '{condition}' has vectors 1 to {values.shape[1]}, not {vector}")
    values = values[:, vector - 1]
    at = np.arange(len(values))
    colors = [GRAY if number == 0 else f"C{(number - 1) % 10}" for number in group_numbers(found, condition)]
    ax.vlines(at, 0, values, color=GRAY, linewidth=0.8)
    ax.scatter(at, values, c=colors, s=12, zorder=2)
    name_largest(ax, values, [str(name) for name in found.features], top)
    ax.set_xlabel("feature")
    ax.set_ylabel(f"entry of vector {vector}")
    ax.set_title(f"{condition}: σ = {found.sigma[condition][vector - 1]:.3g}")
    bare(ax)
    return ax


def name_largest(ax: Any, values: np.ndarray, names: List[str], top: int) -> None:
    """Names beside each other at the edge, joined with their dots: at the dots they would lie on each other."""
    largest = np.sort(np.argsort(-np.abs(values), kind="stable")[:top])
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    for side, edge in ((1, high), (-1, low)):
        own = [i for i in largest if (values[i] >= 0) == (side > 0)]
        room = len(values) / max(len(own), 1)
        for k, i in enumerate(own):
            ax.annotate(names[i], (i, values[i]), ((k + 0.5) * room, edge + side * 0.12 * (high - low)), fontsize="x-small", ha="center",
                        va="bottom" if side > 0 else "top", rotation=0 if top <= 6 else 45, arrowprops={"arrowstyle": "-", "color": GRAY, "lw": 0.6})
    ax.set_ylim(low - 0.25 * (high - low), high + 0.25 * (high - low))


@figure
def weights(result: Any, condition: Optional[str] = None, *, group: GroupId = 1, top: int = 20, ax: Any = None,
            key: str = "disc") -> Any:
    """How typical the members of a group are of it: the largest weights."""
    found, ax = analysis_of(result, key), axes(ax)
    one = group_of(found, chosen(found, condition), group)
    if one is None:
        return without_group(ax, chosen(found, condition))
    order = np.argsort(-one.weights, kind="stable")[:top][::-1]
    ax.barh([one.features[i] for i in order], one.weights[order], color=color_of(one))
    ax.set_xlabel("weight: how typical of the group")
    ax.set_title(title(one))
    bare(ax)
    return ax


@figure
def heatmap(result: Any, condition: Optional[str] = None, *, group: GroupId = 1, top: int = 25, ax: Any = None, key: str = "disc") -> Any:
    """Correlations between the members of a group in every condition, and at the right what changed: the condition of the group less
    the one most like it. Shown are the members that changed most, at most ``top`` (the run keeps 40)."""
    found = analysis_of(result, key)
    condition = chosen(found, condition)
    parts = panels(ax, len(found.conditions) + 1)
    one = group_of(found, condition, group)
    if one is None:
        return without_group(parts, condition)
    members = members_of(found, one)
    members = members.taken(strongest(members, condition, top))
    here, there = members.correlations[condition], members.correlations[members.elsewhere]
    for part, (name, values) in zip(parts, [*members.correlations.items(), ("", here - there)]):
        drawn = part.imshow(np.where(np.eye(len(values)), np.nan, values), cmap="RdBu_r", vmin=-1, vmax=1, interpolation="nearest")
        part.set_title(f"{name}: mean {upper(values).mean():.2f}" if name else f"{condition} less {members.elsewhere}", fontsize="medium")
        part.set_xticks([])
        part.set_yticks([])
    parts[0].set_yticks(range(len(members.names)), members.names, fontsize=max(4, min(8, 190 / len(members.names))))
    parts[0].figure.colorbar(drawn, ax=list(parts), label="correlation", shrink=0.8)
    return parts


def strongest(members: Members, condition: str, top: int) -> np.ndarray:
    """Members along the leading eigenvector of what changed, so that what changed most comes first."""
    changed = members.correlations[condition] - members.correlations[members.elsewhere]
    return np.argsort(-np.abs(np.linalg.eigh(changed)[1][:, np.argmax(np.abs(np.linalg.eigvalsh(changed)))]), kind="stable")[:top]


@figure
def network(result: Any, condition: Optional[str] = None, *, group: GroupId = 1, min_correlation: float = 0.25, max_lines: int = 100, names: int = 12,
            ax: Any = None, key: str = "disc") -> Any:
    """A group as a network, one part per condition with the members at the same places. Lines are pairs with a correlation of at least
    ``min_correlation`` somewhere, at most ``max_lines``: gained in the condition of the group (twice as strong as elsewhere), lost, or shared. The
    ``names`` members with most lines are named."""
    found = analysis_of(result, key)
    condition = chosen(found, condition)
    parts = panels(ax, len(found.conditions))
    one = group_of(found, condition, group)
    if one is None:
        return without_group(parts, condition)
    members = members_of(found, one)
    lines, every = lines_of(members, condition, min_correlation, max_lines)
    if not lines:
        return says(parts, f"no pair of the group has\na correlation of {min_correlation:g} or more")
    linked = np.unique([[line.a, line.b] for line in lines])
    strengths = np.zeros((len(members.names),) * 2)
    for a, b, _ in lines:
        strengths[a, b] = strengths[b, a] = abs(members.correlations[condition][a, b])
    places = dict(zip(linked.tolist(), placed(strengths[np.ix_(linked, linked)])))
    degree = np.bincount(np.ravel([[line.a, line.b] for line in lines]), minlength=len(members.names))
    named = [i for i in np.argsort(-degree, kind="stable")[:names] if degree[i] > 0]
    for part, name in zip(parts, found.conditions):
        there = draw_network(part, members, name, condition, lines, places, color_of(one))
        for i in named:
            part.annotate(members.names[i], places[int(i)], (0, 5), textcoords="offset points", ha="center", fontsize="x-small", zorder=4,
                          path_effects=outlined())
        part.set_title(f"{name}: {there} of {every} lines" if every == len(lines) else f"{name}: {there} of the {len(lines)} lines\nthat changed most",
                       fontsize="medium")
    add_key(parts[0], sorted({line.kind for line in lines}))
    return parts


def outlined() -> List[Any]:
    """Letters with a white edge, to be read above lines."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=2.5, foreground="white")]


def draw_network(ax: Any, members: Members, name: str, home: str, lines: List[Line], places: Any, color: str) -> int:
    """Lines that are there in a condition in full, the others dotted; returns how many are there."""
    there = 0
    for a, b, kind in reversed(lines):
        value, own = abs(members.correlations[name][a, b]), abs(members.correlations[home][a, b])
        is_there = name == home if kind == "gained" else name != home and value >= 2 * own if kind == "lost" else True
        there += is_there
        ends = np.array([places[a], places[b]])
        ax.plot(ends[:, 0], ends[:, 1], color=CHANGE[kind], linewidth=0.4 + 2 * value if is_there else 0.5, alpha=0.7 if is_there else 0.25,
                linestyle="-" if is_there else ":", zorder=1 if kind == "shared" else 2, solid_capstyle="round")
    at = np.array(list(places.values()))
    ax.scatter(at[:, 0], at[:, 1], s=22, color=color, edgecolors="white", linewidths=0.6, zorder=3)
    ax.set_xlim(-1.25, 1.25)
    ax.set_ylim(-1.15, 1.2)
    ax.set_axis_off()
    return there


def add_key(ax: Any, kinds: List[str]) -> None:
    from matplotlib.lines import Line2D

    ax.legend([Line2D([], [], color=CHANGE[kind], linewidth=2) for kind in kinds], kinds, loc="upper center", bbox_to_anchor=(0.5, 0.02),
              ncol=3, frameon=False, fontsize="small")


@figure
def pair(result: Any, a: Optional[str] = None, b: Optional[str] = None, *, condition: Optional[str] = None, group: GroupId = 1,
         ax: Any = None, key: str = "disc") -> Any:
    """Two features against each other, sample by sample, one part per condition; without ``a`` and ``b``, the pair of the group that
    gained most. Values are those that the run kept: of members of groups and of changed pairs, in up to 300 samples of a condition."""
    found = analysis_of(result, key)
    if (a is None) != (b is None):
        raise InputError("a pair has two features: give both, or none")
    home = chosen(found, condition)
    parts = panels(ax, len(found.conditions), 3.4)
    one = group_of(found, home, group)
    if a is None or b is None:
        edges = one.evidence.get("edges_gained", []) if one else []
        if not edges:
            return without_group(parts, home)
        a, b = edges[0]["a"], edges[0]["b"]
    values = values_of(found, [a, b])
    for part, (name, two) in zip(parts, values.items()):
        jitter = np.random.default_rng(0).uniform(-0.006, 0.006, two.shape) * np.ptp(np.vstack(list(values.values())), axis=0)
        part.scatter(two[:, 0] + jitter[:, 0], two[:, 1] + jitter[:, 1], s=10, alpha=0.5, linewidths=0,
                     color=color_of(one) if one and name == home else "0.45")
        part.set_title(f"{name}: r = {correlation(found, one, name, a, b, two):.2f}", fontsize="medium")
        part.set_xlabel(a)
        bare(part)
    for axis, limits in (("set_xlim", limits_of(values, 0)), ("set_ylim", limits_of(values, 1))):
        for part in parts:
            getattr(part, axis)(limits)
    parts[0].set_ylabel(b)
    return parts


def limits_of(values: Dict[str, np.ndarray], column: int) -> Tuple[float, float]:
    """The same for all conditions, with a little room."""
    every = np.concatenate([two[:, column] for two in values.values()])
    room = 0.05 * max(float(np.ptp(every)), 1e-9)
    return float(every.min()) - room, float(every.max()) + room


def correlation(found: Analysis, group: Optional[Group], condition: str, a: str, b: str, values: np.ndarray) -> float:
    """From all samples where the run kept it, else from the values that are drawn."""
    if group is not None:
        members = members_of(found, group)
        if a in members.names and b in members.names:
            return float(members.correlations[condition][members.names.index(a), members.names.index(b)])
    return float(np.corrcoef(values.T)[0, 1]) if (np.ptp(values, axis=0) > 0).all() else float("nan")


@figure
def scores(result: Any, condition: Optional[str] = None, *, group: GroupId = 1, value: Literal["mean_correlation", "score", "variance"] = "mean_correlation",
           ax: Any = None, key: str = "disc") -> Any:
    """Does every donor show it? One dot per unit and condition: the mean correlation within the group over its samples alone, or their
    mean ``score``, or its ``variance``; the same unit in two conditions is joined. Without units, one dot per sample: its score."""
    found, ax = analysis_of(result, key), axes(ax)
    condition = chosen(found, condition)
    one = group_of(found, condition, group)
    if one is None:
        return without_group(ax, condition)
    rows = [row for row in found._table("units.tsv") if (row["condition"], row["group"]) == (in_a_cell(condition), one.id)]
    if rows and value not in rows[0]:
        raise InputError(f"there is no value '{value}' of units; there are mean_correlation, score, variance")
    column = f"group_{in_a_cell(condition)}_{one.id}"
    dots = ([(row["unit_condition"], row["unit"], row[value]) for row in rows] if rows else
            [(row["condition"], None, row[column]) for row in found._table("samples.tsv") if column in row])
    names = [in_a_cell(name) for name in found.conditions]
    draw_dots(ax, [(names.index(name), unit, float(cell)) for name, unit, cell in dots if cell], color_of(one), names.index(in_a_cell(condition)))
    ax.set_xticks(range(len(names)), names)
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.set_ylabel({"mean_correlation": "mean correlation within the group", "score": "mean of the members",
                   "variance": "variance of the mean of the members"}[value] if rows else "score of the sample")
    ax.set_title(title(one))
    bare(ax)
    return ax


def draw_dots(ax: Any, dots: List[Tuple[int, Optional[str], float]], color: str, home: int) -> None:
    """Dots of a condition beside each other, those of the group's own condition in its color; lines join the same unit."""
    across = np.random.default_rng(0).uniform(-0.18, 0.18, len(dots))
    size, alpha = (40, 0.9) if len(dots) <= 100 else (6, 0.5)
    for at in sorted({at for at, _, _ in dots}):
        own = [(at + x, value) for x, (place, _, value) in zip(across, dots) if place == at]
        ax.scatter(*zip(*own), s=size, color=color if at == home else "0.55", alpha=alpha, linewidths=0, zorder=2)
    places = {(unit, at): (at + x, value) for x, (at, unit, value) in zip(across, dots) if unit is not None}
    for (unit, at), place in places.items():
        if (unit, at - 1) in places:
            ax.plot(*zip(places[unit, at - 1], place), color=GRAY, linewidth=0.8, zorder=1)


@figure
def enrichment(result: Any, condition: Optional[str] = None, *, group: GroupId = 1, top: int = 10, ax: Any = None, key: str = "disc") -> Any:
    """The named sets that share most with a group: bars of -log10 q, with how many features are shared. Needs a run with ``genesets=``."""
    found, ax = analysis_of(result, key), axes(ax)
    condition = chosen(found, condition)
    one = group_of(found, condition, group)
    if one is None:
        return without_group(ax, condition)
    if "enrichment.tsv" not in found._files:
        return says(ax, "the run had no named sets:\ndisc.run(..., genesets=\"sets.gmt\")")
    rows = [row for row in found._table("enrichment.tsv") if (row["condition"], row["group"]) == (in_a_cell(condition), one.id)]
    rows = sorted(rows, key=lambda row: float(row["p"]))[:top][::-1]
    if not rows:
        return says(ax, f"no set shares a feature with group {one.id} of {condition}")
    height = [-np.log10(max(float(row["q"]), 1e-300)) for row in rows]
    ax.barh(range(len(rows)), height, color=[color_of(one) if float(row["q"]) <= 0.05 else GRAY for row in rows])
    for i, row in enumerate(rows):
        ax.annotate(f"{row['shared']} of {row['set_size']}", (height[i], i), (3, 0), textcoords="offset points", va="center", fontsize="x-small")
    ax.set_yticks(range(len(rows)), [short(row["set"]) for row in rows], fontsize="small")
    ax.axvline(-np.log10(0.05), color="0.3", linewidth=0.8, linestyle=":")
    ax.set_xlim(0, 1.12 * max(*height, 1.5))
    ax.set_xlabel("-log10 q (dotted: q = 0.05)")
    ax.set_title(title(one))
    bare(ax)
    return ax


COLLECTIONS = ("HALLMARK", "REACTOME", "KEGG", "WP", "BIOCARTA", "PID", "GOBP", "GOCC", "GOMF", "HP")  # of MSigDB, in front of names


def short(name: str) -> str:
    """HALLMARK_INTERFERON_GAMMA_RESPONSE as words; other names as they are."""
    words = name.split("_")
    is_named = len(words) > 1 and name.isupper() and words[0] in COLLECTIONS
    text = " ".join(words[1:]).lower() if is_named else name
    return text if len(text) <= 42 else text[:41] + "…"


@figure
def embedding(adata: Any, basis: str = "X_umap", condition: Optional[str] = None, *, group: GroupId = 1, ax: Any = None,
              key: str = "disc", size: float = 4, cmap: str = "viridis") -> Any:
    """Cells at their places of an embedding, colored by the meta-feature of a group."""
    found, ax = tl.analysis(adata, key), axes(ax)
    condition = chosen(found, condition)
    one = group_of(found, condition, group)
    if one is None:
        return without_group(ax, condition)
    basis = basis if basis in adata.obsm or basis.startswith("X_") else "X_" + basis
    if basis not in adata.obsm:
        raise InputError(f"there is no embedding '{basis}' in obsm; there are {', '.join(adata.obsm) or 'none'}"
                         + ("; scanpy.tl.umap makes it" if basis == "X_umap" else ""))
    values = found.meta_features(adata, condition, "groups")[:, [every.id for every in found.groups[condition]].index(one.id)]
    order = np.argsort(values)  # large values on top
    places = np.asarray(adata.obsm[basis])[order]
    points = ax.scatter(places[:, 0], places[:, 1], c=values[order], s=size, cmap=cmap, linewidths=0)
    ax.figure.colorbar(points, ax=ax, label=f"group {one.id} of {condition}")
    name = basis[2:] if basis.startswith("X_") else basis
    name = {"umap": "UMAP", "tsne": "tSNE", "pca": "PC"}.get(name, name)
    ax.set_xlabel(f"{name}1")
    ax.set_ylabel(f"{name}2")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_title(title(one))
    bare(ax)
    return ax


@figure
def image(result: Any, shape: Tuple[int, int], condition: Optional[str] = None, *, values: Any = "groups", ax: Any = None,
          key: str = "disc", order: Literal["C", "F"] = "C") -> Any:
    """For features that are pixels, called f1, f2, ... in this order or r1c1, r1c2, ... by row and column, as of files of images: their
    ``groups``, ``energy``, or the number of a vector, as a picture."""
    found, ax = analysis_of(result, key), axes(ax)
    condition = chosen(found, condition)
    pixels = np.full(shape[0] * shape[1], np.nan)
    at = pixel_numbers(found, shape, order)
    if values == "groups":
        pixels[at] = group_numbers(found, condition)
        pixels[pixels == 0] = np.nan
        ax.imshow(pixels.reshape(shape, order=order), cmap="tab10", vmin=0.5, vmax=10.5, interpolation="nearest")
    else:
        pixels[at] = found.energy[condition] if values == "energy" else found.vectors[condition][:, int(values) - 1]
        drawn = ax.imshow(pixels.reshape(shape, order=order), interpolation="nearest")
        ax.figure.colorbar(drawn, ax=ax)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_title(f"{condition}: {values}")
    return ax


def pixel_numbers(found: Analysis, shape: Tuple[int, int], order: Literal["C", "F"]) -> np.ndarray:
    every, count = [row["feature"] for row in found._table("features.tsv")], shape[0] * shape[1]
    if len(every) != count:
        raise InputError(f"the result has {len(every)} features, the picture {count} pixels")
    places = [re.fullmatch(r"r(\d+)c(\d+)", str(name)) for name in found.features]
    if places and all(places):
        return np.ravel_multi_index(np.array([[int(number) - 1 for number in place.groups()] for place in places]).T, shape, order=order)
    try:
        return np.array([int(str(name).lstrip("fx")) - 1 for name in found.features])
    except ValueError as error:
        raise InputError("features have names of their own; a picture needs features that are numbered pixels: f1, f2, ... or r1c1, r1c2, ...") from error
