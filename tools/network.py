"""A small network for the processes of a job: each in a network namespace of its own, all joined by a bridge, over links of limited speed.

What crosses such a link would cross the cable between two machines. Needs the right to make namespaces (root), and ip and tc (Debian: iproute2).
"""
import itertools
import os
import pathlib
import subprocess

PLACES = "10.77.0.0/24"  # addresses of the processes; nobody outside sees them
BURST = "256k"  # bytes that a limited link lets pass at once


def _ip(*words):
    return subprocess.run(["ip", *map(str, words)], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def why_not():
    """Why there can be no such network here; None if there can."""
    try:
        with Network(1, megabits=1000):
            return None
    except (OSError, RuntimeError) as error:
        return f"no network namespaces: {error}"


class Network:
    """`with Network(4, megabits=1000) as network:` and mpirun with the words of `network.mpirun`, in the environment `network.environment`."""

    def __init__(self, processes, megabits=None):
        self.megabits = megabits
        mark = f"d{os.getpid()}"
        self.bridge = mark + "b"
        self.names = [f"{mark}n{i}" for i in range(processes)]
        # Processes ask mpirun's server for each other's places: it must be on the bridge, too.
        self.environment = {"PMIX_MCA_ptl_base_if_include": PLACES, "PMIX_MCA_ptl_tcp_if_include": PLACES}

    def __enter__(self):
        try:
            self._make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in self.names:
            _ip("link", "del", name)
            _ip("netns", "del", name)
        _ip("link", "del", self.bridge)

    def mpirun(self, words):
        """The command that starts the program `words` once in every namespace."""
        each = [["-n", "1", "ip", "netns", "exec", name, *words] for name in self.names]
        joined = itertools.chain.from_iterable([":", *part] for part in each)
        over_tcp = ["--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", PLACES]
        return ["mpirun", "--oversubscribe", *over_tcp, *list(joined)[1:]]

    def sent(self):
        """Bytes that every process has sent over its link."""
        counters = (pathlib.Path("/sys/class/net") / name / "statistics" / "rx_bytes" for name in self.names)
        return [int(counter.read_text()) for counter in counters]

    def _make(self):
        self._do("link", "add", self.bridge, "type", "bridge")
        self._do("addr", "add", PLACES.replace(".0/", ".254/"), "dev", self.bridge)
        self._do("link", "set", self.bridge, "up")
        for i, name in enumerate(self.names):
            self._do("netns", "add", name)
            self._do("link", "add", name, "type", "veth", "peer", "name", "cable", "netns", name)
            self._do("link", "set", name, "master", self.bridge)
            self._do("link", "set", name, "up")
            self._do("-n", name, "addr", "add", PLACES.replace(".0/", f".{i + 1}/"), "dev", "cable")
            self._do("-n", name, "link", "set", "cable", "up")
            self._do("-n", name, "link", "set", "lo", "up")
            if self.megabits:
                self._limit(name)

    def _limit(self, name):
        done = subprocess.run(["tc", "-n", name, "qdisc", "add", "dev", "cable", "root", "tbf", "rate", f"{self.megabits}mbit", "burst", BURST,
                               "latency", "100ms"], text=True, stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())

    def _do(self, *words):
        done = _ip(*words)
        if done.returncode != 0:
            raise RuntimeError(f"ip {' '.join(map(str, words))}: {done.stderr.strip()}")
