"""0-back against 2-back (section 4.4): which networks do the differential vectors of a memory task show?

    python -m experiments.nback

HCP task activations of 30 subjects, 360 parcels of the cortex; 0-back and 2-back with four kinds of images each: 120 samples per condition. The paper (other
subjects, Shen's 268 parcels, time series): the vectors of 2-back are most correlated with the frontoparietal network, those of 0-back with the visual ones.
Measured: for every network the largest absolute correlation of the top 2 differential vectors, and of the top 2 diffusion maps, with the network's indicator (the two visual
networks are one). p: how often the correlation with the expected network is as large when 0-back and 2-back are exchanged at random within subjects.
The recipe: k = 9, d = 20, the constant vector in U. The default: its own groups, subjects being the pairs whose samples change sides.
"""
import disc_features as disc
import h5py
import numpy as np

from . import common

FOLDER = "fmri/hcp_glasser360"
EXPECTED = {"2-back": "Frontoparietal", "0-back": "Visual"}


def load(study):
    folder = study.needs(FOLDER)
    with h5py.File(folder / "HCP_example_taskactivations_data.h5") as file:
        values = file["taskbeta"][:]
    names = [line for line in (folder / "network_labelfile.txt").read_text().splitlines() if line and not line[0].isdigit()]
    names = ["Visual" if name.startswith("Visual") else name for name in names]
    network = np.array([names[int(line) - 1] for line in (folder / "cortex_parcel_network_assignments.txt").read_text().split()])
    zero, two = (values[:, first:first + 4].transpose(2, 1, 0) for first in (16, 20))  # subjects x kinds of images x parcels
    return zero, two, network


def correlations(vectors, network):
    """Largest absolute correlation of the columns with every network's indicator."""
    return {name: np.abs([np.corrcoef(v, network == name)[0, 1] for v in vectors.T]).max() for name in np.unique(network)}


def recipe(zero, two, method, threads, d=20, distance="euclidean"):
    """The top 2 vectors of both conditions."""
    data = {"0-back": zero.reshape(-1, zero.shape[-1]), "2-back": two.reshape(-1, two.shape[-1])}
    found = disc.run(data, preset="paper-code", constant_vector="keep", bandwidth_neighbors=9, eigenvectors=d, distance=distance, vectors=2, groups=2,
                     method=method, threads=threads, progress=False)
    return found.vectors


def observed(study, method, d=20, distance="euclidean"):
    zero, two, network = load(study)
    return {name: correlations(vectors, network) for name, vectors in recipe(zero, two, method, study.threads, d, distance).items()}


def permuted(study, number, d=20):
    """Correlations with the expected network after a random exchange within subjects."""
    zero, two, network = load(study)
    swap = np.random.default_rng(number).random((len(zero), 1, 1)) < 0.5
    vectors = recipe(np.where(swap, two, zero), np.where(swap, zero, two), "disc", study.threads, d)
    return {name: correlations(vectors[name], network)[wanted] for name, wanted in EXPECTED.items()}


def default(study, permutations):
    zero, two, network = load(study)
    data = {"0-back": zero.reshape(-1, zero.shape[-1]), "2-back": two.reshape(-1, two.shape[-1])}
    subject = [f"s{i}" for i in np.repeat(np.arange(len(zero)), 4)]
    found = disc.run(data, paired={name: subject for name in data}, permutations=permutations, bootstraps=0, threads=study.threads, progress=False)
    groups = []
    for name in data:
        for group in found.groups[name]:
            inside = network[[int(f[1:]) - 1 for f in group.features]]
            names, counts = np.unique(inside, return_counts=True)
            groups.append([name, len(group), group.p, ", ".join(f"{names[i]} {counts[i]}" for i in np.argsort(-counts)[:3])])
    smallest = min([g["p"] for c in found.summary["conditions"] for g in c["groups"] + c["candidates"]], default=1.0)
    return {"groups": groups, "min_p": smallest, "vectors": {name: correlations(found.vectors[name][:, :2], network) for name in data}}


def run(study):
    tables = {"differential vectors": study.cached(observed, method="disc"), "diffusion maps": study.cached(observed, method="diffusion-maps")}
    own = study.cached(default, permutations=study.size(199, 9))
    tables["default's vectors"] = own["vectors"]
    networks = sorted(tables["diffusion maps"]["0-back"])
    header = ["network", *(f"{condition}, {kind}" for kind in tables for condition in EXPECTED)]
    study.table("Largest absolute correlation of the top 2 vectors with a network", header,
                [[name, *(f"{table[condition][name]:.2f}" for table in tables.values() for condition in EXPECTED)] for name in networks])
    rows = []
    for distance in ("euclidean", "correlation"):
        for d in study.size((5, 10, 20, 40), (20,)):
            table = study.cached(observed, method="disc", d=d, distance=distance)
            rows.append([distance, d, *(f"{max(table[c], key=table[c].get)} {max(table[c].values()):.2f}; {EXPECTED[c]} {table[c][EXPECTED[c]]:.2f}" for c in EXPECTED)])
    study.table("Most correlated network, and the expected one, under other settings of the recipe", ["distance", "d", *EXPECTED], rows)
    for d in study.size((20, 5), (20,)):
        extra = {} if d == 20 else {"d": d}
        null = [r for _, r in study.each(permuted, [{"number": i, **extra} for i in range(1, study.size(99, 2) + 1)])]
        vectors = study.cached(observed, method="disc", **extra)
        for condition, wanted in EXPECTED.items():
            p = (1 + sum(r[condition] >= vectors[condition][wanted] for r in null)) / (1 + len(null))
            best = {kind: max(table[condition], key=table[condition].get) for kind, table in {**tables, "differential vectors": vectors}.items()}
            study.compare(f"{condition}: most correlated network, d = {d}", wanted,
                          f"{best['differential vectors']}; {wanted} {vectors[condition][wanted]:.2f}, p = {p:.2f}", best["default's vectors"],
                          f"diffusion maps: {best['diffusion maps']}" + ("; this d was looked at because others were tried" if d != 20 else ""))
    study.table("Groups of the default, paired by subject", ["condition", "parcels", "p", "networks"], own["groups"] or [["none", "", own["min_p"], ""]])
    study.compare("groups of the default", None, None, f"{len(own['groups'])}, smallest p {own['min_p']:.3f}")
    plt = common.pyplot()
    figure, axes = plt.subplots(1, 2, figsize=(9, 3), sharey=True)
    for axis, condition in zip(axes, EXPECTED):
        for place, (kind, table) in enumerate(tables.items()):
            axis.barh(np.arange(len(networks)) + 0.27 * place, [table[condition][n] for n in networks], 0.25, label=kind)
        axis.set(title=f"{condition} (paper: {EXPECTED[condition]})", yticks=np.arange(len(networks)) + 0.27, xlabel="largest absolute correlation")
        axis.set_yticklabels(networks)
    axes[1].legend(frameon=False)
    figure.tight_layout()
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
