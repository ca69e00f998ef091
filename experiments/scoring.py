"""Groups found against the true ones; the formulas of `disc score`."""
import numpy as np
from sklearn.metrics import adjusted_rand_score


def positions(names):
    """Features f1, f2, ... as columns."""
    return np.array([int(name[1:]) - 1 for name in names], dtype=int)


def true_groups(data, condition):
    """Groups of a condition of disc.simulate: arrays of columns, in order of appearance."""
    groups = {}
    for name, group, feature in data.truth:
        if name == condition:
            groups.setdefault(group, []).append(feature)
    return [positions(names) for names in groups.values()]


def labels_of(groups, features):
    """0 = in no group; a feature of several groups counts for the first, as in `disc score`."""
    labels = np.zeros(features, dtype=int)
    for number in range(len(groups), 0, -1):
        labels[groups[number - 1]] = number
    return labels


def found_labels(analysis, features):
    """Per condition, the labels of an analysis of features f1, f2, ... Groups that a condition lost are none of its own, as in `disc score`."""
    own = {name: [group for group in groups if group.evidence.get("direction") != "lost"] for name, groups in analysis.groups.items()}
    return {name: labels_of([positions(group.features) for group in groups], features) for name, groups in own.items()}


def adjusted_rand_index(a, b):
    """The background is one cluster of its own (Hubert and Arabie 1985)."""
    return float(adjusted_rand_score(a, b))


def members_of(labels):
    return [np.flatnonzero(labels == label) for label in np.unique(labels[labels > 0])]


def false_groups(found, truth):
    """How many of the groups found have no true group that holds at least half of their members."""
    true_sets = [set(group) for group in truth]
    return sum(all(2 * len(group.intersection(members)) < len(members) for group in true_sets) for members in members_of(found))


def score(found, data):
    """`found`: labels by condition. `data`: what disc.simulate made."""
    result = {"ari": {}, "false_groups": 0, "groups_found": {}}
    for condition, labels in found.items():
        truth = true_groups(data, condition)
        result["ari"][condition] = adjusted_rand_index(labels, labels_of(truth, len(labels)))
        result["false_groups"] += false_groups(labels, truth)
        result["groups_found"][condition] = len(members_of(labels))
    return result
