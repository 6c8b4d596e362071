"""Seating of the next round: people meet as many others as possible, and change seats."""

from collections.abc import Container, Sequence
from itertools import permutations
from typing import Final

from engine.tournament.progress import BOT, Tournament

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
