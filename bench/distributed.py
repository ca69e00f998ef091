#!/usr/bin/env python3
"""Time, bytes between processes and memory per process of `disc run --engine mpi`, stage by stage, against the number of processes; and what that means for more.

    bench/distributed.py --sides 350 700 --processes 1 2 4 [-- more words for disc run]
    bench/distributed.py --sides 350 --processes 4 --megabits 1000
    bench/distributed.py --predict --features 100000000 --nodes 64

Scenes of two dates with 124 bands (`disc simulate scene`). Processes talk over TCP on the loopback device, whose counter tells the bytes; nobody else should be
using it meanwhile. With --megabits every process is in a network namespace of its own, at the end of a link of that speed (needs root): seconds then include
what a network of several machines would cost; such runs are printed and not written. Memory is that of the process itself (RssAnon): files that are mapped belong to the system. Written: distributed.json and distributed.md in
bench/results; --keep leaves in them what other sizes and numbers of processes gave. --predict fits the model of docs/distributed.md to the file and prints what it
says of a larger problem.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tools"))

import network  # noqa: E402

RESULTS = ROOT / "bench" / "results"
STAGES = ["match features", "graphs", "eigenpairs", "differential vectors", "groups", "figure_data"]
# Everything a process does is done for its own features, but for these: their time does not depend on the number of features.
CONSTANT = {"groups", "figure_data"}


class Loopback:
    """All processes on this machine; what they send is what the loopback device sends."""
    environment = {}

    def __init__(self, processes):
        self.processes = processes

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def mpirun(self, words):
        return ["mpirun", "--oversubscribe", "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo", "-n", str(self.processes), *words]

    def sent(self):
        return [loopback_bytes()]


def loopback_bytes():
    for line in pathlib.Path("/proc/net/dev").read_text().splitlines():
        name, _, counters = line.partition(":")
        if name.strip() == "lo":
            return int(counters.split()[0])
    return 0


def memory_of_children(parent):
    """MiB of own memory of every process of the job; files that are mapped are the system's."""
    found = {}
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue
        if fields.get("PPid", "").strip() == str(parent) and fields["Name"].strip().startswith("disc"):
            found[int(status.parent.name)] = int(fields.get("RssAnon", "0 kB").split()[0]) / 1024
    return found


class Watch(threading.Thread):
    """Looks at the memory of the processes until the job is over; the peak of each, by stage."""

    def __init__(self, job):
        super().__init__()
        self.job, self.stage, self.peaks = job, "start", {}

    def run(self):
        while self.job.poll() is None:
            for pid, size in memory_of_children(self.job.pid).items():
                of_stage = self.peaks.setdefault(pid, {})
                of_stage[self.stage] = max(of_stage.get(self.stage, 0), round(size))
            time.sleep(0.1)


def watched(job, links):
    """Bytes sent when each stage began and at the end, and the memory of the processes."""
    watch = Watch(job)
    watch.start()
    marks, complaints = [], []
    for line in job.stderr:
        stage = line.strip().removeprefix("disc: ")
        if stage in STAGES:
            watch.stage = stage
            marks.append((stage, sum(links.sent())))
        else:
            complaints.append(line)
    job.wait()
    watch.join()
    if job.returncode != 0:
        raise SystemExit("".join(complaints))
    return [*marks, ("end", sum(links.sent()))], [stages for _, stages in sorted(watch.peaks.items())]


def measure(program, processes, words, megabits):
    links = network.Network(processes, megabits) if megabits else Loopback(processes)
    with tempfile.TemporaryDirectory() as folder, links:
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **links.environment}
        command = links.mpirun([program, "run", *words, "--engine", "mpi", "-o", folder])
        job = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        marks, memory = watched(job, links)
        summary = json.loads((pathlib.Path(folder) / "summary.json").read_text())
    sent = {stage: after - before for (stage, before), (_, after) in zip(marks, marks[1:])}
    seconds = {row["stage"]: row["seconds"] for row in summary["timings"]}
    return {"processes": processes, "features": summary["features"]["total"], "seconds": seconds, "bytes": sent, "memory": memory}


def table(runs):
    lines = ["| features | processes | stage | s | MiB sent | MiB per process |", "| --- | --- | --- | --- | --- | --- |"]
    for run in runs:
        for stage in STAGES:
            if stage in run["seconds"]:
                memory = ", ".join(str(of.get(stage, 0)) for of in run["memory"])
                lines.append(f"| {run['features']:,} | {run['processes']} | {stage} | {run['seconds'][stage]:.1f} | "
                             f"{run['bytes'].get(stage, 0) / 2**20:.0f} | {memory} |")
    return "\n".join(lines) + "\n"


def fit(runs, cores):
    """Per stage: seconds of one core for a feature and the exponent they grow with; bytes per feature and further process."""
    import numpy as np
    model = {}
    for stage in STAGES:
        own = [run for run in runs if run["processes"] <= cores and stage in run["seconds"]]
        sizes = np.log([run["features"] for run in own])
        work = np.log([run["seconds"][stage] * run["processes"] for run in own])
        grows = stage not in CONSTANT and len(set(sizes)) > 1
        exponent = float(np.polyfit(sizes, work, 1)[0]) if grows else float(stage not in CONSTANT)
        scale = float(np.exp(np.mean(work - exponent * sizes)))
        talk = [run["bytes"][stage] / (run["features"] * (run["processes"] - 1)) for run in runs if run["processes"] > 1]
        model[stage] = {"core seconds": scale, "exponent": exponent, "bytes": float(np.mean(talk)) if talk else 0.0}
    return model


def predict(model, features, nodes, cores, gigabytes):
    """One process per core. All bytes of a stage, divided by what all nodes take in per second."""
    processes = nodes * cores
    lines = ["| stage | work, s | network, s | bytes per node |", "| --- | --- | --- | --- |"]
    total = 0.0
    for stage, of in model.items():
        divided = 1 if stage in CONSTANT else processes
        work = of["core seconds"] * features ** of["exponent"] / divided
        sent = of["bytes"] * features * (processes - 1) / nodes
        network = sent / (gigabytes * 1e9)
        total += work + network
        lines.append(f"| {stage} | {work:.0f} | {network:.0f} | {sent / 1e9:.1f} GB |")
    return "\n".join(lines) + f"\n\nTogether {total / 60:.0f} minutes.\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sides", type=int, nargs="+", default=[350, 700])
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "disc"))
    parser.add_argument("--megabits", type=int, help="per second, of the link of every process; default: no limit, all on the loopback device")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--predict", action="store_true")
    parser.add_argument("--features", type=float, default=1e8)
    parser.add_argument("--nodes", type=int, default=64)
    parser.add_argument("--cores", type=int, default=16, help="of a node")
    parser.add_argument("--gigabytes", type=float, default=10.0, help="that a node receives per second")
    known, more = parser.parse_known_args()
    file = RESULTS / "distributed.json"
    RESULTS.mkdir(exist_ok=True)
    runs = json.loads(file.read_text()) if known.keep or known.predict else []
    if known.predict:
        model = fit(runs, os.cpu_count())
        print(json.dumps(model, indent=1))
        print(predict(model, known.features, known.nodes, known.cores, known.gigabytes))
        return
    words = [word for word in more if word != "--"]
    for side in known.sides:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([known.program, "simulate", "scene", "--features", str(side * side), "--seed", "1", "-o", folder], check=True,
                           stdout=subprocess.DEVNULL)
            files = [str(pathlib.Path(folder) / name) for name in ("A.npy", "B.npy")]
            for processes in known.processes:
                one = measure(known.program, processes, files + words, known.megabits)
                print(table([one]), flush=True)
                if known.megabits:
                    continue
                runs = [run for run in runs if (run["features"], run["processes"]) != (one["features"], processes)] + [one]
                runs.sort(key=lambda run: (run["features"], run["processes"]))
                file.write_text(json.dumps(runs, indent=1))
                (RESULTS / "distributed.md").write_text(table(runs))


if __name__ == "__main__":
    main()
