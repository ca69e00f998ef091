#!/usr/bin/env python3
"""How time and memory grow with features (up to a million), samples and threads; and the libraries made for the two long stages beside it.

    bench/scaling.py                            squares of 32 to 1,000 pixels: an hour on two cores
    bench/scaling.py --sides 100 316 --no-baselines

Scenes of two dates with 124 bands (`disc simulate scene`), everything by default but the form: neighbors throughout, searched approximately (by itself the
program compares all up to some 40,000 pixels). Timed by disc itself, stage by stage. Beside it, with as many threads:
- hnswlib on the standardized pixels of the first date, with the smallest `ef` that reaches the recall that disc measured;
- FAISS's IVF-Flat on the same, with the fewest cells looked at that reach it;
- scikit-learn's kneighbors_graph on the same (all pairs; up to 40,000);
- ARPACK (scipy's eigsh) against disc's solver on the same graph, the symmetrised neighbors that hnswlib found, 20 pairs to 1e-6;
  and on a lattice of as many points (ARPACK: up to 400,000), whose eigenvalues are known, so that copies can be counted.
Samples (31 to 496 bands) and threads are varied at 316 x 316 pixels.
Written: scaling.json, scaling.md and scaling.svg in bench/results.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np

BENCH = pathlib.Path(__file__).resolve().parent
NEIGHBORS = 20
PAIRS = 20
TOLERANCE = 1e-6
ALL_PAIRS_UP_TO = 40_000
ARPACK_ON_LATTICE_UP_TO = 400_000  # a million takes it more than 40 minutes
MIDDLE = 316


def disc_run(disc, features, folder, samples=124, threads=None):
    subprocess.run([disc, "simulate", "scene", "--features", str(features), "--samples", str(samples), "--seed", "1",
                    "-o", folder / "scene"], check=True, stdout=subprocess.DEVNULL)
    files = [folder / "scene" / name for name in ("A.npy", "B.npy")]
    words = [disc, "run", *files, "-o", folder / "out", "--graph", "knn", "--knn-search", "approximate"] + (["--threads", str(threads)] if threads else [])
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    summary = json.loads((folder / "out" / "summary.json").read_text())
    stages = {stage["stage"]: stage["seconds"] for stage in summary["timings"]}
    score = subprocess.run([disc, "score", folder / "out", "--truth", folder / "scene" / "truth.tsv"], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    return files[0], {"features": features, "samples": samples, "threads": threads, "seconds": sum(stages.values()), "stages": stages,
                      "peak_memory_bytes": summary["peak_memory_bytes"], "permutations": summary["settings"]["used"]["permutations"],
                      "recall": min(c.get("neighbor_recall") or 1.0 for c in summary["conditions"]), "score": score}


def standardized(path):
    points = np.load(path).T.astype(np.float32)
    points -= points.mean(axis=1, keepdims=True)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return points


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def true_nearest(points, sample):
    products = points[sample] @ points.T
    products[np.arange(len(sample)), sample] = -np.inf
    return np.argpartition(-products, NEIGHBORS, axis=1)[:, :NEIGHBORS]


def hnsw(points, recall, threads):
    """Build and search, with the smallest ef of a few that reaches the recall."""
    import hnswlib
    sample = np.random.default_rng(1).choice(len(points), 400, replace=False)
    truth = true_nearest(points, sample)
    index = hnswlib.Index(space="ip", dim=points.shape[1])
    index.set_num_threads(threads)
    index.init_index(max_elements=len(points), M=16, ef_construction=100)
    build, _ = timed(lambda: index.add_items(points))
    for ef in (30, 60, 200):
        index.set_ef(ef)
        search, (found, _) = timed(lambda: index.knn_query(points, k=NEIGHBORS + 1))
        reached = np.mean([len(set(truth[i]) & set(found[sample[i]])) / NEIGHBORS for i in range(len(sample))])
        if reached >= recall:
            break
    return {"seconds": build + search, "recall": float(reached), "ef": ef}, found


def faiss_ivf(points, recall, threads):
    """FAISS's IVF-Flat: train, add and search, with the fewest cells looked at that reach the recall."""
    import faiss
    faiss.omp_set_num_threads(threads)
    sample = np.random.default_rng(1).choice(len(points), 400, replace=False)
    truth = true_nearest(points, sample)
    cells = int(4 * len(points) ** 0.5)  # as its manual advises
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(points.shape[1]), points.shape[1], cells, faiss.METRIC_INNER_PRODUCT)
    build, _ = timed(lambda: (index.train(points), index.add(points)))
    for probes in (2, 4, 8, 12, 16, 24, 32, 48, 64, 128):
        index.nprobe = probes
        _, found = index.search(points[sample], NEIGHBORS + 1)
        reached = np.mean([len(set(truth[i]) & set(found[i])) / NEIGHBORS for i in range(len(sample))])
        if reached >= recall:
            break
    search, _ = timed(lambda: index.search(points, NEIGHBORS + 1))
    return {"seconds": build + search, "recall": float(reached), "cells": cells, "cells looked at": probes}


def neighbor_graph(found):
    import scipy.sparse as sparse
    rows = np.repeat(np.arange(len(found)), found.shape[1])
    others = found.ravel()
    edges = rows != others
    graph = sparse.csr_matrix((np.ones(edges.sum()), (rows[edges], others[edges])), shape=(len(found), len(found)))
    return graph.maximum(graph.T).tocsr()


def lattice(side):
    """Every point joined to the four next to it, the borders too, and to itself."""
    import scipy.sparse as sparse
    ring = sparse.csr_matrix(np.roll(np.eye(side), 1, axis=1))
    ring = ring + ring.T
    one = sparse.identity(side)
    return (sparse.kron(ring, one) + sparse.kron(one, ring) + 2 * sparse.identity(side * side)).tocsr()


def lattice_values(side):
    cosines = np.cos(2 * np.pi * np.arange(side) / side)
    return np.sort(((2 + 2 * (cosines[:, None] + cosines[None, :])) / 6).ravel())[::-1][:PAIRS]


def walk_of(graph):
    import scipy.sparse as sparse
    scale = sparse.diags(1 / np.sqrt(np.maximum(np.asarray(graph.sum(axis=1)).ravel(), 1)))
    return (scale @ graph @ scale).tocsr()


def disc_eigenpairs(solver, graph, folder):
    with open(folder / f"graph-{graph.shape[0]}-{graph.nnz}", "wb") as file:
        np.array([graph.shape[0], graph.nnz], np.int64).tofile(file)
        for part, kind in ((graph.indptr, np.int64), (graph.indices, np.int64), (graph.data, np.float64)):
            part.astype(kind).tofile(file)
    numbers = subprocess.run([solver, file.name, str(PAIRS), str(TOLERANCE)], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    return float(numbers[0]) + float(numbers[1]), np.array(numbers[3:], float)


def missed(values, truth):
    """How many of the true values are not there, each copy counted. A value belongs to a true one if it is nearer than a quarter of the way to the next."""
    near = np.min(np.diff(np.unique(np.round(truth, 12)))) / 4
    left = list(values)
    count = 0
    for value in truth:
        match = next((k for k, other in enumerate(left) if abs(other - value) < near), None)
        if match is None:
            count += 1
        else:
            left.pop(match)
    return count


def arpack(graph):
    from scipy.sparse.linalg import eigsh
    return timed(lambda: eigsh(walk_of(graph), PAIRS, which="LA", tol=TOLERANCE, return_eigenvectors=True)[0])


def eigenpairs(solver, graph, folder):
    ours, our_values = disc_eigenpairs(solver, graph, folder)
    theirs, their_values = arpack(graph)
    return {"disc": ours, "ARPACK": theirs,
            "largest difference": float(np.max(our_values - np.sort(their_values)[::-1]))}  # above 0: a pair that ARPACK missed


def eigenpairs_of_lattice(solver, side, folder):
    graph, truth = lattice(side), lattice_values(side)
    seconds, values = disc_eigenpairs(solver, graph, folder)
    result = {"disc": seconds, "missed by disc": missed(values, truth)}
    if side * side <= ARPACK_ON_LATTICE_UP_TO:
        seconds, values = arpack(graph)
        result |= {"ARPACK": seconds, "missed by ARPACK": missed(values, truth)}
    return result


def baselines(path, recall, threads, solver, folder):
    """`folder`: where graphs are put."""
    points = standardized(path)
    result = {}
    result["hnswlib"], found = hnsw(points, recall, threads)
    result["FAISS IVF-Flat"] = faiss_ivf(points, recall, threads)
    if len(points) <= ALL_PAIRS_UP_TO:
        from sklearn.neighbors import kneighbors_graph
        result["kneighbors_graph"] = {"seconds": timed(lambda: kneighbors_graph(points, NEIGHBORS, n_jobs=threads))[0]}
    side = int(round(len(points) ** 0.5))
    del points
    result["eigenpairs"] = eigenpairs(solver, neighbor_graph(found), folder)
    del found
    result["eigenpairs of a lattice"] = eigenpairs_of_lattice(solver, side, folder)
    return result


def rows_of(results):
    for one in results:
        others = one.get("baselines", {})
        graph = one["stages"]["graphs"] / 2
        ratios = [f"{others[name]['seconds'] / graph:.1f}" if name in others else "-" for name in ("hnswlib", "FAISS IVF-Flat", "kneighbors_graph")]
        pairs = others.get("eigenpairs")
        solver = [f"{pairs['disc']:.1f} s", f"{pairs['ARPACK'] / pairs['disc']:.1f}"] if pairs else ["-", "-"]
        yield [f"{one['features']:,}", f"{one['seconds']:.0f} s", f"{one['peak_memory_bytes'] / 2**30:.2f} GiB", f"{one['recall']:.3f}",
               f"{graph:.1f} s", *ratios, *solver]


def table(results):
    head = ["features", "whole run", "peak memory", "recall", "graph", "hnswlib / disc", "FAISS / disc", "scikit-learn / disc", "20 eigenpairs", "ARPACK / disc"]
    lines = [" | ".join(cells) for cells in (head, ["---"] * len(head), *rows_of(results))]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def growing_seconds(one):
    """Without groups: the program chooses the number of permutations by the number of features."""
    return sum(one["stages"][stage] for stage in ("match features", "graphs", "eigenpairs", "differential vectors"))


def exponent(results):
    """Of the time, fitted to all sizes from 10,000 on."""
    last = [one for one in results if one["features"] >= 10_000]
    if len(last) < 2:
        return None
    return float(np.polyfit(np.log([one["features"] for one in last]), np.log([growing_seconds(one) for one in last]), 1)[0])


def draw(results, varied, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams["svg.hashsalt"] = "disc"
    figure, (left, right, last) = plt.subplots(1, 3, figsize=(13, 4))
    features = [one["features"] for one in results]
    for stage in ("graphs", "eigenpairs", "differential vectors", "groups"):
        left.loglog(features, [one["stages"][stage] for one in results], marker="o", label=stage)
    left.loglog(features, [one["seconds"] for one in results], marker="o", color="black", label="whole run")
    start = growing_seconds(results[-1])
    left.loglog(features, [start * (p / features[-1]) ** 1.2 for p in features], ":", color="grey", label="grows as p to the 1.2")
    left.set(xlabel="features", ylabel="seconds, two conditions")
    left.legend(fontsize=8)
    right.loglog(features, [one["peak_memory_bytes"] / 2**30 for one in results], marker="o", color="black", label="peak memory")
    right.loglog(features, [p * 124 * 8 * 2 / 2**30 for p in features], ":", color="grey", label="the two tables in double")
    right.set(xlabel="features", ylabel="GiB")
    right.legend(fontsize=8)
    for threads in sorted({one["threads"] for one in varied}):
        of_these = [one for one in varied if one["threads"] == threads]
        last.loglog([one["samples"] for one in of_these], [growing_seconds(one) for one in of_these], marker="o", label=f"{threads} threads")
    last.set(xlabel=f"samples, {MIDDLE ** 2:,} features", ylabel="seconds without groups")
    last.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def vary(disc):
    """Samples with all threads, threads with 124 samples."""
    for samples, threads in [(31, 2), (124, 2), (496, 2), (124, 1)]:
        with tempfile.TemporaryDirectory() as name:
            one = disc_run(disc, MIDDLE ** 2, pathlib.Path(name), samples, threads)[1]
            print(f"{samples} samples, {threads} threads: {one['seconds']:.0f} s, without groups {growing_seconds(one):.0f} s", flush=True)
            yield one


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sides", type=int, nargs="+", default=[32, 100, 174, 316, 548, 1000], help="of the square scenes, in pixels")
    parser.add_argument("--no-baselines", action="store_true")
    parser.add_argument("--no-varied", action="store_true", help="samples and threads stay as they are")
    parser.add_argument("--graphs", help="folder to leave the graphs in, for bench_distributed_solver")
    parser.add_argument("--keep", action="store_true", help="results of other sizes, and of samples and threads, that are there from before")
    parser.add_argument("--build", default=str(BENCH.parent / "build" / "release"), help="where disc and bench_sparse_solver are")
    options = parser.parse_args()
    disc, solver = (pathlib.Path(options.build) / name for name in ("disc", "bench_sparse_solver"))
    if not options.no_baselines and not solver.exists():
        parser.error(f"no {solver}; build it: cmake --build {options.build} --target bench_sparse_solver")
    written = BENCH / "results"
    written.mkdir(exist_ok=True)
    before = json.loads((written / "scaling.json").read_text()) if options.keep else {"runs": [], "varied": []}
    varied = before["varied"] if options.no_varied else list(vary(disc))
    results = [one for one in before["runs"] if one["features"] not in [side * side for side in options.sides]]
    for side in options.sides:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            first, one = disc_run(disc, side * side, folder)
            if not options.no_baselines:
                graphs = pathlib.Path(options.graphs) if options.graphs else folder
                one["baselines"] = baselines(first, min(one["recall"], 0.99), os.cpu_count(), solver, graphs)
        results = sorted([*results, one], key=lambda run: run["features"])
        print(" | ".join(next(rows_of([one]))), one.get("baselines", ""), flush=True)
        (written / "scaling.json").write_text(json.dumps({"runs": results, "varied": varied, "exponent": exponent(results)}, indent=1))
        (written / "scaling.md").write_text(table(results))
    draw(results, varied, written / "scaling.svg")
    print(f"time of matching, graphs, eigenpairs and vectors grows as p to the {exponent(results) or float('nan'):.2f}")
    print(f"written: {written}/scaling.md, scaling.json, scaling.svg")


if __name__ == "__main__":
    main()
