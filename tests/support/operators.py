"""Operators of a server whose clock stands still, and people who come in from somewhere."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from server.coordinator.arrivals import Arrivals
from server.coordinator.contract import Visit
from server.coordinator.messages import (
    Command,
    Update,
)
from server.coordinator.messages import operator_orders as asked
from server.coordinator.messages.operator_orders import Action, OperatorReply
from server.coordinator.people.people import People
from server.operators.online_people import Actor, OnlinePeople
from server.operators.orders import OperatorService
from server.session.account import Account
from server.settings.settings import Settings
from server.storage.moderation import AuditRow, ModerationStore
from server.terminal.capabilities import ByteStream, Capabilities
from server.transport.access.login import AuthorizedKeys, Login
from server.transport.session.server import Caller, Frontend, GameServer, Session, SessionNotice
from tests.support import through_frames
from tests.support.connections import key
from tests.support.memory_stores import MemoryModeration, MemoryPeople
from tests.support.tables import World, next_update, world
from tests.support.transcript import Paper

ROOT = Actor("uid 0", "root")
"""Who acts on the machine itself."""


class Reader:
    """A face that takes all there is to take, and goes when the visit ends."""

    lines = False

    def __init__(self, visit: Visit, account: Account) -> None:
        self.visit = visit
        self.account = account
        self.updates: list[Update] = []

    async def run(self) -> None:
        while True:
            self.updates.append(await next_update(self.visit.feed))
            if self.updates[-1].closed:
                return

    @property
    def said(self) -> list[tuple[str, str]]:
        words = [word for update in self.updates for word in update.said]
        return [(word.kind, word.text) for word in words if word.kind != "operator"]

    def feed(self, text: str) -> None:
        pass

    def resized(self) -> None:
        pass

    def drained(self) -> None:
        pass

    def slow(self) -> None:
        pass


@dataclass
class Somebody:
    """One connection."""

    session: Session
    paper: Paper
    place: "Place"

    @property
    def reader(self) -> Reader:
        return self.place.readers[self.session.player.id if self.session.player else ""]

    @property
    def here(self) -> bool:
        return not self.session.task.done()

    async def do(self, command: Command) -> None:
        reply = await self.reader.visit.submit(command)
        assert reply.ok, reply
        await self.place.world.clock.settle()

    async def act(self, action: Action) -> OperatorReply:
        operator_actions = self.reader.account.operator_actions
        assert operator_actions is not None
        told = await operator_actions.act(action)
        await self.place.world.clock.settle()
        return told


@dataclass
class Place:
    """See the module."""

    world: World
    server: GameServer
    operator_actions: OperatorService
    store: ModerationStore
    authorized: Path
    readers: dict[str, Reader] = field(default_factory=dict)
    stops: int = 0

    def make_frontend(
        self,
        terminal: ByteStream,
        visit: Visit,
        notices: tuple[SessionNotice, ...],
        account: Account,
        _wanted: Capabilities | None = None,
    ) -> Frontend:
        self.readers[visit.player.id] = reader = Reader(visit, account)
        return reader

    async def enter(
        self,
        name: str,
        address: str = "192.0.2.7",
        *,
        with_key: bool = True,
        line: str = "ssh",
        login: Login | None = None,
    ) -> Somebody:
        """Somebody comes in, with the key that belongs to that name, perhaps with another ``login``."""
        wire = key(name).public_data if with_key else b""
        shown = key(name).get_fingerprint() if wire else ""
        paper = Paper(lines=False, cursor=True, echoes=False)
        caller = Caller(login or Login(name), shown, address, line, key=wire)
        session = Session(self.server, paper, caller)
        await self.world.clock.settle()
        return Somebody(session, paper, self)

    def authorize(self, *names: str, options: str = "") -> None:
        """These keys are operators', and no others."""
        lines = [key(name).export_public_key("openssh").decode() for name in names]
        self.authorized.write_text("".join(f"{options}{line}" for line in lines))
        self.authorized.chmod(0o600)

    async def act(self, action: Action) -> OperatorReply:
        """Somebody on the machine itself does it."""
        told = await self.operator_actions.act(ROOT, action)
        await self.world.clock.settle()
        return told

    async def audit(self) -> list[AuditRow]:
        """What has been done, oldest first."""
        return list(reversed(await self.store.audit(100)))


@asynccontextmanager
async def place(
    folder: Path,
    *,
    store: ModerationStore | None = None,
    people: People | None = None,
    seed: Callable[[], bytes] | None = None,
    **more: Any,
) -> AsyncIterator[Place]:
    async with (
        world(seed=seed, **more) as opened,
        place_in(opened, folder, store=store, people=people) as made,
    ):
        yield made


@asynccontextmanager
async def place_in(
    opened: World,
    folder: Path,
    *,
    store: ModerationStore | None = None,
    people: People | None = None,
) -> AsyncIterator[Place]:
    clock = opened.clock
    made: list[Place] = []

    def make_frontend(*given: Any) -> Frontend:
        return made[0].make_frontend(*given)

    arrivals = Arrivals(
        opened.lobby, people or People(MemoryPeople(), clock, seated=opened.lobby.knows)
    )
    kept = store or MemoryModeration()
    authorized = folder / "authorized_keys"
    keys = AuthorizedKeys(authorized, clock.time)
    server = GameServer(
        Settings(), through_frames.of(arrivals), make_frontend, operators=keys, now=clock.time
    )

    def stop() -> None:
        made[0].stops += 1

    operator_actions = OperatorService(
        OnlinePeople(arrivals, keys),
        kept,
        reload=OperatorReply,
        stop=stop,
    )
    await operator_actions.open()
    made.append(Place(opened, server, operator_actions, kept, authorized))
    try:
        yield made[0]
    finally:
        for session in tuple(server.sessions):
            session.hang_up()
        await server.close()
        operator_actions.end_draining()


EXAMPLES: dict[type, Action] = {
    type(action): action
    for action in (
        asked.SeePeople(),
        asked.SeeTables(),
        asked.SeeReports(),
        asked.SeeBans(),
        asked.SeeAudit(),
        asked.SeeTournaments(),
        asked.SeeRecord("kadubilo"),
        asked.TournamentOrder("Friday cup"),
        asked.DirectingOrder("kadubilo", "begin"),
        asked.MutePerson("bo", 600.0, "shouts"),
        asked.UnmutePerson("bo"),
        asked.Vouch("bo"),
        asked.Unvouch("bo"),
        asked.Kick("bo", "shouts"),
        asked.BanSomebody("name", "bo", 3600.0, "shouts"),
        asked.Unban(1),
        asked.AnswerReport(1, "thank you"),
        asked.CloseReport(1),
        asked.CloseTable("kadubilo"),
        asked.Broadcast("cake at five"),
        asked.Drain(),
        asked.Undrain(),
        asked.Reload(),
    )
}
