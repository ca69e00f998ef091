"""The cases of the benchmark and their data. Data are made once, from fixed seeds, and kept in bench/results/data."""
import dataclasses
import gzip
import json
import os
import pathlib
import subprocess

import numpy as np

BENCH = pathlib.Path(__file__).resolve().parent
ROOT = BENCH.parent


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    title: str
    features: int
    samples: int
    neighbors: int
    make: object                      # function(case, program, folder) -> list of files, or None when it cannot be made
    bars: dict                        # what to beat: (baseline, precision) -> ratio
    stage_bars: dict = dataclasses.field(default_factory=dict)  # stage -> ratio against the same stage of careful
    memory_copies: int = 0            # p x p doubles allowed per condition; a case with this set is about memory only
    eigenvectors: int = 20
    vectors: int = 10
    straightforward: str = "run"      # "run", or "extrapolate" unless --slow

    def settings(self):
        return ["--bandwidth-neighbors", str(self.bandwidth_neighbors), "--eigenvectors", str(self.eigenvectors), "--vectors", str(self.vectors)]


def simulated(case, program, folder):
    """The paper's first synthetic problem, by the program itself."""
    subprocess.run([program, "simulate", "newly-connected", "--samples", str(case.samples), "--seed", "1", "-o", folder],
                   check=True, stdout=subprocess.DEVNULL)
    return [folder / "A.npy", folder / "B.npy"]


def block_layout(features):
    """The paper's first problem at any size: 40 % noise, two shared groups, two groups only in A, two only in B."""
    size = features // 10
    return [(features - (6 - b) * size, size, present) for b, present in enumerate(("AB", "AB", "A", "A", "B", "B"))]


def blocks(case, _program, folder):
    """Gaussian features; those of a group share three hidden factors of falling strength, the same in both conditions."""
    files = []
    for condition in "AB":
        loads = np.random.default_rng(case.features)  # the same groups in both conditions
        draws = np.random.default_rng([case.features, ord(condition)])
        values = draws.standard_normal((case.samples, case.features))
        for start, size, present in block_layout(case.features):
            strength = loads.uniform(0.5, 1.0) * np.array([[1.0], [0.6], [0.36]])
            load = strength * np.abs(loads.standard_normal((3, size)))
            if condition in present:
                values[:, start:start + size] += draws.standard_normal((case.samples, 3)) @ load
        files.append(folder / f"{condition}.npy")
        np.save(files[-1], values)
    return files


def read_idx(path):
    raw = gzip.decompress(path.read_bytes())
    shape = np.frombuffer(raw, ">i4", count=raw[3], offset=4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(shape)


def mnist(case, _program, folder):
    """One condition per digit. Pixels that are constant in a digit get a little noise, as in the authors' notebooks, so that every
    program works on all 784; without it only the 425 that vary in all ten digits would take part."""
    source = pathlib.Path(os.environ.get("DISC_DATA", ROOT.parent / "shared" / "data")) / "mnist"
    if not source.is_dir():
        return None
    images = read_idx(source / "train-images-idx3-ubyte.gz").reshape(-1, 784) / 255.0
    labels = read_idx(source / "train-labels-idx1-ubyte.gz")
    draws = np.random.default_rng(784)
    files = []
    for digit in range(10):
        values = images[labels == digit]
        files.append(folder / f"digit{digit}.npy")
        np.save(files[-1], values + 0.01 * draws.standard_normal(values.shape))
    return files


def both(straightforward, careful_double, careful_single):
    """Bars for disc in double and in single precision."""
    return {("straightforward", "double"): straightforward, ("straightforward", "single"): straightforward,
            ("careful", "double"): careful_double, ("careful", "single"): careful_single}


CASES = [
    Case("p250", "p = 250, n = 10,000", 250, 10_000, 30, simulated,
         both(40, 2, 2)),
    Case("mnist", "MNIST, ten conditions, p = 784", 784, 6_000, 10, mnist,
         both(250, 3, 5)),
    Case("p2000", "p = 2,000, n = 10,000", 2_000, 10_000, 30, blocks,
         both(300, 1.5, 2.7), straightforward="extrapolate"),
    Case("p5000", "p = 5,000, n = 10,000", 5_000, 10_000, 30, blocks,
         both(300, 2.5, 4.5), stage_bars={"eigenvectors": 4, "vectors": 6}, straightforward="extrapolate"),
    Case("p10000", "p = 10,000, n = 500 (memory)", 10_000, 500, 30, blocks, {}, memory_copies=3),
]


def prepare(case, program, data):
    """Files of the case, made unless they are there already; None when the case cannot be made here."""
    folder = data / case.name
    listing = folder / "files.json"
    if listing.is_file():
        return [folder / name for name in json.loads(listing.read_text())]
    folder.mkdir(parents=True, exist_ok=True)
    files = case.make(case, program, folder)
    if files is not None:
        listing.write_text(json.dumps([path.name for path in files]))
    return files
