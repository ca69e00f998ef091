"""How far a run is, where somebody can see it."""
import sys
from typing import Any, Callable, Optional, Union

Progress = Union[None, bool, Callable[[str, float], None]]
WIDTH = 30


def progress_callback(progress: Progress) -> Optional[Callable[[str, float], None]]:
    """None: where a person is looking, a terminal or a notebook. True: always. False: never. Or a function."""
    if callable(progress):
        return progress
    if progress is False:
        return None
    if in_notebook():
        return NotebookBar()
    if progress or sys.stderr.isatty():
        return TerminalBar()
    return None


def in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class TerminalBar:
    """One line that is drawn again and again, and erased at the end."""

    def __call__(self, stage: str, fraction: float) -> None:
        filled = round(fraction * WIDTH)
        bar = "=" * filled + " " * (WIDTH - filled)
        sys.stderr.write(f"\r\x1b[K{stage:26.26} [{bar}] {fraction:4.0%}")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


class NotebookBar:
    """An output of the cell that is replaced in place, and emptied at the end."""

    def __init__(self) -> None:
        self._shown: Any = None

    def __call__(self, stage: str, fraction: float) -> None:
        from html import escape

        from IPython.display import HTML, display

        content = HTML(f'<progress max="1" value="{fraction:.3f}"></progress> {escape(stage)}')
        if self._shown is None:
            self._shown = display(content, display_id=True)
        else:
            self._shown.update(content)

    def close(self) -> None:
        from IPython.display import HTML

        if self._shown is not None:
            self._shown.update(HTML(""))


def close(callback: Any) -> None:
    if hasattr(callback, "close"):
        callback.close()
