"""The paper's synthetic problems as its figures show them: correlations, singular values, vectors, diffusion maps.

    python -m experiments.synthetic

Sections 4.1 and appendix D (figures 2, 3, 6, 7), 10,000 samples per condition, seed 1: per condition the correlation matrix, singular values of the paper's
recipe and of the default, the differential vectors of the recipe, and the first two diffusion maps with the true groups in
color. In numbers: how well the energy f_j = sum sigma^2 V^2 of the vectors tells members of true groups from other features (area under the
curve; 0.5 = not at all). Recovery of the groups themselves: experiments.recovery.
"""
import disc_features as disc
import numpy as np
from sklearn.metrics import roc_auc_score

from . import common

PROBLEMS = {"newly-connected": (30, 20), "subsets": (80, 50), "both": (30, 20), "three": (30, 20)}


def without_constant(analysis, condition):
    """Sigma and vectors, without the constant direction that the authors' code lets come back first and their toys skip."""
    sigma, vectors = analysis.sigma[condition], analysis.vectors[condition]
    constant = np.abs(vectors.mean(axis=0)) * np.sqrt(len(vectors)) > 0.9
    return sigma[~constant], vectors[:, ~constant]


def energy(sigma, vectors, count):
    return (sigma[:count] ** 2 * vectors[:, :count] ** 2).sum(axis=1)


def analyses(data, problem, threads):
    neighbors, eigenvectors = PROBLEMS[problem]
    return {"recipe": disc.run(data.conditions, preset="paper-code", bandwidth_neighbors=neighbors, eigenvectors=eigenvectors, groups=2,
                               vectors=6, threads=threads, progress=False),
            "ours": disc.run(data.conditions, permutations=0, bootstraps=0, threads=threads, progress=False)}


def numbers(problem, samples, threads):
    data = disc.simulate(problem, samples=samples, seed=1)
    found, rows = analyses(data, problem, threads), []
    for condition in data.conditions:
        inside = data.labels(condition) > 0
        row = {"condition": condition, "members": int(inside.sum())}
        for side, analysis in found.items():
            sigma, vectors = without_constant(analysis, condition)
            row[f"sigma_{side}"] = sigma[:5]
            count = max(1, len(np.unique(data.labels(condition))) - 1)
            row[f"auc_{side}"] = roc_auc_score(inside, energy(sigma, vectors, count)) if inside.any() else None
        rows.append(row)
    return rows


def picture(problem, samples, threads):
    plt = common.pyplot()
    data = disc.simulate(problem, samples=samples, seed=1)
    found = analyses(data, problem, threads)
    figure, axes = plt.subplots(len(data.conditions), 4, figsize=(11, 2.4 * len(data.conditions)))
    for line, (condition, values) in zip(axes, data.conditions.items()):
        labels = data.labels(condition)
        line[0].imshow(np.corrcoef(values.T), vmin=-1, vmax=1, cmap="RdBu_r")
        line[0].set(title=f"{condition}: correlations", xticks=[], yticks=[])
        for (side, analysis), style in zip(found.items(), ("o-", "s--")):
            sigma = without_constant(analysis, condition)[0][:6]
            line[1].plot(range(1, 1 + len(sigma)), sigma, style, ms=3, label="paper's recipe" if side == "recipe" else "our default")
        line[1].set(title="singular value", xlabel="vector", ylim=(0, None))
        line[1].legend(frameon=False, fontsize=7)
        for i, vector in enumerate(without_constant(found["recipe"], condition)[1][:, :3].T):
            line[2].plot(vector, lw=0.8, label=f"vector {i + 1}")
        for label in np.unique(labels[labels > 0]):
            members = np.flatnonzero(labels == label)
            line[2].axvspan(members[0], members[-1] + 1, color=f"C{label + 2}", alpha=0.15, lw=0)
        line[2].set(title="differential vectors, true groups shaded", xlabel="feature")
        maps = disc.DiffusionMaps(2, bandwidth_neighbors=PROBLEMS[problem][0], threads=threads).fit_transform(values.T)
        line[3].scatter(*maps.T, c=["0.7" if label == 0 else f"C{label + 2}" for label in labels], s=6)
        line[3].set(title="diffusion maps, true groups in color", xticks=[], yticks=[])
    figure.suptitle(problem)
    figure.tight_layout()
    return figure


def run(study):
    samples = study.size(10000, 200)
    problems = list(PROBLEMS)[:study.size(4, 1)]
    found = study.each(numbers, [{"problem": name, "samples": samples, "threads": study.threads} for name in problems])
    rows = [[setting["problem"], row["condition"], row["members"], row["auc_recipe"], row["auc_ours"],
             *(" ".join(f"{value:.3f}" for value in row[side]) for side in ("sigma_recipe", "sigma_ours"))]
            for setting, result in found for row in result]
    study.table("Energy of the vectors against the true groups", ["problem", "condition", "members", "AUC, recipe", "AUC, default",
                                                                  "singular values, recipe", "singular values, default"], rows)
    for setting, result in found:
        mean = [np.mean([row[side] for row in result if row[side] is not None]) for side in ("auc_recipe", "auc_ours")]
        study.compare(f"{setting['problem']}: vectors point at the true groups (AUC)", "yes, in figures", *mean)
    for number, problem in enumerate(problems):
        figure = picture(problem, samples, study.threads)
        study.figure(figure, "figure" if number == 0 else f"figure-{problem}")


if __name__ == "__main__":
    common.main(__doc__, run)
