"""How often what hints tell comes true: `python -m bench.strength.calibration [--help]`.

One seat asks for a hint in every round and bids the card that it names; the others are drawn from
``bench.strength.heldout``, which the estimate does not know. Bids are sealed, so what every card of the hand
would have led to in that round is known as well.

Under the tables is the correction that would make the same hints come true, by maximum likelihood, and with
the doubt that does so best for one half of the deals when it is fitted to the other. If it is made to what is
told already (``engine.bots.analysis``), doubt is added to the old one, the powers multiply, and the old
odds are raised to the new power and multiplied by the new ones. Fit it to some deals and prove it on others.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from bench.strength.deals import held_out
from bench.strength.imitate import played
from engine.bots.analysis import Correction, Shares, analyse, corrected
from engine.bots.estimates import Analysis, CardEstimate, Why
from engine.bots.shown import fit
from engine.editions import Rules
from engine.rules import settle_loss
from engine.views import History, SeatView

_TENTHS: Final = 10
_LEAST: Final = 1e-6
"""A share of which the logarithm is taken is at least so much."""
_STEPS: Final = 20
_DOUBTS: Final = (0.0, 0.01, 0.03, 0.05, 0.08, 0.12)


class Told(NamedTuple):
    """What a hint says of a card, and what came of it."""

    stage: int
    """From 0."""
    hinted: bool
    """Whether it is the card that the hint names."""
    said: CardEstimate
    came: CardEstimate
    """The outcome of this one round: each share is 0 or 1; the points mean nothing."""
    reason: tuple[float, float] | None
    """For the card that the hint names, the share in the reason, if it has one, and whether it came true."""


class Asker:
    """Asks for a hint in every round, and bids what it names; remembers what was said."""

    def __init__(self) -> None:
        self.asked: list[tuple[SeatView, Analysis]] = []

    def __call__(self, view: SeatView, history: History, rng: random.Random) -> int:
        found = analyse(view, history, rng)
        self.asked.append((view, found))
        return found.best


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength.calibration", description=__doc__
    )
    parser.add_argument("--players", type=int, nargs="+", default=[3, 4, 5])
    parser.add_argument(
        "--deals", type=int, default=10, help="for each number of players, two at least"
    )
    parser.add_argument("--first", type=int, default=100, help="the number of the first deal")
    parser.add_argument("--seed", default="hints")
    chosen = parser.parse_args(arguments)
    halves = [
        [
            told
            for players in chosen.players
            for number in range(chosen.first + half, chosen.first + chosen.deals, 2)
            for told in told_in(Rules(players=players), f"{chosen.seed} {players} {number}")
        ]
        for half in (0, 1)
    ]
    for line in table([*halves[0], *halves[1]]):
        print(line)
    for stages, later in (("first stage", False), ("later stages", True)):
        for name, shares in (("places", _places), ("risk", _risks)):
            told = [
                [(shares(one.said), shares(one.came)) for one in half if (one.stage > 0) == later]
                for half in halves
            ]
            power, odds, doubt = validated([np.array(half).swapaxes(0, 1) for half in told])
            found = f"doubt {doubt:.0%}, to the power {power:.3f}, times {np.round(odds, 3)}"
            print(f"{stages}, {name}: {found}")


def told_in(rules: Rules, seed: str) -> Iterator[Told]:
    """Return what is told in one game, of every card in each round."""
    asker = Asker()
    rivals = held_out(rules.players - 1, random.Random(f"rivals {seed}"))
    game = played(rules, [asker, *rivals], seed)
    for view, found in asker.asked:
        bids = game.finished[view.table.stage].rounds[view.table.round].bids
        for each in found.cards:
            came = outcome(view, bids, each.card)
            hinted = each.card == found.best
            reason = _reason(view, bids, found) if hinted else None
            yield Told(view.table.stage, hinted, each, came, reason)


def _reason(
    view: SeatView, bids: Sequence[int | None], found: Analysis
) -> tuple[float, float] | None:
    _kind, tide, seat, share = found.reason
    if share is None:
        return None
    assert view.table.offer is not None
    all_ = [bid or 0 for bid in bids]
    all_[view.seat] = found.best
    ranked = sorted(range(len(all_)), key=lambda each: -all_[each])
    taker = ranked[view.table.offer.index(tide or 0)]
    if seat is not None:
        return share, taker == seat
    return share, (taker == view.seat) == (found.reason.kind is Why.TAKES)


def outcome(view: SeatView, bids: Sequence[int | None], card: int) -> CardEstimate:
    """Return what comes of bidding ``card``, if the others bid ``bids``."""
    table, seat = view.table, view.seat
    assert table.offer is not None
    all_ = [*bids]
    all_[seat] = card
    ranked = sorted(filter(None, all_))
    levels = [None if each.eliminated else each.level for each in table.seats]
    left = [each.life_preservers for each in table.seats]
    levels[all_.index(ranked[-1])], levels[all_.index(ranked[-2])] = table.offer
    settle_loss(levels, left, table.rules.passes_loss_on)
    out = levels[seat] is None
    lost = out or left[seat] < table.seats[seat].life_preservers
    return CardEstimate(card, 0.0, card == ranked[-1], card == ranked[-2], lost, out)


def table(found: Sequence[Told]) -> Iterator[str]:
    """Return by tenths of what was told: how many, the mean of it, and how often it came true."""
    hinted = [each for each in found if each.hinted]
    rows = {
        "where the hinted card most likely comes": [_likeliest(each) for each in hinted],
        "where each card most likely comes": [_likeliest(each) for each in found],
        "reason": [each.reason for each in hinted if each.reason],
        "risk of the hinted card": [(each.said.risk, each.came.risk) for each in hinted],
        "risk of each card": [(each.said.risk, each.came.risk) for each in found],
    }
    for name, pairs in rows.items():
        yield f"| {name} | number | told | came true |"
        yield "|---|---|---|---|"
        tenths = Counter(min(int(said * _TENTHS), _TENTHS - 1) for said, _ in pairs)
        for tenth, count in sorted(tenths.items()):
            here = [pair for pair in pairs if min(int(pair[0] * _TENTHS), _TENTHS - 1) == tenth]
            said, came = [100 * sum(column) / count for column in zip(*here, strict=True)]
            yield f"| {10 * tenth}-{10 * tenth + 10}% | {count} | {said:.1f}% | {came:.1f}% |"
        yield ""


def validated(halves: Sequence[Shares]) -> Correction:
    """Return the likeliest one for both halves ([told or came, number, outcome]), with the doubt that makes
    each of them likeliest after a fit to the other.
    """

    def likelihood(doubt: float) -> float:
        total = 0.0
        for (said, came), (told, true) in zip(halves, halves[::-1], strict=True):
            chances = _corrected(said, correction(told, true, doubt))
            total += float(np.log(chances[came == 1].clip(_LEAST)).sum())
        return total

    said, came = np.concatenate(halves, axis=1)
    return correction(said, came, max(_DOUBTS, key=likelihood))


def correction(said: Shares, came: Shares, doubt: float = 0.0) -> Correction:
    """Return the likeliest one with that doubt, if these shares were told ([number, outcome]) and this came
    of it (0 or 1).
    """
    mixed = _corrected(said, Correction(1.0, doubt=doubt))
    logs = np.log(mixed.clip(_LEAST))[:, :, None]
    # The odds of the last outcome are 1.
    others = np.eye(said.shape[1])[:, :-1]
    product = np.concatenate([logs, np.broadcast_to(others, (len(said), *others.shape))], axis=2)
    start = np.array([1.0] + [0.0] * others.shape[1])
    bids = [(product.astype(np.float32), came.argmax(axis=1))]
    (power, *odds), _ = fit(start, np.eye(len(start)), bids, 1.0, _STEPS)
    return Correction(float(power), (*np.exp(odds).tolist(), 1.0), doubt)


def _corrected(said: Shares, how: Correction) -> Shares:
    # What was told as nothing was not possible; a difference of shares can be just below or above.
    return corrected(said.clip(0).T, said.T > _LEAST, how).T


def _likeliest(told: Told) -> tuple[float, float]:
    return max(zip(_places(told.said), _places(told.came), strict=True))


def _places(one: CardEstimate) -> tuple[float, float, float]:
    return one.highest, one.second, 1 - one.highest - one.second


def _risks(one: CardEstimate) -> tuple[float, float]:
    return one.risk, 1 - one.risk


if __name__ == "__main__":
    main()
