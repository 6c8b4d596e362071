"""A logit policy that fits some bids: maximum a posteriori around the likely types, by Newton's method."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.bots.policies import Policies
from engine.bots.shown import Decisions
from engine.bots.simulator import Floats, Ints

Chances = npt.NDArray[np.float64]

_STEPS: Final = 3
"""Newton's steps."""
_VARIANCE: Final = 0.1
"""The variance of a fitted weight around the likely types, as a share of the types' own ..."""
_FLAT: Final = 4.0
"""... to which this is added."""
_LONGEST: Final = 6.0
"""No step changes a score by more."""


def products(decisions: Sequence[Decisions], rival: int) -> list[tuple[Floats, Ints]]:
    """Of each round in which the rival bid: [bid, cards left, weight], what each weight of a policy is
    multiplied by for each card; and which card was bid.
    """
    found = []
    for one in decisions:
        acting = one.acting[rival]
        if acting.any():
            context, basis = one.context[:, rival, acting], one.basis[:, :, rival, acting]
            product = context[:, None, None] * basis[None]
            left, bids = basis.shape[1:]
            found.append(
                (product.reshape(-1, left, bids).transpose(2, 1, 0), one.slots[rival, acting])
            )
    return found


def around(known: Policies, posterior: Chances) -> tuple[Chances, Chances]:
    """[weights] the mean and [weights, weights] the precision of what a policy may be, if the types are as
    likely as in ``posterior`` [type].
    """
    types = known.types.reshape(len(known.types), -1).astype(np.float64)
    mean = known.prior @ types
    variance = _VARIANCE * (known.prior @ (types - mean) ** 2 + _FLAT)
    return posterior @ types, np.diag(1 / variance)


def fit(
    centre: Chances,
    precision: Chances,
    bids: Sequence[tuple[Floats, Ints]],
    share: float,
    steps: int = _STEPS,
) -> tuple[Chances, Chances]:
    """The likeliest policy after these bids (``products``), each of which counts ``share``, and the precision
    of that (Laplace's approximation); ``centre`` and ``precision`` are those before (``around``).
    """
    policy, curvature = centre.copy(), precision
    for _ in range(steps if bids else 0):
        gradient = -precision @ (policy - centre)
        curvature = precision.copy()
        now = policy.astype(np.float32)
        for product, slots in bids:
            score = product @ now
            chance = np.exp(score - score.max(axis=1, keepdims=True))
            chance /= chance.sum(axis=1, keepdims=True)
            mean = np.einsum("nh,nhf->nf", chance, product)
            gradient += share * (product[np.arange(len(slots)), slots] - mean).sum(axis=0)
            spread = (product - mean[:, None]) * np.sqrt(chance)[..., None]
            spread = spread.reshape(-1, spread.shape[2])
            curvature += share * (spread.T @ spread)
        step = np.linalg.solve(curvature, gradient)
        change = max(float(np.abs(product @ step).max()) for product, _ in bids)
        policy += step * min(1.0, _LONGEST / max(change, 1e-9))
    return policy, curvature
