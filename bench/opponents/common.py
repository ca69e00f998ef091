"""What both opponents share: reading the conditions, timing stages, and the JSON they print.

Reading files and importing libraries is not timed: a stage is timed only inside `Stopwatch.stage`.
"""
import argparse
import contextlib
import json
import resource
import sys
import time

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
    parser.add_argument("--neighbors", type=int, required=True)
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


def main(description, run):
    """The frame of an opponent that can compute in both precisions."""
    options = parse_arguments(description, lambda parser: parser.add_argument(
        "--precision", choices=("double", "single"), default="double"))
    conditions = load(options.conditions)
    watch = Stopwatch()
    results = run(conditions, options, watch)
    print_result(results, watch, precision=options.precision)
