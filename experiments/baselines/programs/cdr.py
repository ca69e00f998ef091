"""CDR-g itself (Chin et al., package `cdr-py`): sets of genes whose factor loadings differ between conditions.

Its sets have no condition: a set belongs to the condition where its members' loadings are larger. Of those of this condition the leading `number` are taken (factors come
in order of their share of the variance); a feature in several sets stays in the first.
"""
import logging
import pathlib
import sys

import anndata
import numpy as np
from pycdr import pycdr

logging.disable(logging.CRITICAL)
folder = pathlib.Path(sys.argv[1])
own, others = (np.loadtxt(folder / f"{name}.csv", delimiter=",") for name in ("own", "others"))
number = int((folder / "number.txt").read_text())
data = anndata.AnnData(np.vstack([own, others]))
data.obs["condition"] = ["own"] * len(own) + ["others"] * len(others)
pycdr.run_CDR_analysis(data, "condition")

features = own.shape[1]
loadings = np.abs(np.asarray(data.uns["Fs"]))
labels, found = np.zeros(features, dtype=int), 0
for factor, members in enumerate(data.uns["factor_loadings"].values()):
    members = np.array([int(name) for name in members], dtype=int)
    is_own = len(members) and loadings[members, factor].sum() > loadings[features + members, factor].sum()
    if is_own and found < number:
        found += 1
        labels[members[labels[members] == 0]] = found
np.savetxt(folder / "labels.csv", labels[None], delimiter=",", fmt="%d")
