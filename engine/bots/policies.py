"""The trained policies of ``expert`` and ``master``, from ``weights.npz`` (``bench.strength.train`` writes
it).
"""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from engine.bots.simulator import Floats

PATH: Final = Path(__file__).with_name("weights.npz")
_MOST: Final = 5
"""Players for whom there are weights of their own; more use these."""


class Policies(NamedTuple):
    """Conditional logit policies (``engine.bots.logit``), each of shape [contexts, basis]."""

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


@cache
def policies(players: int) -> Policies:
    """The policies for so many players, at least three."""
    number = min(players, _MOST)
    with np.load(PATH, allow_pickle=False) as arrays:
        read = [arrays[f"{name}{number}"].astype(np.float32) for name in Policies._fields]
    return Policies(*read)
