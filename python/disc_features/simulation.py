"""The paper's synthetic problems, and a harder family, with the truth."""
from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, Tuple

import numpy as np

from . import _core
from ._options import SIMULATION, given_texts, with_option_keywords
from ._run import checked

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import SimulateOptions


@dataclass(frozen=True)
class Simulation:
    """``conditions`` go into ``disc.run``; ``truth`` lists (condition, group, feature); where ``precomputed``, values are weights."""

    conditions: Dict[str, np.ndarray]
    truth: List[Tuple[str, str, str]]
    precomputed: bool = False

    def labels(self, condition: str) -> np.ndarray:
        """The true group of every feature f1, f2, ... in a condition; 0 for none."""
        labels = np.zeros(next(iter(self.conditions.values())).shape[1], dtype=int)
        for name, group, feature in self.truth:
            if name == condition:
                labels[int(feature[1:]) - 1] = int(group)
        return labels


def simulate(problem: str, *, seed: int = 0, **options: "Unpack[SimulateOptions]") -> Simulation:
    """Makes data whose groups are known, as ``disc simulate``: newly-connected, subsets, both, three, partial, scene, hard.

    The conditions of block-model are weights between features, for ``disc.run(..., kernel="precomputed")``. Variants of hard: plain,
    heavy-tails, scales, unequal-n, overlapping, strength, counts."""
    made = _core.simulate(problem, given_texts(options), checked(seed, "seed", 2**64 - 1))
    conditions = {name: np.ascontiguousarray(values) for name, values in made["conditions"].items()}
    return Simulation(conditions, made["truth"], made["precomputed"])


with_option_keywords(simulate, SIMULATION)
