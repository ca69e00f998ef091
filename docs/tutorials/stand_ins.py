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
    cells(random, names, ["CTRL", "STIM"], len(INTERFERON), ["one"] * 150).write_h5ad(folder / "kang.h5ad")
    (folder / "hallmark.gmt").write_text("HALLMARK_INTERFERON_GAMMA_RESPONSE\tmade up\t" + "\t".join(INTERFERON) + "\n"
                                         + "HALLMARK_HYPOXIA\tmade up\t" + "\t".join(names[20:40]) + "\n")


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


MAKERS = {"kang": kang, "glioblastoma": glioblastoma, "mouse-proteins": mice, "abide": abide}


def make(folder, names=tuple(MAKERS)):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        MAKERS[name](folder, np.random.default_rng(1))


if __name__ == "__main__":
    make(*sys.argv[1:2] or ["."])
