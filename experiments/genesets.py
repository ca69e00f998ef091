"""What the experiments on genes share: counts of 10x folders, and Hallmark sets."""
import gzip

import numpy as np
import scipy.io
import scipy.stats

SETS = "genesets/h.all.v7.0.symbols.gmt"


def read_10x(folder):
    """Cells x genes, sparse, and the names of the genes."""
    with gzip.open(folder / "matrix.mtx.gz") as stream:
        counts = scipy.io.mmread(stream).T.tocsr()
    with gzip.open(folder / "features.tsv.gz", "rt") as stream:
        return counts, np.array([line.rstrip("\n").split("\t")[1] for line in stream])


def seen_in(conditions, share):
    """Genes that are not zero in this share of the cells of each condition."""
    return np.flatnonzero(np.all([np.asarray((counts > 0).mean(axis=0)).ravel() >= share for counts in conditions], axis=0))


def hallmark(file):
    with file.open() as stream:
        return {name: set(members) for name, _, *members in (line.split("\t") for line in stream.read().splitlines())}


def enrichment(group, universe, sets):
    """The sets a group shares most with: p-value times the number of sets, name, shared genes, size."""
    found = []
    for name, members in sets.items():
        inside = members & universe
        shared = len(group & inside)
        p = scipy.stats.hypergeom.sf(shared - 1, len(universe), len(inside), len(group)) if shared else 1.0
        found.append((min(1.0, float(p) * len(sets)), name, shared, len(inside)))
    return sorted(found)
