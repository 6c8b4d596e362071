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
    return True


KINDS: Final[dict[Kind, int]] = {
    database_cut: 3,
    database_slow: 2,
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
