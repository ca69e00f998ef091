#!/usr/bin/env python3
"""How time and memory grow with the number of features, up to a million; and the libraries made for the two long stages beside it.

    bench/scaling.py                            squares of 100, 174, 316, 548 and 1,000 pixels: most of an hour on two cores
    bench/scaling.py --sides 100 316 --no-opponents

Scenes of two dates with 124 bands (`disc simulate scene`), everything by default but the form: neighbours throughout. Timed by disc
itself, stage by stage. Beside it, on the standardised pixels of the first date and as many threads: hnswlib (the smallest `ef` that
reaches the recall that disc measured), scikit-learn's kneighbors_graph (all pairs; up to 40,000) and ARPACK (scipy's eigsh, 20
pairs, tolerance 1e-6) on the symmetrised graph of hnswlib's neighbours.
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
ALL_PAIRS_UP_TO = 40_000


def disc_run(disc, features, folder):
    subprocess.run([disc, "simulate", "scene", "--features", str(features), "--seed", "1", "-o", folder / "scene"], check=True,
                   stdout=subprocess.DEVNULL)
    files = [folder / "scene" / name for name in ("A.npy", "B.npy")]
    subprocess.run([disc, "run", *files, "-o", folder / "out", "--graph", "neighbors"], check=True, stdout=subprocess.DEVNULL)
    summary = json.loads((folder / "out" / "summary.json").read_text())
    stages = {stage["stage"]: stage["seconds"] for stage in summary["timings"]}
    score = subprocess.run([disc, "score", folder / "out", "--truth", folder / "scene" / "truth.tsv"], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    return files[0], {"features": features, "seconds": sum(stages.values()), "stages": stages,
                      "peak_memory_bytes": summary["peak_memory_bytes"], "relabellings": summary["settings"]["used"]["relabellings"],
                      "recall": min(c.get("neighbor_recall") or 1.0 for c in summary["conditions"]), "score": score}


def standardised(path):
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
    index.init_index(max_elements=len(points), M=16, ef_construction=60)
    build, _ = timed(lambda: index.add_items(points))
    for ef in (22, 30, 40, 60, 100, 200):
        index.set_ef(ef)
        search, (found, _) = timed(lambda: index.knn_query(points, k=NEIGHBORS + 1))
        reached = np.mean([len(set(truth[i]) & set(found[sample[i]])) / NEIGHBORS for i in range(len(sample))])
        if reached >= recall:
            break
    return {"seconds": build + search, "recall": float(reached), "ef": ef}, found


def walk_of(found):
    import scipy.sparse as sparse
    rows = np.repeat(np.arange(len(found)), found.shape[1])
    others = found.ravel()
    edges = rows != others
    graph = sparse.csr_matrix((np.ones(edges.sum()), (rows[edges], others[edges])), shape=(len(found), len(found)))
    graph = graph.maximum(graph.T)
    scale = sparse.diags(1 / np.sqrt(np.maximum(graph.sum(axis=1).A1, 1)))
    return (scale @ graph @ scale).tocsr()


def opponents(path, recall, threads):
    from scipy.sparse.linalg import eigsh
    points = standardised(path)
    result = {}
    result["hnswlib"], found = hnsw(points, recall, threads)
    if len(points) <= ALL_PAIRS_UP_TO:
        from sklearn.neighbors import kneighbors_graph
        result["kneighbors_graph"] = {"seconds": timed(lambda: kneighbors_graph(points, NEIGHBORS, n_jobs=threads))[0]}
    del points
    result["ARPACK"] = {"seconds": timed(lambda: eigsh(walk_of(found), PAIRS, tol=1e-6))[0]}
    return result


def rows_of(results):
    for one in results:
        stages, others = one["stages"], one.get("opponents", {})
        graph, eigen = stages["graphs"] / 2, stages["eigenpairs"] / 2
        ratios = [f"{others[name]['seconds'] / mine:.1f}" if name in others else "-"
                  for name, mine in (("hnswlib", graph), ("kneighbors_graph", graph), ("ARPACK", eigen))]
        yield [f"{one['features']:,}", f"{one['seconds']:.0f} s", f"{one['peak_memory_bytes'] / 2**30:.2f} GiB", f"{one['recall']:.3f}",
               f"{graph:.1f} s", *ratios[:2], f"{eigen:.1f} s", ratios[2]]


def table(results):
    head = ["features", "whole run", "peak memory", "recall", "graph", "hnswlib / disc", "scikit-learn / disc", "eigenpairs", "ARPACK / disc"]
    lines = [" | ".join(cells) for cells in (head, ["---"] * len(head), *rows_of(results))]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def exponent(results):
    """Of the time of the whole run and of the stages that grow, between the smallest and the largest; relabellings, whose number the program chooses, left out."""
    last = [one for one in results if one["features"] >= 10_000]
    if len(last) < 2:
        return None
    seconds = [sum(one["stages"][stage] for stage in ("match features", "graphs", "eigenpairs", "differential vectors")) for one in last]
    return float(np.polyfit(np.log([one["features"] for one in last]), np.log(seconds), 1)[0])


def draw(results, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams["svg.hashsalt"] = "disc"
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    features = [one["features"] for one in results]
    for stage in ("graphs", "eigenpairs", "differential vectors", "groups"):
        left.loglog(features, [one["stages"][stage] for one in results], marker="o", label=stage)
    left.loglog(features, [one["seconds"] for one in results], marker="o", color="black", label="whole run")
    start = sum(results[0]["stages"][stage] for stage in ("graphs", "eigenpairs", "differential vectors"))
    left.loglog(features, [start * (p / features[0]) ** 1.2 for p in features], ":", color="grey", label="grows as p to the 1.2")
    left.set(xlabel="features", ylabel="seconds, two conditions")
    left.legend(fontsize=8)
    right.loglog(features, [one["peak_memory_bytes"] / 2**30 for one in results], marker="o", color="black", label="peak memory")
    right.loglog(features, [p * 124 * 8 * 2 / 2**30 for p in features], ":", color="grey", label="the two tables in double")
    right.set(xlabel="features", ylabel="GiB")
    right.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sides", type=int, nargs="+", default=[100, 174, 316, 548, 1000], help="of the square scenes, in pixels")
    parser.add_argument("--no-opponents", action="store_true")
    parser.add_argument("--disc", default=str(BENCH.parent / "build" / "release" / "disc"))
    options = parser.parse_args()
    written = BENCH / "results"
    written.mkdir(exist_ok=True)
    results = []
    for side in options.sides:
        with tempfile.TemporaryDirectory() as name:
            first, one = disc_run(options.disc, side * side, pathlib.Path(name))
            if not options.no_opponents:
                one["opponents"] = opponents(first, min(one["recall"], 0.99), os.cpu_count())
        results.append(one)
        print(" | ".join(next(rows_of([one]))), flush=True)
        (written / "scaling.json").write_text(json.dumps({"runs": results, "exponent": exponent(results)}, indent=1))
        (written / "scaling.md").write_text(table(results))
    draw(results, written / "scaling.svg")
    print(f"time of matching, graphs, eigenpairs and vectors grows as p to the {exponent(results) or float('nan'):.2f}")
    print(f"written: {written}/scaling.md, scaling.json, scaling.svg")


if __name__ == "__main__":
    main()
