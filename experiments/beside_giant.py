"""A weak group beside a giant one: does the strong one hide it?

    python -m experiments.beside_giant [--draws 60] [--permutations 199] [--disc PATH]

100 features, 100 samples a condition. In A 40 features are one group of correlation 0.9, and 12 others one of 0.3, 0.4 or 0.5; B has neither. Both have a third group of 12.
Found: a significant group with precision and recall of at least one half. The program is run as it is used, with one thread.
"""
import numpy as np

from . import common, program_runs

FEATURES, SAMPLES = 100, 100
GIANT, WEAK, SHARED = range(0, 40), range(50, 62), range(70, 82)
STRENGTHS = [0.3, 0.4, 0.5]


def add_flags(parser):
    program_runs.add_flags(parser)
    parser.add_argument("--draws", type=int, default=20, help="data sets per strength (default 20)")


def correlated(random, groups):
    values = random.standard_normal((SAMPLES, FEATURES))
    for members, rho in groups:
        factor = random.standard_normal((SAMPLES, 1))
        values[:, members] = np.sqrt(1 - rho) * values[:, members] + np.sqrt(rho) * factor
    return values


def is_found(group, members):
    features = {int(feature.lstrip("f")) - 1 for feature in group["features"]}  # files without names: f1, f2, ...
    both = len(features & set(members))
    return 2 * both >= max(len(features), len(members))


def one_draw(rho, number, seed, program, digest, permutations, more):
    """What was found in A. `digest` is there for the cache."""
    random = np.random.default_rng([seed, number, int(100 * rho)])
    data = {"A": correlated(random, [(GIANT, 0.9), (WEAK, rho), (SHARED, 0.4)]), "B": correlated(random, [(SHARED, 0.4)])}
    found = program_runs.run(program, data, permutations=permutations, seed=number, more=more)
    groups = [group for group in program_runs.significant(found) if group["condition"] == "A"] if "error" not in found else []
    return {"weak": any(is_found(group, WEAK) for group in groups), "giant": any(is_found(group, GIANT) for group in groups),
            "others": sum(not is_found(group, WEAK) and not is_found(group, GIANT) and group["parent"] is None for group in groups),
            "error": found.get("error")}


def run(study):
    judged = program_runs.judged(study)
    draws = study.size(getattr(study.options, "draws", 20), 1)
    settings = [{"rho": rho, "number": number, "seed": getattr(study.options, "seed", 1), **judged}
                for rho in study.size(STRENGTHS, STRENGTHS[-1:]) for number in range(1, draws + 1)]
    by_rho = {}
    for setting, result in study.each(one_draw, settings, apart=True):
        by_rho.setdefault(setting["rho"], []).append(result)
    study.numbers["results"] = by_rho
    study.table(f"{judged['permutations']} permutations, program {judged['digest']}", ["correlation of the weak group", "replicates", "found", "the giant found", "other groups", "failed"],
                [[rho, len(rows), *(sum(row[what] for row in rows) for what in ("weak", "giant", "others")), sum(row["error"] is not None for row in rows)]
                 for rho, rows in by_rho.items()])
    study.compare("a weak group beside one of 0.9", None, None, ", ".join(f"{rho}: {np.mean([row['weak'] for row in rows]):.2f}" for rho, rows in by_rho.items()), f"{draws} replicates each")
    plt = common.pyplot()
    figure, axis = plt.subplots(figsize=(3, 1.5))
    axis.barh([str(rho) for rho in by_rho], [np.mean([row["weak"] for row in rows]) for rows in by_rho.values()], color="0.5")
    axis.set(xlim=(0, 1), ylabel="correlation", xlabel="share of replicates in which the weak group is found")
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run, add_flags)
