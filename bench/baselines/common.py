"""What both baselines share: reading the conditions, timing stages, and the JSON they print.

Reading files and importing libraries is not timed: a stage is timed only inside `Stopwatch.stage`.
"""
import argparse
import contextlib
import json
import resource
import sys
import time
import typing

import numpy as np


class Stopwatch:
    """Seconds per stage, in the order of first use; a stage entered again adds up."""

    def __init__(self):
        self.seconds = {}

    @contextlib.contextmanager
    def stage(self, name):
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


def parse_arguments(description, extra=lambda parser: None):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("conditions", nargs="+", help=".npy files, samples x features")
    parser.add_argument("--bandwidth-neighbors", type=int, required=True)
    parser.add_argument("--eigenvectors", type=int, required=True)
    parser.add_argument("--vectors", type=int, required=True)
    extra(parser)
    return parser.parse_args()


def load(files):
    return [np.load(name) for name in files]


def varying_features(conditions):
    """Features that vary in every condition: the others take no part, as in disc."""
    varies = np.ones(conditions[0].shape[1], dtype=bool)
    for values in conditions:
        varies &= values.min(axis=0) < values.max(axis=0)
    return varies


def keep_varying(conditions):
    varies = varying_features(conditions)
    return conditions if varies.all() else [values[:, varies] for values in conditions]


def print_result(results, watch, **more):
    """One JSON object: per condition eigenvalues and sigma, seconds per stage, peak memory."""
    json.dump({
        "conditions": [{"eigenvalues": [float(v) for v in eigenvalues], "sigma": [float(v) for v in sigma]}
                       for eigenvalues, sigma in results],
        "seconds": watch.seconds,
        "total": sum(watch.seconds.values()),
        "peak_memory_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        **more,
    }, sys.stdout)


class Method(typing.NamedTuple):
    """What the baselines that compute in both precisions do differently."""
    squared_distances: typing.Callable
    random_walk: typing.Callable
    leading_eigenpairs: typing.Callable
    orthonormal_basis: typing.Callable
    singular_values: typing.Callable


def run(method, conditions, options, watch):
    """The method, step by step, in the chosen precision."""
    with watch.stage("match"):
        conditions = keep_varying(conditions)
        if options.precision == "single":
            conditions = [values.astype(np.float32) for values in conditions]
    walks = []
    for values in conditions:
        with watch.stage("distances"):
            squared = method.squared_distances(values)
        with watch.stage("kernel"):
            walks.append(method.random_walk(squared, options.bandwidth_neighbors))
    with watch.stage("eigenvectors"):
        pairs = [method.leading_eigenpairs(conjugate, roots, options.eigenvectors) for conjugate, roots in walks]
    results = []
    with watch.stage("vectors"):
        for m, (conjugate, roots) in enumerate(walks):
            basis = method.orthonormal_basis([vectors for k, (_, vectors) in enumerate(pairs) if k != m])
            sigma, _ = method.singular_values(conjugate, roots, basis, options.vectors)
            results.append((pairs[m][0], sigma))
    return results


def main(description, method):
    """The frame of an baseline that can compute in both precisions."""
    options = parse_arguments(description, lambda parser: parser.add_argument(
        "--precision", choices=("double", "single"), default="double"))
    conditions = load(options.conditions)
    watch = Stopwatch()
    results = run(method, conditions, options, watch)
    print_result(results, watch, precision=options.precision)
