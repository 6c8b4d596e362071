"""How everybody stands after the stages that are over, from what everybody sees (rules.md, "The end of the
game").
"""

from itertools import accumulate
from typing import NamedTuple

from engine.rules import dealt_hand_of
from engine.state import StageResult
from engine.views import TableView


class Standing(NamedTuple):
    """What one seat has made of a game."""

    seat: int
    points: tuple[int, ...]
    """Of each stage."""
    bonus: tuple[bool, ...]
    """Whether the lowest tide's point is among them."""
    winner: bool

    @property
    def totals(self) -> list[int]:
        """After each stage."""
        return list(accumulate(self.points))

    @property
    def total(self) -> int:
        return sum(self.points)


def standings(view: TableView) -> list[Standing]:
    """Of all seats, best first."""
    seats = [
        Standing(
            seat,
            tuple(stage[seat] for stage in view.points),
            tuple(seat in bonus for bonus in view.bonuses),
            seat in view.winners,
        )
        for seat in range(len(view.seats))
    ]
    return sorted(seats, key=lambda each: -each.total)


def played_hands(view: TableView) -> list[list[tuple[int, int]]]:
    """Of each hand, by the seat to which it was dealt: the seats that have played it, in that order, and
    their points. It passes on with every stage; nothing after a single one, when nobody has played the hand
    of anybody else.
    """
    players = len(view.seats)
    return [
        [
            (seat, points[seat])
            for stage, points in enumerate(view.points)
            for seat in range(players)
            if dealt_hand_of(seat, stage, players) == hand
        ]
        for hand in range(players if len(view.points) > 1 else 0)
    ]


def totals_after(view: TableView) -> list[tuple[int, ...]]:
    """After each finished stage, a seat each."""
    return [
        tuple(map(sum, zip(*view.points[: number + 1], strict=True)))
        for number in range(len(view.points))
    ]


class HandPlayed(NamedTuple):
    """What one seat made of the hand that it held in a stage."""

    seat: int
    hand: int
    """The seat to which it was dealt."""
    start: int
    """Its life preservers."""
    points: int
    bonus: bool
    earlier: tuple[tuple[int, int], ...]
    """Who had played it in earlier stages, and their points, in that order."""
    next_seat: int
    """Who plays it in the next stage."""


def stage_hands(view: TableView, stage: int, result: StageResult) -> list[HandPlayed]:
    """Who made how much of which hand in ``stage`` (from 0); ``view`` has at least the stages before."""
    players = len(view.seats)
    return [
        HandPlayed(
            seat,
            hand := dealt_hand_of(seat, stage, players),
            result.start[seat],
            result.points[seat],
            seat in result.bonus,
            tuple(
                (there := (hand + number) % players, view.points[number][there])
                for number in range(stage)
            ),
            (seat + 1) % players,
        )
        for seat in range(players)
    ]
