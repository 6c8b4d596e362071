"""A tournament as immutable data, the seating of its rounds, and what can happen to it (docs/tournaments.md).

A tournament has rounds, each of one game at every table; not to be confused with the rounds of a game. Every
function returns a new tournament; what cannot be done raises ``TournamentError`` and changes nothing. Codes:
``started``, ``not_started``, ``entered``, ``not_entered``, ``full``, ``too_few`` (players, of ``least``),
``round_open`` (one goes on), ``no_round`` (none does), ``over``, ``no_table``.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

from engine.editions import Rules
from engine.errors import TournamentError
from engine.tournament import LEAST_PLAYERS, MOST_PLAYERS

BOT: Final = -1
"""Stands for an entrant's number on a bot's seat."""


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
    """Begin the next round with this seating (``seat_round``). Who is ``present`` and not seated
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


_STARTS: Final = 6
"""Number of the best first arrangements that are improved."""
_SWEEPS: Final = 12
"""Most times that everybody is compared with everybody else."""


def seat_round(tournament: Tournament, away: Container[int] = ()) -> tuple[tuple[int, ...], ...]:
    """Return the tables of the next round, an entrant (or ``BOT``) a seat; none when nobody is there: who
    would be seated and is not ``away``.

    As many tables as the people who are there need, but at least two, because one alone has nothing to be
    compared with. Bots are spread evenly, so that nobody plays against bots alone while others play among
    themselves. The same tournament always gives the same seating.
    """
    size = tournament.rules.players
    present = [one for one in tournament.present if one not in away]
    if not present:
        return ()
    met, seats_had = _history(tournament, present)
    count = max(2, -(-len(present) // size))
    bots = count * size - len(present)
    room = [size - bots // count - (table < bots % count) for table in range(count)]
    weight = {
        one: {other: _weight(times) for other, times in met[one].items() if other != one}
        for one in present
    }
    starts = [_arranged(present, room, shift) for shift in range(count)]
    starts.sort(key=lambda tables: _cost(tables, weight, size))
    found, least = starts[0], _cost(starts[0], weight, size)
    for start in starts[:_STARTS]:
        if not least:
            break  # nobody meets again
        improved = _improved(start, weight, size)
        if (cost := _cost(improved, weight, size)) < least:
            found, least = improved, cost
    return tuple(_placed([*people, *[BOT] * (size - len(people))], seats_had) for people in found)


_Met = dict[int, dict[int, int]]
"""How often each entrant has met each other one, or bots; or what it costs to meet again."""


def _history(tournament: Tournament, present: Sequence[int]) -> tuple[_Met, dict[int, list[int]]]:
    """Return how often any two of these have met, and how often each has had each seat."""
    size = tournament.rules.players
    met: _Met = {one: dict.fromkeys((BOT, *present), 0) for one in present}
    seats_had = {one: [0] * size for one in present}
    for each in tournament.rounds:
        for table in each.tables:
            for seat, one in enumerate(table.seats):
                if one not in met:
                    continue
                seats_had[one][seat] += 1
                for other in table.seats:
                    if other != one and other in met[one]:
                        met[one][other] += 1
    return met, seats_had


def _arranged(people: Sequence[int], room: Sequence[int], shift: int) -> list[list[int]]:
    """Deal people out to the tables, each row ``shift`` tables further than the one before. With a prime
    number of tables, two of different columns meet under one shift only.
    """
    count = len(room)
    tables: list[list[int]] = [[] for _ in room]
    for number, one in enumerate(people):
        row, column = divmod(number, count)
        wanted = (column + row * shift) % count
        # Where bots sit there is less room.
        table = next(
            at
            for further in range(count)
            if len(tables[at := (wanted + further) % count]) < room[at]
        )
        tables[table].append(one)
    return tables


def _weight(times: int) -> int:
    """Return what it costs to meet once more: to meet a third time is worse than for two others a second
    time.
    """
    return times * (times + 1) // 2


def _cost(tables: Sequence[Sequence[int]], weight: _Met, size: int) -> int:
    total = 0
    for people in tables:
        bots = size - len(people)
        for place, one in enumerate(people):
            costs = weight[one]
            total += bots * costs[BOT] + sum([costs[other] for other in people[:place]])
    return total


def _improved(start: Sequence[Sequence[int]], weight: _Met, size: int) -> list[list[int]]:
    """Swap people between tables for as long as that has fewer meet again."""
    tables = [list(people) for people in start]
    at = {one: table for table, people in enumerate(tables) for one in people}
    bots = [size - len(people) for people in tables]

    def at_table(one: int, table: int) -> int:
        costs = weight[one]
        return bots[table] * costs[BOT] + sum(costs[it] for it in tables[table] if it != one)

    # What each would cost at each table as it is now.
    there = {one: [at_table(one, table) for table in range(len(tables))] for one in at}
    for _ in range(_SWEEPS):
        changed = False
        for one, here in at.items():
            if not there[one][here]:
                continue
            best, chosen = 0, one
            for other, away in at.items():
                if away == here:
                    continue
                both = 2 * weight[one][other]
                gain = there[one][here] + there[other][away]
                gain -= there[one][away] + there[other][here] - both
                if gain > best:
                    best, chosen = gain, other
            if chosen != one:
                away = at[chosen]
                tables[here][tables[here].index(one)] = chosen
                tables[away][tables[away].index(chosen)] = one
                at[one], at[chosen] = away, here
                for each in at:
                    there[each][here] = at_table(each, here)
                    there[each][away] = at_table(each, away)
                changed = True
        if not changed:
            break
    return tables


def _placed(people: Sequence[int], seats_had: dict[int, list[int]]) -> tuple[int, ...]:
    """Place people on the seats that each has had least often."""

    def cost(order: tuple[int, ...]) -> int:
        return sum(seats_had[one][seat] ** 2 for seat, one in enumerate(order) if one != BOT)

    best, found = -1, tuple(people)
    for order in permutations(people):
        if best < 0 or cost(order) < best:
            best, found = cost(order), order
    return found
