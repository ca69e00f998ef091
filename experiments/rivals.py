"""Time and memory of the methods of experiments.recovery, each in a process of its own.

    python -m experiments.rivals

Newly connected, 1,000 samples, one thread. Memory is the largest of the process, Python and its libraries included (those alone are in the first row). Programs that could not be
installed here are listed with the reason.
"""
import json
import os
import subprocess
import sys

from . import common
from .recovery import METHODS

NOT_HERE = {"CDR-g (`pycdr`)": "no version of it that this Python accepts can be installed",
            "graspologic": "needs numpy before version 2, the package here another",
            "WGCNA (Debian's r-cran-wgcna)": "needs R, which experiments here do not install; its rule for modules is among the methods",
            "DiCoLo": "R, not packaged; its operator is `method=\"whitened\"`"}
CODE = """
import json, resource, sys
from experiments import recovery
result = recovery.draw("newly-connected", int(sys.argv[2]), 1, sys.argv[1], int(sys.argv[3])) if sys.argv[1] != "nothing" else {"seconds": 0.0, "ari": None}
print(json.dumps({"seconds": result["seconds"], "ari": result["ari"], "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def measured(method, samples, relabellings):
    done = subprocess.run([sys.executable, "-c", CODE, method, str(samples), str(relabellings)], cwd=common.ROOT, env={**os.environ, "PYTHONPATH": str(common.ROOT)},
                          capture_output=True, text=True)
    if done.returncode:
        raise common.Skipped(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout.splitlines()[-1])


def run(study):
    samples, found = study.size(1000, 150), {}
    for method in ["nothing", *list(METHODS)[:study.size(len(METHODS), 2)]]:
        result = study.attempt(METHODS.get(method, method), lambda: study.cached(measured, method=method, samples=samples, relabellings=study.size(49, 9)))
        if result:
            found[method] = result
            print(f"rivals: {method} {result['seconds']:.2f} s", flush=True)
    study.left_out += list(NOT_HERE.items())
    study.table("One draw", ["method", "adjusted Rand index", "seconds", "MiB"],
                [[METHODS.get(m, m), r["ari"], r["seconds"], round(r["mib"])] for m, r in found.items()])
    study.compare("newly connected: seconds and MiB of one run", None, *(f"{found[m]['seconds']:.2f} s, {found[m]['mib']:.0f} MiB" for m in ("paper", "ours")),
                  "the default includes 49 relabellings for its p-values")
    plt = common.pyplot()
    figure, axes = plt.subplots(1, 2, figsize=(8, 2.2), sharey=True)
    names = [METHODS.get(m, m) for m in found]
    for axis, key, label in zip(axes, ("seconds", "mib"), ("seconds", "MiB")):
        axis.barh(names, [r[key] for r in found.values()], color="0.5")
        axis.set(xlabel=label)
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
