"""How everybody stands after the stages that are over, from what everybody sees (rules.md, "The end of the
game").
"""

from itertools import accumulate
from typing import NamedTuple

from engine.rules import dealt_hand_of
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
