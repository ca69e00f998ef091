"""The paper's recipe, told the number of groups.

Sristi, Mishne and Jaffe, "DiSC: Differential Spectral Clustering of Features", NeurIPS 2022, as its authors' code computes
it (`--preset paper-code`).

Why this setting: 10 neighbours and 20 eigenvectors are the authors' numbers for MNIST, whose 784 features are about as many;
the number of groups is given, because the paper has no rule for it. The number of vectors is the program's, an oracle may
choose it.
"""
import pathlib
import subprocess
import tempfile

import numpy as np

from scoring import read_labels

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "disc"
FIT_SCAN = [{}]
CUT_SCAN = [{}] + [{"vectors": vectors} for vectors in (2, 3, 4, 5, 10)]


def fit(X_a, X_b, seed=0):
    return X_a, X_b, seed


def cut(fitted, number=3, vectors="auto", program=PROGRAM):
    X_a, X_b, seed = fitted
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        files = [folder / "A.npy", folder / "B.npy"]
        np.save(files[0], X_a)
        np.save(files[1], X_b)
        subprocess.run([program, "run", *files, "-o", folder / "out", "-q", "--seed", str(seed), "--preset", "paper-code",
                        "--neighbors", "10", "--eigenvectors", "20", "--groups", str(number), "--vectors", str(vectors)],
                       check=True)
        return read_labels(folder / "out" / "groups.tsv", np.shape(X_a)[1])


def groups(X_a, X_b, seed=0, **settings):
    return cut(fit(X_a, X_b, seed), **settings)
