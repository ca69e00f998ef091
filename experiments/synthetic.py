#!/usr/bin/env python3
"""The paper's synthetic problems with no option at all: are the groups found, and nothing else?

    experiments/synthetic.py --seeds 20 --out experiments/results/synthetic
    experiments/synthetic.py --problems partial --seeds 20

For each problem, number of samples and seed: disc simulate, disc run, disc score. Written: synthetic.tsv, one line per
draw and condition (what is there is not run again), and synthetic.md. The paper's recipe, told the true number of groups,
reaches 0.82, 0.36, 0.58 and 0.84 on the first four (METHOD (18)).
"""
import argparse
import collections
import csv
import json
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAPER = {"newly-connected": 0.82, "subsets": 0.36, "both": 0.58, "three": 0.84}
PARTIAL = ["0", "0.25", "0.5", "0.75", "1"]
KEY = ["problem", "samples", "seed"]
COLUMNS = [*KEY, "condition", "ari", "found", "true", "sigma_1", "largest_statistic", "smallest_p"]


def draw(disc, problem, samples, seed):
    """One line per condition."""
    with tempfile.TemporaryDirectory() as folder:
        name, _, t = problem.partition(":")
        simulate = [disc, "simulate", name, "--samples", samples, "--seed", seed, "-q", "-o", f"{folder}/toy"]
        subprocess.run([*simulate, *(["--partial", t] if t else [])], check=True)
        files = sorted(pathlib.Path(folder, "toy").glob("*.npy"))
        subprocess.run([disc, "run", *files, "-q", "-o", f"{folder}/out"], check=True)
        score = [disc, "score", f"{folder}/out", "--truth", f"{folder}/toy/truth.tsv", "--json"]
        scores = {s["condition"]: s for s in json.loads(subprocess.run(score, check=True, capture_output=True).stdout)}
        summary = json.loads(pathlib.Path(folder, "out", "summary.json").read_text())
    for condition in summary["conditions"]:
        score = scores[condition["name"]]
        tested = condition["groups"] + condition["candidates"]
        yield dict(zip(COLUMNS, [problem, samples, seed, condition["name"], score["adjusted_rand"], score["groups_found"],
                                 score["groups_true"], condition["sigma"][0],
                                 max((g["statistic"] for g in tested), default=0.0),
                                 min((g["p"] for g in tested), default=1.0)]))


def table(rows):
    """Markdown: one row per problem and number of samples."""
    cells = collections.defaultdict(list)
    for row in rows:
        cells[row["problem"], int(row["samples"])].append(row)
    lines = ["| problem | samples | draws | adjusted Rand: mean | lowest | paper's recipe | A reports no group | sigma_1 of A | statistic of A |",
             "|---|---|---|---|---|---|---|---|---|"]
    for (problem, samples), found in sorted(cells.items()):
        ari = [float(row["ari"]) for row in found]
        a = [row for row in found if row["condition"] == "A"]
        none = sum(row["found"] == "0" for row in a)
        mean = lambda column: statistics.mean(float(row[column]) for row in a)
        lines.append(f"| {problem} | {samples} | {len(a)} | {statistics.mean(ari):.3f} | {min(ari):.3f} | "
                     f"{PAPER.get(problem, '')} | {none} of {len(a)} | {mean('sigma_1'):.3f} | {mean('largest_statistic'):.1f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disc", default=str(ROOT / "build/release/disc"))
    parser.add_argument("--problems", nargs="+", default=[*PAPER])
    parser.add_argument("--samples", nargs="+", default=["10000", "1000"])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "experiments/results/synthetic")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "synthetic.tsv"
    rows = list(csv.DictReader(file.open(), delimiter="\t")) if file.exists() else []
    done = {tuple(row[k] for k in KEY) for row in rows}
    problems = [q for p in options.problems for q in ([f"partial:{t}" for t in PARTIAL] if p == "partial" else [p])]
    with file.open("a", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, delimiter="\t", lineterminator="\n")
        if not rows:
            writer.writeheader()
        for samples in options.samples:
            for problem in problems:
                for seed in map(str, range(1, options.seeds + 1)):
                    if (problem, samples, seed) in done:
                        continue
                    writer.writerows(draw(options.disc, problem, samples, seed))
                    stream.flush()
    (options.out / "synthetic.md").write_text(table(csv.DictReader(file.open(), delimiter="\t")))
    print((options.out / "synthetic.md").read_text())


if __name__ == "__main__":
    main()
