#!/usr/bin/env python3
"""Null battery: two conditions that do not differ in connection. How often is any p below 0.05? It should be 5 %.

    experiments/calibrate.py --sets 200 --out experiments/results/calibrate
    experiments/calibrate.py --sets 200 --rows mean-only few-donors

Rows: random halves of one population; unequal sizes; a shift of means only; of variances only; of sequencing depth only
(counts, --normalize log-cpm); few donors with effects of their own (--unit donor); more than two conditions; pure noise.
In all of them (but the last) features form groups, the same ones in all conditions: what could be mistaken for a
difference is there. Written: calibrate.tsv, one line per data set (what is there is not run again), and calibrate.md with
the share of data sets with any p < 0.05 and quantiles of the smallest p.
"""
import argparse
import collections
import csv
import json
import math
import pathlib
import subprocess
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
FEATURES, GROUP, GROUPS, SAMPLES = 100, 12, 3, 80
ROWS = ["halves", "unequal", "mean-only", "variance-only", "depth-only", "few-donors", "three", "noise"]
COLUMNS = ["row", "set", "smallest_p", "groups", "stopped_early"]


def latent(random, samples, groups=GROUPS):
    """One-factor groups of correlation 0.4 among noise."""
    values = random.standard_normal((samples, FEATURES))
    for g in range(groups):
        members = slice(g * GROUP, (g + 1) * GROUP)
        values[:, members] = math.sqrt(0.6) * values[:, members] + math.sqrt(0.4) * random.standard_normal((samples, 1))
    return values


def counts(random, samples, rates):
    """Log-normal Poisson counts of cells whose depth varies."""
    return random.poisson(rates * np.exp(0.6 * latent(random, samples)) * random.lognormal(0, 0.2, (samples, 1))).astype(float)


def conditions(row, random):
    """The data of one set and the options they need."""
    if row == "unequal":
        return [latent(random, 120), latent(random, 40)], []
    if row == "mean-only":
        return [latent(random, SAMPLES), latent(random, SAMPLES) + random.standard_normal(FEATURES)], []
    if row == "variance-only":
        return [latent(random, SAMPLES), latent(random, SAMPLES) * np.exp(random.standard_normal(FEATURES))], []
    if row == "depth-only":
        rates = random.gamma(2.0, 2.0, FEATURES)
        return [counts(random, SAMPLES, depth * rates) for depth in (3.0, 1.0)], ["--normalize", "log-cpm"]
    if row == "few-donors":
        cells, donors = 40, 5
        data = [np.vstack([latent(random, cells) + 0.5 * random.standard_normal(FEATURES) for _ in range(donors)])
                for _ in range(2)]
        return data, ["--unit", "donor"]
    if row == "three":
        return [latent(random, SAMPLES) for _ in range(3)], []
    return [latent(random, SAMPLES, 0 if row == "noise" else GROUPS) for _ in range(2)], []


def one_set(disc, row, number, relabellings):
    random = np.random.default_rng([number, ROWS.index(row)])
    data, flags = conditions(row, random)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        table = ["sample\tcondition\tdonor"]
        for name, values in zip("ABC", data):
            files.append(f"{folder}/{name}.npy")
            np.save(files[-1], values)
            table += [f"s{i + 1}\t{name}\t{name}{i // 40}" for i in range(len(values))]
        if "--unit" in flags:
            pathlib.Path(folder, "samples.tsv").write_text("\n".join(table) + "\n")
            flags = [*flags, "--samples", f"{folder}/samples.tsv"]
        subprocess.run([disc, "run", *files, "-q", "-o", f"{folder}/out", "--seed", str(number), "--resamples", "0",
                        "--relabellings", str(relabellings), *flags], check=True)
        summary = json.loads(pathlib.Path(folder, "out", "summary.json").read_text())
    p = [1.0]
    for condition in summary["conditions"]:
        p += condition["vector_p"] + [g["p"] for g in condition["groups"] + condition["candidates"]]
    groups = sum(len(c["groups"]) for c in summary["conditions"])
    return dict(zip(COLUMNS, [row, number, min(p), groups, summary["statistics"]["stopped_early"]]))


def table(rows):
    smallest = collections.defaultdict(list)
    for row in rows:
        smallest[row["row"]].append(float(row["smallest_p"]))
    lines = ["| row | data sets | any p < 0.05 | standard error | 10 %, 25 %, 50 % quantile of the smallest p |", "|---|---|---|---|---|"]
    for row in ROWS:
        if p := smallest.get(row):
            share = np.mean(np.array(p) < 0.05)
            quantiles = ", ".join(f"{q:.2f}" for q in np.quantile(p, [0.1, 0.25, 0.5]))
            lines.append(f"| {row} | {len(p)} | {share:.3f} | {math.sqrt(share * (1 - share) / len(p)):.3f} | {quantiles} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disc", default=str(ROOT / "build/release/disc"))
    parser.add_argument("--rows", nargs="+", default=ROWS, choices=ROWS)
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--relabellings", type=int, default=199)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "experiments/results/calibrate")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "calibrate.tsv"
    old = list(csv.DictReader(file.open(), delimiter="\t")) if file.exists() else []
    done = {(row["row"], row["set"]) for row in old}
    with file.open("a", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, delimiter="\t", lineterminator="\n")
        if not old:
            writer.writeheader()
        for row in options.rows:
            for number in range(1, options.sets + 1):
                if (row, str(number)) not in done:
                    writer.writerow(one_set(options.disc, row, number, options.relabellings))
                    stream.flush()
    (options.out / "calibrate.md").write_text(table(csv.DictReader(file.open(), delimiter="\t")))
    print((options.out / "calibrate.md").read_text())


if __name__ == "__main__":
    main()
