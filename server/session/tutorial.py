"""The guide of a first game: what is to be learnt from what has just happened, each thing once.

And at one player's side, which lessons were given, and which are still to be read.

Purely on the frontend's side: the table is one like any other, and everything said here is read off its
snapshots and happenings.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from engine.state import RoundResult
from engine.views import SeatView
from server.coordinator import messages as m
from server.i18n.lookup import Plural, Words, _, n_
from server.text.rounds import Names
from server.viewmodels.table import seat_names

_NEAR_THE_END: Final = 3
"""Rounds before the last at which the point for the lowest tide is explained."""

_AT_MOST: Final = 2
"""Lessons on one round beyond what it takes to understand the first: the others wait for the next chance."""


class Topic(Enum):
    """What a lesson is about, and its text, to be translated."""

    WELCOME = n_(
        "Stay dry! Your tide is how high the water is. In {count} round, whoever has the"
        " highest tide loses a life preserver.",
        "Stay dry! Your tide is how high the water is. In each of {count} rounds, whoever has"
        " the highest tide loses a life preserver.",
    )
    HAND = n_(
        "These are your weather cards. Some show a life preserver or half of one: you begin"
        " with {count}.",
        "These are your weather cards. Some show a life preserver or half of one: you begin"
        " with {count}.",
    )
    TIDES = _(
        "Two tide cards are on offer: the highest bid takes the {low}, the second highest the {high}."
    )
    BID = _(
        "Now choose a card to bid, face down: for the {card}, type {card}. All bids are turned up at once."
    )
    SEALED = _(
        "Your {card} lies face down. While others still think, you can bid another card instead."
    )
    REVEAL = _(
        "{first} bid the highest card ({card}) and took the {low}, {second} ({next}) took the {high}."
        " Nobody else takes one."
    )
    LOSS = _(
        "{name} now has the highest tide ({tide}): one life preserver is lost. Every round ends like this."
    )
    SHARED = _("{names} share the highest tide ({tide}): both must give up a life preserver.")
    NO_TIDE = _("Nobody still in shows a tide card, so nobody loses anything.")
    OUT = _("{names}: no life preserver left, so out of this stage; that costs a point.")
    PASSED_ON = _(
        "Every round costs a life preserver. Nobody had lost one, so the loss was passed on:"
        " {names}."
    )
    LAST_ONE_GONE = _("{name} has no life preserver left: still in, but out with the next loss.")
    COVERED = _(
        "{name} covered the {old} with the {new}: only the newest counts. A low tide is worth a high card."
    )
    TAKEN = _(
        "You took the {tide}. It is your tide until you take another: a lower one would cover it."
    )
    SPARED = _(
        "Your {card} took no tide card: your tide stays as it is. Low cards leave the water to others."
    )
    LOWEST = n_(
        "{count} round to go. The lowest tide at the end is worth a point; having no tide card"
        " counts as lowest.",
        "{count} rounds to go. The lowest tide at the end is worth a point; having no tide"
        " card counts as lowest.",
    )
    POINTS = _("Each life preserver left is a point; being out costs one.")
    FULL_GAME = _(
        "That is all. In a full game each hand now passes to the left, until all have played all hands."
    )


class ScreenPart(Enum):
    """Part of the screen that a lesson speaks of."""

    LEVELS = "levels"
    """The water of some seats."""
    PRESERVERS = "preservers"
    """Life preservers of some seats, left and lost."""
    STATES = "states"
    """What some seats are doing."""
    OFFER = "offer"
    HAND = "hand"
    NOTHING = "nothing"


_PARTS: Final = {
    Topic.WELCOME: ScreenPart.PRESERVERS,
    Topic.HAND: ScreenPart.HAND,
    Topic.TIDES: ScreenPart.OFFER,
    Topic.BID: ScreenPart.HAND,
    Topic.SEALED: ScreenPart.STATES,
    Topic.LOSS: ScreenPart.PRESERVERS,
    Topic.SHARED: ScreenPart.PRESERVERS,
    Topic.PASSED_ON: ScreenPart.PRESERVERS,
    Topic.LAST_ONE_GONE: ScreenPart.PRESERVERS,
    Topic.POINTS: ScreenPart.NOTHING,
    Topic.FULL_GAME: ScreenPart.NOTHING,
}
"""The others speak of levels."""

_FIRST: Final = frozenset({Topic.WELCOME, Topic.HAND, Topic.TIDES, Topic.BID, Topic.SEALED})
"""What has been told once a round is over."""


class Lesson(NamedTuple):
    """One thing to learn, in any language."""

    topic: Topic
    values: Mapping[str, object] = {}
    """What its text needs: cards, levels, counts, and the names of players."""
    variant: int = 0
    """In other words: it has happened to who is learning (1), also as the second of two (2), or both tides on
    offer are the same.
    """
    seats: tuple[int, ...] = ()
    """Seats whose part of the table it speaks of."""

    @property
    def part(self) -> ScreenPart:
        """Part of the table that it speaks of."""
        return _PARTS.get(self.topic, ScreenPart.LEVELS)


def lessons(
    told: frozenset[Topic],
    before: m.TableSnapshot | None,
    now: m.TableSnapshot,
    happenings: Sequence[m.Happening],
) -> tuple[Lesson, ...]:
    """What there is to learn now, of what has not been ``told``; ``before`` is the snapshot taken last."""
    if now.own is None or now.table is None:
        return ()
    found: list[Lesson] = []
    seats = before.table.seats if before is not None and before.table is not None else ()
    levels = tuple(seat.level for seat in seats)
    for happening in happenings:
        if isinstance(happening, m.RoundResolved):
            found += _fresh(told, happening.result, happening.round, levels, now)
            levels = tuple(level or 0 for level in happening.result.levels)
        elif isinstance(happening, m.StageScored):
            found = [each for each in found if each.topic is not Topic.LAST_ONE_GONE]
            found.append(Lesson(Topic.POINTS))
        elif isinstance(happening, m.GameOver) and len(now.table.points) < len(now.table.seats):
            found.append(Lesson(Topic.FULL_GAME))
    if now.info.status is m.Status.PLAYING:
        found += _turn(now.own)
    fresh: dict[Topic, Lesson] = {}
    for lesson in found:
        if lesson.topic not in told:
            fresh.setdefault(lesson.topic, lesson)
    return tuple(fresh.values())


def caught_up(now: m.TableSnapshot) -> tuple[frozenset[Topic], tuple[Lesson, ...]]:
    """For who comes back to a stage.

    What was told before its last round, as far as the table shows, and what there is to learn now, that
    round once more included.
    """
    if now.own is None or now.table is None:
        return frozenset(), ()
    told: frozenset[Topic] = frozenset()
    last: list[Lesson] = []
    levels: tuple[int, ...] = ()
    for round_, result in enumerate(now.table.rounds):
        told |= {*_FIRST, *(lesson.topic for lesson in last)}
        last = _fresh(told, result, round_, levels, now)
        levels = tuple(level or 0 for level in result.levels)
    again = [*last, *(lesson for lesson in _turn(now.own) if lesson.topic not in told)]
    return told, tuple(again)


def _fresh(
    told: frozenset[Topic],
    result: RoundResult,
    round_: int,
    levels: tuple[int, ...],
    now: m.TableSnapshot,
) -> list[Lesson]:
    new = [each for each in _round(result, round_, levels, now) if each.topic not in told]
    return new if Topic.REVEAL not in told else new[:_AT_MOST]


def _turn(own: SeatView) -> Iterator[Lesson]:
    """What the seat is looking at before the reveal."""
    table = own.table
    if table.offer is None:
        return
    left = table.rules.rounds - table.round
    if own.hand:
        low, high = table.offer
        yield Lesson(Topic.WELCOME, {"count": table.rules.rounds}, seats=(own.seat,))
        yield Lesson(Topic.HAND, {"count": table.seats[own.seat].start})
        yield Lesson(Topic.TIDES, {"low": low, "high": high, "tide": low}, int(low == high))
        yield Lesson(Topic.BID, {"card": own.hand[len(own.hand) // 2]})
    if own.bid and left > 1:
        yield Lesson(Topic.SEALED, {"card": own.bid}, seats=(own.seat,))
    if 1 < left <= _NEAR_THE_END:
        yield Lesson(Topic.LOWEST, {"count": left}, seats=tuple(range(len(table.seats))))


def _round(
    result: RoundResult, round_: int, levels: tuple[int, ...], now: m.TableSnapshot
) -> Iterator[Lesson]:
    """What a revealed round (from 0) has to teach, what is rare first."""
    names = seat_names(now.info)
    (first, second), (low, high) = result.takers, result.offer
    taken = {
        "first": names[first],
        "card": result.bids[first] or 0,
        "low": low,
        "second": names[second],
        "next": result.bids[second] or 0,
        "high": high,
    }
    mine = result.takers.index(now.seat) + 1 if now.seat in result.takers else 0
    yield Lesson(Topic.REVEAL, taken, mine, tuple(result.takers))
    yield from _losses(result, names, now.seat)
    if round_:
        yield from _takers(result, levels, names, now.seat)


def _losses(result: RoundResult, names: Names, you: int) -> Iterator[Lesson]:
    def of(topic: Topic, seats: Sequence[int], tide: int = 0) -> Lesson:
        others = [seat for seat in seats if seat != you or topic is not Topic.SHARED]
        said = tuple(names[seat] for seat in others)
        values = {"name": said[0], "names": said, "tide": tide}
        return Lesson(topic, values, int(you in seats), tuple(seats))

    if not result.losses:
        yield Lesson(Topic.NO_TIDE, seats=tuple(range(len(names))))
        return
    # Why comes before what follows from it.
    step = result.losses[0]
    together = tuple(sorted((*step.lost, *step.eliminated)))
    if len(together) > 1:
        yield of(Topic.SHARED, together, step.level)
    elif step.lost:
        yield of(Topic.LOSS, step.lost, step.level)
    if result.eliminated:
        yield of(Topic.OUT, (you,) if you in result.eliminated else result.eliminated)
    if len(result.losses) > 1:
        yield of(Topic.PASSED_ON, result.losses[-1].lost or result.losses[-1].eliminated)
    gone = [seat for seat in result.lost if not result.life_preservers[seat]]
    if gone:
        yield of(Topic.LAST_ONE_GONE, (you,) if you in gone else gone[:1])


def _takers(
    result: RoundResult, levels: tuple[int, ...], names: Names, you: int
) -> Iterator[Lesson]:
    for seat, tide in zip(result.takers, result.offer, strict=True):
        if levels and levels[seat] > tide:
            covered = {"name": names[seat], "old": levels[seat], "new": tide}
            yield Lesson(Topic.COVERED, covered, int(seat == you), (seat,))
        elif seat == you:
            yield Lesson(Topic.TAKEN, {"tide": tide}, 1, (you,))
    bid = result.bids[you]
    if bid is not None and you not in result.takers:
        yield Lesson(Topic.SPARED, {"card": bid}, 1, (you,))


# ---------------------------------------------------------------- in words

_VARIANTS: Final[Mapping[tuple[Topic, int], str]] = {
    (Topic.TIDES, 1): _(
        "Two tide cards are on offer, both {tide}: the two highest bids take one each."
    ),
    (Topic.REVEAL, 1): _(
        "You bid the highest card ({card}) and took the {low}, {second} ({next}) took the {high}."
        " Nobody else takes one."
    ),
    (Topic.REVEAL, 2): _(
        "{first} bid the highest card ({card}) and took the {low}, you ({next}) took the {high}."
        " Nobody else takes one."
    ),
    (Topic.LOSS, 1): _(
        "You now have the highest tide ({tide}): you lose a life preserver. Every round ends like this."
    ),
    (Topic.SHARED, 1): _(
        "You and {names} share the highest tide ({tide}): both of you must give up a life"
        " preserver."
    ),
    (Topic.OUT, 1): _(
        "You had no life preserver left: you are out of this stage, and that costs a point."
    ),
    (Topic.PASSED_ON, 1): _(
        "Every round costs a life preserver. Nobody had lost one, so the loss was passed on to you."
    ),
    (Topic.LAST_ONE_GONE, 1): _(
        "Your last life preserver is gone. You are still in, but the next loss puts you out."
    ),
    (Topic.COVERED, 1): _(
        "You covered your {old} with the {new}: only the newest counts. A low tide is worth a high card."
    ),
}


def lesson_in_words(lesson: Lesson, words: Words) -> str:
    """A lesson as the guide says it."""
    text: str | Plural = _VARIANTS.get((lesson.topic, lesson.variant), lesson.topic.value)
    values = {
        name: words.listed(value) if isinstance(value, tuple) else value
        for name, value in lesson.values.items()
    }
    return words.t("Guide: {lesson}", lesson=words.fill(text, **values))


# ---------------------------------------------------------------- at one player's side


@dataclass(slots=True, eq=False)
class Tutorial:
    """Silent until ``begin``, and from ``end`` on."""

    _remember: Callable[[str], None] = lambda _: None
    """Told to which game the guide has come, and "" when it has left it."""
    here: bool = False
    """Whether the guide is at this player's side."""
    unread: tuple[Lesson, ...] = ()
    """The lesson to read now, and all after it."""
    _told: frozenset[Topic] = frozenset()
    _table: str = ""

    @property
    def lesson(self) -> Lesson | None:
        """The lesson to read now; it stays until there is another, or the next round is revealed."""
        return self.unread[0] if self.unread else None

    @property
    def more(self) -> int:
        """Number of lessons to be read after it."""
        return max(0, len(self.unread) - 1)

    def begin(self, now: m.TableSnapshot | None) -> tuple[Lesson, ...]:
        """Come along, to this table or the next one the player sits down at. What there is to say already."""
        self.end()
        self.here = True
        return self.updated(None, now, ()) if now is not None else ()

    def end(self) -> None:
        """Go away."""
        self.here = False
        self._told = frozenset()
        self.unread = ()
        self._stay_at("")

    def come_back(self, now: m.TableSnapshot | None, game: object) -> tuple[Lesson, ...]:
        """Be there again for who has come back to ``game``, which was remembered. What there is to say."""
        if now is None or game != _game(now):
            return ()
        if now.own is None or now.info.status is not m.Status.PLAYING:
            return ()
        self.here, self._table = True, _game(now)
        told, again = caught_up(now)
        self._told = told | {lesson.topic for lesson in again}
        self.unread += again
        return again

    def _stay_at(self, game: str) -> None:
        if game != self._table:
            self._table = game
            self._remember(game)

    def updated(
        self,
        before: m.TableSnapshot | None,
        now: m.TableSnapshot | None,
        happenings: Sequence[m.Happening],
    ) -> tuple[Lesson, ...]:
        """Something has happened; what there is to say about it. The guide stays with the game it came to."""
        if not self.here:
            return ()
        if now is None or (self._table and self._table != _game(now)):
            if self._table:
                self.end()
            return ()
        if now.table is not None and now.own is not None:
            self._stay_at(_game(now))
        new = lessons(self._told, before, now, happenings)
        plays = now.own is not None and now.own.hand
        revealed = any(isinstance(each, m.RoundResolved) for each in happenings)
        if new:
            # What has been read gives way to what is new.
            self.unread = (*self.unread[1:], *new)
            self._told |= {lesson.topic for lesson in new}
        elif plays and revealed and not self.more:
            # Read, and no longer about how things stand.
            self.unread = ()
        return new

    def read(self) -> None:
        """On to the next lesson, if there is one."""
        if self.more:
            self.unread = self.unread[1:]


def _game(now: m.TableSnapshot) -> str:
    return f"{now.info.id}/{now.info.game}"
