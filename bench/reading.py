#!/usr/bin/env python3
"""How fast files are read, in turns with the usual programs on the same file. Printed are ratios of the best times of one run.

    bench/reading.py [--repeat 5] [--data FOLDER]

The table is HSMM (47,192 genes x 271 cells, most of them zero) where the data are there ($DISC_DATA, or ../shared/data beside the
checkout); else one of the same shape is made up. Timed is `disc inspect`, which reads and then looks at every value. The same table as .npy is only mapped
into memory, so its time is that of starting and looking; the rest of the others' time is reading. pandas is timed only while it reads. The bars: csv.gz in 1.5 times
`zcat | wc`, looking included, and 2.5 times the memory of the matrix; csv 5 times as fast as pandas' C engine.
"""
import argparse
import gzip
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = "large-p/hsmm/HSMM_fpkm_47192genes_x_271cells.csv.gz"
PANDAS = "import pandas, sys, time\nstart = time.perf_counter()\npandas.read_csv(sys.argv[1], index_col=0)\nprint(time.perf_counter() - start)"


def made_up(path, genes=47192, cells=271):
    """Five of six values are zero, the others have six digits, as in HSMM."""
    random = np.random.default_rng(1)
    with gzip.open(path, "wt", compresslevel=6) as out:
        out.write("," + ",".join(f"cell{i}" for i in range(cells)) + "\n")
        for gene in range(genes):
            values = np.where(random.random(cells) < 0.84, 0, random.lognormal(1, 2, cells))
            out.write(f"gene{gene}," + ",".join(f"{value:.6g}" for value in values) + "\n")


def seconds_of(command, shell=False):
    start = time.perf_counter()
    subprocess.run(command, shell=shell, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def seconds_inside(program, path):
    """The time that a Python program prints; None where a library is missing."""
    done = subprocess.run([sys.executable, "-c", program, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return float(done.stdout) if done.returncode == 0 else None


def peak_bytes(command):
    """Largest memory of a program, by the system's own account."""
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)")
    return int(subprocess.run([sys.executable, "-c", code, *map(str, command)], stdout=subprocess.PIPE, check=True).stdout)


def best(times):
    times = [value for value in times if value is not None]
    return min(times) if times else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disc", default=str(ROOT / "build/release/disc"))
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("DISC_DATA", ROOT.parent / "shared" / "data"))
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        packed = pathlib.Path(options.data) / TABLE
        if not packed.exists():
            packed = pathlib.Path(folder) / "made_up.csv.gz"
            made_up(packed)
        plain = pathlib.Path(folder) / "table.csv"
        plain.write_bytes(gzip.decompress(packed.read_bytes()))
        with plain.open() as lines:
            cells = next(lines).count(",")
            genes = sum(1 for _ in lines)
        numbers = pathlib.Path(folder) / "table.npy"
        np.save(numbers, np.loadtxt(plain, delimiter=",", skiprows=1, usecols=range(1, cells + 1)))
        print(f"{genes} x {cells} values, {os.cpu_count()} cores, best of {options.repeat}, in turns")
        times = {name: [] for name in ("csv.gz", "zcat", "csv", "pandas", "npy")}
        inspect = [options.disc, "inspect", "--samples-in", "columns"]
        for _ in range(options.repeat):
            times["csv.gz"].append(seconds_of([*inspect, packed]))
            times["zcat"].append(seconds_of(f"zcat '{packed}' | wc", shell=True))
            times["csv"].append(seconds_of([*inspect, plain]))
            times["pandas"].append(seconds_inside(PANDAS, plain))
            times["npy"].append(seconds_of([*inspect, numbers]))
        fastest = {name: best(values) for name, values in times.items()}
        for name, seconds in fastest.items():
            print(f"  {name:7} {'not installed' if seconds is None else f'{seconds:.3f} s'}")
        print(f"csv.gz takes {fastest['csv.gz'] / fastest['zcat']:.2f} times as long as zcat | wc (bar: 1.5)")
        reading = fastest["csv"] - fastest["npy"]
        if fastest["pandas"] is not None and reading > 0:
            print(f"csv is read {fastest['pandas'] / reading:.1f} times as fast as by pandas (bar: 5)")
        matrix = 8 * genes * cells
        memory = peak_bytes([*inspect, packed])
        print(f"memory of reading csv.gz: {memory / matrix:.2f} times the matrix (bar: 2.5)")


if __name__ == "__main__":
    main()
