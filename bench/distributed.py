"""Time, bytes between processes and memory per process of `disc run --engine slepc`, stage by stage, against the number of processes.

    python3 bench/distributed.py A.npy B.npy [--processes 1,2,4] [-- more words for disc run]

Processes talk over TCP on the loopback device, whose counter tells the bytes; nobody else should be using it meanwhile.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
STAGES = ["match features", "graphs", "eigenpairs", "differential vectors", "groups", "pictures"]


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
        if fields.get("PPid", "").strip() == str(parent) and fields["Name"].strip() == "disc":
            found[int(status.parent.name)] = int(fields.get("RssAnon", "0 kB").split()[0]) / 1024
    return found


def measure(program, processes, words):
    with tempfile.TemporaryDirectory() as folder:
        command = ["mpirun", "--oversubscribe", "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo", "-n", str(processes),
                   program, "run", *words, "--engine", "slepc", "-o", folder]
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        job = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        peaks = {}

        def watch():
            while job.poll() is None:
                for pid, size in memory_of_children(job.pid).items():
                    peaks[pid] = max(peaks.get(pid, 0), size)
                time.sleep(0.1)

        watcher = threading.Thread(target=watch)
        watcher.start()
        marks, complaints = [], []
        for line in job.stderr:
            stage = line.strip().removeprefix("disc: ")
            if stage in STAGES:
                marks.append((stage, loopback_bytes()))
            else:
                complaints.append(line)
        job.wait()
        watcher.join()
        if job.returncode != 0:
            raise SystemExit("".join(complaints))
        summary = json.loads((pathlib.Path(folder) / "summary.json").read_text())
    marks.append(("end", loopback_bytes()))
    sent = {stage: (after - before) / 2**20 for (stage, before), (_, after) in zip(marks, marks[1:])}
    seconds = {row["stage"]: row["seconds"] for row in summary["timings"]}
    return seconds, sent, [round(size) for _, size in sorted(peaks.items())]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--processes", default="1,2,4")
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "disc"))
    known, more = parser.parse_known_args()
    print("| processes | stage | s | MiB sent |\n| --- | --- | --- | --- |")
    for processes in map(int, known.processes.split(",")):
        seconds, sent, peaks = measure(known.program, processes, known.files + [word for word in more if word != "--"])
        for stage in STAGES:
            if stage in seconds:
                print(f"| {processes} | {stage} | {seconds[stage]:.1f} | {sent.get(stage, 0):.1f} |")
        print(f"| {processes} | memory per process, MiB | {', '.join(map(str, peaks))} | |", flush=True)


if __name__ == "__main__":
    main()
