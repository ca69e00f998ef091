"""Time and memory of the methods of experiments.recovery, each in a process of its own, and programs that only run in one: WGCNA, CDR-g, graspologic.

    python -m experiments.other_tools [--seeds 5]

Newly connected, 1,000 samples, one thread. Memory is the largest of the process and of those that it started, Python and its libraries included (those alone are in the first
row); the time of WGCNA, CDR-g and graspologic includes their start, once for each condition. These three are also run on the other problems, over five replicates.
"""
import json
import os
import subprocess
import sys

from . import common
from .recovery import APART, METHODS, PAPER_SETTINGS

ALL = {"nothing": "nothing", **METHODS, **APART}
NOT_HERE = {"DiCoLo": "R, not packaged; its operator is `method=\"whitened\"`"}
CODE = """
import json, resource, sys
from experiments import common, recovery
method, problem, samples, seed, permutations = sys.argv[1:]
try:
    result = recovery.draw(problem, int(samples), int(seed), method, int(permutations)) if method != "nothing" else {"seconds": 0.0, "ari": None}
except common.Skipped as reason:
    sys.exit(str(reason))
mib = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
print(json.dumps({"seconds": result["seconds"], "ari": result["ari"], "mib": mib}))
"""


def measured(method, problem, samples, seed, permutations):
    done = subprocess.run([sys.executable, "-c", CODE, *map(str, (method, problem, samples, seed, permutations))], cwd=common.ROOT,
                          env={**os.environ, "PYTHONPATH": str(common.ROOT)}, capture_output=True, text=True)
    if done.returncode:
        raise common.Skipped(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout.splitlines()[-1])


def time_and_memory(study, samples):
    """One replicate of newly connected, one after the other."""
    found = {}
    for method in list(ALL)[:study.size(len(ALL), 3)]:
        setting = {"method": method, "problem": "newly-connected", "samples": samples, "seed": 1, "permutations": study.size(49, 9)}
        for _, result in study.attempt(ALL[method], study.each, measured, [setting]) or []:
            found[method] = result
    study.table("One replicate of newly connected", ["method", "adjusted Rand index", "seconds", "MiB"],
                [[ALL[m], r["ari"], r["seconds"], round(r["mib"])] for m, r in found.items()])
    study.compare("newly connected: seconds and MiB of one run", None, *(f"{found[m]['seconds']:.2f} s, {found[m]['mib']:.0f} MiB" for m in ("paper", "ours")),
                  "the default includes 49 permutations for its p-values")
    return found


def recovered(study, samples):
    """The programs that stand alone, on all problems."""
    found = {}
    for method in APART:
        settings = [{"method": method, "problem": problem, "samples": samples, "seed": seed, "permutations": 0}
                    for problem in PAPER_SETTINGS for seed in study.seeds(5)]
        for setting, result in study.attempt(APART[method], study.each, measured, settings, apart=True) or []:
            found.setdefault(method, {}).setdefault(setting["problem"], []).append(result["ari"])
    study.table(f"Adjusted Rand index, {samples} samples, mean and 95 % interval over {len(study.seeds(5))} replicates (others: experiments.recovery)",
                ["program", *PAPER_SETTINGS], [[APART[m], *(common.interval(values) for values in by_problem.values())] for m, by_problem in found.items()])
    for method, by_problem in found.items():
        study.compare(f"{APART[method]}: adjusted Rand index", "not in the paper", None, None, ", ".join(f"{p} {common.interval(v)}" for p, v in by_problem.items()))


def run(study):
    samples = study.size(1000, 150)
    found = time_and_memory(study, samples)
    if not study.quick:
        recovered(study, samples)
    study.excluded += list(NOT_HERE.items())
    plt = common.pyplot()
    figure, axes = plt.subplots(1, 2, figsize=(8, 2.8), sharey=True)
    names = [ALL[m] for m in found]
    for axis, key, label in zip(axes, ("seconds", "mib"), ("seconds", "MiB")):
        axis.barh(names, [r[key] for r in found.values()], color="0.5")
        axis.set(xlabel=label, xscale="log" if key == "seconds" else "linear")
    axes[0].invert_yaxis()
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
