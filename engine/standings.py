"""Standings after the stages that are over, and the highlights of a finished game, from what everybody sees
(rules.md, "The end of the game").
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import accumulate, groupby
from typing import Final, NamedTuple

from engine.editions import hand_life_preservers
from engine.rules import dealt_hand_of
from engine.state import StageResult
from engine.views import TableView


class Standing(NamedTuple):
    """What one seat has made of a game."""

    seat: int
    points: tuple[int, ...]
    """Points of each stage."""
    bonus: tuple[bool, ...]
    """Whether the lowest tide's point is among them."""
    winner: bool

    @property
    def totals(self) -> list[int]:
        """Points in all after each stage."""
        return list(accumulate(self.points))

    @property
    def total(self) -> int:
        return sum(self.points)


def standings(view: TableView) -> list[Standing]:
    """Return the standings of all seats, best first."""
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
    """Return for each hand, by the seat to which it was dealt: the seats that have played it, in that order,
    and their points. It passes on with every stage; nothing after a single one, when nobody has played the
    hand of anybody else.
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
    """Return the points in all after each finished stage, a seat each."""
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
    """Seats that played it in earlier stages, and their points, in that order."""
    next_seat: int
    """Seat that plays it in the next stage."""


def stage_hands(view: TableView, stage: int, result: StageResult) -> list[HandPlayed]:
    """Return what each seat made of its hand in ``stage`` (from 0); ``view`` has the stages before it."""
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


MOST: Final = 5
"""Most highlights of one game ..."""
_OF_A_KIND: Final = 2
"""... and of one kind."""
_MADE: Final = 2
"""Making fewer points of a hand than this is nothing special ..."""
_KEPT: Final = 3
"""... nor is keeping fewer life preservers ..."""
_BEHIND: Final = 3
"""... or winning from fewer points behind."""


class Kind(StrEnum):
    """Why something is told."""

    BEST_OF_HAND = "best_of_hand"
    """Nobody else made as many points of that hand; ``other`` is what the next best made."""
    LOST_HAND = "lost_hand"
    """Eliminated with a hand of which somebody else made ``other`` points."""
    KEPT_ALL = "kept_all"
    """Never turned over one of the ``other`` life preservers of the hand."""
    TOOK_LEAD = "took_lead"
    """Was the only leader after that stage, and nobody overtook again; ``points`` ahead of the next."""
    COMEBACK = "comeback"
    """Won, although ``points`` behind the leader after that stage."""
    BONUS_DECIDED = "bonus_decided"
    """The winners would have been others without the bonus of that stage, the last one."""


class Highlight(NamedTuple):
    """One thing to tell. Everything counts from 0."""

    kind: Kind
    stage: int
    seat: int
    hand: int
    """The seat to which the hand that is played there was dealt."""
    points: int
    other: int
    """What it is compared with; see ``Kind``."""


def highlights(view: TableView) -> tuple[Highlight, ...]:
    """The most remarkable, in the order of the stages; nothing before the game is over."""
    chosen: list[Highlight] = []
    for each in _ranked(view):
        if sum(each.kind is other.kind for other in chosen) < _OF_A_KIND and not any(
            (each.stage, each.seat) == (other.stage, other.seat) for other in chosen
        ):
            chosen.append(each)
    return tuple(sorted(chosen[:MOST], key=lambda each: (each.stage, each.seat)))


def climax(view: TableView) -> Highlight | None:
    """Return the most remarkable highlight of all."""
    return next(iter(_ranked(view)), None)


def _ranked(view: TableView) -> list[Highlight]:
    if not view.winners or not view.points:
        return []
    found = [*_of_hands(view), *_of_life_preservers(view), *_of_the_lead(view), *_of_the_end(view)]
    return [each for _, each in sorted(found, key=lambda each: (-each[0], each[1]))]


_Weighed = tuple[float, Highlight]
"""The more, the more remarkable."""


def _of_hands(view: TableView) -> Iterator[_Weighed]:
    players = len(view.seats)
    for hand, played in enumerate(played_hands(view)):
        for seat, points in played:
            others = [made for other, made in played if other != seat]
            if not others:
                continue
            stage, best = (seat - hand) % players, max(others)
            if points > best and points >= _MADE:
                yield (
                    points - best,
                    Highlight(Kind.BEST_OF_HAND, stage, seat, hand, points, best),
                )
            elif points < 0 and best >= _KEPT:
                yield best - 1.5, Highlight(Kind.LOST_HAND, stage, seat, hand, points, best)


def _of_life_preservers(view: TableView) -> Iterator[_Weighed]:
    players = len(view.seats)
    for stage, points in enumerate(view.points if view.deal else ()):
        for seat, made in enumerate(points):
            hand = dealt_hand_of(seat, stage, players)
            start = hand_life_preservers(view.deal[hand])
            if made - (seat in view.bonuses[stage]) == start >= _KEPT:
                yield start - 0.5, Highlight(Kind.KEPT_ALL, stage, seat, hand, made, start)


def _of_the_lead(view: TableView) -> Iterator[_Weighed]:
    totals = totals_after(view)
    leaders = [_leaders(each) for each in totals]
    runs = [(stages[0], who) for who, stages in _runs(leaders)]
    alone = [(stage, who[0]) for stage, who in runs if len(who) == 1]
    if len(runs) > 1 and alone and runs[-1] == (alone[-1][0], (alone[-1][1],)):
        stage, seat = alone[-1]
        ahead = totals[stage][seat] - max(
            total for other, total in enumerate(totals[stage]) if other != seat
        )
        yield 2.0, _plain(view, Kind.TOOK_LEAD, stage, seat, ahead)
    for winner in view.winners:
        behind = [max(each) - each[winner] for each in totals]
        most = max(behind)
        if most >= _BEHIND:
            # The latest such stage: nobody was so far behind afterwards.
            stage = max(number for number, each in enumerate(behind) if each == most)
            yield most, _plain(view, Kind.COMEBACK, stage, winner, most)


def _of_the_end(view: TableView) -> Iterator[_Weighed]:
    last, final = len(view.points) - 1, totals_after(view)[-1]
    bonus = view.bonuses[last]
    without = [total - (seat in bonus) for seat, total in enumerate(final)]
    for seat in bonus:
        if seat in view.winners and _leaders(without) != _leaders(final):
            yield 3.0, _plain(view, Kind.BONUS_DECIDED, last, seat, 1)


def _plain(view: TableView, kind: Kind, stage: int, seat: int, points: int) -> Highlight:
    return Highlight(kind, stage, seat, dealt_hand_of(seat, stage, len(view.seats)), points, 0)


def _leaders(totals: Sequence[int]) -> tuple[int, ...]:
    best = max(totals)
    return tuple(seat for seat, total in enumerate(totals) if total == best)


def _runs(leaders: Sequence[tuple[int, ...]]) -> list[tuple[tuple[int, ...], list[int]]]:
    """Return the leaders, and the stages in which they did not change."""
    grouped = groupby(enumerate(leaders), key=lambda each: each[1])
    return [(who, [stage for stage, _ in stages]) for who, stages in grouped]
