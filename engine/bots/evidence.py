"""How rivals play, judged by the bids that they have shown.

The rounds shown so far are played again with hands that agree with all that is known
(``engine.bots.shown``). In each of them every policy gives the bid that was made a chance; their product,
with the prior, makes some types likelier (Bayes). So do rules of thumb. Once a stage is over and most hands
are known, a policy of its own is fitted to every rival (``engine.bots.shown``).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

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
from engine.bots.policies import Policies, chances, coefficients, scores
from engine.bots.shown import (
    Decisions,
    around,
    beginnings,
    bid_arrays,
    fit,
    products,
    shown_rounds,
    start_of,
)
from engine.bots.simulator import Bytes, Floats, Ints
from engine.editions import Rules
from engine.views import History, SeatView

Chances = npt.NDArray[np.float64]

_WHIM: Final = 0.05
"""The chance that a rival bids any card, whatever its type."""
_REMEMBERED: Final = 32
"""The most seats for which conclusions from finished stages are kept, 0.4 to 1 MB each."""
_COMPLETIONS: Final = 12
"""Random completions of the unknown hands with which types are judged ..."""
_FITTED: Final = 2
"""... with which a policy is fitted ..."""
_QUICK: Final = 4
"""... and where it must not take long."""
_UNLIKELY: Final = 0.02
"""A rival that is less likely to play by a rule of thumb, or has not bid yet, is not taken to."""
_SURE: Final = 0.95
"""A rival that is likelier to do so needs no policy of its own."""


class Past(NamedTuple):
    """Conclusions from the finished stages."""

    logs: Chances
    """[type, rival]: the log likelihood of the bids."""
    thumb: RulesOfThumb
    """The rules of thumb by which each rival may play."""
    fitted: Chances
    """[rival, weights]: a policy for each ..."""
    precision: Chances
    """[rival, weights, weights]: ... and how sure it is (the inverse of its covariance)."""


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
    """Return what the player with this history and knowledge can say about ``rivals`` (seats). ``now``: the
    rounds of the stage in progress, with random hands (or the only possible ones).
    """
    past = past_evidence(rules, history, about, tuple(rivals), known) if history.stages else None
    thumb = past.thumb if past else no_rules(len(rivals))
    before, current = thumb.evidence, np.zeros((len(known.types), len(rivals)))
    if now:
        some = [one.of(slice(_COMPLETIONS)) for one in now]
        current = log_likelihood(known.types, some)
        thumb = rules_of(thumb.logs + _of_rules(some, rivals))
    logs = past.logs + current if past else current
    # A seat that is out of this stage has shown nothing in it, and a stage of one card says nothing.
    rule = _by_rule(known, logs, thumb) if past or now else np.zeros(len(rivals))
    rule *= rule > _UNLIKELY
    posterior = np.vstack([(1 - rule) * _posterior(known, logs), rule])
    current = np.vstack([current, thumb.evidence - (before if past else 0)])
    fitted = _fitted(past, now, known, rule) if past else None
    return Evidence(posterior, thumb, current, fitted)


@lru_cache(maxsize=_REMEMBERED)
def past_evidence(
    rules: Rules, history: History, about: Knowledge, rivals: tuple[int, ...], known: Policies
) -> Past:
    """Return what the finished stages say, one at least. In a stage, it mostly stays the same from bid to
    bid.
    """
    count = 1 if about.certain else _COMPLETIONS
    hands = sample(about, count, np.random.default_rng(len(history.stages)))
    rounds = bid_arrays([stage.rounds for stage in history.stages], rules, count)
    shown, _ = shown_rounds(beginnings(rules, history, hands), rounds, rivals)
    logs = log_likelihood(known.types, shown, count)
    thumb = rules_of(_of_rules(shown, rivals, count))
    posterior = _posterior(known, logs)
    chosen = [one.of(np.arange(one.slots.shape[1]) % count < _FITTED) for one in shown]
    fits = [
        fit(*around(known, posterior[:, q]), products(chosen, q), 1 / min(count, _FITTED))
        for q in range(len(rivals))
    ]
    fitted, precision = map(np.stack, zip(*fits, strict=True))
    kept = thumb._replace(logs=thumb.logs.astype(np.float16))
    return Past(logs, kept, fitted, precision)


def posterior_of(
    view: SeatView, history: History, rivals: Sequence[int], known: Policies, hands: Bytes
) -> Chances:
    """Return [type, rival]: how likely each rival is of each type, by the finished stages alone or, in the
    first stage, by its bids. Few of the guesses of ``hands`` ([hand_size, players, n]) count, and no rules of
    thumb: so it takes a fraction of the time of ``evidence``.
    """
    rules = view.table.rules
    if history.stages:
        count, shown = 1, [stage.rounds for stage in history.stages]
        begin = beginnings(rules, history, hands[..., :count])
    else:
        count, shown = _QUICK, [view.table.rounds]
        begin = start_of(view, hands[..., :count])
    decisions, _ = shown_rounds(begin, bid_arrays(shown, rules, count), rivals)
    if not decisions:
        return np.repeat(known.prior[:, None], len(rivals), axis=1)
    return _posterior(known, log_likelihood(known.types, decisions, count))


def drawn_types(posterior: Chances, n: int, rng: np.random.Generator) -> Ints:
    """Draw [rival, n] types from the posterior ([type, rival])."""
    ends = posterior.cumsum(axis=0)
    drawn = [np.searchsorted(end, rng.random(n) * end[-1], side="right") for end in ends.T]
    return np.stack(drawn).clip(max=len(ends) - 1)


def log_likelihood(
    types: Floats, decisions: Sequence[Decisions], count: int | None = None
) -> Chances:
    """Return [type, rival]: the log likelihood of all bids, for each stage the mean likelihood over ``count``
    completions, or all.
    """
    total = np.zeros((len(types), *decisions[0].slots.shape))
    for one in decisions:
        total += _log_chances(types, one.context, one.basis, one.slots) * one.acting
    by_stage = total.reshape(*total.shape[:-1], -1, count or total.shape[-1])
    best = by_stage.max(axis=-1, keepdims=True)
    means = np.log(np.exp(by_stage - best).mean(axis=-1)) + best[..., 0]
    return np.asarray(means.sum(axis=-1))


def fit_of_bids(
    weights: Floats,
    decisions: Sequence[Decisions],
    habits: Habits | None = None,
    rivals: Sequence[int] = (),
) -> Chances:
    """Return [rival, n]: the log likelihood of the bids under ``weights`` [contexts, basis, rival, n], with
    ``habits`` that are those of these ``rivals``.
    """
    total = np.zeros(decisions[0].slots.shape)
    for one in decisions:
        coefficient = coefficients(weights, one.context)
        if habits:
            habits.add(coefficient, features(one.stages, one.offer)[:, list(rivals)])
        chance = chances(scores(one.basis, coefficient))
        bid = np.take_along_axis(chance, one.slots[None], 0)[0]
        total += np.log((1 - _WHIM) * bid + _WHIM / len(chance)) * one.acting
    return total


def _posterior(known: Policies, logs: Chances) -> Chances:
    """Return [type, rival]: how likely each type is after bids with this log likelihood."""
    logs = np.log(known.prior)[:, None] + logs
    posterior = np.exp(logs - logs.max(axis=0))
    return np.asarray(posterior / posterior.sum(axis=0))


def _by_rule(known: Policies, logs: Chances, thumb: RulesOfThumb) -> Chances:
    """Return [rival]: how likely it plays by a rule of thumb, if ``logs`` [type, rival] is the log likelihood
    of the types. In this comparison, bids count as little for types as for rules.
    """
    types = np.log(known.prior)[:, None] + TEMPER * logs
    best = types.max(axis=0)
    odds = np.log(np.exp(types - best).sum(axis=0)) + best - thumb.evidence
    return np.asarray(known.thumb / (known.thumb + (1 - known.thumb) * np.exp(odds)))


def _of_rules(
    decisions: Sequence[Decisions], rivals: Sequence[int], count: int | None = None
) -> Floats:
    """Return [rival, tree, case, aim]: the log likelihood of the bids by rules of thumb. That of each bid is
    the mean over ``count`` completions of its stage, or over all.
    """
    found, seen = [], []
    for one in decisions:
        every = count or one.slots.shape[1]
        logs = _log_chances(AIMS[:, None], one.context[:1], one.basis, one.slots)
        mean = np.exp(logs * one.acting).reshape(*logs.shape[:2], -1, every).mean(axis=3)
        found.append(np.log(mean).transpose(1, 2, 0))
        seen.append(features(one.stages, one.offer)[:, list(rivals), ::every])
    return likelihood(np.concatenate(seen, axis=2), np.concatenate(found, axis=1))


def _fitted(past: Past, now: Sequence[Decisions], known: Policies, rule: Chances) -> Floats:
    """Return [rival, contexts, basis]: the policies that fit the finished stages, and ``now``, best; ``rule``
    is how likely each rival plays by a rule of thumb.
    """
    fitted = past.fitted.copy()
    chosen = [one.of(slice(_FITTED)) for one in now]
    for q in np.flatnonzero(rule <= _SURE).tolist() if now else ():
        share = 1 / chosen[0].slots.shape[1]
        fitted[q], _ = fit(past.fitted[q], past.precision[q], products(chosen, q), share)
    return fitted.reshape(-1, *known.informed.shape).astype(np.float32)


def _log_chances(types: Floats, context: Floats, basis: Floats, slots: Ints) -> Floats:
    """Return [type, rival, n]: the log of the chance of each bid (``Decisions``) by each of the types."""
    many, features, functions = types.shape
    rows = np.ascontiguousarray(types.transpose(0, 2, 1)).reshape(-1, features)
    _, cards, rivals, n = basis.shape
    coefficient = (rows @ context.reshape(features, -1)).reshape(many, functions, -1)
    flat = basis.reshape(functions, cards, -1)
    score = coefficient[:, 0, None] * flat[0]
    for function in range(1, functions):
        score += coefficient[:, function, None] * flat[function]
    score -= score.max(axis=1, keepdims=True)
    power = np.exp(score)
    chosen = np.broadcast_to(slots.reshape(1, 1, -1), (many, 1, rivals * n))
    bid = np.take_along_axis(power, chosen, 1)[:, 0] / power.sum(axis=1)
    bid = bid.reshape(many, rivals, n)
    return np.asarray(np.log((1 - _WHIM) * bid + _WHIM / cards), np.float32)
