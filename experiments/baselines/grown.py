"""Groups grown from the gains of single pairs.

The gain of a pair is the difference of Fisher's z over its standard deviation. From each of the strongest pairs a group grows by the feature that gains most with its members, as
long as its strength, the sum of the gains of its pairs over its size, rises. The strongest groups of data whose samples changed sides at random are the yardstick: reported is what is
stronger than in all but `level` of them, whichever condition it is in.

Why this setting: 19 permutations are the fewest for level 0.05; 30 starts, because stronger pairs of one group lead to the same group. The values become normal
scores of their ranks in their own condition first, so that means, variances and tails make no difference.
"""
import numpy as np
from scipy.stats import norm, rankdata

from .correlation_difference import fit as gains
from .shared import labels_of

FIT_SCAN = [{}]
CUT_SCAN = [{"level": level} for level in (0.05, 0.1, 0.2, 0.5)]
STARTS = 30


def normal_scores(X):
    return norm.ppf(rankdata(X, axis=0) / (len(X) + 1))


def grow(gain, start):
    """Members and strength of the group that grows from a pair."""
    members, total = list(start), gain[start]
    sums = gain[:, members].sum(axis=1)
    sums[members] = -np.inf
    while len(members) < len(gain):
        best = int(np.argmax(sums))
        if (total + sums[best]) / (len(members) + 1) <= total / len(members):
            break
        total += sums[best]
        members.append(best)
        sums += gain[best]
        sums[best] = -np.inf
    return members, total / len(members)


def grown_groups(gain, starts=STARTS):
    """Groups without common members, the strongest first."""
    upper = np.triu(gain, 1)
    pairs = np.argpartition(-upper, starts, axis=None)[:starts]
    found, taken, result = sorted((grow(gain, pair) for pair in zip(*np.unravel_index(pairs, gain.shape))), key=lambda group: -group[1]), set(), []
    for members, strength in found:
        if not taken.intersection(members):
            result.append((members, strength))
            taken.update(members)
    return result


def strongest(gain):
    return max(grown_groups(side)[0][1] for side in (gain, -gain))


def fit(X_a, X_b, seed=0, permutations=19):
    random, scores = np.random.default_rng(seed), [normal_scores(X) for X in (X_a, X_b)]
    values, chance = np.vstack(scores), []
    for _ in range(permutations):
        order = random.permutation(len(values))
        chance.append(strongest(gains(values[order[:len(X_a)]], values[order[len(X_a):]])))
    gain = gains(*scores)
    return len(gain), grown_groups(gain), grown_groups(-gain), np.array(chance)


def cut(fitted, level=0.05, smallest=3):
    features, of_a, of_b, chance = fitted
    return tuple(labels_of([members for members, strength in groups if len(members) >= smallest and
                            (1 + np.sum(chance >= strength)) / (1 + len(chance)) <= level + 1e-12], features) for groups in (of_a, of_b))


def groups(X_a, X_b, seed=0, permutations=19, **settings):
    return cut(fit(X_a, X_b, seed, permutations), **settings)
