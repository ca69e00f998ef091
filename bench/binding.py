#!/usr/bin/env python3
"""What the Python package costs on top of the engine: time, memory, and what is left behind after many runs.

    build/python-env/bin/python bench/binding.py [--features 2000] [--samples 500] [--repeat 5] [--disc PROGRAM]

Run with a Python in which the package is installed. `disc.run` on arrays in memory and the program on the same arrays as .npy files, in turns.
The engine counts the time of its own stages in both; medians are printed. The bars: what disc.run takes on top of the engine's stages is
below 2 % of it; no copy of contiguous arrays of doubles; a hundred runs leave nothing behind.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import time

import numpy as np

import disc_features as disc

FAST = {"permutations": 0, "bootstraps": 0, "progress": False}


def made_up(samples, features, seed):
    """Noise, and 20 features that move together in the second condition."""
    random = np.random.default_rng(seed)
    a, b = random.standard_normal((2, samples, features))
    b[:, :20] += random.standard_normal((samples, 1))
    return {"A": a, "B": b}


def engine_seconds(summary):
    """Without reading, which only the program does."""
    return sum(stage["seconds"] for stage in summary["timings"] if stage["stage"] != "read")


def run_package(data, options):
    start = time.perf_counter()
    summary = disc.run(data, **options).summary
    return time.perf_counter() - start, engine_seconds(summary)


def run_program(program, folder, options):
    flags = [word for name, value in options.items() if name != "progress" for word in (f"--{name.replace('_', '-')}", str(value))]
    start = time.perf_counter()
    subprocess.run([program, "run", folder / "A.npy", folder / "B.npy", "-q", "-o", folder / "out", *flags], check=True)
    return time.perf_counter() - start, engine_seconds(json.loads((folder / "out" / "summary.json").read_text()))


def compare(arguments, title, options):
    data = made_up(arguments.samples, arguments.features, 0)
    package, program = [], []
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for name, values in data.items():
            np.save(folder / f"{name}.npy", values)
        run_package(data, options)  # warm
        for _ in range(arguments.repeat):
            package.append(run_package(data, options))
            program.append(run_program(arguments.disc, folder, options))
    total, engine = (statistics.median(column) for column in zip(*package))
    other_total, other_engine = (statistics.median(column) for column in zip(*program))
    overhead = statistics.median((whole - inside) / inside for whole, inside in package)
    print(f"{title}: disc.run {total:.3f} s, of it the engine {engine:.3f} s; program {other_total:.3f} s with files and start, of it the engine "
          f"{other_engine:.3f} s")
    print(f"  on top of the engine: {100 * overhead:.2f} %")
    return overhead < 0.02


def in_a_new_process(text):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], stdout=subprocess.PIPE, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def copies():
    """Peak memory may not grow by the size of the arrays; what is kept of every sample is part of the result."""
    grown, size = in_a_new_process("""
        import resource, numpy as np, disc
        x = np.random.default_rng(0).standard_normal((2, 40_000, 500))
        fast = dict(permutations=0, bootstraps=0, kernel="self-tuning", progress=False)
        peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        disc.run({"A": x[0][:200], "B": x[1][:200]}, **fast)
        before = peak()
        disc.run({"A": x[0], "B": x[1]}, **fast)
        print(peak() - before, x.nbytes)
    """)
    print(f"memory: arrays of {size / 1e6:.0f} MB, peak grows by {grown / 1e6:.0f} MB ({100 * grown / size:.0f} %)")
    return grown < size / 2


def leaks(runs=100):
    grown, references = in_a_new_process(f"""
        import gc, sys, numpy as np, disc
        random = np.random.default_rng(0)
        x = {{"A": random.standard_normal((300, 100)), "B": random.standard_normal((300, 100))}}
        resident = lambda: int(open("/proc/self/statm").read().split()[1]) * 4096
        def many(count):
            for _ in range(count): disc.run(x, permutations=9, bootstraps=2, progress=False).to_frame("groups")
            gc.collect()
        many(20)
        references, before = sys.getrefcount(x["A"]), resident()
        many({runs})
        print(resident() - before, sys.getrefcount(x["A"]) - references)
    """)
    print(f"{runs} runs: memory grows by {grown / 1e3:.0f} kB, references to the data by {references:.0f}")
    return grown < 4e6 and references == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disc", default=str(pathlib.Path(sysconfig.get_path("scripts")) / "disc"), help="the program that came with the package")
    parser.add_argument("--features", type=int, default=2000)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    met = [compare(arguments, "default settings, without permutations", FAST),
           compare(arguments, "preset paper-code", {**FAST, "preset": "paper-code"}), copies(), leaks()]
    print("all bars are met" if all(met) else "not all bars are met")


if __name__ == "__main__":
    main()
