"""scikit-build-core, and a line now and then on the terminal: pip hides what a build prints, and this one takes minutes.

Only where there is a terminal to write to; nothing else differs from ``build-backend = "scikit_build_core.build"``.
"""
import contextlib
import json
import os
import pathlib
import threading
import time

from scikit_build_core import build as _build
from scikit_build_core.build import *  # noqa: F401,F403  (the hooks of PEP 517 and 660)

SECONDS_BETWEEN_LINES = 10


def commands_of(folder):
    """How many files are to be compiled in a build folder, and how many are."""
    done, total = set(), 0
    for log in folder.rglob(".ninja_log"):
        done |= {line.split("\t")[3] for line in log.read_text(errors="replace").splitlines() if line.count("\t") >= 4}
    for listed in folder.rglob("compile_commands.json"):
        total += len(json.loads(listed.read_text()))
    return len([name for name in done if name.endswith((".o", ".gch"))]), total


def report(terminal, stopped):
    began = time.time()
    print("\rdisc-features: compiling the engine; this takes some minutes", file=terminal, flush=True)
    while not stopped.wait(SECONDS_BETWEEN_LINES):
        folders = [path for path in pathlib.Path("build").rglob("build.ninja") if path.stat().st_mtime >= began - 1]
        if not folders:
            continue
        with contextlib.suppress(OSError, ValueError):
            done, total = commands_of(max(folders, key=lambda path: path.stat().st_mtime).parent)
            print(f"\rdisc-features: {done} of about {total} files, {time.time() - began:.0f} s", file=terminal, flush=True)


@contextlib.contextmanager
def telling():
    try:
        terminal = open(os.ctermid(), "w", encoding="utf-8")  # noqa: SIM115
    except OSError:  # none: a script, a container
        yield
        return
    stopped = threading.Event()
    teller = threading.Thread(target=report, args=(terminal, stopped), daemon=True)
    teller.start()
    try:
        yield
    finally:
        stopped.set()
        teller.join()
        terminal.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with telling():
        return _build.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    with telling():
        return _build.build_editable(wheel_directory, config_settings, metadata_directory)
