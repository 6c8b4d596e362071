"""The trained policies of ``expert`` and ``master``, from ``weights.npz`` (``bench.strength.train`` writes
it).
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from engine.bots.simulator import Floats

PATH: Final = Path(__file__).with_name("weights.npz")
_THUMB: Final = 0.3
_MOST: Final = 5
"""Players for whom there are weights of their own; more use these."""


@dataclass(frozen=True, eq=False)
class Policies:
    """Conditional logit policies (``engine.bots.logit``), each of shape [contexts, basis]. Two are equal only
    if they are the same object.
    """

    types: Floats
    """[type, contexts, basis]: how others may play."""
    prior: Floats
    """[type]: how likely each is before anything was seen; the sum is 1."""
    informed: Floats
    """How to bid for one who knows the rivals' hands and types: its ``highest`` and ``second`` are
    exact.
    """
    typical: Floats
    """The policy nearest to the mixture of the types."""
    thumb: float = 0.0
    """How likely a rival, before anything was seen, is of no type, but plays by a rule of thumb
    (``engine.bots.habits``).
    """


@cache
def policies(players: int) -> Policies:
    """The policies for so many players, at least three."""
    number = min(players, _MOST)
    with np.load(PATH, allow_pickle=False) as arrays:
        types, prior, informed, typical = [
            arrays[f"{name}{number}"].astype(np.float32)
            for name in ("types", "prior", "informed", "typical")
        ]
    return Policies(types, prior, informed, typical, _THUMB)
