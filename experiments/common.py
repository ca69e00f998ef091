"""What all experiments share: arguments, data, cached results, progress, tables, figures, and the files they go to.

An experiment is a module with a function `run(study)`; its last lines are

    if __name__ == "__main__":
        common.main(__doc__, run)

`study.each` calls a function for every setting, unless the result of that setting is known already; `study.table`, `study.figure` and
`study.compare` collect what is then written to experiments/results/NAME/: table.md, figure.svg, numbers.json.
"""
import argparse
import concurrent.futures
import contextlib
import hashlib
import inspect
import json
import math
import multiprocessing
import os
import pathlib
import resource
import subprocess
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "experiments" / "results"


class Skipped(Exception):
    """An experiment, or a part of one, that cannot be done here; the message says why."""


def plain(value):
    """Numbers and lists that JSON knows."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def write(path, text):
    """All of the text, or the old file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def markdown(header, rows):
    lines = ["| " + " | ".join(map(str, header)) + " |", "|" + " --- |" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(shown(cell) for cell in row) + " |" for row in rows])


def shown(value):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.4g}" if isinstance(value, (float, np.floating)) else str(value)


def interval(values, digits=2):
    """Mean and the half width of its 95 % confidence interval."""
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return f"{values.mean():.{digits}f}" if len(values) else ""
    return f"{values.mean():.{digits}f} ± {half_width(values):.{digits}f}"


def half_width(values):
    from scipy.stats import t
    return float(t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / math.sqrt(len(values)))


class Study:
    """One experiment: its settings, and what it found."""

    def __init__(self, name, options):
        self.name, self.options = name, options
        self.quick, self.threads = options.quick, options.threads
        self.out = pathlib.Path(options.out) / name
        self.title = ""
        self.numbers, self.parts, self.rows, self.excluded = {}, [], [], []

    def size(self, full, quick):
        """A number for a real run, and one that is just enough to see that the experiment works."""
        return quick if self.quick else full

    def seeds(self, full=20, quick=1):
        return range(1, 1 + (self.options.seeds or self.size(full, quick)))

    def needs(self, *paths):
        """Paths of data, in the folder of the data; Skipped if one is not there."""
        folder = pathlib.Path(self.options.data)
        for path in paths:
            if not (folder / path).exists():
                raise Skipped(f"data not there: {path}")
        return folder / paths[0] if len(paths) == 1 else [folder / path for path in paths]

    def cached(self, function, **settings):
        """function(**settings), or what it returned when it was last called so. It must return what JSON can hold."""
        key = json.dumps({"function": function.__name__, **plain(settings)}, sort_keys=True)
        file = self.out / "cache" / f"{hashlib.sha256(key.encode()).hexdigest()[:20]}.json"
        if file.exists() and not self.options.fresh:
            return json.loads(file.read_text(encoding="utf-8"))["result"]
        extra = {"study": self} if "study" in inspect.signature(function).parameters else {}
        result = plain(function(**extra, **settings))
        write(file, json.dumps({"settings": json.loads(key), "result": result}))
        return result

    def each(self, function, settings, apart=False):
        """A pair (setting, result) for every setting, in order; the progress is shown.

        `apart`: in processes of their own, as many at a time as there are cores, for a function that keeps to one thread.
        """
        settings, found, start = list(settings), [], time.monotonic()
        with self.processes(apart) as started:
            results = [started(function, setting) for setting in settings]
            for number, (setting, result) in enumerate(zip(settings, results), 1):
                found.append((setting, result()))
                words = " ".join(f"{value}" for value in setting.values())
                print(f"{self.name}: {function.__name__} {number}/{len(settings)} ({words}), {time.monotonic() - start:.0f} s", flush=True)
        return found

    @contextlib.contextmanager
    def processes(self, apart):
        """How to start a call; what that returns gives the result when it is called."""
        number = self.threads or os.cpu_count()
        if not apart or self.quick or number == 1:
            yield lambda function, setting: lambda: self.cached(function, **setting)
            return
        # Started anew rather than forked: disc and BLAS have threads, which a fork does not take along.
        with concurrent.futures.ProcessPoolExecutor(number, mp_context=multiprocessing.get_context("spawn")) as pool:
            try:
                yield lambda function, setting: pool.submit(self.cached, function, **setting).result
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def attempt(self, what, function, *arguments, **settings):
        """A part that may be excluded: None if it says Skipped, and the reason goes into the table."""
        try:
            return function(*arguments, **settings)
        except Skipped as reason:
            self.excluded.append((what, str(reason)))
            return None

    def text(self, words):
        self.parts.append(words)

    def table(self, title, header, rows):
        rows = list(rows)
        self.parts.append(f"## {title}\n\n{markdown(header, rows)}")
        self.numbers.setdefault("tables", {})[title] = [dict(zip(map(str, header), row)) for row in rows]

    def compare(self, what, paper=None, recipe=None, ours=None, note=""):
        """A line of the summary: the paper's number, its recipe's here, our default's here."""
        self.rows.append({"what": what, "paper": paper, "recipe": recipe, "ours": ours, "note": note})

    def figure(self, figure, name="figure"):
        import matplotlib.pyplot as plt
        self.out.mkdir(parents=True, exist_ok=True)
        for end in ("svg", "png"):
            figure.savefig(self.out / f"{name}.{end}", dpi=100, bbox_inches="tight", metadata={"Date": None} if end == "svg" else None)
        plt.close(figure)

    def finish(self, status, seconds):
        rows = [[row["what"], row["paper"], row["recipe"], row["ours"], row["note"]] for row in self.rows]
        parts = [f"# {self.name}", self.title, f"Status: {status}"]
        if rows:
            parts.append("## Summary\n\n" + markdown(["what", "paper", "its recipe here", "our default here", "note"], rows))
        parts += self.parts
        if self.excluded:
            parts.append("## Excluded\n\n" + markdown(["part", "reason"], self.excluded))
        write(self.out / "table.md", "\n\n".join(part for part in parts if part) + "\n")
        write(self.out / "numbers.json", json.dumps(plain({
            "experiment": self.name, "title": self.title, "status": status, "date": time.strftime("%Y-%m-%d"), "version": version(),
            "command": command_of(self.name, self.options), "seconds": round(seconds, 1), "processor_seconds": round(processor_seconds(), 1),
            "quick": self.quick,
            "summary": self.rows, "excluded": self.excluded, **self.numbers}), indent=1) + "\n")


def version():
    """Of the package, and the commit where there is one."""
    try:
        import disc_features
        number = disc_features.__version__
    except ImportError:
        number = "the program"
    done = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=8", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return f"{number} ({done.stdout.strip()})" if done.returncode == 0 else number


def processor_seconds():
    """Of this process and those that it started and that ended."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


# How fast and where, which decides no result.
DECIDES_NOTHING = {"quick", "fresh", "threads", "data", "out", "jobs", "disc", "experiments"}


def command_of(name, options):
    """What to type for the same numbers."""
    words = ["python", "-m", f"experiments.{name}"]
    for key, value in vars(options).items():
        if key not in DECIDES_NOTHING and value not in (None, False, "", []):
            words += [f"--{key.replace('_', '-')}", *([] if value is True else map(str, value) if isinstance(value, list) else [str(value)])]
    return " ".join(words)


def program():
    """The program that came with the package, for what only it offers."""
    path = pathlib.Path(sys.executable).with_name("disc")
    if not path.exists():
        raise Skipped("the program disc is not beside python: install the package into a virtual environment")
    return str(path)


def pyplot():
    """Matplotlib without a screen."""
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"font.size": 8, "axes.titlesize": 9, "svg.fonttype": "path", "axes.spines.top": False,
                                "axes.spines.right": False})
    import matplotlib.pyplot as plt
    return plt


def parser_of(description):
    """With the flags that all experiments have."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="tiny settings, to see that it runs; the numbers mean nothing")
    parser.add_argument("--seeds", type=int, help="draws of what is random")
    parser.add_argument("--fresh", action="store_true", help="compute all, whatever is known already")
    parser.add_argument("--threads", type=int, default=0, help="of disc; 0 = all cores")
    parser.add_argument("--data", default=os.environ.get("DISC_DATA", str(ROOT.parent / "shared" / "data")))
    parser.add_argument("--out", default=str(RESULTS))
    return parser


def arguments(description, given=None, add_flags=None):
    parser = parser_of(description)
    if add_flags:
        add_flags(parser)
    return parser.parse_args(given)


def run_study(name, title, run, options):
    """The experiment, its files, and how it ended."""
    study = Study(name, options)
    study.title = title
    start = time.monotonic()
    try:
        run(study)
        status = "done"
    except Skipped as reason:
        status = f"skipped: {reason}"
    study.finish(status, time.monotonic() - start)
    print((study.out / "table.md").read_text(encoding="utf-8"))
    return status


def main(description, run, add_flags=None):
    name = pathlib.Path(sys.modules["__main__"].__file__).stem
    run_study(name, description.strip().splitlines()[0], run, arguments(description, add_flags=add_flags))
