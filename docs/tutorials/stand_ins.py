"""Small made-up files with the names and labels of the data of the tutorials, for readers who want to try the code first.

    python stand_ins.py [FOLDER]

The numbers are random: a group is planted in each, so that there is something to find. Nothing biological can be learned from them.
Needs numpy, pandas and anndata.
"""
import pathlib
import sys

import numpy as np

INTERFERON = ["CXCL10", "CXCL11", "IDO1", "APOBEC3A", "IL1RN", "ISG15", "IFIT1", "IFIT2", "RSAD2", "IFITM3"]
METALLOTHIONEINS = ["MT2A", "MT1X", "MT1G", "MT1E", "MT1M", "MT1F"]


def counts(random, cells, genes, planted):
    """Counts of cells x genes; the first `planted` genes rise and fall together."""
    logs = 0.3 * random.normal(size=(cells, genes))
    logs[:, :planted] += 1.2 * random.normal(size=(cells, 1))
    return random.poisson(random.gamma(2.0, 1.5, size=genes) * np.exp(logs)).astype(np.float32)


def cells(random, names, conditions, planted, labels):
    import anndata
    import pandas
    from scipy import sparse

    size = len(labels)
    values = np.vstack([counts(random, size, len(names), 0), counts(random, size, len(names), planted)])
    obs = pandas.DataFrame({"condition": np.repeat(conditions, size), "patient_id": labels * 2},
                           index=[f"cell{i}" for i in range(2 * size)])
    return anndata.AnnData(sparse.csr_matrix(values), obs=obs, var=pandas.DataFrame(index=names))


def kang(folder, random):
    names = INTERFERON + [f"GENE{j}" for j in range(110)]
    blood = cells(random, names, ["CTRL", "STIM"], len(INTERFERON), ["one"] * 150)
    blood.obs["seurat_annotation"] = ["CD14 Mono", "CD14 Mono", "unlabelled"] * 100
    blood.write_h5ad(folder / "kang.h5ad")
    for name in ("CTRL", "STIM"):
        cell_ranger(folder / name.lower(), blood[blood.obs["condition"] == name])
    (folder / "hallmark.gmt").write_text("HALLMARK_INTERFERON_GAMMA_RESPONSE\tmade up\t" + "\t".join(INTERFERON) + "\n"
                                         + "HALLMARK_HYPOXIA\tmade up\t" + "\t".join(names[20:40]) + "\n")


def cell_ranger(folder, cells):
    """The folder of Cell Ranger 3: a matrix of genes x cells, and the names of both."""
    import gzip

    from scipy import io
    folder.mkdir(exist_ok=True)
    with gzip.open(folder / "matrix.mtx.gz", "wb") as file:
        io.mmwrite(file, cells.X.T.tocoo().astype(int))
    texts = {"features": [f"{name}\t{name}\tGene Expression" for name in cells.var_names], "barcodes": list(cells.obs_names)}
    for name, lines in texts.items():
        with gzip.open(folder / f"{name}.tsv.gz", "wt") as file:
            file.write("\n".join(lines) + "\n")


def glioblastoma(folder, random):
    names = METALLOTHIONEINS + [f"GENE{j}" for j in range(94)]
    patients = [f"PW{i}" for i in range(1, 6) for _ in range(40)]
    cells(random, names, ["ctrl", "panobinostat"], len(METALLOTHIONEINS), patients).write_h5ad(folder / "glioblastoma.h5ad")


def mice(folder, random):
    """Thirty proteins, 24 mice, 15 rows each; a protein or two are missing here and there."""
    lines = ["MouseID," + ",".join(f"P{j}_N" for j in range(30)) + ",Genotype,Treatment,Behavior"]
    for mouse in range(24):
        genotype = "Control" if mouse % 2 else "Ts65Dn"
        level = random.normal(size=30)
        level[:6] += 1.5 * random.normal() * (genotype == "Ts65Dn")
        for row in range(1, 16):
            values = level + 0.3 * random.normal(size=30)
            shown = ["" if random.random() < 0.01 else f"{value:.4f}" for value in values]
            lines.append(f"{300 + mouse}_{row}," + ",".join(shown) + f",{genotype},{'Memantine' if mouse % 4 < 2 else 'Saline'}"
                         + f",{'C/S' if mouse % 6 < 3 else 'S/C'}")
    (folder / "mice.csv").write_text("\n".join(lines) + "\n")


def abide(folder, random):
    """Twelve subjects with eyes open and twelve with eyes closed, 60 scans of 40 regions."""
    rows = ["file\tcondition\tdiagnosis"]
    for subject in range(24):
        eyes = "open" if subject % 2 else "closed"
        series = random.normal(size=(60, 40)) + 0.7 * random.normal(size=(60, 1)) * (np.arange(40) < 12)
        series += random.normal(size=(60, 1)) * (np.arange(40) >= 30) * (eyes == "open")
        np.savetxt(folder / f"subject{subject}.1D", series, fmt="%.5f")
        rows.append(f"subject{subject}.1D\t{eyes}\t{1 + subject % 3 % 2}")
    (folder / "subjects.tsv").write_text("\n".join(rows) + "\n")


def envi(folder, name, header, cube, interleave):
    """A cube of lines x columns x bands, of bytes or of 16-bit numbers."""
    lines, columns, bands = cube.shape
    kind = {1: 1, 2: 2}[cube.dtype.itemsize]
    (folder / header).write_text(f"ENVI\nsamples = {columns}\nlines = {lines}\nbands = {bands}\nheader offset = 0\ndata type = {kind}\n"
                                 f"interleave = {interleave}\nbyte order = 0\n")
    (folder / name).write_bytes(cube.transpose({"bsq": (2, 0, 1), "bil": (0, 2, 1)}[interleave]).tobytes())


def bitmap(folder, name, mask):
    """Eight bits per pixel; rows are multiples of four bytes and run from bottom to top."""
    rows = np.pad(mask[::-1].astype(np.uint8), ((0, 0), (0, -mask.shape[1] % 4)))
    (folder / name).write_bytes(b"BM" + bytes(8) + (54).to_bytes(4, "little") + (40).to_bytes(4, "little") + mask.shape[1].to_bytes(4, "little")
                                + mask.shape[0].to_bytes(4, "little") + bytes(28) + rows.tobytes())


def scene(random, side, bands, materials):
    """Pixels that are mixtures of materials in stripes, each with a smooth spectrum."""
    spectra = np.cumsum(random.normal(size=(materials, bands)), axis=1)
    shares = random.dirichlet(0.3 * np.ones(materials), size=(side, side)).reshape(-1, materials)
    shares += 2.0 * np.eye(materials)[np.repeat(np.arange(side) * materials // side, side)]
    return (shares @ spectra / shares.sum(axis=1, keepdims=True)).reshape(side, side, bands)


def scaled(cube, low, high):
    return low + (high - low) * (cube - cube.min()) / np.ptp(cube)


def landscape(folder, random):
    """Two dates of 30 x 30 pixels in six bands, where a patch turns into another material, and an image of 36 x 36 pixels in 60 bands."""
    before = scene(random, 30, 6, 4)
    after, patch = before.copy(), np.zeros((30, 30), dtype=bool)
    patch[5:12, 18:26] = True
    after[patch] = before[22:29, 2:10].reshape(-1, 6)
    for name, cube in (("2000TM", before), ("2003TM", after)):
        noisy = scaled(cube, 20, 200) + random.normal(0, 1, cube.shape)
        envi(folder, name, f"{name}.HDR", noisy.clip(0, 255).astype(np.uint8), "bsq")
    bitmap(folder, "change.bmp", patch)
    bitmap(folder, "unchanged.bmp", ~patch)
    envi(folder, "jasperRidge2_R198.img", "jasperRidge2_R198.hdr", scaled(scene(random, 36, 60, 4), 100, 4000).astype("<i2"), "bil")


def mnist(folder, random):
    """The digits that scikit-learn brings along, real ones of 8 x 8 pixels, drawn at the size of MNIST's; training and test images."""
    import gzip

    from sklearn.datasets import load_digits
    images, labels = load_digits(return_X_y=True)
    images = np.pad(np.kron(images.reshape(-1, 8, 8), np.ones((1, 3, 3))), ((0, 0), (2, 2), (2, 2))) * 15
    order = random.permutation(len(images))  # they come writer by writer, those of MNIST do not
    images, labels = images.clip(0, 255).astype(np.uint8)[order], labels[order]
    for name, part in (("train", slice(0, 1200)), ("t10k", slice(1200, None))):
        for kind, values in (("images-idx3", images[part]), ("labels-idx1", labels[part].astype(np.uint8))):
            head = (2048 + values.ndim).to_bytes(4, "big") + b"".join(size.to_bytes(4, "big") for size in values.shape)
            with gzip.open(folder / f"{name}-{kind}-ubyte.gz", "wb") as file:
                file.write(head + values.tobytes())


MAKERS = {"kang": kang, "kang-scanpy": kang, "glioblastoma": glioblastoma, "mouse-proteins": mice, "abide": abide, "landscape": landscape, "mnist": mnist}


def make(folder, names=tuple(MAKERS)):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        MAKERS[name](folder, np.random.default_rng(1))


if __name__ == "__main__":
    make(*sys.argv[1:2] or ["."])
