"""Kang et al. 2018: blood cells with and without interferon-beta. Do the groups of the stimulated cells hold the interferon genes?

    python -m experiments.kang

Genes seen in at least 5 % of the cells of each condition; counts, log-cpm; everything else is the default. Every group, and its core, is compared with
the Hallmark sets (hypergeometric test over the genes used, p multiplied by the number of sets). Beside it the paper's recipe with k = 11, d = 20 on the same
log-transformed values: the 100 genes of largest energy.
"""
import disc_features as disc
import numpy as np

from . import common, genesets

FOLDER = "scrna/kang_harmony_10x"
LEAST_SHARE = 0.05


def load(study, share):
    folder, sets = study.needs(FOLDER, genesets.SETS)
    data = {name: genesets.read_10x(folder / name) for name in ("ctrl", "stim")}
    keep = genesets.seen_in([counts for counts, _ in data.values()], share)
    return {name: counts[:, keep].toarray() for name, (counts, _) in data.items()}, data["ctrl"][1][keep], genesets.hallmark(sets)


def logged(counts):
    depth = counts.sum(axis=1, keepdims=True)
    return np.log1p(counts / depth * np.median(depth))


def default(study, share, permutations):
    data, genes, sets = load(study, share)
    found = disc.run({name: counts for name, counts in data.items()}, features=genes, normalize="log-cpm", permutations=permutations, bootstraps=0,
                     threads=study.threads, progress=False)
    frame, rows = found.to_frame("groups"), []
    for name, groups in found.groups.items():
        for group in groups:
            mine = frame[(frame.condition == name) & (frame.group == group.id)]
            core = set(mine.feature[mine.core.astype(str).isin(["yes", "True"])])
            for part, members in (("group", set(group.features)), ("core", core)):
                if members:
                    rows.append([name, group.id, part, len(members), group.p, *genesets.enrichment(members, set(genes), sets)[0]])
    return {"genes": len(genes), "rows": rows}


def recipe(study, share, top):
    data, genes, sets = load(study, share)
    found = disc.run({name: logged(counts) for name, counts in data.items()}, features=genes, preset="paper-code", constant_vector="keep", bandwidth_neighbors=11,
                     eigenvectors=20, vectors=3, groups=3, threads=study.threads, progress=False)
    rows = {}
    for name in data:
        energy = (found.sigma[name] ** 2 * found.vectors[name] ** 2).sum(axis=1)
        rows[name] = genesets.enrichment(set(found.features[np.argsort(-energy)[:top]]), set(genes), sets)[0]
    return rows


def run(study):
    share = study.size(LEAST_SHARE, 0.5)
    own = study.cached(default, share=share, permutations=study.size(49, 0))
    paper = study.cached(recipe, share=share, top=study.size(100, 10))
    study.table(f"Groups of the default among {own['genes']} genes", ["condition", "group", "part", "genes", "p of the group", "p of the set", "Hallmark set",
                                                                     "shared", "size"], own["rows"])
    study.table("Recipe: genes of largest energy", ["condition", "p of the set", "Hallmark set", "shared", "size"], [[n, *row] for n, row in paper.items()])
    interferon = [row for row in own["rows"] if row[0] == "stim" and "INTERFERON" in row[6]]
    best = min(interferon, key=lambda row: row[5], default=None)
    study.compare("stimulated cells: interferon genes", "not in the paper", "{1}, {2} of {3} genes, p {0:.1e}".format(*paper["stim"]),
                  f"{best[6]}, {best[7]} of {best[8]} genes, p {best[5]:.1e}, {best[2]} of {best[3]} genes" if best else "no group of interferon genes")
    plt = common.pyplot()
    figure, axis = plt.subplots(figsize=(6, 0.3 * len(own["rows"]) + 1))
    axis.barh([f"{r[0]} {r[1]} {r[2]}: {r[6].replace('HALLMARK_', '').lower()}" for r in own["rows"]] or ["no group"],
              [-np.log10(max(r[5], 1e-300)) for r in own["rows"]] or [0], color="0.5")
    axis.set(xlabel="-log10 p of the best Hallmark set, corrected")
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)
