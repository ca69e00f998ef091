#!/usr/bin/env python3
"""The synthetic problems blown up to very many features: do the approximate and the exact search give the same groups, and the true ones?

    bench/blown_up.py                                         20,000 features, all four problems: half an hour on two cores
    bench/blown_up.py --features 100000 --problems subsets

Every problem is simulated with 1,000 samples per condition and run by default but for the form (neighbors), the search and 19 permutations. Printed: the
adjusted Rand index of each condition against the truth, and between the two searches; recall, seconds and memory. Written: blown_up.md and blown_up.json
in bench/results.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent
PROBLEMS = ["newly-connected", "subsets", "both", "three"]


def rand_indices(disc, found, truth):
    text = subprocess.run([disc, "score", found, "--truth", truth, "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {score["condition"]: score["adjusted_rand"] for score in json.loads(text)}


def one_run(disc, files, method, out):
    subprocess.run([disc, "run", *files, "-o", out, "--graph", "knn", "--knn-search", method, "--permutations", "19"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    summary = json.loads((out / "summary.json").read_text())
    return {"recall": min(c.get("neighbor_recall") or 1.0 for c in summary["conditions"]),
            "groups": [len(c["groups"]) for c in summary["conditions"]], "seconds": round(sum(t["seconds"] for t in summary["timings"])),
            "GiB": round(summary["peak_memory_bytes"] / 2**30, 2)}


def compare(disc, problem, features, folder, methods):
    subprocess.run([disc, "simulate", problem, "--features", str(features), "--samples", "1000", "--seed", "1", "-o", folder / "data"],
                   check=True, stdout=subprocess.DEVNULL)
    files = sorted((folder / "data").glob("*.npy"))
    result = {"problem": problem, "features": features}
    for method in methods:
        result[method] = one_run(disc, files, method, folder / method)
        result[method]["truth"] = rand_indices(disc, folder / method, folder / "data" / "truth.tsv")
    if len(methods) == 2:
        result["between"] = rand_indices(disc, folder / methods[0], folder / methods[1] / "groups.tsv")
    return result


def cells(result):
    show = lambda indices: " ".join(f"{name} {value:.3f}" for name, value in indices.items())
    for method in ("exact", "approximate"):
        if method in result:
            of = result[method]
            yield [result["problem"], f"{result['features']:,}", method, f"{of['recall']:.3f}", show(of["truth"]),
                   show(result.get("between", {})), " ".join(map(str, of["groups"])), f"{of['seconds']} s", f"{of['GiB']} GiB"]


def table(results):
    head = ["problem", "features", "search", "recall", "adjusted Rand index", "between the searches", "groups", "time", "memory"]
    lines = [head, ["---"] * len(head), *(row for result in results for row in cells(result))]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", type=int, default=20_000)
    parser.add_argument("--problems", nargs="+", default=PROBLEMS)
    parser.add_argument("--methods", nargs="+", default=["exact", "approximate"])
    parser.add_argument("--disc", default=str(BENCH.parent / "build" / "release" / "disc"))
    options = parser.parse_args()
    written = BENCH / "results"
    written.mkdir(exist_ok=True)
    results = []
    for problem in options.problems:
        with tempfile.TemporaryDirectory() as name:
            results.append(compare(options.disc, problem, options.features, pathlib.Path(name), options.methods))
        print(table(results[-1:]), flush=True)
        (written / "blown_up.json").write_text(json.dumps(results, indent=1))
        (written / "blown_up.md").write_text(table(results))


if __name__ == "__main__":
    main()
