"""Builders: what a seat sees in a situation that a test is about."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.bots import BOTS
from engine.bots.estimates import HintQuestion
from engine.bots.review import AnyQuestion
from engine.editions import Edition, Rules, player_range
from engine.state import Cards, Phase
from engine.views import OwnHand, SeatPublic, SeatView, TableView
from server.coordinator.table.ports import Asker, Urgency

EVERY_STRATEGY = [
    pytest.param(name, marks=[pytest.mark.slow] if row.thinks else [])
    for name, row in BOTS.items()
    if not (row.thinks and row.slips)
]
"""Those that think for long are slow to test, and no different where they slip."""

KINDS = [
    Rules(edition, players, modified_drowning=modified)
    for edition in Edition
    for players in player_range(edition)
    for modified in ((False, True) if edition is Edition.BGA else (False,))
]
"""Every edition and number of players, with every rule that changes what a bid brings."""


def seat(
    level: int = 0,
    left: int = 3,
    *,
    out: bool = False,
    played: Sequence[int] = (),
    earlier: Sequence[int] = (),
) -> SeatPublic:
    """A seat as everybody sees it."""
    return SeatPublic(
        score=0,
        start=5,
        life_preservers=left,
        level=level,
        eliminated=out,
        has_bid=False,
        cards_left=0 if out else 12 - len(played),
        played=tuple(played),
        earlier=tuple(earlier),
    )


def view_of(
    seats: Sequence[SeatPublic],
    offer: tuple[int, int],
    hand: Sequence[int],
    own_earlier: Sequence[OwnHand] = (),
) -> SeatView:
    """What the first of the ``seats`` sees; it holds ``hand`` and has played what it shows as played."""
    dealt: Cards = tuple(sorted([*hand, *seats[0].played]))
    table = TableView(
        rules=Rules(players=len(seats)),
        phase=Phase.BIDDING,
        stage=0,
        round=len(seats[0].played),
        offer=offer,
        seats=tuple(seats),
        rounds=(),
        points=(),
        bonuses=(),
        winners=(),
    )
    return SeatView(table, 0, tuple(sorted(hand)), 0, dealt, tuple(own_earlier))


@dataclass
class Thinker:
    """Answers hints at once, as the other process does."""

    asked: list[HintQuestion] = field(default_factory=list)
    able: bool = True

    def __call__(self, question: AnyQuestion, asker: Asker) -> asyncio.Future[Any]:
        assert isinstance(question, HintQuestion)
        assert asker.urgency is Urgency.HINT
        self.asked.append(question)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        answer.set_result(json.loads(json.dumps(question.answer(nothing))) if self.able else 0)
        return answer


def nothing(*_: object) -> int:
    """No bot is asked for its card."""
    raise AssertionError
