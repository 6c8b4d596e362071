"""Everything that can go wrong, by lot: a table of kinds, each with its weight.

A kind is handed the world and its people; it says whether it was possible.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from server.coordinator import messages as m
from tests.support.faults.people import People
from tests.support.faults.world import Person, World

Kind = Callable[[World, People], Awaitable[bool]]


async def database_cut(world: World, _: People) -> bool:
    world.database.cut = not world.database.cut
    world.say(f"database cut: {world.database.cut}")
    return world.database.cut


async def database_slow(world: World, _: People) -> bool:
    world.database.slow = world.rng.choice((0.05, 0.5, 1.5))
    world.say(f"database is slow: {world.database.slow}")
    return True


async def answer_lost(world: World, people: People) -> bool:
    """To one of the next commits, while nothing else is wrong with the database."""
    rng, heard = world.rng, world.rng.randrange(3)
    world.database.answers = [*[True] * heard, False]
    world.say(f"an answer of the database is lost, after {heard}")
    here = [*world.people]
    # Most of all those who are in the lobby, where a game begins with several commits.
    rng.shuffle(here)
    here.sort(key=lambda it: it.here is None or it.here.last.table is not None)
    for person in here[: rng.randrange(1, 3)]:
        people.act(person, m.PlayToday() if rng.random() < 0.2 else None)
    return True


async def answer_lost_as_a_try_begins(world: World, people: People) -> bool:
    """The database has somebody enter today's tide, and the server is not told."""
    query = "SELECT player FROM event_players WHERE event LIKE 'day-%'"
    tried = {row.player for row in world.store.sql(query)}
    free = [it for it in world.people if it.id not in tried and people.may_leave(it)]
    if not free:
        return False
    person = world.rng.choice(free)
    guest = person.guest
    assert guest is not None
    if guest.last.table is not None:
        await people.ask_and_wait(person, guest, m.LeaveTable())
    if person.busy:
        return False
    world.say("an answer is lost as a try begins")
    world.tables.loses_entry = True
    await people.ask_and_wait(person, guest, m.PlayToday())
    return not world.tables.loses_entry


async def two_visits(world: World, people: People) -> bool:
    """Somebody comes in twice at the same moment, and does something through both."""
    person = world.rng.choice(world.people)
    if person.busy:
        return False
    both = (_visit(world, people, person) for _ in range(2))
    person.asking = asyncio.ensure_future(asyncio.gather(*both))
    return True


async def _visit(world: World, people: People, person: Person) -> None:
    guest = people.enter(person)
    if guest.read().updates:
        command = people.command(person, guest)
        # Most of all what must not happen twice.
        if guest.last.table is None and world.rng.random() < 0.7:
            command = m.PlayToday()
        await people.ask(person, guest, command)


async def kill(world: World, people: People) -> bool:
    """Everybody presses something as soon as they are let in again."""
    await _restart(world, people, killed=True)
    return True


async def stop(world: World, people: People) -> bool:
    await _restart(world, people, killed=False)
    return True


async def _restart(world: World, people: People, *, killed: bool) -> None:
    await world.end(killed=killed)
    before = world.store.rows.keys()
    await world.start()
    # Those where nobody was left have been closed.
    if missing := (before & world.store.rows.keys()) - {it.key for it in world.actors.values()}:
        world.wrong.append(f"doors are open before {missing} are there")
    for person in [*world.people, *world.people, *world.people]:
        people.act(person)
        await world.clock.advance(0.06)


async def mend(world: World, _: People) -> bool:
    world.say("all is mended")
    world.database.mend()
    world.tables.loses_entry = False
    return True


KINDS: Final[dict[Kind, int]] = {
    database_cut: 3,
    database_slow: 2,
    answer_lost: 4,
    answer_lost_as_a_try_begins: 4,
    two_visits: 3,
    kill: 3,
    stop: 2,
    mend: 5,
}


async def happen(world: World, people: People) -> None:
    """Something goes wrong, or is mended."""
    (kind,) = world.rng.choices([*KINDS], [*KINDS.values()])
    if await kind(world, people):
        world.done[kind.__name__] += 1
