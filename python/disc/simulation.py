"""The paper's synthetic problems, and a harder family, with the truth."""
from dataclasses import dataclass
from typing import Dict, List, Tuple

import numpy as np

from . import _core


@dataclass(frozen=True)
class Simulation:
    """``conditions`` go into ``disc.run``; ``truth`` lists (condition, group, feature)."""

    conditions: Dict[str, np.ndarray]
    truth: List[Tuple[str, str, str]]

    def labels(self, condition: str) -> np.ndarray:
        """The true group of every feature f1, f2, ... in a condition; 0 for none."""
        labels = np.zeros(next(iter(self.conditions.values())).shape[1], dtype=int)
        for name, group, feature in self.truth:
            if name == condition:
                labels[int(feature[1:]) - 1] = int(group)
        return labels


def simulate(problem: str, *, samples: int = 10000, rho: float = 0.3, variant: str = "plain", seed: int = 0) -> Simulation:
    """Makes data whose groups are known, as ``disc simulate``: newly-connected, subsets, both, three, hard, ..."""
    made = _core.simulate(problem, samples, rho, variant, seed)
    return Simulation({name: np.ascontiguousarray(values) for name, values in made["conditions"].items()}, made["truth"])
