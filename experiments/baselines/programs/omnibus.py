"""Omnibus embedding (Levin et al. 2017) by graspologic: both networks of absolute correlations in one space.

How far a feature moved from the other condition to this one, if it has more weight in this one; k-means on that makes one cluster more than groups, and the largest is dropped.
"""
import pathlib
import sys

import numpy as np
from graspologic.embed import OmnibusEmbed
from sklearn.cluster import KMeans

folder = pathlib.Path(sys.argv[1])
own, others = (np.abs(np.corrcoef(np.loadtxt(folder / f"{name}.csv", delimiter=","), rowvar=False)) for name in ("own", "others"))
number = int((folder / "number.txt").read_text())
for network in (own, others):
    np.fill_diagonal(network, 0)
here, there = OmnibusEmbed(svd_seed=0).fit_transform([own, others])
moved = np.where((np.linalg.norm(here, axis=1) > np.linalg.norm(there, axis=1))[:, None], here - there, 0)
clusters = KMeans(number + 1, n_init=10, random_state=0).fit_predict(moved)
background = np.bincount(clusters).argmax()
labels = np.where(clusters == background, 0, clusters + 1)
np.savetxt(folder / "labels.csv", labels[None], delimiter=",", fmt="%d")
