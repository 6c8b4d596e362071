"""Random faults on several nodes in one loop, with a fake clock: messages lost or late, nodes stopped,
killed, drained, cut off from the bus or the database; people come back through other nodes, and play on.

In the end everything is mended, and must be right again after some seconds: ``check``.
"""

import asyncio
import random
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, cast

from structlog.testing import capture_logs

from server.coordinator import messages as m
from tests.support.fake_clock import FakeClock
from tests.support.faulty_nodes import FaultyNode, fake_time, kill, start
from tests.support.memory_stores import MemoryStore
from tests.support.nodes import House
from tests.support.tables import TIMED, UNTIMED, Guest

NAMES: Final = ("ada", "bo", "cem", "dora", "eve", "fay")
_FAILURES: Final = {"node_failed", "message_failed", "table_failed", "telling_failed"}
"""What is only logged."""
MENDED_SECONDS: Final = 25.0
"""After the last fault, until all is right."""


@dataclass
class Person:
    name: str
    at: FaultyNode | None = None
    guest: Guest | None = None
    asking: asyncio.Task[Any] | None = None
    bids: dict[tuple[str, int, int, int], int] = field(default_factory=dict)
    """That were acknowledged, by table, game, stage, and round; 0 where nobody knows which one counts."""


class Faults:
    """``run`` does so many random things, mends everything and checks it."""

    def __init__(self, seed: int, *, verbose: bool = False) -> None:
        self.rng: Final = random.Random(seed)
        self.house: Final = House(FakeClock(), MemoryStore())
        self.people: Final = [Person(name) for name in NAMES]
        self.log: Final[list[str]] = []
        self.broken: Final[list[str]] = []
        self.logged: list[Any] = []
        self._verbose = verbose
        self._count = 0

    # ------------------------------------------------------------ nodes

    @property
    def nodes(self) -> list[FaultyNode]:
        return [cast(FaultyNode, it) for it in self.house.nodes.values()]

    async def start(self) -> None:
        self._count += 1
        made = await start(self.house, f"n{self._count}", self.rng)
        self.say(f"{made.node.name} starts")

    def say(self, what: str) -> None:
        line = f"{self.house.clock.time() - 1_000_000:8.2f} {what}"
        self.log.append(line)
        if self._verbose:
            print(line)

    async def kill(self, node: FaultyNode) -> None:
        self.say(f"{node.node.name} is killed")
        self._cut_off(node)
        await kill(self.house, node)

    def _cut_off(self, node: FaultyNode) -> None:
        for person in self.people:
            if person.at is node:
                person.at = person.guest = None

    async def drain(self, node: FaultyNode) -> None:
        self.say(f"{node.node.name} is drained")
        ending = asyncio.create_task(node.node.handover.hand_over_all())
        for _ in range(200):
            await self.house.clock.advance(0.05)
            if ending.done():
                break
        ending.cancel()
        await asyncio.gather(ending, return_exceptions=True)
        self._cut_off(node)
        del self.house.nodes[node.node.name]
        await node.lobby.close()
        await node.node.close()
        await self.house.settle()
        node.bus.up = False
        self.house.hub.ends.remove(node.bus)

    # ------------------------------------------------------------ people

    def come(self, person: Person) -> None:
        doors = [it for it in self.nodes if not it.stopped]
        if not doors:
            return
        before, old = person.at, person.guest
        if (
            old is not None
            and before is not None
            and not before.stopped
            and self.rng.random() < 0.5
        ):
            old.visit.close()
        person.at = self.rng.choice(doors)
        person.guest = person.at.guest(person.name)
        self.say(f"{person.name} comes in at {person.at.node.name}")

    def act(self, person: Person) -> None:
        guest = person.guest
        if guest is None or person.at is None or guest.visit.feed.closed:
            self.come(person)
            return
        if person.at.stopped or (person.asking is not None and not person.asking.done()):
            return
        guest.read()
        if guest.updates:
            command = self.command(guest)
            person.asking = asyncio.create_task(self._ask(person, guest, command))

    async def _ask(self, person: Person, guest: Guest, command: Any) -> None:
        shown = guest.updates[-1].table
        reply = await guest.submit(command)
        self.say(f"{person.name}: {command!r:.90} {reply.code} {dict(reply.details)}")
        if isinstance(command, m.PlaceBid) and shown is not None:
            place = shown.info.id, shown.info.game, command.stage, command.round
            if reply.ok:
                person.bids[place] = command.card
            elif reply.code in (m.Refusal.STORAGE, m.Refusal.MOVING):
                person.bids[place] = 0

    def command(self, guest: Guest) -> Any:
        rng, last = self.rng, guest.updates[-1]
        if last.table is None:
            rows = last.lobby.tables if last.lobby is not None else ()
            choices: list[Any] = [m.CreateTable(rng.choice((TIMED, UNTIMED))), m.QuickGame(UNTIMED)]
            for row in rows:
                choices += [m.JoinTable(row.id)] * 3 + [m.WatchTable(row.id)]
            return rng.choice(choices)
        table, info = last.table, last.table.info
        if table.seat < 0:
            return rng.choice((m.LeaveTable(), m.JoinTable(info.id), m.WatchAnother()))
        if guest.owes() and rng.random() < 0.9:
            own = guest.own
            return m.PlaceBid(rng.choice(own.hand), own.table.stage, own.table.round)
        chance = rng.random()
        if chance < 0.1:
            return m.LeaveTable()
        if info.status is m.Status.OVER:
            return m.Rematch()
        if info.status is m.Status.OPEN:
            return m.StartGame() if chance < 0.5 else m.AddBot()
        return m.Resume() if info.pause else m.Touch()

    # ------------------------------------------------------------ faults

    async def step(self) -> None:
        rng, clock = self.rng, self.house.clock
        for _ in range(rng.randrange(1, 8)):
            self.act(rng.choice(self.people))
            await clock.advance(rng.choice((0.0, 0.01, 0.1, 0.5)))
        if rng.random() < 0.15:
            self.come(rng.choice(self.people))
        await self.fault()
        await clock.advance(rng.choice((0.1, 0.5, 2.0, 4.0)))

    async def fault(self) -> None:
        rng, nodes = self.rng, self.nodes
        node = rng.choice(nodes)
        what = rng.randrange(16)
        name = node.node.name
        if what == 0:
            node.bus.up = not node.bus.up
            self.say(f"bus of {name}: {node.bus.up}")
        elif what == 1:
            up = rng.random() < 0.5
            self.say(f"bus of all: {up}")
            for each in nodes:
                each.bus.up = up
        elif what == 2:
            node.cut = not node.cut
            self.say(f"database of {name} cut: {node.cut}")
        elif what == 3:
            cut = rng.random() < 0.5
            self.say(f"database of all cut: {cut}")
            for each in nodes:
                each.cut = cut
        elif what == 4:
            self.stop(node)
        elif what == 5 and len(nodes) > 2 and not node.stopped:
            await self.kill(node)
        elif what == 6 and len(nodes) > 2 and not node.stopped:
            await self.drain(node)
        elif what == 7 and len(nodes) < 4:
            await self.start()
        elif what == 8:
            node.bus.losing = rng.choice((0.0, 0.05, 0.3))
            self.say(f"{name} loses {node.bus.losing}")
        elif what in (9, 10):
            self.mend()

    def stop(self, node: FaultyNode) -> None:
        if node.stopped:
            self.go_on(node)
            return
        self.say(f"{node.node.name} is stopped")
        node.stop()

    def go_on(self, node: FaultyNode) -> None:
        lost, late = self.rng.random() < 0.3, self.rng.random() < 0.5
        self.say(f"{node.node.name} goes on" + (", messages lost" if lost else ""))
        node.go_on(lost=lost, late=late)

    def mend(self) -> None:
        self.say("all is mended")
        for node in self.nodes:
            node.bus.up, node.bus.losing, node.cut = True, 0.0, False
            if node.stopped:
                self.go_on(node)

    async def run(self, steps: int) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(
            lambda _loop, context: self.broken.append(
                f"{context.get('message')}: {told(context.get('exception'))}"
            )
        )
        with fake_time(self.house.clock, self.house.store, self.rng), capture_logs() as self.logged:
            for _ in range(3):
                await self.start()
            await self.house.clock.advance(1.0)
            for person in self.people:
                self.come(person)
            for _ in range(steps):
                await self.step()
            self.mend()
            await self.house.clock.advance(MENDED_SECONDS)
            for person in self.people:
                if person.guest is None or person.guest.visit.feed.closed:
                    self.come(person)
            await self.house.clock.advance(5.0)
            try:
                self.check()
                await self.play_out()
                self.check()
                self.check_bids()
            finally:
                await self.close()

    async def close(self) -> None:
        for person in self.people:
            if person.asking is not None:
                person.asking.cancel()
        for node in self.nodes:
            await node.lobby.close()
            await node.node.close()
        await self.house.store.database.close()

    # ------------------------------------------------------------ what must hold

    def check(self) -> None:
        failed = [str(it) for it in self.logged if it["event"] in _FAILURES]
        wrong = [*self.broken, *failed, *self._wrong()]
        assert not wrong, "\n".join([*self.log, *wrong])

    def _wrong(self) -> Iterator[str]:
        tables: dict[str, Any] = {}
        for node in self.nodes:
            for code, actor in node.lobby.tables.actors.items():
                if code in tables:
                    yield f"{code} has two owners"
                tables[code] = actor
        stored = {row["id"] for row in self.house.store.rows.values()}
        if stored != tables.keys():
            yield f"stored {sorted(stored)}, owned {sorted(tables)}"
        seats = {
            code: [player.id for _, player in actor.table.seated] for code, actor in tables.items()
        }
        for player, times in Counter(it for ids in seats.values() for it in ids).items():
            if times > 1:
                yield f"{player} has {times} seats"
        yield from self._wrong_at_nodes(tables)
        for person in self.people:
            yield from self._wrong_of(person, tables)

    def _wrong_at_nodes(self, tables: dict[str, Any]) -> Iterator[str]:
        live = {node.node.membership.id for node in self.nodes}
        for node in self.nodes:
            name = node.node.name
            if node.lobby.listings.keys() != tables.keys():
                yield f"{name} lists {sorted(node.lobby.listings)}, there are {sorted(tables)}"
            if node.node.peers.known.keys() != live - {node.node.membership.id}:
                yield f"{name} knows {sorted(node.node.peers.known)}, there are {sorted(live)}"
            for code, actor in tables.items():
                listed = node.lobby.listings.get(code)
                if listed is not None and listed != actor.publisher.listing:
                    yield f"{name} lists {code} as {listed}, not {actor.publisher.listing}"
            for presence in node.lobby.people.values():
                local = presence.feed is not None and not presence.feed.remote
                if not local and presence.table not in node.lobby.tables.actors:
                    yield f"{name} keeps {presence.player.id}, who is not here"
            here = sorted(it.name for it in node.lobby._names.values())
            if here != sorted(NAMES):
                yield f"{name} believes that {here} are here"
            for peer in node.node.peers.known.values():
                if peer.asked:
                    yield f"{name} still waits for {peer.asked}"

    def _wrong_of(self, person: Person, tables: dict[str, Any]) -> Iterator[str]:
        guest, id_ = person.guest, f"account:{person.name}"
        if guest is None or person.at is None or guest.visit.feed.closed:
            yield f"{person.name} is not connected"
            return
        last = guest.last
        where = f"{person.name} (at {person.at.node.name})"
        for code, actor in tables.items():
            number = actor.table.seat_of(id_)
            if number < 0:
                continue
            if last.table is None:
                yield f"{where} has a seat at {code} and is shown the lobby"
            elif (last.table.info.id, last.table.seat) != (code, number):
                yield f"{where} has seat {number} at {code}, sees {last.table.info.id} {last.table.seat}"
            elif last.table.info != actor.publisher._info:
                yield f"{where} sees something old of {code}"
            if actor.table.absent_since(number):
                yield f"{where} is absent at {code}"
            return
        if last.table is not None:
            code = last.table.info.id
            if last.table.seat >= 0:
                yield f"{where} sees a seat at {code}, and has none"
            elif code not in tables or id_ not in tables[code].table.spectators:
                yield f"{where} sees {code}, and does not watch it"
            elif last.table.info.seats != actor_info(tables[code]).seats:
                yield f"{where} sees something old of {code}, as a spectator"
        for code, actor in tables.items():
            shown = last.table.info.id if last.table is not None else ""
            if id_ in actor.table.spectators and code != shown:
                yield f"{where} watches {code}, and sees {shown or 'the lobby'}"

    async def play_out(self) -> None:
        for _ in range(300):
            playing = False
            for person in self.people:
                assert person.guest is not None
                last = person.guest.last
                if last.table is None or last.table.seat < 0:
                    continue
                if last.table.info.status is not m.Status.PLAYING:
                    continue
                playing = True
                if last.table.info.pause:
                    await self._ask(person, person.guest, m.Resume())
                elif person.guest.owes():
                    card = person.guest.own.hand[0]
                    await self._ask(person, person.guest, person.guest.bid_of(card))
            if not playing:
                return
            await self.house.clock.advance(3.0)
        going = [
            f"the game at {code} goes on: {actor.table.seats} {actor.table.pause!r} {actor.table.people}"
            for node in self.nodes
            for code, actor in node.lobby.tables.actors.items()
            if actor.table.status is m.Status.PLAYING
        ]
        raise AssertionError("\n".join([*self.log, *going]))

    def check_bids(self) -> None:
        """Whatever bid was acknowledged last in a round of a table's latest game is in the store."""
        games, rows = self.house.store.games, self.house.store.rows
        keys = {row["id"]: key for key, row in rows.items()}
        lost = []
        for person in self.people:
            for (code, number, _, _), card in person.bids.items():
                game, entries = games.get(keys.get(code, ""), (0, []))
                if game == number and card and not any(card == entry[2] for entry in entries):
                    lost.append(f"{person.name} has bid {card} at {code}")
        assert not lost, "\n".join([*self.log, *lost])


def told(error: BaseException | None) -> str:
    return "".join(traceback.format_exception(error)) if error is not None else ""


def actor_info(actor: Any) -> m.TableInfo:
    info: m.TableInfo = actor.publisher._info
    return info


def main() -> None:
    """FIRST LAST STEPS: with these seeds."""
    first, last, steps = (int(it) for it in sys.argv[1:4])
    failed = []
    for seed in range(first, last):
        try:
            asyncio.run(Faults(seed, verbose=last == first + 1).run(steps))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            text = str(error).splitlines()
            wrong = [line for line in text if not line[:8].strip().replace(".", "").isdigit()]
            failed.append(seed)
            print(seed, type(error).__name__, *wrong[:6], sep="\n   ")
            if not isinstance(error, AssertionError):
                traceback.print_exc()
    print("failed:", failed)


if __name__ == "__main__":
    main()
