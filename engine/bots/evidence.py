"""What the bids that others have shown say about how they play.

The rounds shown so far are played again with hands that agree with all that is known. In each of them every
policy gives the bid that was made a chance; their product, with the prior, makes some types likelier
(Bayes). Once a stage is over and most hands are known, a policy of its own is fitted to every rival: the
maximum a posteriori of a conditional logit whose prior lies around the likely types.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bots.hands import Knowledge, sample
from engine.bots.logit import bases, chances, coefficients, contexts, scores
from engine.bots.policies import Policies
from engine.bots.simulator import Bytes, Flags, Floats, Ints, Stages, resolve, start
from engine.editions import Rules
from engine.history import History
from engine.results import RoundResult
from engine.views import SeatView

Chances = npt.NDArray[np.float64]

WHIM: Final = 0.05
"""How often a rival is thought to bid any card, whatever its type."""
_COMPLETIONS: Final = 12
"""With so many random completions of the unknown hands the types are judged ..."""
_FITTED: Final = 2
"""... and with so many of them a policy is fitted."""
_QUICK: Final = 4
"""Completions where it must not take long."""
_STEPS: Final = 3
"""Newton's steps of the fit."""
_VARIANCE: Final = 0.1
"""The variance of a fitted weight around the likely types, as a share of the types' own ..."""
_FLAT: Final = 4.0
"""... to which this is added."""
_LONGEST: Final = 6.0
"""No step of the fit changes a score by more."""


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


class Evidence(NamedTuple):
    """How rivals play, as far as they have shown it."""

    posterior: Chances
    """[type, rival]."""
    current: Chances
    """[type, rival]: the log likelihood of the bids of the stage in progress, which is part of
    ``posterior``.
    """
    fitted: Floats | None
    """[rival, contexts, basis]: a policy for each; ``None`` in the first stage."""


def evidence(
    view: SeatView,
    history: History,
    about: Knowledge,
    rivals: Sequence[int],
    known: Policies,
    rng: np.random.Generator,
) -> Evidence:
    """What the player with this view, history and knowledge can say about ``rivals`` (seats)."""
    rules = view.table.rules
    count = 1 if about.certain else _COMPLETIONS
    hands = sample(about, count, rng)
    current = np.zeros((len(known.types), len(rivals)))
    past = current
    shown: list[Decisions] = []
    if history.stages:
        rounds = bid_arrays([stage.rounds for stage in history.stages], rules, count)
        before, _ = shown_rounds(_past(rules, history, hands), rounds, rivals)
        past = _log_likelihood(known.types, before, count)
        shown += before
    if view.table.rounds:
        stages = start_of(view, hands)
        now, _ = shown_rounds(stages, bid_arrays([view.table.rounds], rules, count), rivals)
        current = _log_likelihood(known.types, now, count)
        shown += now
    # A seat that is out of this stage has shown nothing in it, and a stage of one card says nothing.
    logs = np.log(known.prior)[:, None] + past + current
    posterior = np.exp(logs - logs.max(axis=0))
    posterior /= posterior.sum(axis=0)
    fitted = None
    if history.stages:
        chosen = [_first(decisions, count) for decisions in shown]
        share = 1 / min(count, _FITTED)
        fitted = np.stack(
            [
                fitted_policy(known, posterior[:, q], products(chosen, q), share)
                for q in range(len(rivals))
            ]
        )
    return Evidence(posterior, current, fitted)


def posterior_of(
    view: SeatView,
    history: History,
    about: Knowledge,
    rivals: Sequence[int],
    known: Policies,
    rng: np.random.Generator,
) -> Chances:
    """[type, rival]: as ``Evidence.posterior``, in a fraction of the time: from the finished stages only,
    or in the first stage from its bids, and with few completions of the unknown hands.
    """
    rules = view.table.rules
    logs = np.repeat(np.log(known.prior)[:, None], len(rivals), axis=1).astype(np.float64)
    count = 1 if history.stages or about.certain else _QUICK
    hands = sample(about, count, rng)
    if history.stages:
        rounds = bid_arrays([stage.rounds for stage in history.stages], rules, count)
        shown, _ = shown_rounds(_past(rules, history, hands), rounds, rivals)
        logs += _log_likelihood(known.types, shown, count)
    elif view.table.rounds:
        rounds = bid_arrays([view.table.rounds], rules, count)
        shown, _ = shown_rounds(start_of(view, hands), rounds, rivals)
        logs += _log_likelihood(known.types, shown, count)
    posterior = np.exp(logs - logs.max(axis=0))
    return np.asarray(posterior / posterior.sum(axis=0))


def drawn_types(posterior: Chances, n: int, rng: np.random.Generator) -> Ints:
    """[rival, n]: types drawn from the posterior ([type, rival])."""
    ends = posterior.cumsum(axis=0)
    drawn = [np.searchsorted(end, rng.random(n) * end[-1], side="right") for end in ends.T]
    return np.stack(drawn).clip(max=len(ends) - 1)


def start_of(view: SeatView, hands: Bytes) -> Stages:
    """The beginning of the stage in progress with these hands ([hand_size, players, n])."""
    life = np.array([seat.start for seat in view.table.seats], np.int8)
    return start(view.table.rules, hands, np.repeat(life[:, None], hands.shape[2], axis=1))


def bid_arrays(
    stages: Sequence[Sequence[RoundResult]], rules: Rules, copies: int
) -> tuple[Bytes, Bytes]:
    """[rounds, 2, n] tides and [rounds, players, n] bids of the shown rounds of some stages, each so
    often.
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
    """What ``rivals`` decided in the rounds that were ``shown`` (``bid_arrays``), and the stages after
    them.
    """
    seats = list(rivals)
    decisions = []
    for offer, bids in zip(*shown, strict=True):
        slots = (stages.hands == bids).argmax(axis=0)
        if stages.left > 1 and seats:
            context, basis = contexts(stages, offer)[:, seats], bases(stages)[:, :, seats]
            decisions.append(Decisions(context, basis, slots[seats], bids[seats] > 0))
        stages = resolve(stages, offer, bids, slots, bids.any(axis=0))
    return decisions, stages


def fit_of_bids(weights: Floats, decisions: Sequence[Decisions]) -> Chances:
    """[n]: the log likelihood of all rivals' bids under ``weights`` [contexts, basis, rival, n]."""
    total = np.zeros(weights.shape[-1])
    for one in decisions:
        chance = chances(scores(one.basis, coefficients(weights, one.context)))
        bid = np.take_along_axis(chance, one.slots[None], 0)[0]
        logs = np.log((1 - WHIM) * bid + WHIM / len(chance))
        total += np.where(one.acting, logs, 0).sum(axis=0)
    return total


def _past(rules: Rules, history: History, hands: Bytes) -> Stages:
    """The beginnings of all finished stages, one after the other, with the completions of each together."""
    players, now = rules.players, len(history.stages)
    held = [
        hands[:, [(seat + now - number) % players for seat in range(players)]]
        for number in range(now)
    ]
    life = np.array([stage.start for stage in history.stages], np.int8).T
    return start(rules, np.concatenate(held, axis=2), np.repeat(life, hands.shape[2], axis=1))


def _log_likelihood(types: Floats, decisions: Sequence[Decisions], count: int) -> Chances:
    """[type, rival]: of all bids of the stages, for each the mean likelihood over ``count`` completions."""
    many, features, functions = types.shape
    rows = np.ascontiguousarray(types.transpose(0, 2, 1)).reshape(-1, features)
    total: Chances | None = None
    for one in decisions:
        _, left, rivals, n = one.basis.shape
        coefficient = (rows @ one.context.reshape(features, -1)).reshape(many, functions, -1)
        basis = one.basis.reshape(functions, left, -1)
        score = coefficient[:, 0, None] * basis[0]
        for function in range(1, functions):
            score += coefficient[:, function, None] * basis[function]
        score -= score.max(axis=1, keepdims=True)
        power = np.exp(score)
        slots = np.broadcast_to(one.slots.reshape(1, 1, -1), (many, 1, rivals * n))
        bid = np.take_along_axis(power, slots, 1)[:, 0] / power.sum(axis=1)
        logs = np.log((1 - WHIM) * bid + WHIM / left).reshape(many, rivals, n)
        logs = np.where(one.acting, logs, 0)
        total = logs.astype(np.float64) if total is None else total + logs
    assert total is not None  # every stage begins with more than one card
    by_stage = total.reshape(many, total.shape[1], -1, count)
    best = by_stage.max(axis=3, keepdims=True)
    means = np.log(np.exp(by_stage - best).mean(axis=3)) + best[..., 0]
    return np.asarray(means.sum(axis=2))


def _first(one: Decisions, count: int) -> Decisions:
    """Those of the first few of ``count`` completions."""
    keep = np.arange(one.slots.shape[1]) % count < _FITTED
    return Decisions(
        one.context[..., keep], one.basis[..., keep], one.slots[:, keep], one.acting[:, keep]
    )


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


def fitted_policy(
    known: Policies,
    posterior: Chances,
    bids: Sequence[tuple[Floats, Ints]],
    share: float,
    steps: int = _STEPS,
) -> Floats:
    """[contexts, basis]: the likeliest policy after these bids (``products``), each of which counts
    ``share``; ``posterior`` [type] says around which types.
    """
    many, features, functions = known.types.shape
    types = known.types.reshape(many, -1).astype(np.float64)
    centre = posterior @ types
    mean = known.prior @ types
    precision = 1 / (_VARIANCE * (known.prior @ (types - mean) ** 2 + _FLAT))
    policy = centre.copy()
    for _ in range(steps if bids else 0):
        gradient = -precision * (policy - centre)
        curvature = np.diag(precision)
        now = policy.astype(np.float32)
        for product, slots in bids:
            score = product @ now
            chance = np.exp(score - score.max(axis=1, keepdims=True))
            chance /= chance.sum(axis=1, keepdims=True)
            mean_ = np.einsum("nh,nhf->nf", chance, product)
            gradient += share * (product[np.arange(len(slots)), slots] - mean_).sum(axis=0)
            spread = (product - mean_[:, None]) * np.sqrt(chance)[..., None]
            spread = spread.reshape(-1, spread.shape[2])
            curvature += share * (spread.T @ spread)
        step = np.linalg.solve(curvature, gradient)
        change = max(float(np.abs(product @ step).max()) for product, _ in bids)
        policy += step * min(1.0, _LONGEST / max(change, 1e-9))
    return policy.reshape(features, functions).astype(np.float32)
