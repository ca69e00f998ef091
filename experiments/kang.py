#!/usr/bin/env python3
"""Kang et al. 2018: blood cells with and without interferon-beta. Is there a group of interferon genes among those that
the stimulated cells connect?

    experiments/kang.py [--data ../shared/data] [--out experiments/results/kang] [disc run options ...]

Genes seen in at least 5 % of the cells of each condition; counts; everything else is the program's choice. Every group, and
its core, is compared with the Hallmark sets (hypergeometric test over the genes used, p multiplied by the number of sets).
"""
import argparse
import csv
import gzip
import json
import os
import pathlib
import subprocess

import numpy as np
import scipy.io
import scipy.stats

ROOT = pathlib.Path(__file__).resolve().parents[1]
LEAST_SHARE = 0.05


def read_10x(folder):
    counts = scipy.io.mmread(gzip.open(folder / "matrix.mtx.gz")).tocsr()  # genes x cells
    with gzip.open(folder / "features.tsv.gz", "rt") as stream:
        genes = [line.rstrip("\n").split("\t")[1] for line in stream]
    return counts, genes


def write_csv(file, counts, genes, keep):
    with file.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([genes[j] for j in keep])
        for cell in counts[keep].T.toarray().astype(int):
            writer.writerow(cell)


def hallmark(data):
    with (data / "genesets/h.all.v7.0.symbols.gmt").open() as stream:
        return {name: set(members) for name, _, *members in (line.split("\t") for line in stream.read().splitlines())}


def enrichment(group, universe, sets):
    """The three sets a group shares most with, by p-value."""
    found = []
    for name, members in sets.items():
        inside = members & universe
        shared = len(group & inside)
        p = scipy.stats.hypergeom.sf(shared - 1, len(universe), len(inside), len(group)) if shared else 1.0
        found.append((min(1.0, p * len(sets)), name, shared, len(inside)))
    return sorted(found)[:3]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disc", default=str(ROOT / "build/release/disc"))
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("DISC_DATA", ROOT.parent / "shared/data"))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "experiments/results/kang")
    options, flags = parser.parse_known_args()
    options.out.mkdir(parents=True, exist_ok=True)
    conditions = {name: read_10x(pathlib.Path(options.data) / "scrna/kang_harmony_10x" / name) for name in ("ctrl", "stim")}
    seen = [np.asarray((counts > 0).mean(axis=1)).ravel() >= LEAST_SHARE for counts, _ in conditions.values()]
    keep = np.flatnonzero(seen[0] & seen[1])
    for name, (counts, genes) in conditions.items():
        write_csv(options.out / f"{name}.csv", counts, genes, keep)
    files = [options.out / f"{name}.csv" for name in conditions]
    subprocess.run([options.disc, "run", *files, "--normalize", "log-cpm", "-o", options.out, *flags], check=True)
    universe = {conditions["ctrl"][1][j] for j in keep}
    sets = hallmark(pathlib.Path(options.data))
    summary = json.loads((options.out / "summary.json").read_text())
    members = {}
    with (options.out / "groups.tsv").open() as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            for part in ["group"] + ["core"] * (row["core"] == "yes"):
                members.setdefault((row["condition"], int(row["group"]), part), set()).add(row["feature"])
    print(f"{len(keep)} genes")
    for condition in summary["conditions"]:
        for group in condition["groups"]:
            print(f"{condition['name']} group {group['id']}: p {group['p']:.3f}, hubs {', '.join(group['hubs'])}")
            for part in ("group", "core"):
                genes = members.get((condition["name"], group["id"], part), set())
                best = enrichment(genes, universe, sets)
                text = "; ".join(f"{name} {shared} of {size}, p {p:.1e}" for p, name, shared, size in best)
                print(f"  {part}, {len(genes)} genes: {text}")


if __name__ == "__main__":
    main()
