"""The rules for many stages at once, as numpy arrays (rules.md, "A round" and "The end of a stage").

Bots that think ahead play thousands of stages to their end for one bid; ``engine.rules`` takes a second for
that. This module does the same arithmetic on whole arrays, and the tests compare the two. It is imported
only by bots that need it, as numpy takes a tenth of a second to load.

Axes, in this order: ``hand_size`` slots of a hand (cards ascending), ``players`` seats, ``n`` stages. Levels
are 0 for "no tide card" and -1 when eliminated. A card is its number; 0 is no bid.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.editions import WEATHER_CARDS, Rules

Bytes = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.intp]

WEATHER = len(WEATHER_CARDS)
"""Weather cards in all, whoever holds them."""


@dataclass(slots=True)
class Stages:
    """``n`` stages between two rounds. ``play`` makes new arrays and leaves these as they are."""

    rules: Rules
    hands: Bytes
    """[cards left, players, n]: the cards, ascending. Of an eliminated seat they mean nothing."""
    below: Bytes
    """As ``hands``: how many cards lower than each are not revealed yet in this stage."""
    levels: Bytes
    """[players, n]."""
    life_preservers: Bytes
    """[players, n]."""

    @property
    def left(self) -> int:
        """Cards left in each hand: rounds to play."""
        return len(self.hands)

    @property
    def alive(self) -> Flags:
        """[players, n]: who is still in the stage."""
        return self.levels >= 0

    def of(self, columns: npt.NDArray[Any] | slice) -> "Stages":
        """Some of the stages."""
        return Stages(
            self.rules,
            self.hands[..., columns],
            self.below[..., columns],
            self.levels[:, columns],
            self.life_preservers[:, columns],
        )

    @property
    def running(self) -> Flags:
        """[n]: which stages go on: those with more than two players left in them."""
        return np.asarray((self.levels >= 0).sum(axis=0) > 2)

    @property
    def points(self) -> Bytes:
        """[players, n]: what each seat would get if the stage ended now."""
        alive = self.alive
        lowest = np.where(alive, self.levels, np.int8(127)).min(axis=0)
        bonus = self.levels == lowest
        return np.where(alive, self.life_preservers + bonus, np.int8(-1))


def start(rules: Rules, hands: npt.ArrayLike, life_preservers: npt.ArrayLike) -> Stages:
    """Stages before their first round. ``hands``: [hand_size, players, n] cards, ascending along the slots;
    ``life_preservers``: [players, n].
    """
    cards = np.asarray(hands, np.int8)
    return Stages(
        rules,
        cards,
        cards - np.int8(1),
        np.zeros(cards.shape[1:], np.int8),
        np.array(life_preservers, np.int8),
    )


def play(stages: Stages, offer: Bytes, slots: npt.NDArray[Any]) -> Stages:
    """Play one round in every stage that still runs.

    ``offer``: [2, n] tides, lower first. ``slots``: [players, n], the place in ``hands`` of each bid; of
    eliminated seats and finished stages they are ignored.
    """
    running = stages.running
    bids = chosen(stages.hands, slots)
    return resolve(stages, offer, bids * (stages.alive & running), slots, running)


def chosen(hands: Bytes, slots: npt.NDArray[Any]) -> Bytes:
    """Return [players, n]: the cards of ``hands`` at ``slots``."""
    return np.asarray(np.take_along_axis(hands, np.asarray(slots, np.intp)[None], 0)[0])


def resolve(
    stages: Stages, offer: Bytes, bids: Bytes, slots: npt.NDArray[Any], running: Flags
) -> Stages:
    """Return the round after ``bids`` ([players, n], 0 where none); where not ``running``, nothing
    changes.
    """
    # Sums with flags are many times faster than ``np.where`` on bytes.
    first = bids.max(axis=0)
    second = (bids * (bids != first)).max(axis=0)
    taken = bids > 0
    levels = stages.levels + (offer[1] - stages.levels) * ((bids == second) & taken)
    levels += (offer[0] - levels) * ((bids == first) & taken)
    life_preservers = stages.life_preservers.copy()
    settle_loss(stages.rules, levels, life_preservers, running)
    slot = np.arange(stages.left - 1, dtype=np.int8)[:, None, None]
    before = slot < np.asarray(slots, np.int8)
    hands = stages.hands[1:] + (stages.hands[:-1] - stages.hands[1:]) * before
    below = stages.below[1:] + (stages.below[:-1] - stages.below[1:]) * before
    for bid in bids:
        below -= (hands > bid) & (bid > 0)
    return replace(stages, hands=hands, below=below, levels=levels, life_preservers=life_preservers)


def settle_loss(rules: Rules, levels: Bytes, life_preservers: Bytes, running: Flags) -> None:
    """Settle the loss of a round (rules.md, "A round", 4), in place; ``running`` [n]: stages that go on."""
    unpaid = running
    while True:
        highest = levels.max(axis=0)
        struck = (levels == highest) & (unpaid & (highest > 0))
        paid = struck & (life_preservers > 0)
        life_preservers -= paid
        out = struck & ~paid
        if not out.any():
            return
        levels[out] = -1
        if not rules.passes_loss_on:
            return
        several = (levels >= 0).sum(axis=0) > 2
        unpaid = unpaid & out.any(axis=0) & ~paid.any(axis=0) & several
        if not unpaid.any():
            return
