"""disc.explore: the report page with the engine behind it, in a notebook or a browser."""
import os
import shutil
import subprocess
import sysconfig
import tempfile
import weakref
from html import escape
from typing import Any, List, Optional

from .analysis import Analysis
from .errors import Error, InputError


class Exploration:
    """A page that is served by ``disc explore`` until ``stop()``, or until nobody holds this object any more.

    ``url`` is its address; in a notebook the object shows the page.
    """

    def __init__(self, folder: str, port: int, threads: int, height: int, own: Optional["tempfile.TemporaryDirectory[str]"]):
        words = [program(), "explore", folder, "--port", str(port), "--threads", str(threads)]
        self._height = height
        # A group of its own: Ctrl-C in the notebook is not meant for it.
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self._end = weakref.finalize(self, end, self._process, own)
        self.url = self._address()

    def _address(self) -> str:
        said: List[str] = []
        assert self._process.stdout is not None and self._process.stderr is not None
        for line in self._process.stdout:
            said.append(line)
            if line.strip().startswith("http://"):
                return line.strip()
        problem = self._process.stderr.read().strip() or "".join(said).strip()
        self._end()
        raise Error(problem[len("disc: "):] if problem.startswith("disc: ") else problem)

    def stop(self) -> None:
        """Ends the program; the address leads nowhere then."""
        self._end()

    def __enter__(self) -> "Exploration":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<disc.explore at {self.url}>" if self._end.alive else "<disc.explore, ended>"

    def _repr_html_(self) -> str:
        if not self._end.alive:
            return "<p>This exploration has ended.</p>"
        address = escape(self.url, quote=True)
        return (f'<iframe src="{address}" width="100%" height="{self._height}" style="border: 1px solid #8a929c" title="DiSC report"></iframe>'
                f'<p><a href="{address}" target="_blank" rel="noopener noreferrer">Open it in a window of its own</a></p>')


def explore(source: Any, port: int = 0, threads: int = 0, height: int = 900) -> Exploration:
    """Serves the report page of a run to the browser of this machine, where it can ask the engine about sets of features.

    The engine reads the files that the run was made from. For a run over data in memory the page is there, and says that it cannot
    ask about them. docs/explore.md says who can reach the page.

    Parameters
    ----------
    source
        The folder of a run, or an :class:`Analysis`.
    port
        Port of this machine; 0 takes any that is free.
    threads
        Of the engine; 0 uses all cores.
    height
        Of the page in a notebook, in pixels.

    Returns
    -------
    Exploration
        Shows the page in a notebook; ``url`` is its address, ``stop()`` ends it.

    Examples
    --------
    >>> disc.explore("out/")  # doctest: +SKIP
    """
    if isinstance(source, Analysis):
        own = tempfile.TemporaryDirectory(prefix="disc-explore-")
        folder = os.path.join(own.name, "out")
        source.save(folder)
        return Exploration(folder, port, threads, height, own)
    if not isinstance(source, (str, os.PathLike)):
        raise InputError("disc.explore takes the folder of a run, or what disc.run returned")
    return Exploration(os.fspath(source), port, threads, height, None)


def program() -> str:
    """The program that was installed with this package; else the one in PATH."""
    installed = os.path.join(sysconfig.get_path("scripts"), "disc")
    found = installed if os.access(installed, os.X_OK) else shutil.which("disc")
    if found is None:
        raise Error(f"the program disc is neither at {installed} nor in PATH")
    return found


def end(process: "subprocess.Popen[str]", own: Optional["tempfile.TemporaryDirectory[str]"]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    if own is not None:
        own.cleanup()
