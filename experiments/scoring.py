"""Groups found against the true ones; the formulas of `disc score`."""
import csv

import numpy as np


def read_groups(path, condition):
    """Groups of one condition in truth.tsv or groups.tsv: lists of features, counted from 0, in order of appearance."""
    groups = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["condition"] == condition:
                groups.setdefault(row["group"], []).append(int(row["feature"].removeprefix("f")) - 1)
    return list(groups.values())


def first_labels(groups, features):
    """0 = in no group; a feature of several groups counts for the first, as in `disc score`."""
    labels = np.zeros(features, dtype=int)
    for number in range(len(groups), 0, -1):
        labels[groups[number - 1]] = number
    return labels


def read_labels(path, features, conditions=("A", "B")):
    return tuple(first_labels(read_groups(path, condition), features) for condition in conditions)


def adjusted_rand_index(a, b):
    """The background is one cluster of its own (Hubert and Arabie 1985)."""
    def pairs(counts):
        counts = np.asarray(counts, dtype=float)
        return float((counts * (counts - 1) / 2).sum())

    _, a = np.unique(a, return_inverse=True)
    _, b = np.unique(b, return_inverse=True)
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a, b), 1)
    within_a, within_b, total = pairs(table.sum(axis=1)), pairs(table.sum(axis=0)), pairs([len(a)])
    # In this order it is exact when one side is a single cluster.
    expected = min(within_a, within_b) * (max(within_a, within_b) / total) if total > 0 else 0.0
    largest = (within_a + within_b) / 2
    return 1.0 if largest == expected else (pairs(table.ravel()) - expected) / (largest - expected)


def false_groups(found, truth):
    """How many of the groups found have no true group that holds at least half of their members."""
    true_sets = [set(group) for group in truth]
    return sum(all(2 * len(group.intersection(members)) < len(members) for group in true_sets)
               for members in (np.flatnonzero(found == label) for label in np.unique(found[found > 0])))


def score(found, truth_path):
    """`found`: labels for A and for B."""
    result = {"false_groups": 0, "groups_found": 0}
    for condition, labels in zip("AB", found):
        truth = read_groups(truth_path, condition)
        result[f"ari_{condition}"] = adjusted_rand_index(labels, first_labels(truth, len(labels)))
        result["false_groups"] += false_groups(labels, truth)
        result["groups_found"] += len(np.unique(labels[labels > 0]))
    return result
