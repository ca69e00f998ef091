"""All experiments, one after the other, and one page that sums them up: experiments/results/summary.md.

    make paper                          all that the data at hand allow
    make paper PAPER="tarp nback"       some of them
    python -m experiments.paper --quick

What is known already is not computed again. An experiment that fails does not keep the others from running.
"""
import json
import os
import pathlib
import subprocess
import sys

from . import common

# Quick ones first; what takes long comes last.
EXPERIMENTS = ["synthetic", "recovery", "partial", "hyperparameters", "greedy", "theory", "mnist_ten", "mnist_pairs", "tarp",
               "landsat", "nback", "abide", "splat", "kang", "sim102", "mouse_liver", "injection", "injection_real", "other_tools", "calibrate", "validity",
               "beside_giant", "hard"]


def read(out, name):
    file = out / name / "numbers.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"status": "not run", "summary": [], "seconds": None}


def page(out, names, failed):
    """Every experiment with its status, then every comparison."""
    found = {name: read(out, name) for name in names}
    status = [[f"[{name}]({name}/table.md)" if (out / name / "table.md").exists() else name,
               "failed, see its output" if name in failed else result["status"] + (", quick" if result.get("quick") else ""),
               result["seconds"], f"[figure]({name}/figure.svg)" if (out / name / "figure.svg").exists() else ""]
              for name, result in found.items()]
    rows = [[name, row["what"], row["paper"], row["recipe"], row["ours"], row["note"]]
            for name, result in found.items() for row in result["summary"]]
    left = [[name, part, reason] for name, result in found.items() for part, reason in result.get("excluded", [])]
    parts = ["# The paper again", common.markdown(["experiment", "status", "seconds (without what was known)", ""], status),
             common.markdown(["experiment", "what", "paper", "its recipe here", "our default here", "note"], rows)]
    if left:
        parts += ["Excluded:", common.markdown(["experiment", "part", "reason"], left)]
    return "\n\n".join(parts) + "\n"


def main():
    parser = common.parser_of(__doc__)
    parser.add_argument("experiments", nargs="*", metavar="NAME", help=", ".join(EXPERIMENTS))
    options = parser.parse_args()
    flags = ["--threads", str(options.threads), "--data", options.data, "--out", options.out]
    flags += ["--quick"] * options.quick + ["--fresh"] * options.fresh + (["--seeds", str(options.seeds)] if options.seeds else [])
    names = options.experiments or EXPERIMENTS
    if unknown := [name for name in names if name not in EXPERIMENTS]:
        parser.error(f"there is no experiment '{unknown[0]}'; there are {', '.join(EXPERIMENTS)}")
    out, failed = pathlib.Path(options.out), []
    for number, name in enumerate(names, 1):
        print(f"== {number}/{len(names)} {name}", flush=True)
        command = [sys.executable, "-m", f"experiments.{name}", *flags]
        if subprocess.run(command, cwd=common.ROOT, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}).returncode:
            failed.append(name)
        common.write(out / "summary.md", page(out, EXPERIMENTS, failed))
    print(f"\n{out / 'summary.md'}: {len(names) - len(failed)} of {len(names)} ended well" + (f"; failed: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
