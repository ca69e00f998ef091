#!/usr/bin/env python3
"""What a permutation costs, relative to the single analysis, and whether it depends on the number of samples.

    bench/permutation.py [--samples 5000 50000] [--permutations 100] [--folder /tmp/permutation]

2,000 features, two conditions, 25 donors each, 40 features per group: six groups in both conditions, three in each alone. The bar
(PERFORMANCE): 1,000 permutations take at most 50 times the single analysis, and with ten times the samples a permutation
takes less than 1.5 times as long. Printed as ratios of one run. Changed pairs are sought in the first 50 permutations only, so that these take longer
than the others: the time of 1,000 is that of 50 and 950 times what one more takes.
"""
import argparse
import json
import pathlib
import subprocess
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
FEATURES, DONORS, GROUP = 2000, 25, 40
FIRST = 50


def write(folder, samples):
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    table = ["sample\tcondition\tdonor"]
    for name, absent in (("A", range(9, 12)), ("B", range(6, 9))):
        values = random.standard_normal((samples, FEATURES), dtype=np.float32)
        for g in range(12):
            if g not in absent:
                members = slice(100 * g, 100 * g + GROUP)
                values[:, members] = 0.8 * values[:, members] + 0.6 * random.standard_normal((samples, 1), dtype=np.float32)
        donor = np.arange(samples) % DONORS
        values += 0.05 * random.standard_normal((DONORS, FEATURES), dtype=np.float32)[donor]
        np.save(folder / f"{name}.npy", values.astype(np.float64))
        table += [f"s{i + 1}\t{name}\t{name}{d}" for i, d in enumerate(donor)]
    (folder / "samples.tsv").write_text("\n".join(table) + "\n")


def seconds(disc, folder, permutations):
    start = time.perf_counter()
    subprocess.run([disc, "run", folder / "A.npy", folder / "B.npy", "--samples", folder / "samples.tsv", "--unit", "donor", "-q",
                    "-o", folder / "out", "--permutations", str(permutations), "--bootstraps", "0"], check=True)
    total = time.perf_counter() - start
    done = json.loads((folder / "out" / "summary.json").read_text())["statistics"]["permutations"]
    return total, done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disc", default=str(ROOT / "build/release/disc"))
    parser.add_argument("--samples", nargs="+", type=int, default=[5000, 50000])
    parser.add_argument("--permutations", type=int, default=100, help="beyond the first 50")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp/permutation"))
    options = parser.parse_args()
    each = {}
    for samples in options.samples:
        folder = options.folder / str(samples)
        if not (folder / "samples.tsv").exists():
            write(folder, samples)
        single, _ = seconds(options.disc, folder, 0)
        few, done_first = seconds(options.disc, folder, FIRST)
        more, done = seconds(options.disc, folder, FIRST + options.permutations)
        if done_first != FIRST or done != FIRST + options.permutations:
            raise SystemExit("the permutations were stopped early")
        each[samples] = (more - few) / options.permutations
        thousand = few - single + (1000 - FIRST) * each[samples]
        print(f"n = 2 x {samples}: single analysis {single:.2f} s, a permutation {each[samples]:.3f} s (of the first {FIRST}: {(few - single) / FIRST:.3f} s); "
              f"1,000 of them are {thousand / single:.0f} analyses", flush=True)
    if len(each) > 1:
        first, *_, last = each.values()
        print(f"a permutation of the largest takes {last / first:.2f} times that of the smallest")


if __name__ == "__main__":
    main()
