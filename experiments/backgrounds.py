"""Real data in which nothing differs: samples of one population, as dense values (samples x features) or counts. Random halves of them are two equal conditions."""
import functools
import gzip

import numpy as np

from . import common, genesets

GOLUB_GCT = "bulk/golub/Leukemia_hgu95av2.trim.gct"
GOLUB_CSV = "bulk/golub/golub_3051genes_x_38.csv.gz"
MICE = {"female": "bulk/wgcna_mouse_liver/female_3600probes_x_134.csv.gz", "male": "bulk/wgcna_mouse_liver/male_3600probes_x_124.csv.gz"}
KANG = "scrna/kang_harmony_10x"
GLIOBLASTOMA = "scrna/glioblastoma_panobinostat/glioblastoma_300genes_5000cells.h5ad"
SERIES = "fmri/abide_cc200_NYU"


def require(study, file):
    """Skipped if the data, or what reads them, are not there."""
    study.needs(file)
    if file.endswith(".h5ad"):
        try:
            import h5py  # noqa: F401
        except ImportError as reason:
            raise common.Skipped("h5py is not installed, which reads .h5ad files") from reason


def without_gaps(values):
    """Missing values become the mean of the feature over all samples, whatever half they fall into later."""
    return np.where(np.isnan(values), np.nanmean(values, axis=0), values)


@functools.cache
def gct_values(file):
    lines = file.read_text(encoding="utf-8").splitlines()[3:]
    return np.array([[float(cell) for cell in line.split("\t")[2:]] for line in lines if line]).T


def golub_gct(study):
    """48 samples, 24 of either class, values as published."""
    return gct_values(study.needs(GOLUB_GCT))


@functools.cache
def csv_columns(file):
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        names = [name.strip('"') for name in stream.readline().rstrip("\n").split(",")[1:]]
        rows = [[float(cell) if cell not in ("", "NA") else np.nan for cell in line.rstrip("\n").split(",")[1:]] for line in stream]
    return names, np.array(rows).T


def golub_csv(study):
    """The 27 samples of acute lymphoblastic leukaemia."""
    names, values = csv_columns(study.needs(GOLUB_CSV))
    return values[[name.endswith("_ALL") for name in names]]


def mice(study, sex):
    """Mice x probes."""
    return without_gaps(csv_columns(study.needs(MICE[sex]))[1])


@functools.cache
def cell_counts(folder):
    return genesets.read_10x(folder)[0].toarray().astype(float)


def kang_counts(study):
    """The control cells."""
    return cell_counts(study.needs(KANG) / "ctrl")


def glioblastoma_counts(study, patient=0):
    """Cells of the control slice of one patient."""
    import h5py
    file = study.needs(GLIOBLASTOMA)
    from scipy.sparse import csr_matrix
    with h5py.File(file) as data:
        X, obs = data["X"], data["obs"]
        counts = csr_matrix((X["data"][:], X["indices"][:], X["indptr"][:]), shape=tuple(X.attrs["shape"])).toarray()
        states = [name.decode() for name in obs["condition/categories"][:]]
        control = next(i for i, name in enumerate(states) if name.lower() in ("ctrl", "control", "vehicle"))
        chosen = (obs["patient_id/codes"][:] == patient) & (obs["condition/codes"][:] == control)
    return counts[chosen].astype(float)


def series(study, random):
    """Time points x regions of one resting subject, drawn at random; regions that are constant are excluded."""
    files = sorted(study.needs(SERIES).glob("*.1D"))
    values = np.loadtxt(files[random.integers(len(files))], comments="#")
    return values[:, values.std(axis=0) > 0]


def logged(counts):
    """Logarithms of counts scaled to the median depth."""
    depth = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return np.log1p(counts / depth * np.median(depth))


def seen(counts, share):
    return counts[:, (counts > 0).mean(axis=0) >= share]


def some_features(values, number, random):
    """Random features, in their order, that are not constant."""
    usable = np.flatnonzero(values.std(axis=0) > 0)
    return values[:, np.sort(random.choice(usable, min(number, len(usable)), replace=False))]


def some_samples(values, number, random):
    """Random samples, in their order."""
    return values[np.sort(random.choice(len(values), min(number, len(values)), replace=False))]


def most_variable(values, number):
    return values[:, np.sort(np.argsort(-values.var(axis=0))[:number])]


def random_halves(values, random):
    """Two halves of the samples; a feature constant in one of them is excluded."""
    order = random.permutation(len(values))
    halves = values[np.sort(order[:len(order) // 2])], values[np.sort(order[len(order) // 2:])]
    usable = np.all([half.std(axis=0) > 0 for half in halves], axis=0)
    return [half[:, usable] for half in halves]
