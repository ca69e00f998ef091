#!/usr/bin/env python3
"""The hard family: disc, told nothing, against other methods, on data whose groups are known.

    experiments/hard.py --seeds 20 --out experiments/results/hard
    experiments/hard.py --seeds 3 --rho .3 --samples 100 --methods disc modules modules+oracle

Methods: disc, the opponents with their default settings, and each opponent with "+oracle": the settings among FIT_SCAN and
CUT_SCAN that are best for this draw by the truth, an optimistic bound on what tuning could give. Written: hard.tsv, one line
per draw and method, and hard.md, means and standard errors of all lines. What is in hard.tsv is not run again: remove it
after a change of a method. All methods get the same files. `seconds` is no benchmark: disc uses all cores, the others one,
and an oracle tries many settings.
"""
import os

os.environ.update(dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"))  # before numpy

import argparse
import collections
import concurrent.futures
import csv
import importlib
import itertools
import math
import multiprocessing
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np

import scoring

ROOT = pathlib.Path(__file__).resolve().parents[1]
OPPONENTS = ["correlation_difference", "hierarchical", "modules", "contrastive_pca", "paper_recipe"]
METHODS = ["disc", *OPPONENTS, *(f"{name}+oracle" for name in OPPONENTS)]
VARIANTS = ["plain", "heavy-tails", "scales", "unequal-n", "overlapping", "strength", "counts"]
KEY = ["variant", "rho", "n", "seed", "method"]
COLUMNS = [*KEY, "ari_A", "ari_B", "false_groups", "groups_found", "seconds", "settings"]


def run_disc(program, folder, features):
    subprocess.run([program, "run", folder / "A.npy", folder / "B.npy", "-o", folder / "out", "-q"], check=True)
    return scoring.read_labels(folder / "out" / "groups.tsv", features)


def told(name, program, truth):
    """What an opponent is told besides the data: the paper's recipe the number of groups."""
    if name != "paper_recipe":
        return {}
    return {"program": program, "number": max(len(scoring.read_groups(truth, condition)) for condition in "AB")}


def run_oracle(opponent, data, seed, extra, truth):
    """The labels whose mean adjusted Rand index over A and B is best, and the settings behind them."""
    best = (-math.inf, None, None)
    for fit_settings in opponent.FIT_SCAN:
        fitted = opponent.fit(*data, seed, **fit_settings)
        for cut_settings in opponent.CUT_SCAN:
            labels = opponent.cut(fitted, **cut_settings, **extra)
            result = scoring.score(labels, truth)
            value = result["ari_A"] + result["ari_B"]
            if value > best[0]:
                best = (value, labels, {**fit_settings, **cut_settings})
    return best[1:]


def run_method(method, program, folder, seed):
    data = [np.load(folder / name) for name in ("A.npy", "B.npy")]
    truth = folder / "truth.tsv"
    settings = {}
    start = time.perf_counter()
    if method == "disc":
        labels = run_disc(program, folder, data[0].shape[1])
    else:
        name, _, oracle = method.partition("+")
        opponent = importlib.import_module(f"opponents.{name}")
        extra = told(name, program, truth)
        if oracle:
            labels, settings = run_oracle(opponent, data, seed, extra, truth)
        else:
            labels = opponent.groups(*data, seed, **extra)
    seconds = time.perf_counter() - start
    shown = " ".join(f"{key}={value}" for key, value in settings.items())
    return {**scoring.score(labels, truth), "seconds": f"{seconds:.2f}", "settings": shown}


def run_draw(program, variant, rho, n, seed, methods):
    """All these methods on one draw: their lines."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([program, "simulate", "hard", "--variant", variant, "--rho", rho, "--samples", n, "--seed", seed,
                        "-o", folder, "-q"], check=True)
        key = {"variant": variant, "rho": rho, "n": n, "seed": seed}
        return [{**key, "method": method, **run_method(method, program, folder, int(seed))} for method in methods]


def read_lines(path):
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return [line for line in csv.DictReader(file, delimiter="\t") if None not in line.values()]


def write_lines(path, lines, mode="w"):
    with open(path, mode, newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        if mode == "w":
            writer.writeheader()
        writer.writerows(lines)


def missing_draws(arguments, done):
    """Draws with the methods that are not in the file yet, seed by seed: what is there after a while covers all settings."""
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    for seed, variant, rho, n in itertools.product(seeds, arguments.variants, arguments.rho, arguments.samples):
        draw = (variant, f"{rho:g}", str(n), str(seed))
        methods = [method for method in arguments.methods if (*draw, method) not in done]
        if methods:
            yield (*draw, methods)


def run_all(arguments, path):
    lines = read_lines(path)
    write_lines(path.with_suffix(".new"), lines)
    path.with_suffix(".new").replace(path)  # without a line that an interrupted run left broken
    done = {tuple(line[column] for column in KEY) for line in lines}
    draws = list(missing_draws(arguments, done))
    # spawn: a forked child would share the state of the numerical libraries.
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs, multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(run_draw, str(arguments.disc), *draw) for draw in draws]
        for number, future in enumerate(concurrent.futures.as_completed(futures), 1):
            write_lines(path, future.result(), mode="a")
            print(f"{number} of {len(draws)} draws", flush=True)


def mean_and_error(values):
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{statistics.mean(values):.2f} ± {error:.2f}"


def table(lines, value):
    """A row per rho and n, a column per method."""
    cells = collections.defaultdict(list)
    for line in lines:
        cells[float(line["rho"]), int(line["n"]), line["method"]].append(value(line))
    methods = [method for method in METHODS if any(method == key[2] for key in cells)]
    yield "| rho, n | " + " | ".join(method.replace("_", " ").replace("+", ", ") for method in methods) + " |"
    yield "|---" * (len(methods) + 1) + "|"
    for rho, n in sorted({key[:2] for key in cells}):
        values = (mean_and_error(cells[rho, n, method]) if cells[rho, n, method] else "-" for method in methods)
        yield f"| {rho:g}, {n} | " + " | ".join(values) + " |"


def report(lines):
    for variant in [name for name in VARIANTS if any(line["variant"] == name for line in lines)]:
        chosen = [line for line in lines if line["variant"] == variant]
        draws = len({line["seed"] for line in chosen})
        yield f"## {variant}\n\nAdjusted Rand index, mean of A and B, with its standard error over up to {draws} draws:\n"
        yield from table(chosen, lambda line: (float(line["ari_A"]) + float(line["ari_B"])) / 2)
        yield "\nFalse groups, A and B together:\n"
        yield from table(chosen, lambda line: float(line["false_groups"]))
        yield "\nGroups found, A and B together:\n"
        yield from table(chosen, lambda line: float(line["groups_found"]))
        yield ""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20, help="draws per setting")
    parser.add_argument("--first-seed", type=int, default=101, help="the defaults were developed on seeds 1 to 3")
    parser.add_argument("--rho", type=float, nargs="+", default=[0.1, 0.2, 0.3, 0.5])
    parser.add_argument("--samples", type=int, nargs="+", default=[50, 100, 200, 500])
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=["plain"])
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS, metavar="METHOD", help=", ".join(METHODS))
    parser.add_argument("--disc", type=pathlib.Path, default=ROOT / "build" / "release" / "disc", help="the program")
    parser.add_argument("--jobs", type=int, default=1, help="draws at the same time")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "experiments" / "results" / "hard")
    arguments = parser.parse_args()
    arguments.disc = arguments.disc.resolve()
    return arguments


def main():
    arguments = parse_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    path = arguments.out / "hard.tsv"
    run_all(arguments, path)
    (arguments.out / "hard.md").write_text("\n".join(report(read_lines(path))), encoding="utf-8")


if __name__ == "__main__":
    main()
