"""What the bids that others have shown say about how they play.

The rounds shown so far are played again with hands that agree with all that is known. In each of them every
policy gives the bid that was made a chance; their product, with the prior, makes some types likelier
(Bayes). Once a stage is over and most hands are known, a policy of its own is fitted to every rival: the
maximum a posteriori of a conditional logit whose prior lies around the likely types.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bots.habits import (
    AIMS,
    TEMPER,
    Habits,
    RulesOfThumb,
    features,
    likelihood,
    no_rules,
    rules_of,
)
from engine.bots.hands import Knowledge, sample
from engine.bots.imitations import curves, merits
from engine.bots.logit import bases, chances, coefficients, contexts, informed, scores
from engine.bots.policies import Policies
from engine.bots.simulator import WEATHER, Bytes, Flags, Floats, Ints, Stages, resolve, start
from engine.editions import Rules
from engine.results import RoundResult
from engine.views import History, SeatView

Chances = npt.NDArray[np.float64]

WHIM: Final = 0.05
"""How often a rival is thought to bid any card, whatever its type."""
_REMEMBERED: Final = 32
"""What was made of the finished stages is kept for so many seats, 0.4 to 1 MB each."""
_COMPLETIONS: Final = 12
"""With so many random completions of the unknown hands the types are judged ..."""
_FITTED: Final = 2
"""... and with so many of them a policy is fitted."""
CURVES: Final = 4
"""Completions with which ``tidal``'s thoughts are computed."""
_SLIP: Final = 0.1
"""How often ``tidal`` is thought to bid any card: not everything it knows is known here."""
COUNTED: Final = 2
"""With so many cards ``tidal`` and ``expert`` count the stage out; here they may bid either."""
_NO_CARD: Final = 127
"""In the slots of cards that were played."""
_QUICK: Final = 4
"""Completions where it must not take long."""
_STEPS: Final = 3
"""Newton's steps of the fit."""
_UNLIKELY: Final = 0.02
"""A rival that is less likely to play by a rule of thumb, or has not bid yet, is not taken to."""
_SURE: Final = 0.95
"""A rival that is likelier to do so needs no policy of its own."""
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
    stages: Stages
    """Before the round."""
    offer: Bytes
    """[2, n]: its tides."""

    def of(self, columns: npt.NDArray[Any] | slice) -> "Decisions":
        """Those of some of the stages."""
        return Decisions(
            self.context[..., columns],
            self.basis[..., columns],
            self.slots[:, columns],
            self.acting[:, columns],
            self.stages.of(columns),
            self.offer[:, columns],
        )


class Past(NamedTuple):
    """What the finished stages say of the rivals."""

    logs: Chances
    """[type, rival]: the log likelihood of their bids."""
    beliefs: Floats
    """[contexts, basis, players]: how they play on average, if these bids tell of the types."""
    fitted: Chances
    """[rival, weights]: a policy for each ..."""
    precision: Chances
    """[rival, weights, weights]: ... and how sure it is (the inverse of its covariance)."""
    thumb: RulesOfThumb
    """By which rule of thumb each rival may play."""
    naive: bool
    """Whether all hands are known, and it is sure that every rival plays by one."""


class Evidence(NamedTuple):
    """How rivals play, as far as they have shown it."""

    posterior: Chances
    """[type, rival]; the last row, which is no type, is the chance that it plays by a rule of thumb."""
    thumb: RulesOfThumb
    """Which rule that may be."""
    current: Chances
    """[type, rival]: the log likelihood of the bids of the stage in progress, which is part of
    ``posterior``; the last row as there.
    """
    tidal: Chances
    """[rival, n]: the log likelihood of the bids of the stage in progress, had ``tidal`` made them, with the
    hands of each particle.
    """
    fitted: Floats | None
    """[rival, contexts, basis]: a policy for each; ``None`` in the first stage."""


def evidence(
    rules: Rules,
    history: History,
    about: Knowledge,
    rivals: Sequence[int],
    known: Policies,
    now: Sequence[Decisions],
) -> Evidence:
    """What the player with this history and knowledge can say about ``rivals`` (seats). ``now``: the rounds
    of the stage in progress, with random hands (or the only possible ones).
    """
    past = past_evidence(rules, history, about, tuple(rivals), known) if history.stages else None
    current = np.zeros((len(known.types), len(rivals)))
    tidal = np.zeros((len(rivals), 1))
    few: list[Decisions] = []
    thumb = past.thumb if past else no_rules(len(rivals))
    naive = past is not None and past.naive
    if now:
        some = [one.of(slice(_COMPLETIONS)) for one in now]
        current = log_likelihood(known.types, some)
        few = [one.of(slice(CURVES if past else 1)) for one in now]
        if known.tidal >= 0 and not naive:
            seen = np.full(few[0].slots.shape[1], past is not None)
            tidal = _tidal(few, now, rivals, seen)
            current[known.tidal] = _mean(tidal)
        thumb = rules_of(thumb.logs + _of_rules(some, rivals))
    logs = past.logs + current if past else current.copy()
    if past and now and known.expert >= 0 and not naive:
        as_expert = _mean(_expert(few, rivals, known, past.beliefs))
        logs[known.expert] += as_expert - current[known.expert]
    # A seat that is out of this stage has shown nothing in it, and a stage of one card says nothing.
    rule = _by_rule(known, logs, thumb) if past or now else np.zeros(len(rivals))
    rule *= rule > _UNLIKELY
    posterior = np.vstack([(1 - rule) * _posterior(known, logs), rule])
    gained = thumb.evidence - past.thumb.evidence if past else thumb.evidence
    current = np.vstack([current, gained])
    if past is None:
        return Evidence(posterior, thumb, current, tidal, None)
    fitted = past.fitted.copy()
    if now:
        chosen = [one.of(slice(_FITTED)) for one in now]
        share = 1 / chosen[0].slots.shape[1]
        for q in np.flatnonzero(rule <= _SURE).tolist():
            bids = products(chosen, q)
            fitted[q], _ = fit(past.fitted[q], past.precision[q], bids, share)
    policies = fitted.reshape(len(rivals), *known.informed.shape).astype(np.float32)
    return Evidence(posterior, thumb, current, tidal, policies)


@lru_cache(maxsize=_REMEMBERED)
def past_evidence(
    rules: Rules, history: History, about: Knowledge, rivals: tuple[int, ...], known: Policies
) -> Past:
    """What the finished stages say, one at least. In a stage, it mostly stays the same from bid to bid."""
    count = 1 if about.certain else _COMPLETIONS
    hands = sample(about, count, np.random.default_rng(len(history.stages)))
    rounds = bid_arrays([stage.rounds for stage in history.stages], rules, count)
    shown, _ = shown_rounds(beginnings(rules, history, hands), rounds, rivals)
    logs = log_likelihood(known.types, shown, count)
    few = [_first(one, count, CURVES) for one in shown]
    each = min(count, CURVES)
    later = np.arange(len(history.stages) * each) >= each
    if known.tidal >= 0:
        logs[known.tidal] = _mean(_tidal(few, few, rivals, later), each)
    posterior = _posterior(known, logs)
    beliefs = np.repeat(known.types[known.expert][:, :, None], rules.players, axis=2)
    beliefs[:, :, list(rivals)] = np.tensordot(known.types, posterior, ((0,), (0,)))
    if known.expert >= 0:
        simple = fit_of_bids(known.types[known.expert][:, :, None, None], few)
        exact = _expert(few, rivals, known, beliefs)
        logs[known.expert] = _mean(np.where(later, exact, simple), each)
        posterior = _posterior(known, logs)
    thumb = rules_of(_of_rules(shown, rivals, count))
    sure = _by_rule(known, logs, thumb) > _SURE
    chosen = [_first(one, count, _FITTED) for one in shown]
    fits = []
    for q in range(len(rivals)):
        bids = products(chosen, q)
        fits.append(fit(*around(known, posterior[:, q]), bids, 1 / min(count, _FITTED)))
    fitted, precision = map(np.stack, zip(*fits, strict=True))
    kept = thumb._replace(logs=thumb.logs.astype(np.float16))
    return Past(logs, beliefs, fitted, precision, kept, about.certain and bool(sure.all()))


def _posterior(known: Policies, logs: Chances) -> Chances:
    """[type, rival]: how likely each type is after bids with this log likelihood."""
    logs = np.log(known.prior)[:, None] + logs
    posterior = np.exp(logs - logs.max(axis=0))
    return np.asarray(posterior / posterior.sum(axis=0))


def _by_rule(known: Policies, logs: Chances, thumb: RulesOfThumb) -> Chances:
    """[rival]: how likely it plays by a rule of thumb, if ``logs`` [type, rival] is the log likelihood of the
    types. In this comparison, bids count as little for types as for rules.
    """
    types = np.log(known.prior)[:, None] + TEMPER * logs
    best = types.max(axis=0)
    odds = np.log(np.exp(types - best).sum(axis=0)) + best - thumb.evidence
    return np.asarray(known.thumb / (known.thumb + (1 - known.thumb) * np.exp(odds)))


def _of_rules(
    decisions: Sequence[Decisions], rivals: Sequence[int], count: int | None = None
) -> Floats:
    """[rival, tree, case, aim]: the log likelihood of the bids by rules of thumb. That of each bid is the
    mean over ``count`` completions of its stage, or over all.
    """
    found, seen = [], []
    for one in decisions:
        left = np.full(one.slots.shape[1], one.stages.left)
        every = count or len(left)
        logs = _log_chances(AIMS[:, None], one.context[:1], one.basis, one.slots, left)
        mean = np.exp(logs * one.acting).reshape(*logs.shape[:2], -1, every).mean(axis=3)
        found.append(np.log(mean).transpose(1, 2, 0))
        seen.append(features(one.stages, one.offer)[:, list(rivals), ::every])
    return likelihood(np.concatenate(seen, axis=2), np.concatenate(found, axis=1))


def _tidal(
    few: Sequence[Decisions], all_: Sequence[Decisions], rivals: Sequence[int], informed: Flags
) -> Chances:
    """[rival, n]: the log likelihood of the bids if ``tidal`` made them; what the cards are worth to it is
    computed with the hands of ``few`` (their number divides that of ``all_``).
    """
    found = curves([(one.stages, one.offer) for one in few], rivals, informed)
    total = np.zeros(all_[0].slots.shape)
    for curve, one in zip(found, all_, strict=True):
        n = one.slots.shape[1]
        merit = merits(np.tile(curve, n // curve.shape[2]), one.stages, rivals)
        agrees = merit.argmax(axis=0) == one.slots
        slip = _SLIP if len(merit) > COUNTED else 1
        chance = (1 - slip) * agrees + slip / len(merit)
        total += np.where(one.acting, np.log(chance), 0)
    return total


def _expert(
    decisions: Sequence[Decisions], rivals: Sequence[int], known: Policies, beliefs: Floats
) -> Chances:
    """[rival, n]: the log likelihood of the bids if ``expert`` made them, having seen hands in earlier
    stages. ``beliefs``: [contexts, basis, players], how it thinks that everybody plays.
    """
    total = np.zeros(decisions[0].slots.shape)
    for one in decisions:
        context, basis = contexts(one.stages, one.offer), bases(one.stages)
        score = scores(basis, coefficients(beliefs[..., None], context))
        for q, seat in enumerate(rivals):
            found = chances(informed(one.stages, context, basis, score, seat, known.informed))
            bid = np.take_along_axis(found, one.slots[q][None], 0)[0]
            whim = WHIM if len(found) > COUNTED else 1
            logs = np.log((1 - whim) * bid + whim / len(found))
            total[q] += np.where(one.acting[q], logs, 0)
    return total


def _mean(logs: Chances, count: int | None = None) -> Chances:
    """[..., rival]: the sum over stages of the mean likelihood over ``count`` completions, or all; ``logs``
    [..., rival, n].
    """
    by_stage = logs.reshape(*logs.shape[:-1], -1, count or logs.shape[-1])
    best = by_stage.max(axis=-1, keepdims=True)
    means = np.log(np.exp(by_stage - best).mean(axis=-1)) + best[..., 0]
    return np.asarray(means.sum(axis=-1))


def posterior_of(
    view: SeatView, history: History, rivals: Sequence[int], known: Policies, hands: Bytes
) -> Chances:
    """[type, rival]: as ``Evidence.posterior``, in a fraction of the time: from the finished stages only,
    or in the first stage from its bids, with few of the guesses of ``hands`` ([hand_size, players, n]), and
    all rounds at once.
    """
    rules = view.table.rules
    logs = np.zeros((len(known.prior), len(rivals)))
    count = 1 if history.stages else _QUICK
    hands = hands[..., :count]
    if history.stages:
        shown = [stage.rounds for stage in history.stages]
        logs += _likelihood_at_once(
            known.types, beginnings(rules, history, hands), shown, rivals, count
        )
    elif view.table.rounds:
        begin = start_of(view, hands)
        logs += _likelihood_at_once(known.types, begin, [view.table.rounds], rivals, count)
    return _posterior(known, logs)


def _likelihood_at_once(
    types: Floats,
    begin: Stages,
    shown: Sequence[Sequence[RoundResult]],
    rivals: Sequence[int],
    count: int,
) -> Chances:
    """[type, rival]: the log likelihood of the bids of stages that began like this, each with ``count``
    completions; the rounds are columns of one array, the stages of each together.
    """
    rules, size = begin.rules, begin.left
    columns = begin.hands.shape[2]
    rounds = min(max(map(len, shown)), size - 1)
    offers, bids = bid_arrays(shown, rules, count)
    levels, life = _standings(begin, shown, rounds, count)
    cards = np.arange(columns)
    gone = np.zeros((rounds, WEATHER + 1, columns), np.int8)
    for number in range(1, rounds):
        gone[number] = gone[number - 1]
        gone[number, bids[number - 1], cards] = 1
    gone[:, 0] = 0
    held = np.where(gone[:, begin.hands, cards], _NO_CARD, begin.hands)
    held.sort(axis=1)
    lower = np.arange(WEATHER + 1)[:, None] - 1 - (gone.cumsum(axis=1) - gone)
    place = np.where(held == _NO_CARD, 1, held)
    below = lower[np.arange(rounds)[:, None, None, None], place, cards]
    together = Stages(
        rules,
        _flat(held.transpose(1, 2, 0, 3)),
        _flat(below.transpose(1, 2, 0, 3)).astype(np.int8),
        _flat(levels.transpose(1, 0, 2)),
        _flat(life.transpose(1, 0, 2)),
    )
    sizes = np.repeat(size - np.arange(rounds), columns)
    seats = list(rivals)
    bid = _flat(bids[:rounds].transpose(1, 0, 2))[seats]
    context = contexts(together, _flat(offers[:rounds].transpose(1, 0, 2)), sizes)[:, seats]
    basis = bases(together, sizes)[:, :, seats]
    slots = (together.hands[:, seats] == bid).argmax(axis=0)
    missing = np.arange(size)[:, None] >= sizes
    logs = _log_chances(types, context, basis, slots, sizes, missing)
    logs = np.where(bid > 0, logs, 0).reshape(len(types), len(seats), rounds, columns)
    return _mean(logs.sum(axis=2), count)


def _flat(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The last two axes as one."""
    return np.ascontiguousarray(array).reshape(*array.shape[:-2], -1)


def _standings(
    begin: Stages, shown: Sequence[Sequence[RoundResult]], rounds: int, count: int
) -> tuple[Bytes, Bytes]:
    """[rounds, players, n] levels and life preservers before each round."""
    levels = np.repeat(begin.levels[None], rounds, axis=0)
    life = np.repeat(begin.life_preservers[None], rounds, axis=0)
    for stage, told in enumerate(shown):
        here = slice(stage * count, (stage + 1) * count)
        for number, before in enumerate(told[: rounds - 1], start=1):
            levels[number:, :, here] = np.array(
                [-1 if level is None else level for level in before.levels], np.int8
            )[:, None]
            life[number:, :, here] = np.array(before.life_preservers, np.int8)[:, None]
    return levels, life


def now_of(view: SeatView, hands: Bytes) -> Stages:
    """The stage in progress, if these hands were dealt ([hand_size, players, n])."""
    table = view.table
    shown = np.zeros(WEATHER + 1, np.int8)
    for told in table.rounds:
        shown[[bid for bid in told.bids if bid]] = 1
    left = table.rules.hand_size - len(table.rounds)
    held = np.where(shown[hands], _NO_CARD, hands)
    held.sort(axis=0)
    # Whoever is eliminated has more cards left, which mean nothing any more.
    held = held[:left]
    lower = np.arange(WEATHER + 1) - 1 - (shown.cumsum() - shown)
    levels = [-1 if seat.eliminated else seat.level for seat in table.seats]
    life = [seat.life_preservers for seat in table.seats]
    n = hands.shape[2]
    return Stages(
        table.rules,
        held,
        lower[held].astype(np.int8),
        np.repeat(np.array(levels, np.int8)[:, None], n, axis=1),
        np.repeat(np.array(life, np.int8)[:, None], n, axis=1),
    )


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
            decisions.append(
                Decisions(context, basis, slots[seats], bids[seats] > 0, stages, offer)
            )
        stages = resolve(stages, offer, bids, slots, bids.any(axis=0))
    return decisions, stages


def fit_of_bids(
    weights: Floats,
    decisions: Sequence[Decisions],
    habits: Habits | None = None,
    rivals: Sequence[int] = (),
) -> Chances:
    """[rival, n]: the log likelihood of the bids under ``weights`` [contexts, basis, rival, n], with
    ``habits`` that are those of these ``rivals``.
    """
    total = np.zeros(decisions[0].slots.shape)
    for one in decisions:
        coefficient = coefficients(weights, one.context)
        if habits:
            habits.add(coefficient, features(one.stages, one.offer)[:, list(rivals)])
        chance = chances(scores(one.basis, coefficient))
        bid = np.take_along_axis(chance, one.slots[None], 0)[0]
        logs = np.log((1 - WHIM) * bid + WHIM / len(chance))
        total += np.where(one.acting, logs, 0)
    return total


def beginnings(rules: Rules, history: History, hands: Bytes) -> Stages:
    """The beginnings of all finished stages, one after the other, with the completions of each together."""
    players, now = rules.players, len(history.stages)
    held = [
        hands[:, [(seat + now - number) % players for seat in range(players)]]
        for number in range(now)
    ]
    life = np.array([stage.start for stage in history.stages], np.int8).T
    return start(rules, np.concatenate(held, axis=2), np.repeat(life, hands.shape[2], axis=1))


def log_likelihood(
    types: Floats, decisions: Sequence[Decisions], count: int | None = None
) -> Chances:
    """[type, rival]: of all bids of the stages, for each the mean likelihood over ``count`` completions, or
    all.
    """
    total = np.zeros((len(types), *decisions[0].slots.shape))
    for one in decisions:
        left = np.full(one.slots.shape[1], one.stages.left)
        logs = _log_chances(types, one.context, one.basis, one.slots, left)
        total += np.where(one.acting, logs, 0)
    return _mean(total, count)


def _log_chances(
    types: Floats,
    context: Floats,
    basis: Floats,
    slots: Ints,
    left: Ints,
    missing: Flags | None = None,
) -> Floats:
    """[type, rival, n]: the log of the chance of each bid (``Decisions``). ``left``: [n] cards in a hand;
    ``missing``: [cards, n], the slots without a card.
    """
    many, features, functions = types.shape
    rows = np.ascontiguousarray(types.transpose(0, 2, 1)).reshape(-1, features)
    _, cards, rivals, n = basis.shape
    coefficient = (rows @ context.reshape(features, -1)).reshape(many, functions, -1)
    flat = basis.reshape(functions, cards, -1)
    score = coefficient[:, 0, None] * flat[0]
    for function in range(1, functions):
        score += coefficient[:, function, None] * flat[function]
    if missing is not None:
        score[:, np.tile(missing, rivals)] = -np.inf
    score -= score.max(axis=1, keepdims=True)
    power = np.exp(score)
    chosen = np.broadcast_to(slots.reshape(1, 1, -1), (many, 1, rivals * n))
    bid = np.take_along_axis(power, chosen, 1)[:, 0] / power.sum(axis=1)
    bid = bid.reshape(many, rivals, n)
    return np.asarray(np.log((1 - WHIM) * bid + WHIM / left), np.float32)


def _first(one: Decisions, count: int, few: int) -> Decisions:
    """Those of the first few of ``count`` completions."""
    return one.of(np.arange(one.slots.shape[1]) % count < few)


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
