"""The package in a Python process: memory, threads, forks, interruptions."""
import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time

import disc_features as disc
import numpy as np
import pytest
from conftest import make_conditions

QUICK = {"permutations": 9, "bootstraps": 0, "progress": False}


def script(text, *arguments):
    return [sys.executable, "-c", textwrap.dedent(text), *arguments]


def groups_and_sigma(seed):
    found = disc.run(make_conditions(seed=seed), **QUICK)
    return found._files["groups.tsv"], found.sigma["B"].tobytes()


def test_two_threads_do_not_disturb_each_other():
    expected = [groups_and_sigma(seed) for seed in range(8)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(groups_and_sigma, range(8))) == expected


def test_the_number_of_threads_does_not_matter(conditions):
    one, four = (disc.run(conditions, threads=threads, **QUICK) for threads in (1, 4))
    for name in one.conditions:
        assert one.vectors[name].tobytes() == four.vectors[name].tobytes()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(method):
    expected = [groups_and_sigma(seed) for seed in range(3)]  # also: forks after a run work
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(groups_and_sigma, range(3)).get(timeout=120) == expected


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_joblib(backend):
    joblib = pytest.importorskip("joblib")
    expected = [groups_and_sigma(seed) for seed in range(3)]
    assert joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(groups_and_sigma)(seed) for seed in range(3)) == expected


def test_other_python_threads_go_on(conditions):
    ticks, counted = [], []

    def tick(stage, fraction):
        ticks.append(stage)

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        running = pool.submit(disc.run, conditions, permutations=199, progress=tick)
        while not running.done():
            counted.append(1)
            time.sleep(0.001)
    assert len(counted) > 5 and "groups" in ticks


def test_no_copy_of_contiguous_doubles():
    """Peak memory of a run grows by much less than the array, which a copy would double."""
    done = subprocess.run(script("""
        import resource, numpy as np, disc_features as disc
        x = np.random.default_rng(0).normal(size=(2, 20_000, 500))
        size = x.nbytes // 2**10
        disc.run({"A": x[0][:100], "B": x[1][:100]}, permutations=0, bootstraps=0, kernel="self-tuning", progress=False)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        disc.run({"A": x[0], "B": x[1]}, permutations=0, bootstraps=0, kernel="self-tuning", progress=False)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, size)
    """), capture_output=True, text=True, check=True)
    grown, size = map(int, done.stdout.split())
    assert grown < size / 2  # what is kept of every sample for samples.tsv is a third of it


def test_runs_leak_nothing():
    """A hundred runs, with errors among them: neither memory nor references grow."""
    done = subprocess.run(script("""
        import gc, sys, numpy as np, disc_features as disc
        random = np.random.default_rng(0)
        x = {"A": random.normal(size=(300, 60)), "B": random.normal(size=(300, 60))}
        def resident():
            return int(open("/proc/self/statm").read().split()[1]) * 4
        def once():
            disc.run(x, permutations=0, bootstraps=0, progress=lambda stage, fraction: None).to_frame
            try: disc.run(x, bandwidth_neighbors=0)
            except disc.OptionError: pass
            try: disc.run({"A": x["A"], "B": x["B"] * np.nan})
            except disc.InputError: pass
        for _ in range(20): once()
        gc.collect()
        references, before = sys.getrefcount(x["A"]), resident()
        for _ in range(100): once()
        gc.collect()
        print(sys.getrefcount(x["A"]) - references, resident() - before)
    """), capture_output=True, text=True, check=True)
    references, kibibytes = map(int, done.stdout.split())
    assert references == 0
    assert kibibytes < 8 * 1024  # one run's results are about 40 KiB, one copy of the data 290 KiB


LONG_RUN = """
    import sys, numpy as np, disc_features as disc
    random = np.random.default_rng(0)
    x = {"A": random.normal(size=(400, 700)), "B": random.normal(size=(400, 700))}
    def report(stage, fraction):
        if stage == sys.argv[1]: print("there", flush=True)
    try:
        disc.run(x, permutations=100000, level=0.9, progress=report)
    except KeyboardInterrupt:
        print("interrupted")
        disc.run({name: values[:, :50] for name, values in x.items()}, permutations=0)  # life goes on
        print("alive")
"""


@pytest.mark.parametrize("stage", ["match features", "groups"])
def test_control_c(stage):
    # Whoever starts the tests in the background may have told them to ignore the signal.
    running = subprocess.Popen(script(LONG_RUN, stage), stdout=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    assert running.stdout.readline() == "there\n"
    running.send_signal(signal.SIGINT)
    rest = running.communicate(timeout=60)[0].split()
    assert rest[-2:] == ["interrupted", "alive"] and running.returncode == 0


def test_an_exception_in_the_progress_function_ends_the_run(conditions):
    def refuse(stage, fraction):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        disc.run(conditions, progress=refuse)


def test_progress_on_a_terminal_leaves_nothing_behind():
    controller, terminal = os.openpty()
    done = subprocess.run(script("""
        import numpy as np, disc_features as disc
        random = np.random.default_rng(0)
        disc.run({"A": random.normal(size=(100, 40)), "B": random.normal(size=(100, 40))})
    """), stderr=terminal, stdout=subprocess.PIPE)
    os.close(terminal)
    shown = os.read(controller, 1 << 16)
    assert done.returncode == 0 and done.stdout == b""
    assert b"groups" in shown and shown.endswith(b"\r\x1b[K")


def test_progress_in_a_notebook(monkeypatch, conditions):
    import types

    updates = []
    handle = types.SimpleNamespace(update=updates.append)
    shell = type("ZMQInteractiveShell", (), {})()
    display = types.ModuleType("IPython.display")
    display.HTML, display.display = str, lambda content, display_id: updates.append(content) or handle
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell, display=display))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    disc.run(conditions, permutations=9, bootstraps=0)
    assert "<progress" in updates[0] and updates[-1] == ""


def test_only_declared_dependencies_are_needed(tmp_path):
    """Arrays in, groups out: without pandas, anndata and matplotlib."""
    done = subprocess.run(script("""
        import sys
        class Missing:
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] in ("pandas", "anndata", "matplotlib"): raise ModuleNotFoundError(name, name=name)
        sys.meta_path.insert(0, Missing())
        import numpy as np, disc_features as disc
        found = disc.run({"A": np.random.default_rng(0).normal(size=(50, 20)), "B": np.random.default_rng(1).normal(size=(50, 20))},
                         permutations=9, bootstraps=0)
        found.save(sys.argv[1]); repr(found), found._repr_html_(), found.groups
        disc.DiSC(permutations=0).fit(np.random.default_rng(0).normal(size=(50, 20)), [0, 1] * 25)
    """, str(tmp_path)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
