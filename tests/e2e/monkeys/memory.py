"""A complete server in this process, without sockets, threads and files, and with a clock that hurries: the
same seed gives the same run. It also looks at what the server hands to each session.
"""

import asyncio
import gc
import random
import re
import secrets
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast
from unittest.mock import patch

import asyncssh
import msgspec
from structlog.processors import format_exc_info
from structlog.testing import capture_logs

from engine.views import SeatView
from server.coordinator.arrivals import Arrivals
from server.coordinator.contract import Visit
from server.coordinator.events.days import DayPages
from server.coordinator.events.today import Seasons, TodaysTide
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import Happening, Update
from server.coordinator.messages.operator_orders import OperatorReply
from server.coordinator.people.people import TIDY_SECONDS, People
from server.coordinator.tournaments.actor import Tournaments
from server.operators.online_people import OnlinePeople
from server.operators.orders import OperatorService
from server.settings.settings import Settings, TableLimits
from server.storage.events import EventStore, TournamentStore
from server.storage.history_store import HistoryStore
from server.storage.moderation import ModerationStore
from server.storage.people import PeopleStore
from server.storage.ratings import SeasonStore
from server.text.bots import strength_by
from server.timers import LoopTimers, Timer, repeated
from server.transport.access.login import AuthorizedKeys
from server.transport.net.sockets import Listening
from server.transport.session.frontends import frontend_for
from server.transport.session.server import Frontend, GameServer
from server.transport.ssh.server import SshServer
from server.transport.telnet import protocol
from server.transport.telnet.server import TelnetServer
from tests.e2e.monkeys.company import Company, place_of
from tests.e2e.monkeys.lines import House, Line, Size, Terminal, Who
from tests.fuzz.callers import client_on
from tests.fuzz.harness import HurriedLoop
from tests.fuzz.servers import GENEROUS, LoopClock, Wire
from tests.support.connections import host_key
from tests.support.memory_stores import MemoryStore
from tests.support.telnet_caller import SCREEN, Caller

SMALL_CARDS: Final = 12
"""Up to here a number may be anything."""
LINGERS: Final = 5.0
"""Seconds after a session in which what it has begun may still end."""


_SESSIONS: Final = re.compile("/server/(fullscreen|linemode|jsonapi|session|terminal|transport)/")
"""Where the tasks of sessions are."""


class _Loop(HurriedLoop):
    """Without threads."""

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done


class SessionClock(LoopClock):
    """The clock of one session, which knows what that has asked for."""

    def __init__(self) -> None:
        self._asked: list[tuple[asyncio.TimerHandle, Callable[[], object]]] = []

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        handle = cast(asyncio.TimerHandle, super().call_at(when, callback))
        self._asked = [*self.pending(), (handle, callback)]
        return handle

    def pending(self) -> list[tuple[asyncio.TimerHandle, Callable[[], object]]]:
        """What is still to be called, and when."""
        now = asyncio.get_running_loop().time()
        return [each for each in self._asked if not each[0].cancelled() and each[0].when() > now]


class _SshLine(asyncssh.SSHClientSession[bytes]):
    def __init__(self, wire: Wire, client: asyncssh.SSHClientConnection, size: Size) -> None:
        self.terminal = Terminal(size)
        self._wire, self._client = wire, client
        self._ended = False

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self._channel = chan

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.terminal.show(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = True

    @property
    def ended(self) -> bool:
        return self._ended or self._wire.gone

    def send(self, text: str) -> None:
        self._channel.write(text.encode())

    def resize(self, size: Size) -> None:
        self.terminal.screen.resize(size[1], size[0])
        self._channel.change_terminal_size(*size)

    def drop(self) -> None:
        self._client.abort()


class _TelnetLine(Caller):
    def __init__(self, wire: Wire, size: Size) -> None:
        self.terminal = Terminal(size)
        self._wire = wire
        reader = asyncio.StreamReader()
        wire.deliver = reader.feed_data
        far = SimpleNamespace(write=wire.arrives)
        agreed: Any = {"will": SCREEN, "do": (protocol.ECHO, protocol.SGA, protocol.BINARY)}
        types = ("XTERM-256COLOR",)
        super().__init__(reader, cast(Any, far), types=types, size=size, **agreed)
        sent, wire.sent = bytes(wire.sent), bytearray()
        reader.feed_data(sent)

    def _plain(self, data: bytes) -> None:
        self.terminal.show(data)

    @property
    def ended(self) -> bool:
        return self._wire.gone

    @ended.setter
    def ended(self, _known: bool) -> None:
        """The wire knows."""

    def send(self, text: str | bytes) -> None:
        super().send(text.encode() if isinstance(text, str) else text)

    def resize(self, size: Any, rows: int = 0) -> None:
        columns, rows = (size, rows) if rows else size
        self.terminal.screen.resize(rows, columns)
        super().resize(columns, rows)

    def drop(self) -> None:
        self._task.cancel()
        self._wire.drops()


class MemoryHouse(House):
    """See the module. To be opened by ``open_house``, in a ``HurriedLoop``."""

    patience = 3.0

    def __init__(self, company: Company, operators: Path) -> None:
        self._company = company
        self._sessions: list[tuple[SessionClock, Frontend, str, float]] = []
        store, clock = MemoryStore(), LoopClock()
        settings = Settings(limits=GENEROUS, lan=True)
        database, history = store.database, HistoryStore(store.database)
        generous = TableLimits(games_per_player=100_000, games_per_address=100_000)
        self.lobby = Lobby(
            store,
            clock,
            timing=settings.timing,
            limits=generous,
            strength=strength_by(history),
        )
        people = People(PeopleStore(database), clock, seated=self.lobby.knows)
        arrivals = Arrivals(self.lobby, people)
        events = EventStore(database)
        today = TodaysTide(self.lobby, events)
        keys = AuthorizedKeys(operators, clock.time)
        seasons = Seasons(SeasonStore(database), clock)
        self.server = GameServer(
            settings,
            arrivals,
            self._frontend,
            history=history,
            days=DayPages(events, clock, arrivals.plays_today),
            season=seasons.page,
            operators=keys,
        )
        for shares in (self.server.newcomers, self.server.players):
            shares.spent = shares.now
        self.tournaments = Tournaments(
            self.lobby, TournamentStore(database), EventStore(database), guests=True
        )
        self.moderation = OperatorService(
            OnlinePeople(arrivals, keys),
            ModerationStore(database),
            reload=OperatorReply,
            stop=lambda: None,
        )
        nowhere = cast(Listening, SimpleNamespace(port=0))
        self._ssh = SshServer(self.server, nowhere, host_key())
        self._telnet = TelnetServer(self.server, nowhere)
        self.work = (today.keep, seasons.keep, lambda: repeated(clock, TIDY_SECONDS, people.tidy))

    # ---------------------------------------------------------------- the way in

    async def connect(self, who: Who, login: str, line: str, size: Size) -> Line:
        made: Line
        if line == "telnet":
            made = _TelnetLine(Wire(self._telnet.pre_auth("203.0.113.5"), "203.0.113.5"), size)
            await asyncio.sleep(3)
            made.send(f"{login}\r\n")
        else:
            wire = Wire(self._ssh.pre_auth("203.0.113.6"), "203.0.113.6")
            client = await client_on(wire, login, [who.key] if who.key else [])
            make = partial(_SshLine, wire, client, size)
            terminal: Any = {"term_type": "xterm-256color", "term_size": size}
            _, session = await client.create_session(make, encoding=None, **terminal)
            made = cast(Line, session)
        await asyncio.sleep(self.patience)
        return made

    async def rest(self, line: Line, seconds: float) -> None:
        heard = len(line.terminal.heard)
        await asyncio.sleep(max(seconds, 0.6))
        # Who has had many large pictures is answered later.
        for _ in range(4):
            if len(line.terminal.heard) != heard or line.ended:
                return
            await asyncio.sleep(self.patience / 4)

    # ---------------------------------------------------------------- what sessions are handed

    def _frontend(self, terminal: Any, visit: Visit, *more: Any) -> Frontend:
        clock = SessionClock()
        made = frontend_for(clock, terminal, visit, *more)
        self._sessions.append((clock, made, visit.player.name, 0.0))
        visit.feed.observe(partial(self._handed, visit.player.id, visit.player.name))
        return made

    def _handed(self, player: str, name: str, update: Update) -> None:
        """No hand but the own one, and no card that lies there sealed."""
        table = update.table
        actor = self.lobby.tables.actors.get(table.info.id) if table is not None else None
        if table is None or actor is None:
            return
        for view in _parts(update, SeatView):
            if table.seat != view.seat or actor.table.seat_of(player) not in (view.seat, -1):
                self._company.found("a hand", f"{name} is handed the hand of seat {view.seat}")
        sealed = {
            card
            for seat, card in enumerate(actor.table.bids)
            if card and card > SMALL_CARDS and seat != table.seat
        }
        for happening in update.happenings:
            if sealed & set(_numbers(happening)):
                self._company.found("a sealed bid", f"{name} is handed {happening}")

    def look_for_rests(self) -> None:
        """Fails when a session that has been over for a while still has timers."""
        now, here = asyncio.get_running_loop().time(), self.server.sessions
        going = {session.frontend for session in here}
        kept = []
        for clock, frontend, name, ended in self._sessions:
            if frontend in going or not ended or now - ended < LINGERS:
                kept.append((clock, frontend, name, ended or (0.0 if frontend in going else now)))
                continue
            for _, callback in clock.pending():
                what = _named(callback)
                said = f"the session of {name} is over, and this is still to come: {what}"
                self._company.found(f"a timer: {what}", said)
        self._sessions = kept


def _parts(thing: Any, kind: type[Any]) -> Iterator[Any]:
    """Everything of that kind in plain data."""
    if isinstance(thing, kind):
        yield thing
    elif isinstance(thing, msgspec.Struct):
        for name in thing.__struct_fields__:
            yield from _parts(getattr(thing, name), kind)
    elif is_dataclass(thing):
        for each in fields(thing):
            yield from _parts(getattr(thing, each.name), kind)
    elif isinstance(thing, dict):
        yield from _parts(tuple(thing.values()), kind)
    elif isinstance(thing, Iterable) and not isinstance(thing, str | bytes):
        for one in thing:
            yield from _parts(one, kind)


def _numbers(happening: Happening) -> Iterator[int]:
    return _parts(happening, int)


def _named(callback: Any) -> str:
    """Which function that is, past what only wraps it."""
    inner = [cell.cell_contents for cell in getattr(callback, "__closure__", None) or ()]
    wrapped = next((each for each in inner if callable(each) and not isinstance(each, type)), None)
    return _named(wrapped) if wrapped is not None else getattr(callback, "__qualname__", "?")


@asynccontextmanager
async def open_house(company: Company, operators: Path) -> AsyncIterator[MemoryHouse]:
    """In the end nothing of a session may be left."""
    house = MemoryHouse(company, operators)
    await house.moderation.open()
    await house.lobby.recover()
    await house.tournaments.recover()
    running = [asyncio.create_task(work()) for work in house.work]
    try:
        yield house
    finally:
        for session in tuple(house.server.sessions):
            session.hang_up()
        await asyncio.sleep(2 * LINGERS)
        house.look_for_rests()
        for task in asyncio.all_tasks():
            code = getattr(task.get_coro(), "cr_code", None)
            if code is not None and _SESSIONS.search(code.co_filename):
                company.found(f"a task: {code.co_qualname}", f"nobody is here any more: {task}")
        gc.collect()  # then a task of which nobody has heard why it ended says so
        for task in running:
            task.cancel()
        await house.server.close()
        await house.tournaments.close()
        await house.lobby.close()
        house.moderation.end_draining()


def hurried(work: Any, company: Company, seed: int) -> None:
    """Run ``work()`` in a loop in which nothing is left to chance but ``seed``."""

    def noted(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        text = "".join(traceback.format_exception(error)) if error else context["message"]
        company.found(f"error: {place_of(text)}", text)

    def logged(_logger: Any, method: str, entry: Any) -> Any:
        company.logged(entry.get("log_level", method), entry)
        return entry

    loop, drawn = _Loop(), random.Random(seed)
    with ExitStack() as stack:
        stack.enter_context(capture_logs([format_exc_info, logged]))
        # Where secrets, codes and ids come from.
        stack.enter_context(patch("random._urandom", drawn.randbytes))
        stack.enter_context(patch.object(secrets, "token_bytes", drawn.randbytes))
        for clock in ("perf_counter", "thread_time"):
            stack.enter_context(patch.object(time, clock, loop.time))
        stack.enter_context(patch.object(LoopTimers, "time", staticmethod(loop.time)))
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.get_loop().set_exception_handler(noted)
            runner.run(work())
