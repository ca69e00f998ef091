"""Conditions that do not differ in connection, or only through something that the study could have known: donors, cell types, batches, depth, time.

`PLAIN` are the rows of `calibrate`, `ROWS` those of `validity`. In nearly all of them features form groups, the same ones in all conditions: what could be mistaken for a
difference is there.
"""
import math
from dataclasses import dataclass, field

import numpy as np

from . import backgrounds

FEATURES, GROUP, GROUPS, SAMPLES = 100, 12, 3, 80
PLAIN = ["halves", "unequal", "mean-only", "variance-only", "depth-only", "few-donors", "three", "noise"]


@dataclass
class Null:
    """Data of one set: samples x features per condition, labels (name: condition: values), options of the program."""
    conditions: dict
    labels: dict = field(default_factory=dict)
    flags: list = field(default_factory=list)


def latent(random, samples, groups=GROUPS):
    """One-factor groups of correlation 0.4 among noise."""
    values = random.standard_normal((samples, FEATURES))
    for g in range(groups):
        members = slice(g * GROUP, (g + 1) * GROUP)
        values[:, members] = math.sqrt(0.6) * values[:, members] + math.sqrt(0.4) * random.standard_normal((samples, 1))
    return values


def counts(random, samples, rates, spread=0.2):
    """Log-normal Poisson counts of cells whose depth varies."""
    return random.poisson(rates * np.exp(0.6 * latent(random, samples)) * random.lognormal(0, spread, (samples, 1))).astype(float)


def conditions(row, random):
    """The data of one set of a plain row and the options they need."""
    if row == "unequal":
        return [latent(random, 120), latent(random, 40)], {}
    if row == "mean-only":
        return [latent(random, SAMPLES), latent(random, SAMPLES) + random.standard_normal(FEATURES)], {}
    if row == "variance-only":
        return [latent(random, SAMPLES), latent(random, SAMPLES) * np.exp(random.standard_normal(FEATURES))], {}
    if row == "depth-only":
        rates = random.gamma(2.0, 2.0, FEATURES)
        return [counts(random, SAMPLES, depth * rates) for depth in (3.0, 1.0)], {"normalize": "log-cpm"}
    if row == "few-donors":
        cells, donors = 40, 5
        data = [np.vstack([latent(random, cells) + 0.5 * random.standard_normal(FEATURES) for _ in range(donors)])
                for _ in range(2)]
        return data, {"unit": [[f"{name}{i // cells}" for i in range(cells * donors)] for name in "AB"]}
    if row == "three":
        return [latent(random, SAMPLES) for _ in range(3)], {}
    return [latent(random, SAMPLES, 0 if row == "noise" else GROUPS) for _ in range(2)], {}


def plain(row, random):
    """A plain row for the program."""
    data, options = conditions(row, random)
    names = "ABC"[:len(data)]
    labels = {"unit": dict(zip(names, options["unit"]))} if "unit" in options else {}
    flags = (["--unit", "unit"] if labels else []) + (["--normalize", options["normalize"]] if "normalize" in options else [])
    return Null(dict(zip(names, data)), labels, flags)


def two(a, b, labels=None, flags=()):
    return Null({"A": a, "B": b}, {name: {"A": list(of_a), "B": list(of_b)} for name, (of_a, of_b) in (labels or {}).items()}, list(flags))


# Rows on real data: random halves of one population.

def golub(study, random):
    return two(*backgrounds.random_halves(backgrounds.some_features(backgrounds.golub_gct(study), 150, random), random))


def female(study, random):
    return two(*backgrounds.random_halves(backgrounds.some_features(backgrounds.mice(study, "female"), 350, random), random))


def male(study, random):
    return two(*backgrounds.random_halves(backgrounds.some_features(backgrounds.mice(study, "male"), 350, random), random))


def kang(study, random):
    cells = backgrounds.some_samples(backgrounds.seen(backgrounds.kang_counts(study), 0.1), 400, random)
    return two(*backgrounds.random_halves(backgrounds.some_features(cells, 250, random), random), flags=["--normalize", "log-cpm"])


def glioblastoma(study, random):
    cells = backgrounds.seen(backgrounds.glioblastoma_counts(study, int(random.integers(5))), 0.1)
    return two(*backgrounds.random_halves(cells, random), flags=["--normalize", "log-cpm"])


def phase_randomized(study, random):
    """A series of the same spectra and cross-spectra that is stationary (the phases of all regions are shifted by the same random angles), cut in two."""
    values = backgrounds.some_features(backgrounds.series(study, random), 100, random)
    spectrum = np.fft.rfft(values - values.mean(axis=0), axis=0)
    angles = random.uniform(0, 2 * np.pi, (len(spectrum), 1))
    angles[0] = 0
    if len(values) % 2 == 0:
        angles[-1] = 0
    surrogate = np.fft.irfft(spectrum * np.exp(1j * angles), len(values), axis=0)
    return two(surrogate[:len(values) // 2], surrogate[len(values) // 2:])


# Rare samples.

def rare_samples(study, random):
    """One population in which one sample in a hundred has 20 features raised by 10."""
    values = latent(random, 300)
    values[random.choice(300, 3, replace=False), -20:] += 10
    return two(*backgrounds.random_halves(values, random))


def one_outlier(study, random):
    """Noise, in which one sample has 20 features raised by 10: they look connected where that sample is."""
    values = random.standard_normal((2 * SAMPLES, FEATURES))
    values[random.integers(2 * SAMPLES), :20] += 10
    return two(*backgrounds.random_halves(values, random))


# Donors.

def donors(random, sizes, effect):
    return np.vstack([latent(random, size) + effect * random.standard_normal(FEATURES) for size in sizes])


def units(name, sizes):
    return [f"{name}{donor}" for donor, size in enumerate(sizes) for _ in range(size)]


def of_donors(random, sizes_a, sizes_b, effect):
    return two(donors(random, sizes_a, effect), donors(random, sizes_b, effect), {"donor": (units("a", sizes_a), units("b", sizes_b))}, ["--unit", "donor"])


def lognormal_donors(study, random):
    sizes = np.maximum(5, np.rint(random.lognormal(math.log(30), 1.0, (2, 8)))).astype(int)
    return of_donors(random, *np.minimum(sizes, 300).tolist(), 0.5)


def small_against_large(study, random):
    return of_donors(random, [20] * 8, [80] * 8, 0.0)


def giant_donor(study, random):
    """340 cells a side; in A 200 of them are of one donor."""
    return of_donors(random, [200] + [20] * 7, [43] * 4 + [42] * 4, 0.5)


def three_units(study, random):
    return of_donors(random, [40] * 3, [40] * 3, 0.5)


# Time.

def autoregression(random, samples, phi):
    """A stationary series: every feature and every factor of `latent` is an AR(1) process."""
    started = 100  # steps that are thrown away, after which the start is forgotten
    value, path = np.zeros(FEATURES), []
    for step in latent(random, samples + started):
        value = phi * value + step
        path.append(value)
    return np.array(path[started:])


def two_series(random, phi, flags=(), labels=None):
    return two(autoregression(random, 240, phi), autoregression(random, 240, phi), labels, flags)


def series_5(study, random):
    return two_series(random, 0.5)


def series_9(study, random):
    return two_series(random, 0.9)


def blocks_5(study, random):
    blocks = [[f"{name}{i // 20}" for i in range(240)] for name in "ab"]
    return two_series(random, 0.5, ["--unit", "block"], {"block": blocks})


# Composition, batches, depth: real differences of the joint law, whose cause is known.

def mixed(random, shares_a, shares_b, effect, samples=100):
    """Samples of several kinds, each with its own means of 40 features, in two mixtures; and the kind of each."""
    means = np.zeros((len(shares_a), FEATURES))
    means[:, -40:] = effect * random.standard_normal((len(shares_a), 40))
    kinds = [random.permutation(np.repeat(range(len(shares)), np.rint(np.array(shares) * samples).astype(int))) for shares in (shares_a, shares_b)]
    return [latent(random, samples) + means[kind] for kind in kinds], kinds


def composition(study, random, flags=()):
    data, kinds = mixed(random, [0.5, 0.5], [0.9, 0.1], 1.0)
    return two(*data, {"cell_type": [[["T", "B"][kind] for kind in kinds_here] for kinds_here in kinds]}, flags)


def composition_adjusted(study, random):
    return composition(study, random, ["--covariate", "cell_type"])


def batches(study, random, names=("1", "2", "3", "4"), flags=("--covariate", "batch")):
    data, kinds = mixed(random, [0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4], 1.0)
    return two(*data, {"batch": [[names[kind] for kind in kinds_here] for kinds_here in kinds]}, flags)


def batches_named(study, random):
    return batches(study, random, ["one", "two", "three", "four"])


def batches_ignored(study, random):
    return batches(study, random, ["one", "two", "three", "four"], ())


def library_size(study, random):
    """Counts whose depth has the same median but varies more in B."""
    rates = random.gamma(2.0, 2.0, FEATURES)
    return two(counts(random, SAMPLES, rates, 0.2), counts(random, SAMPLES, rates, 0.8), flags=["--normalize", "log-cpm"])


def size_factor(study, random, flags=()):
    """Dense positive values times a factor of the sample."""
    levels = random.normal(3.0, 1.0, FEATURES)
    return two(*(np.exp(levels + 0.3 * latent(random, SAMPLES)) * random.lognormal(0, spread, (SAMPLES, 1)) for spread in (0.5, 0.1)), flags=flags)


def size_factor_adjusted(study, random):
    return size_factor(study, random, ["--remove-global-signal", "yes"])


ROWS = {"golub": golub, "female": female, "male": male, "kang": kang, "glioblastoma": glioblastoma, "rare-samples": rare_samples, "one-outlier": one_outlier,
        "lognormal-donors": lognormal_donors, "small-large-donors": small_against_large, "giant-donor": giant_donor, "three-units": three_units,
        "series-.5": series_5, "series-.9": series_9, "series-.5-blocks": blocks_5, "phase-randomized": phase_randomized, "composition": composition,
        "composition-adjusted": composition_adjusted, "batches-coded": batches, "batches-named": batches_named, "batches-ignored": batches_ignored,
        "library-size": library_size, "size-factor": size_factor, "size-factor-adjusted": size_factor_adjusted,
        **{row: (lambda study, random, row=row: plain(row, random)) for row in PLAIN}}

NEEDED = {"golub": backgrounds.GOLUB_GCT, **backgrounds.MICE, "kang": backgrounds.KANG, "glioblastoma": backgrounds.GLIOBLASTOMA, "phase-randomized": backgrounds.SERIES}

# Rows with a real difference of the joint law, and words of which a caution should name one.
CAUSES = {"composition": ["cell_type", "composition"], "batches-ignored": ["batch"], "library-size": ["depth", "library", "size factor", "total"],
          "size-factor": ["depth", "global", "size factor", "total", "scale"]}
