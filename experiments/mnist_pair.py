#!/usr/bin/env python3
"""MNIST, two digits (paper, appendix E): are few numbers per image, made from what sets the digits apart, enough to tell them?

    experiments/mnist_pair.py [--digits 4 9] [--data ../shared/data] [disc run options ...]

Pixels are features, the training images of each digit a condition. Three kinds of meta-features, the same classifier (logistic
regression, trained on the training images, scored on the test images): sums over the pixels of each group found; projections
on the differential vectors of both digits, all that are significant; and the paper's: k-means with 3 clusters on the rows of the three leading
vectors of each digit, sums over each cluster. The paper reports 96.5 % for 4 vs 9 at d = 20 and 88.5 % at d = 60.
"""
import argparse
import csv
import gzip
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np
import scipy.cluster.vq
import scipy.optimize

ROOT = pathlib.Path(__file__).resolve().parents[1]


def images(data, part):
    with gzip.open(data / f"mnist/{part}-images-idx3-ubyte.gz") as stream:
        pixels = np.frombuffer(stream.read(), np.uint8, offset=16).reshape(-1, 784) / 255.0
    with gzip.open(data / f"mnist/{part}-labels-idx1-ubyte.gz") as stream:
        return pixels, np.frombuffer(stream.read(), np.uint8, offset=8)


def accuracy(train, train_is, test, test_is):
    """Logistic regression with a slight ridge on standardised meta-features."""
    mean, spread = train.mean(0), train.std(0) + 1e-12
    x = np.column_stack([np.ones(len(train)), (train - mean) / spread])
    y = np.where(train_is, 1.0, -1.0)

    def loss(w):
        margin = y * (x @ w)
        slope = -y / (1 + np.exp(np.clip(margin, -50, 50)))
        return np.logaddexp(0, -margin).mean() + 1e-4 * w @ w, x.T @ slope / len(y) + 2e-4 * w

    w = scipy.optimize.minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x
    return np.mean((np.column_stack([np.ones(len(test)), (test - mean) / spread]) @ w > 0) == test_is)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disc", default=str(ROOT / "build/release/disc"))
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("DISC_DATA", ROOT.parent / "shared/data"))
    parser.add_argument("--digits", nargs=2, type=int, default=[4, 9])
    options, flags = parser.parse_known_args()
    data = pathlib.Path(options.data)
    train, train_labels = images(data, "train")
    test, test_labels = images(data, "t10k")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for digit in options.digits:
            np.save(folder / f"{digit}.npy", train[train_labels == digit])
        files = [folder / f"{digit}.npy" for digit in options.digits]
        subprocess.run([options.disc, "run", *files, "-q", "-o", folder / "out", *flags], check=True)
        summary = json.loads((folder / "out/summary.json").read_text())
        archive = np.load(folder / "out/vectors.npz")
        with (folder / "out/groups.tsv").open() as stream:
            rows = list(csv.DictReader(stream, delimiter="\t"))
    used = np.array([int(feature[1:]) - 1 for feature in archive["features"]])
    vectors = {c["name"]: np.zeros((784, len(c["sigma"]))) for c in summary["conditions"]}
    for digit in vectors:
        vectors[digit][used] = archive[f"V_{digit}"]
    groups = {}
    for row in rows:
        groups.setdefault((row["condition"], row["group"]), []).append(int(row["feature"][1:]) - 1)
    sums = np.zeros((784, len(groups)))
    for g, members in enumerate(groups.values()):
        sums[members, g] = 1
    leading = np.column_stack([vectors[c["name"]][:, : max(1, c["leading_vectors"])] for c in summary["conditions"]])
    three = np.column_stack([v[:, :3] for v in vectors.values()])
    _, label = scipy.cluster.vq.kmeans2(three[used], 3, minit="++", seed=0)
    clusters = np.zeros((784, 3))
    clusters[used, label] = 1
    for c in summary["conditions"]:
        print(f"digit {c['name']}: d {c['eigenvectors_used'] - 1}, {c['leading_vectors']} significant vectors, {len(c['groups'])} groups")
    keep, judge = np.isin(train_labels, options.digits), np.isin(test_labels, options.digits)
    for title, maps in (("groups", sums), ("significant vectors", leading), ("paper's 3 clusters", clusters)):
        if maps.shape[1]:
            right = accuracy(train[keep] @ maps, train_labels[keep] == options.digits[0], test[judge] @ maps,
                             test_labels[judge] == options.digits[0])
            print(f"{title}: {maps.shape[1]} meta-features, test accuracy {100 * right:.1f} %")


if __name__ == "__main__":
    main()
