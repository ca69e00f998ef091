"""Options by keyword: the table of the engine, with underscores for dashes."""
import inspect
import numbers
from typing import Any, Callable, Dict, List, NamedTuple

import numpy as np

from . import _core


class Option(NamedTuple):
    name: str  # as on the command line, with dashes
    section: str
    type: str
    choices: List[str]
    help: str
    default: str

    @property
    def keyword(self) -> str:
        return self.name.replace("-", "_")


OPTIONS = {row.keyword: row for row in (Option(**fields) for fields in _core.option_table())}
# How files are read: keyword and help.
READING = {name.replace("-", "_"): text for name, text in _core.read_option_table().items()}
# How data are simulated.
SIMULATION = {name.replace("-", "_"): text for name, text in _core.simulate_option_table().items()}
# Given as arrays or names of columns, not as text: all that is known about samples.
DESIGN = tuple(keyword for keyword, row in OPTIONS.items() if row.section == "Design" and keyword != "contrast")


def as_text(value: Any) -> str:
    """A value as it would be written on the command line."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def given_texts(options: Dict[str, Any]) -> Dict[str, str]:
    """What was given, by name; None means: not given. Names and values are checked by the engine."""
    return {keyword.replace("_", "-"): as_text(value) for keyword, value in options.items() if value is not None}


def option_docs(helps: Dict[str, str]) -> str:
    return "\n".join(f"{keyword}: {text}" for keyword, text in helps.items())


def with_option_keywords(function: Callable, helps: Dict[str, str]) -> Callable:
    """Shows the options as keywords of their own where the function takes ``**options``: in help and completion."""
    signature = inspect.signature(function)
    helps = {keyword: text for keyword, text in helps.items() if keyword not in signature.parameters}
    plain = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    shown = [inspect.Parameter(keyword, inspect.Parameter.KEYWORD_ONLY, default=None) for keyword in helps]
    setattr(function, "__signature__", signature.replace(parameters=[*plain, *shown]))
    function.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\nOptions, None for the default:\n\n{option_docs(helps)}\n"
    return function
