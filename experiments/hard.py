"""The hard family: disc, without settings, against other methods, on data whose groups are known.

    python -m experiments.hard --seeds 20
    python -m experiments.hard --seeds 3 --rho .3 --samples 100 --methods disc modules modules+oracle

Methods: disc, the baselines with their default settings, and each baseline with "+oracle": the settings among FIT_SCAN and
CUT_SCAN that are best for this draw by the truth, an optimistic bound on what tuning could give. All methods get the same data, of seeds from 101 on: the
defaults were developed on seeds 1 to 3. `seconds` is no benchmark: an oracle tries many settings.
"""
import importlib
import math
import time

import disc_features as disc
import numpy as np

from . import common, scoring

BASELINES = ["correlation_difference", "hierarchical", "modules", "contrastive_pca", "paper_recipe"]
METHODS = ["disc", *BASELINES, *(f"{name}+oracle" for name in BASELINES)]
VARIANTS = ["plain", "heavy-tails", "scales", "unequal-n", "overlapping", "strength", "counts"]
POINTS = [(0.1, 500), (0.2, 100), (0.2, 200), (0.3, 50), (0.3, 100), (0.5, 50)]
FIRST_SEED = 101


def run_oracle(baseline, values, seed, extra, data):
    """The labels whose mean adjusted Rand index over A and B is best, and the settings behind them."""
    best = (-math.inf, None, None)
    for fit_settings in baseline.FIT_SCAN:
        fitted = baseline.fit(*values, seed, **fit_settings)
        for cut_settings in baseline.CUT_SCAN:
            labels = dict(zip("AB", baseline.cut(fitted, **cut_settings, **extra)))
            value = sum(scoring.score(labels, data)["ari"].values())
            if value > best[0]:
                best = (value, labels, {**fit_settings, **cut_settings})
    return best[1:]


def labels_by(method, data, seed, threads, permutations):
    values, settings = list(data.conditions.values()), {}
    if method == "disc":
        analysis = disc.run(data.conditions, permutations=permutations, bootstraps=0, threads=threads, progress=False)
        return scoring.found_labels(analysis, values[0].shape[1]), settings
    name, _, oracle = method.partition("+")
    baseline = importlib.import_module(f"experiments.baselines.{name}")
    # The paper's recipe is given the number of groups.
    extra = {"number": max(len(scoring.true_groups(data, c)) for c in "AB")} if name == "paper_recipe" else {}
    if oracle:
        return run_oracle(baseline, values, seed, extra, data)
    return dict(zip("AB", baseline.groups(*values, seed, **extra))), settings


def draw(variant, rho, n, seed, method, threads, permutations=49):
    data = disc.simulate("hard", variant=variant, rho=rho, samples=n, seed=FIRST_SEED - 1 + seed)
    start = time.perf_counter()
    labels, settings = labels_by(method, data, seed, threads, permutations)
    return {**scoring.score(labels, data), "seconds": time.perf_counter() - start, "settings": settings}


def run(study, points=POINTS, variants=("plain",), methods=METHODS[:1 + len(BASELINES)]):
    if study.quick:
        points, methods = [(0.5, 50)], ["disc", "correlation_difference"]
    settings = [{"variant": variant, "rho": rho, "n": n, "seed": seed, "method": method, "threads": 1,
                 "permutations": study.size(49, 0)}
                for seed in study.seeds(3) for variant in variants for rho, n in points for method in methods]
    found = {}
    for setting, result in study.each(draw, settings, apart=True):
        found.setdefault((setting["variant"], setting["rho"], setting["n"], setting["method"]), []).append(result)
    mean = lambda result: np.mean(list(result["ari"].values()))
    for variant in variants:
        for title, value in (("Adjusted Rand index, mean of A and B", mean), ("False groups", lambda r: r["false_groups"])):
            study.table(f"{variant}: {title}, 95 % interval over {len(study.seeds(3))} replicates", ["rho, n", *methods],
                        [[f"{rho:g}, {n}", *(common.interval([value(r) for r in found[variant, rho, n, m]]) for m in methods)] for rho, n in points])
    curve = {m: [np.mean([mean(r) for r in found[variants[0], rho, n, m]]) for rho, n in points] for m in methods}
    others = {m: np.mean(values) for m, values in curve.items() if m not in ("disc", "paper_recipe")}
    best = max(others, key=others.get) if others else None
    study.compare("hard family: mean adjusted Rand index", "not in the paper", float(np.mean(curve["paper_recipe"])) if "paper_recipe" in curve else None,
                  float(np.mean(curve["disc"])) if "disc" in curve else None, f"best baseline: {best} {others[best]:.2f}" if best else "")
    study.figure(curves(found, variants[0], points, methods))


def curves(found, variant, points, methods):
    """Adjusted Rand index against the number of samples, a panel for each correlation."""
    plt = common.pyplot()
    rhos = sorted({rho for rho, _ in points})
    figure, axes = plt.subplots(1, len(rhos), figsize=(2 * len(rhos) + 1.8, 2.6), sharey=True, squeeze=False)
    colors = dict(zip(methods, ("C3", "C0", "C1", "C2", "C4", "C5", "C6", "C7", "C8", "C9", "k")))
    for axis, rho in zip(axes[0], rhos):
        sizes = sorted(n for r, n in points if r == rho)
        for method in methods:
            values = [[np.mean(list(r["ari"].values())) for r in found[variant, rho, n, method]] for n in sizes]
            axis.errorbar(sizes, [np.mean(v) for v in values], [common.half_width(v) if len(v) > 1 else 0 for v in values], fmt="o-", ms=3,
                          color=colors[method], lw=2 if method == "disc" else 0.8, label=method.replace("_", " "))
        axis.set(title=f"correlation {rho:g}", xlabel="samples", xscale="log", ylim=(-0.05, 1.02), xlim=(40, 625))
        axis.set_xticks(sorted({n for _, n in points}), labels=sorted({n for _, n in points}))
        axis.minorticks_off()
    axes[0][0].set_ylabel("adjusted Rand index")
    figure.legend(*axes[0][-1].get_legend_handles_labels(), frameon=False, fontsize=7, loc="center right")
    figure.tight_layout(rect=(0, 0, 1 - 1.5 / (2 * len(rhos) + 1.8), 1))
    return figure


def add_flags(parser):
    parser.add_argument("--rho", type=float, nargs="+", help="with --samples: these points instead of the usual ones")
    parser.add_argument("--samples", type=int, nargs="+")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=["plain"])
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS[:1 + len(BASELINES)], metavar="METHOD", help=", ".join(METHODS))


def run_chosen(study):
    chosen = study.options
    points = [(rho, n) for rho in chosen.rho for n in chosen.samples] if chosen.rho and chosen.samples else POINTS
    run(study, points, tuple(chosen.variants), chosen.methods)


if __name__ == "__main__":
    common.main(__doc__, run_chosen, add_flags)
