#!/usr/bin/env python3
"""disc against three numpy/scipy programs, on the same data, in one run, in turns.

    bench/run.py                      all cases, as `make bench` does
    bench/run.py --case p250 --repeat 10
    bench/run.py --slow               also runs the straightforward program where it takes many minutes

Compared is the time of the method: reading and writing files, importing libraries and grouping (which only disc does) are excluded.
The wall time of the whole disc program stands beside it. Written: bench.md and bench.json in bench/results.
"""
import argparse
import ctypes
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import cases
import report

BENCH = pathlib.Path(__file__).resolve().parent
EXTRAPOLATE_FROM = 500  # features the straightforward program runs on where all of them would take too long
# How the stages of the straightforward program grow with the number of features.
GROWTH = {"match": 1, "distances": 2, "kernel": 2, "eigenvectors": 3, "vectors": 3}


# disc's stages in the words of the baselines; None for what the baselines do not do.
STAGES = {"read": None, "match features": "match", "graphs": "graph", "eigenpairs": "eigenvectors",
          "differential vectors": "vectors", "groups": None, "figure_data": None}


def run_json(command, environment):
    done = subprocess.run([str(part) for part in command], env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"bench: this command failed with code {done.returncode}: {' '.join(map(str, command))}")
    return done.stdout


def same_kernels():
    """disc does not leave OpenBLAS with kernels of 2004 on a processor it does not know; the baselines are spared them as well."""
    try:
        name = ctypes.CDLL("libopenblas.so.0").openblas_get_corename
    except (OSError, AttributeError):  # another BLAS
        return {}
    name.restype = ctypes.c_char_p
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    if name() != b"Prescott" or "avx2" not in flags or "OPENBLAS_CORETYPE" in os.environ:
        return {}
    return {"OPENBLAS_CORETYPE": "SKYLAKEX" if "avx512vl" in flags else "HASWELL"}


def run_baseline(case, files, program, options, extra=()):
    environment = {**os.environ, **same_kernels(), **{name: str(options.threads) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")}}
    command = [sys.executable, BENCH / "baselines" / program, *files, *case.settings(), *extra]
    start = time.perf_counter()
    result = json.loads(run_json(command, environment))
    seconds = dict(result["seconds"])
    return {"seconds": sum(seconds.values()), "wall": time.perf_counter() - start, "stages": seconds,
            "sigma": [condition["sigma"] for condition in result["conditions"]],
            "peak_memory_bytes": result["peak_memory_bytes"], "features": result.get("features")}


def run_extrapolated(case, files, options):
    """The straightforward program on some of the features, each stage scaled to all of them."""
    result = run_baseline(case, files, "straightforward.py", options, ("--only-features", EXTRAPOLATE_FROM))
    ratio = case.features / result["features"]
    stages = {stage: seconds * ratio ** GROWTH[stage] for stage, seconds in result["stages"].items()}
    return {**result, "stages": stages, "seconds": sum(stages.values()), "wall": None, "sigma": None,
            "peak_memory_bytes": None, "extrapolated": True}


def run_disc(case, files, precision, options):
    with tempfile.TemporaryDirectory() as output:
        start = time.perf_counter()
        run_json([options.program, "run", *files, "--preset", "paper-code", *case.settings(), "--precision", precision,
                  "--threads", options.threads, "--quiet", "-o", output], None)
        wall = time.perf_counter() - start
        summary = json.loads((pathlib.Path(output) / "summary.json").read_text())
    stages, excluded = {}, {}
    for entry in summary["timings"]:
        kind = STAGES[entry["stage"]]
        into, name = (excluded, entry["stage"]) if kind is None else (stages, kind)
        into[name] = into.get(name, 0.0) + entry["seconds"]
    return {"seconds": sum(stages.values()), "wall": wall, "stages": stages, "excluded": excluded,
            "sigma": [condition["sigma"] for condition in summary["conditions"]],
            "peak_memory_bytes": summary["peak_memory_bytes"], "converged": summary.get("converged", True)}


def contestants(case, files, options):
    """Name -> (function that runs it once, how often)."""
    list_of = {}
    if not case.memory_copies:
        if case.straightforward == "run" or options.slow:
            list_of["straightforward"] = (lambda: run_baseline(case, files, "straightforward.py", options),
                                          options.repeat if case.features <= 250 else 1)
        else:
            list_of["straightforward"] = (lambda: run_extrapolated(case, files, options), 1)
        list_of["careful"] = (lambda: run_baseline(case, files, "careful.py", options), options.repeat)
        for precision in ("double", "single"):
            extra = ("--precision", precision)
            list_of[f"tuned, {precision}"] = (lambda extra=extra: run_baseline(case, files, "tuned.py", options, extra),
                                              options.repeat)
    repeat = 1 if case.memory_copies else options.repeat
    for precision in ("double", "single"):
        list_of[f"disc, {precision}"] = (lambda precision=precision: run_disc(case, files, precision, options), repeat)
    return list_of


def best_of(runs):
    """The fastest run, with the median and the fastest time of each stage."""
    best = min(runs, key=lambda run: run["seconds"])
    stages = {stage: min(run["stages"][stage] for run in runs) for stage in best["stages"]}
    return {**best, "stages": stages, "median": statistics.median(run["seconds"] for run in runs), "runs": len(runs)}


def largest_difference(result, reference):
    """Largest relative difference of sigma over all conditions."""
    return max(abs(a - b) / b for mine, theirs in zip(result["sigma"], reference["sigma"]) for a, b in zip(mine, theirs))


def measure(case, files, options):
    """Every contestant in turns, so that a busy moment of the machine hits all of them."""
    entrants = contestants(case, files, options)
    runs = {name: [] for name in entrants}
    for turn in range(options.repeat):
        for name, (run, times) in entrants.items():
            if turn < times:
                runs[name].append(run())
                print(f"  {case.name} turn {turn + 1}: {name} {runs[name][-1]['seconds']:.3f} s", file=sys.stderr, flush=True)
    results = {name: best_of(times) for name, times in runs.items()}
    reference = results.get("careful")
    for result in results.values():
        if reference is not None and result["sigma"] is not None:
            result["sigma_difference"] = largest_difference(result, reference)
    return results


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [case.name for case in cases.CASES]
    parser.add_argument("--case", action="append", choices=names, help="only this case; may be given several times")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each program (default: 3)")
    parser.add_argument("--slow", action="store_true", help="run the straightforward program on large cases too")
    parser.add_argument("--threads", type=int, default=2, help="for every program (default: 2)")
    parser.add_argument("--program", type=pathlib.Path, default=BENCH.parent / "build" / "release" / "disc")
    parser.add_argument("--output", type=pathlib.Path, default=BENCH / "results")
    options = parser.parse_args()
    if options.repeat < 1:
        parser.error("--repeat must be at least 1")
    if shutil.which(options.program) is None:
        parser.error(f"there is no program {options.program}: build it first, or use `make bench`")
    return options


def main():
    options = parse_arguments()
    measured = []
    for case in cases.CASES:
        if options.case and case.name not in options.case:
            continue
        files = cases.prepare(case, options.program, options.output / "data")
        if files is None:
            measured.append({"case": case, "skipped": "its data are not there (set DISC_DATA to the folder that holds mnist/)"})
            continue
        measured.append({"case": case, "results": measure(case, files, options)})
    table = report.judge(measured)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "bench.json").write_text(json.dumps(report.as_json(measured, table, options), indent=2) + "\n")
    text = report.as_markdown(measured, table, options)
    (options.output / "bench.md").write_text(text)
    print(text)
    print(f"written: {options.output}/bench.md and bench.json")


if __name__ == "__main__":
    main()
