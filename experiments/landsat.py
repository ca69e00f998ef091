"""Two Landsat images with masks of what changed (beside section 4.3): do the vectors point at changed pixels?

    python -m experiments.landsat

Taizhou, 2000 and 2003, 400 x 400 pixels, 6 bands; 4,227 pixels are marked as changed and 17,163 as unchanged. Features are pixels; samples are bands, six only.
Area under the curve, changed against unchanged, of the energy of DiSC's vectors in either year and in both, and of change vector analysis: the length of the difference
between the two spectra, bands standardized. The default runs on all 160,000 pixels, without settings. The paper's recipe and changing-data diffusion maps form matrices of
features x features and run on 3,000 marked pixels, three replicates.
"""
import pathlib

import disc_features as disc
import numpy as np
from sklearn.metrics import roc_auc_score

from . import common

FOLDER = "hyperspectral/landsat_taizhou"


def bitmap(file):
    """An 8-bit BMP as booleans; its rows run bottom-up."""
    content = file.read_bytes()
    offset, width, height = (int.from_bytes(content[i:i + 4], "little") for i in (10, 18, 22))
    return np.frombuffer(content, np.uint8, width * height, offset).reshape(height, width)[::-1] > 0


def scene(study):
    """Bands x pixels of both years, and which pixels are marked as changed and as unchanged."""
    folder = study.needs(FOLDER)
    cubes = [np.fromfile(folder / name, np.uint8).reshape(6, -1).astype(float) for name in ("2000TM", "2003TM")]
    return cubes, *(bitmap(folder / f"{name}.bmp").ravel() for name in ("change", "unchanged"))


def change_vectors(cubes):
    scaled = [(x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True) for x in cubes]
    return np.linalg.norm(scaled[1] - scaled[0], axis=0)


def energies(found):
    """Per year. Features that were excluded have none."""
    return {year: (found.sigma[year] ** 2 * found.vectors[year] ** 2).sum(axis=1) for year in found.sigma}


def whole(study, pixels):
    """The default on the files of the scene; or, to be quick, on its first pixels."""
    cubes, changed, unchanged = scene(study)
    marked = (changed | unchanged)[:pixels]
    folder = pathlib.Path(study.needs(FOLDER))
    data = [str(folder / "2000TM"), str(folder / "2003TM")] if pixels == changed.size else [cube[:, :pixels] for cube in cubes]
    found = disc.run(data, permutations=0, threads=study.threads, progress=False)
    used = np.array([place(name) for name in found.features])
    energy = {}
    for year, (_, value) in zip(("2000", "2003"), energies(found).items()):
        energy[year] = np.zeros(pixels)
        energy[year][used] = value
    auc = lambda value: roc_auc_score(changed[:pixels][marked], value[marked])
    return {"default 2000": auc(energy["2000"]), "default 2003": auc(energy["2003"]), "default both": auc(energy["2000"] + energy["2003"]),
            "change vector analysis": auc(change_vectors([cube[:, :pixels] for cube in cubes]))}


def place(name):
    """Of pixel r1c2 of an image of 400 columns, or of feature f2 of an array."""
    row, _, column = name[1:].partition("c")
    return (int(row) - 1) * 400 + int(column) - 1 if column else int(row) - 1


def draw(study, pixels, seed):
    cubes, changed, unchanged = scene(study)
    marked = np.flatnonzero(changed | unchanged)
    chosen = np.sort(np.random.default_rng(seed).choice(marked, pixels, replace=False))
    truth = changed[chosen]
    # Duplicate spectra are common with 8-bit values and 6 bands; a little noise is what a sensor would add.
    random = np.random.default_rng(seed)
    data = {year: cube[:, chosen] + random.normal(0, 0.3, (6, pixels)) for year, cube in zip(("2000", "2003"), cubes)}
    settings = {"preset": "paper-code", "bandwidth_neighbors": 12, "eigenvectors": 20, "groups": 2, "threads": study.threads, "progress": False}
    found = disc.run(data, **settings, vectors=4, constant_vector="keep")
    energy = energies(found)
    distance = np.abs(disc.run(data, **settings, vectors=1, method="changing-data").vectors["2003"][:, 0])
    auc = lambda value: roc_auc_score(truth, np.resize(value, pixels))
    return {"recipe 2000": auc(energy["2000"]), "recipe 2003": auc(energy["2003"]),
            "recipe both": auc(energy["2000"] + energy["2003"]), "changing data": auc(distance), "change vector analysis": auc(change_vectors(list(data.values())))}


def run(study):
    all_pixels = study.cached(whole, pixels=study.size(160_000, 8_000))
    study.table("All pixels: area under the curve, changed against unchanged", ["score", "AUC"], list(map(list, all_pixels.items())))
    results = [r for _, r in study.each(draw, [{"pixels": study.size(3000, 300), "seed": seed} for seed in study.seeds(3)])]
    study.table("3,000 marked pixels: area under the curve", ["score", "AUC"],
                [[key, common.interval([r[key] for r in results])] for key in results[0]])
    mean = {key: np.mean([r[key] for r in results]) for key in results[0]}
    study.compare("Landsat: AUC of changed pixels", None, mean["recipe both"], all_pixels["default both"],
                  f"changing data {mean['changing data']:.2f}, change vector analysis {mean['change vector analysis']:.2f} (all pixels {all_pixels['change vector analysis']:.2f})")
    plt = common.pyplot()
    figure, axis = plt.subplots(figsize=(5, 2.8))
    bars = {**mean, **{f"{key}, all pixels": value for key, value in all_pixels.items()}}
    axis.barh(list(bars), list(bars.values()), color="0.5")
    axis.axvline(0.5, ls=":", color="k")
    axis.set(xlim=(0, 1), xlabel="AUC (dotted: chance)")
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
