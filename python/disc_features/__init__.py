"""Which groups of features are connected to each other in one condition and not in the others?

``disc.run({"control": X0, "treated": X1})`` answers for arrays, data frames, sparse matrices, files and AnnData;
``disc.DiSC`` is the same as a scikit-learn estimator; ``disc.tl``, ``disc.get`` and ``disc.pl`` work on AnnData and draw.
The work is done by the C++ engine that the program ``disc`` runs: same options, same numbers, same sentences in errors.
"""
from typing import TYPE_CHECKING

from ._core import version as _version
from ._run import run
from ._sets import SetTests, test
from .analysis import Analysis, Group
from .errors import Error, InputError, OptionError
from .exploration import Exploration, explore
from .simulation import Simulation, simulate

if TYPE_CHECKING:
    from . import get, pl, tl
    from .diffusion_maps import DiffusionMaps
    from .estimator import DiSC

__version__ = _version()
__all__ = ["Analysis", "DiSC", "DiffusionMaps", "Error", "Exploration", "Group", "InputError", "OptionError", "SetTests", "Simulation", "explore",
           "get", "pl", "run", "simulate", "test", "tl"]

# scikit-learn and matplotlib take a second to import: only who uses them waits for them.
_LAZY = {"DiSC": "estimator", "DiffusionMaps": "diffusion_maps"}


def __getattr__(name: str):
    import importlib

    if name in ("get", "pl", "tl"):
        return importlib.import_module(f"{__name__}.{name}")
    if name in _LAZY:
        return getattr(importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'disc' has no attribute '{name}'")


def __dir__():
    return sorted([*globals(), *__all__])
