"""A tournament as immutable data, and what can happen to it (docs/tournaments.md).

A tournament has rounds, each of one game at every table; not to be confused with the rounds of a game. Every
function returns a new tournament; what cannot be done raises ``TournamentError`` and changes nothing. Codes:
``started``, ``not_started``, ``entered``, ``not_entered``, ``full``, ``too_few`` (players, of ``least``),
``round_open`` (one goes on), ``no_round`` (none does), ``over``, ``no_table``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.editions import Rules
from engine.errors import TournamentError
from engine.tournament import LEAST_PLAYERS, MOST_PLAYERS

BOT: Final = -1
"""In place of an entrant's number."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person who has registered. Entrants are known by their place in ``Tournament.entrants``."""

    player: str
    """The id of the person; nothing that others see."""
    name: str
    guest: bool = False
    since: int = 0
    """The first round (from 0) in which a seat is given to who is there."""
    until: int | None = None
    """The round from which on no seat is given; ``None`` for who has not withdrawn."""

    def plays(self, number: int) -> bool:
        """Return whether a seat is given in this round."""
        return self.since <= number and (self.until is None or number < self.until)


@dataclass(frozen=True, slots=True)
class SeatScore:
    """What one seat made of a game."""

    points: int
    stayed: bool = True
    """The person was there at the end; for a bot's own seat it says nothing."""


@dataclass(frozen=True, slots=True)
class TournamentTable:
    """A table of one round."""

    seats: tuple[int, ...]
    """The entrant on each seat; ``BOT`` for a bot."""
    scores: tuple[SeatScore, ...] | None = None
    """A seat each, once the game is over; ``None`` before, and where it was broken off."""
    game: str = ""
    """The id of the game's record."""
    done: bool = False
    """Nothing more comes from this table."""


@dataclass(frozen=True, slots=True)
class Round:
    """One game at each table, all of the same deal."""

    tables: tuple[TournamentTable, ...]
    closed: bool = False

    @property
    def done(self) -> bool:
        """Whether all tables are done."""
        return all(table.done for table in self.tables)


@dataclass(frozen=True, slots=True)
class Tournament:
    """All that seating and standings follow from."""

    rules: Rules
    """``rules.players`` is the number of seats at each table."""
    planned: int
    """Number of rounds that there are to be."""
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    """Rounds that have been seated; only the last may be open."""
    over: bool = False

    @property
    def started(self) -> bool:
        """Whether a round has been seated."""
        return bool(self.rounds)

    @property
    def open_round(self) -> Round | None:
        """The round that goes on."""
        last = self.rounds[-1] if self.rounds else None
        return last if last is not None and not last.closed else None

    @property
    def present(self) -> list[int]:
        """The entrants who would be seated in the next round, if all of them are there."""
        following = len(self.rounds)
        return [n for n, each in enumerate(self.entrants) if each.plays(following)]

    def number_of(self, player: str) -> int:
        """Return the entrant with this id; ``BOT`` when there is none."""
        found = (n for n, each in enumerate(self.entrants) if each.player == player)
        return next(found, BOT)


def register(
    before: Tournament,
    player: str,
    name: str,
    *,
    guest: bool = False,
    places: int = MOST_PLAYERS,
) -> Tournament:
    """Enter somebody: from the first round on, or late, from the next round on. Who has withdrawn comes back
    in the same way, with the results of before, and has left the place to others meanwhile.
    """
    _check_not_over(before)
    number, following = before.number_of(player), len(before.rounds)
    until = following if number == BOT else before.entrants[number].until
    if until is None:
        raise TournamentError("entered")
    if sum(each.until is None for each in before.entrants) >= places:
        raise TournamentError("full", most=places)
    if number == BOT:
        entrant = Entrant(player, name, guest, following)
        return replace(before, entrants=(*before.entrants, entrant))
    known = before.entrants[number]
    # A round between is one without a seat: ``since`` moves, and what was played stays played.
    since = known.since if until >= following else following
    return _with_entrant(before, number, replace(known, name=name, since=since, until=None))


def withdraw(before: Tournament, player: str) -> Tournament:
    """Give nobody of that id a seat from the next round on. Who has registered after everybody who has been
    seated is as if never entered.
    """
    _check_not_over(before)
    number = before.number_of(player)
    if number == BOT or before.entrants[number].until is not None:
        raise TournamentError("not_entered")
    if all(
        number > seat for each in before.rounds for table in each.tables for seat in table.seats
    ):
        # So are those who have entered later: nobody's number is needed.
        entrants = before.entrants[:number] + before.entrants[number + 1 :]
        return replace(before, entrants=entrants)
    left = replace(before.entrants[number], until=len(before.rounds))
    return _with_entrant(before, number, left)


def with_round(before: Tournament, tables: Sequence[Sequence[int]]) -> Tournament:
    """Begin the next round with this seating (see ``seating.seat_round``). Who is ``present`` and not seated
    there has no seat in this round.
    """
    _check_not_over(before)
    if before.open_round is not None:
        raise TournamentError("round_open")
    if len(before.rounds) >= before.planned:
        raise TournamentError("over")
    seated = [seat for seats in tables for seat in seats if seat != BOT]
    if not before.started and len(seated) < LEAST_PLAYERS:
        raise TournamentError("too_few", players=len(seated), least=LEAST_PLAYERS)
    fits = all(len(seats) == before.rules.players for seats in tables)
    if not fits or len(set(seated)) < len(seated) or not set(seated) <= set(before.present):
        raise ValueError("not a seating of who is there")
    new = Round(tuple(TournamentTable(tuple(seats)) for seats in tables))
    return replace(before, rounds=(*before.rounds, new))


def with_result(
    before: Tournament, table: int, scores: Sequence[SeatScore] | None, game: str = ""
) -> Tournament:
    """A table of the open round is done; without ``scores``, its game was broken off. A table that is done
    stays as it is.
    """
    current = before.open_round
    if current is None:
        raise TournamentError("no_round")
    if table not in range(len(current.tables)):
        raise TournamentError("no_table")
    known = current.tables[table]
    if known.done:
        return before
    if scores is not None and len(scores) != len(known.seats):
        raise ValueError("a score a seat")
    after = replace(known, scores=None if scores is None else tuple(scores), game=game, done=True)
    tables = (*current.tables[:table], after, *current.tables[table + 1 :])
    return _with_last(before, replace(current, tables=tables))


def close_round(before: Tournament) -> Tournament:
    """The open round is over; whatever is not done by now counts as broken off. After the last round, so is
    the tournament.
    """
    current = before.open_round
    if current is None:
        raise TournamentError("no_round")
    tables = tuple(replace(table, done=True) for table in current.tables)
    after = _with_last(before, replace(current, tables=tables, closed=True))
    return replace(after, over=len(after.rounds) >= after.planned)


def end(before: Tournament) -> Tournament:
    """End the tournament with the rounds that were closed: one that goes on counts for nothing."""
    _check_not_over(before)
    rounds = before.rounds[:-1] if before.open_round is not None else before.rounds
    return replace(before, rounds=rounds, over=True)


def _check_not_over(tournament: Tournament) -> None:
    if tournament.over:
        raise TournamentError("over")


def _with_entrant(before: Tournament, number: int, entrant: Entrant) -> Tournament:
    entrants = (*before.entrants[:number], entrant, *before.entrants[number + 1 :])
    return replace(before, entrants=entrants)


def _with_last(before: Tournament, last: Round) -> Tournament:
    return replace(before, rounds=(*before.rounds[:-1], last))
