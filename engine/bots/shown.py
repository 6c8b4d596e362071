"""Rounds that everybody has seen, as arrays: the decisions of rivals in them, if they held certain hands, and
the policy that fits these decisions best.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bots.policies import Policies, bases, contexts
from engine.bots.simulator import Bytes, Flags, Floats, Ints, Stages, resolve, start
from engine.editions import Rules
from engine.state import RoundResult
from engine.views import History, SeatView

Chances = npt.NDArray[np.float64]

_STEPS: Final = 3
"""Newton's steps."""
_VARIANCE: Final = 0.1
"""The variance of a fitted weight around the likely types, as a share of the types' own ..."""
_FLAT: Final = 4.0
"""... to which this is added."""
_LONGEST: Final = 6.0
"""No step changes a score by more."""


class Decisions(NamedTuple):
    """One round of ``n`` stages, seen from ``q`` rivals."""

    context: Floats
    """[contexts, q, n]."""
    basis: Floats
    """[basis, cards left, q, n]."""
    slots: Ints
    """[q, n]: the place of the bid in the hand."""
    acting: Flags
    """[q, n]: whether the rival was still in."""
    stages: Stages
    """Before the round."""
    offer: Bytes
    """[2, n]: its tides."""

    def of(self, columns: npt.NDArray[Any] | slice) -> "Decisions":
        """Return those of some of the stages."""
        return Decisions(
            self.context[..., columns],
            self.basis[..., columns],
            self.slots[:, columns],
            self.acting[:, columns],
            self.stages.of(columns),
            self.offer[:, columns],
        )


def start_of(view: SeatView, hands: Bytes) -> Stages:
    """Return the beginning of the stage in progress with these hands ([hand_size, players, n])."""
    life = np.array([seat.start for seat in view.table.seats], np.int8)
    return start(view.table.rules, hands, np.repeat(life[:, None], hands.shape[2], axis=1))


def now_of(view: SeatView, hands: Bytes) -> Stages:
    """Return the stage in progress as it stands, if these hands were dealt."""
    shown = bid_arrays([view.table.rounds], view.table.rules, hands.shape[2])
    return shown_rounds(start_of(view, hands), shown, ())[1]


def beginnings(rules: Rules, history: History, hands: Bytes) -> Stages:
    """Return the beginnings of all finished stages, one after the other, with the guesses of each together;
    ``hands`` are those of the stage in progress.
    """
    players, now = rules.players, len(history.stages)
    held = [
        hands[:, [(seat + now - number) % players for seat in range(players)]]
        for number in range(now)
    ]
    life = np.array([stage.start for stage in history.stages], np.int8).T
    return start(rules, np.concatenate(held, axis=2), np.repeat(life, hands.shape[2], axis=1))


def bid_arrays(
    stages: Sequence[Sequence[RoundResult]], rules: Rules, copies: int
) -> tuple[Bytes, Bytes]:
    """Return [rounds, 2, n] tides and [rounds, players, n] bids of the rounds of some stages; each stage has
    ``copies`` columns.
    """
    longest = max(map(len, stages))
    offers = np.zeros((longest, 2, len(stages)), np.int8)
    bids = np.zeros((longest, rules.players, len(stages)), np.int8)
    for column, rounds in enumerate(stages):
        for row, told in enumerate(rounds):
            offers[row, :, column] = told.offer
            bids[row, :, column] = [bid or 0 for bid in told.bids]
    return np.repeat(offers, copies, axis=2), np.repeat(bids, copies, axis=2)


def shown_rounds(
    stages: Stages, shown: tuple[Bytes, Bytes], rivals: Sequence[int]
) -> tuple[list[Decisions], Stages]:
    """Return what ``rivals`` decided in the rounds that were ``shown`` (``bid_arrays``), and the stages after
    them. In the last round of a stage nobody has a choice.
    """
    seats = list(rivals)
    decisions = []
    for offer, bids in zip(*shown, strict=True):
        slots = (stages.hands == bids).argmax(axis=0)
        if stages.left > 1 and seats:
            context, basis = contexts(stages, offer)[:, seats], bases(stages)[:, :, seats]
            decisions.append(
                Decisions(context, basis, slots[seats], bids[seats] > 0, stages, offer)
            )
        stages = resolve(stages, offer, bids, slots, bids.any(axis=0))
    return decisions, stages


def products(decisions: Sequence[Decisions], rival: int) -> list[tuple[Floats, Ints]]:
    """Return for each round in which the rival bid: [bid, cards left, weight], what each weight of a policy
    is multiplied by for each card; and which card was bid.
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
    """Return [weights] the mean and [weights, weights] the precision of what a policy may be, if the types
    are as likely as in ``posterior`` [type].
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
    """Return the likeliest policy after these bids (``products``), each of which counts ``share``, and the
    precision of that (Laplace's approximation); ``centre`` and ``precision`` are those before (``around``).
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
