"""Everything that can go wrong, by lot: a table of kinds, each with its weight.

A kind is handed the world, its people, and a node; it says whether it was possible.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Final

from server.coordinator import messages as m
from tests.coordinator.nodes.faults.people import People
from tests.coordinator.nodes.faults.world import Person, World
from tests.support.faulty_nodes import FaultyNode

Kind = Callable[[World, People, FaultyNode], Awaitable[bool]]

MOST_NODES: Final = 4


async def bus_of_one(world: World, _: People, node: FaultyNode) -> bool:
    node.bus.up = not node.bus.up
    world.say(f"bus of {node.node.name}: {node.bus.up}")
    return not node.bus.up


async def bus_of_all(world: World, _: People, _node: FaultyNode) -> bool:
    up = world.rng.random() < 0.5
    world.say(f"bus of all: {up}")
    for each in world.nodes:
        each.bus.up = up
    return not up


async def bus_one_way(world: World, _: People, node: FaultyNode) -> bool:
    node.bus.mute = world.rng.random() < 0.5
    node.bus.deaf = not node.bus.mute
    world.say(f"{node.node.name} " + ("is heard by nobody" if node.bus.mute else "hears nobody"))
    return True


async def bus_loses(world: World, _: People, node: FaultyNode) -> bool:
    node.bus.losing = world.rng.choice((0.05, 0.3))
    world.say(f"{node.node.name} loses {node.bus.losing}")
    return True


async def bus_late(world: World, _: People, node: FaultyNode) -> bool:
    node.bus.late = world.rng.choice((0.1, 0.6, 2.5))
    world.say(f"{node.node.name} is heard {node.bus.late} s late")
    return True


async def database_of_one(world: World, _: People, node: FaultyNode) -> bool:
    node.database.cut = not node.database.cut
    world.say(f"database of {node.node.name} cut: {node.database.cut}")
    return node.database.cut


async def database_of_all(world: World, _: People, _node: FaultyNode) -> bool:
    cut = world.rng.random() < 0.5
    world.say(f"database of all cut: {cut}")
    for each in world.nodes:
        each.database.cut = cut
    return cut


async def database_slow(world: World, _: People, node: FaultyNode) -> bool:
    node.database.slow = world.rng.choice((0.05, 0.5, 1.5))
    world.say(f"database is slow for {node.node.name}: {node.database.slow}")
    return True


async def answer_lost(world: World, people: People, node: FaultyNode) -> bool:
    """To one of the next commits of games, or of the lease, while nothing else is wrong with the database."""
    rng, heard = world.rng, world.rng.randrange(3)
    way = rng.choice((node.database, node.database, node.database, node.leases))
    way.answers = [*[True] * heard, False]
    world.say(f"{node.node.name} loses an answer of the database, after {heard}")
    here = [it for it in world.people if it.at is node]
    # Most of all those who are in the lobby, where a game begins with several commits.
    rng.shuffle(here)
    here.sort(key=lambda it: it.here is None or it.here.last.table is not None)
    for person in here[: rng.randrange(1, 3)]:
        people.act(person, m.PlayToday() if rng.random() < 0.2 else None)
    return True


async def answer_lost_as_a_try_begins(world: World, people: People, _: FaultyNode) -> bool:
    """The database has somebody enter today's tide, and the node is not told."""
    query = "SELECT player FROM event_players WHERE event LIKE 'day-%'"
    tried = {row.player for row in world.house.store.sql(query)}
    free = [it for it in world.people if it.id not in tried and people.may_leave(it)]
    if not free:
        return False
    person = world.rng.choice(free)
    node, guest = person.at, person.guest
    assert node is not None
    assert guest is not None
    if guest.last.table is not None:
        await people.ask_and_wait(person, guest, m.LeaveTable())
    if person.busy:
        return False
    world.say(f"{node.node.name} loses the answer as a try begins")
    node.tables.loses_entry = True
    await people.ask_and_wait(person, guest, m.PlayToday())
    return not node.tables.loses_entry


async def stop(world: World, _: People, node: FaultyNode) -> bool:
    if node.stopped:
        await world.go_on(node)
        return False
    world.say(f"{node.node.name} is stopped")
    node.stop()
    return True


async def stop_and_come_elsewhere(world: World, people: People, node: FaultyNode) -> bool:
    """People bid at a node that is stopped, come in elsewhere, bid otherwise, and then it wakes up."""
    others, rng = [it for it in world.awake if it is not node], world.rng
    here = [it for it in world.people if it.at is node and it.here is not None and not it.busy]
    if node.stopped or not others or not here:
        return False
    world.say(f"{node.node.name} is stopped")
    node.stop()
    for person in here:
        node.typed.append(_typed(people, person))
        people.come(person, rng.choice(others))
    for _ in range(rng.choice((2, 5, 10, 20))):
        await world.clock.advance(0.5)
        for person in here:
            people.act(person)
    await world.go_on(node)
    return True


async def late_bid(world: World, people: People, _: FaultyNode) -> bool:
    """Somebody bids at a node that is stopped, and otherwise through another one; then the first bid reaches
    the table, where the round still waits for somebody else.
    """
    rng = world.rng
    if not any(_replaceable_bids(world)):
        await people.begin_together()
    choices = [*_replaceable_bids(world)]
    if not choices or len(world.awake) < 2:
        return False
    owner, person = rng.choice(choices)
    door = rng.choice([it for it in world.awake if it is not owner])
    if person.at is not door:
        people.come(person, door)
        await world.clock.advance(1.0)
    other = rng.choice([it for it in world.awake if it is not door] or [door])
    if person.at is not door or other is door or person.busy or not _may_bid(person):
        return False
    world.say(f"{door.node.name} is stopped, where {person.name} types a bid")
    door.stop()
    door.typed.append(_typed(people, person))
    people.come(person, other)
    await world.clock.advance(rng.choice((0.3, 1.0)))
    guest = person.here
    bids = guest is not None and person.at is other and _may_bid(person)
    if guest is not None and bids:
        await people.ask_and_wait(person, guest, guest.bid_of(guest.own.hand[0]))
    await world.go_on(door)
    return bids


def _replaceable_bids(world: World) -> Iterator[tuple[FaultyNode, Person]]:
    """Whose bid can be replaced, for somebody else owes one, and which node has the table."""
    bidding = [it for it in world.people if not it.busy and _may_bid(it)]
    for node in world.nodes:
        for code in node.lobby.tables.actors:
            there = [it for it in bidding if it.here and it.here.info.id == code]
            owing = [it for it in there if it.here and it.here.owes()]
            yield from ((node, it) for it in there if owing not in ([], [it]))


def _may_bid(person: Person) -> bool:
    """Whether somebody can bid now, or bid otherwise."""
    guest = person.here
    shown = guest.last.table if guest is not None else None
    if guest is None or shown is None or shown.seat < 0:
        return False
    return guest.owes() or bool(shown.own and shown.own.bid and not shown.info.pause)


def _typed(people: People, person: Person) -> Callable[[], object]:
    """What somebody does there, whenever the node gets to read it."""
    guest = person.guest
    assert guest is not None
    command = people.command(person, guest)
    if _may_bid(person):
        command = guest.bid_of(guest.own.hand[-1])
    tasks = person.typed
    return lambda: tasks.append(asyncio.create_task(people.ask(person, guest, command)))


async def two_visits(world: World, people: People, _: FaultyNode) -> bool:
    """Somebody comes in on two nodes at the same moment, and does something through both."""
    person = world.rng.choice(world.people)
    if len(world.awake) < 2 or person.busy:
        return False
    both = (_visit(world, people, person, door) for door in world.rng.sample(world.awake, 2))
    person.asking = asyncio.ensure_future(asyncio.gather(*both))
    return True


async def _visit(world: World, people: People, person: Person, door: FaultyNode) -> None:
    guest = await people.enter(person, door)
    if guest is not None and guest.read().updates:
        command = people.command(person, guest)
        # Most of all what must not happen twice.
        if guest.last.table is None and world.rng.random() < 0.7:
            command = m.PlayToday()
        await people.ask(person, guest, command)


async def kill(world: World, _: People, node: FaultyNode) -> bool:
    if len(world.nodes) < 3:
        return False
    await world.kill(node)
    return True


async def kill_all(world: World, people: People, _: FaultyNode) -> bool:
    """One comes back with all tables, and everybody presses something as soon as it lets them in."""
    for each in world.nodes:
        await world.kill(each)
    await world.clock.advance(world.rng.choice((0.5, 2.0, 6.0)))
    before = world.house.store.rows.keys()
    await world.start()
    owned = {actor.key for _, actor in world.actors}
    # Those where nobody was left have been closed.
    if missing := (before & world.house.store.rows.keys()) - owned:
        world.wrong.append(f"doors are open before {missing} are there")
    for person in [*world.people, *world.people, *world.people]:
        people.act(person)
        await world.clock.advance(0.06)
    return True


async def drain(world: World, _: People, node: FaultyNode) -> bool:
    if len(world.nodes) < 3 or node.stopped:
        return False
    await world.drain(node)
    return True


async def start(world: World, _: People, _node: FaultyNode) -> bool:
    if len(world.nodes) >= MOST_NODES:
        return False
    await world.start()
    return True


async def start_with_another_clock(world: World, _: People, _node: FaultyNode) -> bool:
    if len(world.nodes) >= MOST_NODES:
        return False
    await world.start(world.rng.choice((-300.0, -20.0, -1.5, 1.5, 20.0, 300.0)))
    return True


async def mend(world: World, _: People, _node: FaultyNode) -> bool:
    await world.mend()
    return True


KINDS: Final[dict[Kind, int]] = {
    bus_of_one: 2,
    bus_of_all: 2,
    bus_one_way: 2,
    bus_loses: 2,
    bus_late: 1,
    database_of_one: 2,
    database_of_all: 1,
    database_slow: 2,
    answer_lost: 3,
    answer_lost_as_a_try_begins: 5,
    stop: 2,
    stop_and_come_elsewhere: 2,
    late_bid: 6,
    two_visits: 2,
    kill: 2,
    kill_all: 1,
    drain: 2,
    start: 3,
    start_with_another_clock: 2,
    mend: 6,
}


async def happen(world: World, people: People) -> None:
    """Something goes wrong, or is mended."""
    (kind,) = world.rng.choices([*KINDS], [*KINDS.values()])
    if await kind(world, people, world.rng.choice(world.nodes)):
        world.done[kind.__name__] += 1
