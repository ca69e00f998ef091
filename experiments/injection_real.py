"""Groups injected into random halves of real data: reported, and nothing else?

    python -m experiments.injection_real [--backgrounds NAME...] [--draws 10] [--permutations 199] [--baselines] [--disc PATH] [--seed 1] [--jobs 1]

One population is divided at random into halves A and B. In B the chosen features x of a group become

    mean(x) + sqrt(1 - rho) (x - mean(x)) + sqrt(rho) f sd(x)

with mean and standard deviation of B and f standard normal, one per sample of B: their correlations rise from r to about (1 - rho) r + rho, means and variances stay. Cells are
log-normalized first. A hit: a significant group of B with at least half of its members injected and at least half of the injected. Other groups: significant, in either condition, no part of
another group, less than half of their members injected or said to be of A; that A lost the injected group is the same finding, not another one. Every draw of halves is also judged without injection (null). With --baselines, four other methods on the same data.
"""
import importlib
import zlib

import numpy as np

from . import backgrounds, common, program_runs, scoring

GROUPS = [(8, 0.7), (15, 0.5), (15, 0.7), (30, 0.3), (30, 0.5)]
BASELINES = {"grown from gains": "grown", "z-difference components": "correlation_difference", "WGCNA matched": "modules", "DiffCoEx": "hierarchical"}
HALF = 0.5


def mouse_probes(sex, choose):
    return lambda study, random: choose(backgrounds.mice(study, sex), 350, random)


def variable(values, number, random):
    return backgrounds.most_variable(values, number)


def kang(study, random):
    cells = backgrounds.logged(backgrounds.seen(backgrounds.kang_counts(study), 0.1))
    return backgrounds.some_features(backgrounds.some_samples(cells, 400, random), 400, random)


def glioblastoma(study, random):
    return backgrounds.logged(backgrounds.seen(backgrounds.glioblastoma_counts(study), 0.1))


BACKGROUNDS = {"golub-csv": lambda study, random: backgrounds.some_features(backgrounds.golub_csv(study), 400, random),
               "golub-gct": lambda study, random: backgrounds.some_features(backgrounds.golub_gct(study), 400, random),
               "female-variable": mouse_probes("female", variable), "female-random": mouse_probes("female", backgrounds.some_features),
               "male-variable": mouse_probes("male", variable), "male-random": mouse_probes("male", backgrounds.some_features),
               "kang": kang, "glioblastoma": glioblastoma}
NEEDED = {"golub-csv": backgrounds.GOLUB_CSV, "golub-gct": backgrounds.GOLUB_GCT, "kang": backgrounds.KANG, "glioblastoma": backgrounds.GLIOBLASTOMA,
          **{f"{sex}-{probes}": file for sex, file in backgrounds.MICE.items() for probes in ("variable", "random")}}


def inject(values, members, rho, random):
    """A copy in which these features have a factor in common."""
    changed, part = values.copy(), values[:, members]
    mean, deviation = part.mean(axis=0), part.std(axis=0)
    factor = random.standard_normal((len(values), 1))
    changed[:, members] = mean + np.sqrt(1 - rho) * (part - mean) + np.sqrt(rho) * factor * deviation
    return changed


def draw_data(study, background, size, rho, number, seed):
    """A, B and the injected features. The halves depend on background, seed and number of the draw alone."""
    random = np.random.default_rng([seed, number, zlib.crc32(background.encode())])
    a, b = backgrounds.random_halves(BACKGROUNDS[background](study, random), random)
    random = np.random.default_rng([seed, number, zlib.crc32(background.encode()), size, round(100 * rho)])
    members = np.sort(random.choice(a.shape[1], size, replace=False))
    return a, inject(b, members, rho, random) if size else b, set(members.tolist())


def verdict(groups, injected):
    """Of groups as (condition, columns, whether a part of another): was the injected one found, and what else? The condition of a loss is "lost in NAME"."""
    shared = [len(injected.intersection(columns)) for _, columns, _ in groups]
    precise = [2 * common_ >= len(columns) > 0 and common_ > 0 for common_, (_, columns, _) in zip(shared, groups)]
    found = [ok and condition == "B" and common_ >= HALF * len(injected) for ok, common_, (condition, _, _) in zip(precise, shared, groups)]
    other = [not part and not (ok and condition in ("B", "lost in A")) for ok, (condition, _, part) in zip(precise, groups)]
    return {"hit": any(found), "other": sum(other), "groups": len(groups), "sizes": [len(columns) for _, columns, _ in groups]}


def of_program(a, b, injected, number, program, permutations, more):
    found = program_runs.run(program, {"A": a, "B": b}, permutations=permutations, seed=number, more=more)
    if "error" in found:
        return found
    groups = [("lost in " * (group["direction"] == "lost") + group["condition"], set(scoring.positions(group["features"]).tolist()), group["parent"] is not None)
              for group in program_runs.significant(found)]
    tried = [2 * len(injected & columns) >= max(len(columns), 1) and len(injected & columns) >= HALF * len(injected)
             for columns in (set(scoring.positions(group["features"]).tolist()) for group in found["groups"] if group["condition"] == "B")]
    views = sorted({str(group["view"]) for group in program_runs.significant(found) if group["view"]})
    return {**verdict(groups, injected), "candidate": bool(injected) and any(tried), "pairs": found["pairs"], "views": views, "seconds": found["seconds"]}


def of_baseline(name, a, b, injected, number):
    labels = importlib.import_module(f"experiments.baselines.{name}").groups(a, b, number)
    return verdict([(condition, set(members.tolist()), False) for condition, found in zip("AB", labels) for members in scoring.members_of(found)], injected)


def one_draw(study, background, size, rho, number, seed, method, program, digest, permutations, more):
    """One method on one draw. `digest` is there for the cache."""
    a, b, injected = draw_data(study, background, size, rho, number, seed)
    if method == "disc":
        return of_program(a, b, injected, number, program, permutations, more)
    return of_baseline(BASELINES[method], a, b, injected, number)


def chosen_backgrounds(study):
    """Those whose data are there."""
    names = getattr(study.options, "backgrounds", None) or study.size(list(BACKGROUNDS), ["female-random"])
    for name in names:
        study.attempt(name, backgrounds.require, study, NEEDED[name])
    missing = {name for name, _ in study.excluded}
    if missing.issuperset(names):
        raise common.Skipped(study.excluded[0][1])
    return [name for name in names if name not in missing]


def settings_of(study):
    """Of every run; those of the baselines do not depend on the program."""
    options, judged = study.options, program_runs.judged(study)
    unjudged = {**judged, "program": "", "digest": "", "permutations": 0, "more": ""}
    names = chosen_backgrounds(study)
    methods = ["disc"] + (list(BASELINES) if getattr(options, "baselines", True) else [])
    groups = [(0, 0.0), *study.size(GROUPS, [(15, 0.7)])]
    return [{"background": name, "size": size, "rho": rho, "number": number, "seed": getattr(options, "seed", 1), "method": method,
             **(judged if method == "disc" else unjudged)}
            for name in names for number in range(1, 1 + study.size(getattr(options, "draws", 10), 1)) for size, rho in groups for method in methods]


def share(results, key):
    return f"{sum(bool(result[key]) for result in results)} of {len(results)}" if results else ""


def sum_up(results):
    """hits, other groups, null halves with a group, of runs of one method."""
    injected, null = ([result for setting, result in results if (setting["size"] > 0) == wanted] for wanted in (True, False))
    return [share(injected, "hit"), share(injected, "other"), share(null, "groups")]


def tables(study, found):
    names, methods = (list(dict.fromkeys(setting[key] for setting, _ in found)) for key in ("background", "method"))
    groups = list(dict.fromkeys((setting["size"], setting["rho"]) for setting, _ in found if setting["size"]))

    def of(**wanted):
        return [(setting, result) for setting, result in found if all(setting[key] == value for key, value in wanted.items())]

    study.table("By method and background", ["background", "method", "hits", "runs with other groups", "null halves with a group"],
                [[name, method, *sum_up(of(background=name, method=method))] for name in names for method in methods])
    study.table("Hits by group", ["background", "method", *(f"{size} at {rho}" for size, rho in groups)],
                [[name, method, *(share([result for _, result in of(background=name, method=method, size=size, rho=rho)], "hit") for size, rho in groups)]
                 for name in names for method in methods])
    return {method: sum_up(of(method=method)) for method in methods}


def of_runs(study, found):
    """How the runs of the program went beside the verdict."""
    rows = []
    for name in dict.fromkeys(setting["background"] for setting, _ in found):
        runs = [result for setting, result in found if setting["background"] == name and setting["method"] == "disc"]
        injected = [result for setting, result in found if setting["background"] == name and setting["method"] == "disc" and setting["size"]]
        rows.append([name, share(injected, "candidate"), share([r for r in injected if not r["groups"]], "pairs"),
                     f"{np.median([r['seconds'] for r in runs]):.1f}", ", ".join(sorted({view for r in runs for view in r["views"]}))])
    study.table("The program's runs", ["background", "injected: a fitting group or candidate existed", "without a group: pairs listed", "seconds", "views of significant groups"], rows)


def run(study):
    everything = study.each(one_draw, settings_of(study), apart=True)
    for setting, result in everything:
        if "error" in result:
            study.excluded.append((f"{setting['background']}, {setting['size']} at {setting['rho']}, draw {setting['number']}", result["error"]))
    found = [(setting, result) for setting, result in everything if "error" not in result]
    total = tables(study, found)
    of_runs(study, found)
    study.numbers["results"] = [{**setting, **result} for setting, result in found]
    study.compare("groups injected into real halves: reported", "not in the paper", None, total["disc"][0],
                  f"other groups in {total['disc'][1]}, null halves with a group {total['disc'][2]}; " +
                  ", ".join(f"{method} {hits} (null {null})" for method, (hits, _, null) in total.items() if method != "disc"))
    draw_figure(study, found)


def draw_figure(study, found):
    try:
        plt = common.pyplot()
    except ImportError:
        return
    methods = list(dict.fromkeys(setting["method"] for setting, _ in found))
    hits = [np.mean([result["hit"] for setting, result in found if setting["method"] == method and setting["size"]]) for method in methods]
    figure, axis = plt.subplots(figsize=(4, 0.25 * len(methods) + 0.8))
    axis.barh(methods[::-1], hits[::-1], color="0.5")
    axis.set(xlim=(0, 1), xlabel="share of injected groups that were reported")
    study.figure(figure)


def add_flags(parser):
    program_runs.add_flags(parser)
    parser.add_argument("--backgrounds", nargs="+", choices=list(BACKGROUNDS), help="default: all")
    parser.add_argument("--draws", type=int, default=10, help="random halves per background (default 10)")
    parser.add_argument("--baselines", action="store_true", help="other methods on the same data too")


if __name__ == "__main__":
    common.main(__doc__, run, add_flags)
