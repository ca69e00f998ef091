"""p-values on real and awkward data: where nothing differs in connection, how often is something found?

    python -m experiments.validity [--rows NAME...] [--sets 60] [--permutations 199] [--disc PATH] [--seed 1] [--jobs 1]

Every row draws data sets in which the conditions have the same connections (`nulls.py`): halves of real populations, rare samples, unequal donors, few units, series in time.
In four rows the joint law differs for a reason that the study could have known (composition, batches ignored, depth, size factors): there a caution should name the
reason, and the row with the adjustment should be quiet. The program is run as it is used, with one thread; works with any build of it.
"""
import re
import zlib
from collections import Counter

import numpy as np

from . import backgrounds, common, nulls, program_runs

LEVEL = program_runs.LEVEL


def add_flags(parser):
    program_runs.add_flags(parser)
    parser.add_argument("--rows", nargs="+", choices=list(nulls.ROWS), help="default: all")
    parser.add_argument("--sets", type=int, default=10, help="data sets per row (default 10)")


def one_set(study, row, number, seed, program, digest, permutations, more):
    """One data set of one row. `digest` is there for the cache."""
    random = np.random.default_rng([seed, number, zlib.crc32(row.encode())])
    null = nulls.ROWS[row](study, random)
    found = program_runs.run(program, null.conditions, null.labels, null.flags, permutations, number, more)
    if "error" in found:
        return found
    return {"group_p": [group["p"] for group in found["groups"]], "groups": [len(group["features"]) for group in program_runs.significant(found)],
            "vector_p": found["vector_p"], "pairs": found["pairs"], "min_p": found["min_p"], "warnings": found["warnings"], "seconds": found["seconds"]}


def smallest(result):
    return min([1.0, *result["group_p"], *result["vector_p"]])


def below_floor(result):
    """A p-value that the permutations made cannot give."""
    return result["min_p"] is not None and smallest(result) < result["min_p"] - program_runs.TIE


def names_cause(row, result):
    words = " ".join(result["warnings"]).lower()
    return any(cause in words for cause in nulls.CAUSES[row])


def caution_kinds(results):
    """Cautions without their figures and names, and in how many runs each stood."""
    kinds = Counter()
    for result in results:
        kinds.update({re.sub(r"'[^']*'|\d[\d.,]*", "#", warning)[:70] for warning in result["warnings"]})
    return "; ".join(f"{words} ({runs})" for words, runs in kinds.most_common(3))


def line(row, results):
    """A row of the table."""
    failed = [result["error"] for result in results if "error" in result]
    good = [result for result in results if "error" not in result]
    if not good:
        return [row, 0, "", "", "", "", "", "", "", failed[0] if failed else ""]
    counts = [sum(map(rule, good)) for rule in (lambda r: smallest(r) < LEVEL, lambda r: len(r["groups"]) > 0, lambda r: min([1.0, *r["vector_p"]]) < LEVEL,
                                                lambda r: r["pairs"] > 0, below_floor)]
    cause = f"{sum(names_cause(row, r) for r in good)}" if row in nulls.CAUSES else ""
    return [row, len(good), *counts, cause, f"{np.median([r['seconds'] for r in good]):.1f}", caution_kinds(good) + (f"; {len(failed)} failed: {failed[0]}" if failed else "")]


HEADER = ["row", "runs", "any p < .05", "a group", "a vector p < .05", "pairs listed", "p below the smallest possible", "caution names the cause", "seconds", "cautions (runs)"]


def chosen_rows(study):
    """Those whose data are there."""
    rows = getattr(study.options, "rows", None) or study.size(list(nulls.ROWS), ["halves", "composition"])
    for row in rows:
        if row in nulls.NEEDED:
            study.attempt(row, backgrounds.require, study, nulls.NEEDED[row])
    missing = {row for row, _ in study.excluded}
    if missing.issuperset(rows):
        raise common.Skipped(study.excluded[0][1])
    return [row for row in rows if row not in missing]


def run(study):
    judged = program_runs.judged(study)
    sets = study.size(getattr(study.options, "sets", 10), 1)
    settings = [{"row": row, "number": number, "seed": getattr(study.options, "seed", 1), **judged} for row in chosen_rows(study) for number in range(1, sets + 1)]
    by_row = {}
    for setting, result in study.each(one_set, settings, apart=True):
        by_row.setdefault(setting["row"], []).append(result)
    lines = [line(row, results) for row, results in by_row.items()]
    study.table(f"{judged['permutations']} permutations, program {judged['digest']}", HEADER, lines)
    shares = {row[0]: row[2] / row[1] for row in lines if row[1]}
    study.numbers["results"] = by_row
    study.compare("conditions with the same connections: share of data sets with any p < 0.05", "no p-values", None,
                  ", ".join(f"{row} {share:.2f}" for row, share in shares.items()), f"{sets} data sets per row, {judged['permutations']} permutations")
    draw(study, shares)


def draw(study, shares):
    try:
        plt = common.pyplot()
    except ImportError:
        return
    figure, axis = plt.subplots(figsize=(4, 0.2 * len(shares) + 0.8))
    axis.barh(list(shares)[::-1], list(shares.values())[::-1], color=["0.75" if row in nulls.CAUSES else "0.4" for row in shares][::-1])
    axis.axvline(0.05, ls=":", color="k")
    axis.set(xlim=(0, 1), xlabel="share of data sets with any p < 0.05 (light: a cause that a caution should name)")
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run, add_flags)
