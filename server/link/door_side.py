"""The door's end of the link: the coordinator as a door has it.

There is one repair. When the line breaks, which may be the end of the coordinator, it is opened again, and
everybody who is here arrives again. Nothing is sent again that would do harm twice.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import count, cycle
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast

import msgspec
import structlog
from msgspec.structs import replace
from typing_extensions import override

from engine.views import TableView
from server import StoreError
from server.coordinator import messages as m
from server.coordinator.contract import Arrival, Arrived, Banned, Bans, Coordinator, Feed, Visit
from server.link import frames as f
from server.link.elsewhere import Reach
from server.networks import LogThrottle
from server.private_files import short_path
from server.storage.people import blocked_in
from server.storage.statedir import DOORS
from server.timers import OneTimer, SystemClock

_RETRY_SECONDS: Final = 0.02
"""Between two attempts to reach a coordinator."""
_PATIENCE: Final = 15.0
"""Seconds that whoever asks for something waits for a coordinator, or for an answer of one. Commands wait for
as long as it takes.
"""

_NOTICED: Final = 0.3
"""Seconds without a coordinator that nobody needs to hear of."""
_GIVEN_UP: Final = 30.0
"""Seconds until everybody is sent away, so that they come to the server that serves now: a second machine."""

_HARMLESS: Final = m.PlaceBid | m.Touch | m.LookAt | m.Guess | m.AskHint | m.AskTournament
"""What may be sent again: done twice, it is as if done once."""

P = ParamSpec("P")
T = TypeVar("T")

_log = structlog.get_logger("link")


@dataclass(slots=True, eq=False)
class DoorVisit:
    """A visit through this door."""

    arrival: Arrival
    feed: Feed = field(default_factory=Feed)
    player: m.Player | None = None
    """``None`` until it is known who this is."""
    since: float = 0.0
    blocked: Mapping[str, str] = field(default_factory=dict)
    muted: dict[str, str] = field(default_factory=dict)
    led: m.Command | None = None
    """The last command that has led somewhere."""

    @property
    def goal(self) -> m.WatchTable | m.JoinTable | m.FollowBusiest | None:
        """The command that brings the visit back to where it is; ``None`` in the lobby or at a live game."""
        if isinstance(self.led, m.FollowBusiest):
            return self.led
        table = self.feed.now.table
        if table is None:
            return None
        if table.seat < 0:
            word = self.led.word if isinstance(self.led, m.WatchTable) else ""
            return m.WatchTable(table.info.id, word)
        corresponds = table.info.options.pace is m.Pace.CORRESPONDENCE
        return m.JoinTable(table.info.id) if corresponds else None


@dataclass(slots=True, eq=False)
class _PendingCall:
    """A message that waits for its answer."""

    message: f.Submit | f.Call | f.Arrive
    answer: asyncio.Future[Any]
    sent: int = 0
    """The number of times it was sent."""

    @property
    def harmless(self) -> bool:
        """Whether it may be sent twice."""
        if isinstance(self.message, f.Call):
            return self.message.method not in {"act", "report"}
        if isinstance(self.message, f.Arrive):
            return True
        command = self.message.command
        command = command.command if isinstance(command, m.AtTable) else command
        return isinstance(command, _HARMLESS)


def _forwarded(
    method: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """Return the method as the coordinator that is there carries it out."""

    async def ask(self: "RemoteCoordinator", /, *given: P.args, **_: P.kwargs) -> T:
        value: T = await self.call(method.__name__, *given)
        return value

    return ask


@lru_cache(512)
def _first(value: T) -> T:
    """Return the first object that was equal to this one: what people at one table share is drawn once."""
    return value


def _with_shared(seen: m.TableSnapshot) -> m.TableSnapshot:
    """Return the snapshot with the objects that others at this door have of its table."""
    table, history = _first(seen.table), seen.history
    own = seen.own and seen.own._replace(table=cast(TableView, table))
    history = history._replace(stages=_first(history.stages))
    return replace(seen, info=_first(seen.info), table=table, own=own, history=history)


def reach_in(state: Path) -> Reach:
    """Reach the coordinator that listens in this state directory."""

    async def reach(make: Callable[[], asyncio.Protocol]) -> None:
        with short_path(state / DOORS) as path:
            await asyncio.get_running_loop().create_unix_connection(make, str(path))

    return reach


class RemoteCoordinator(Coordinator):
    """The coordinator that one of these ``ways`` leads to, and whichever comes after it."""

    def __init__(self, ways: Sequence[Reach], door: str) -> None:
        self.clock = SystemClock()
        self.bans = Bans(self.clock.time)
        self.connected: Final = asyncio.Event()
        """Whether there is a coordinator now."""
        self._ways: Final = ways
        self._door: Final = door
        self._line: f.LinkConnection[f.Down] | None = None
        self._lost: asyncio.Future[None] | None = None
        self._term = 0
        self._away: Final = OneTimer(asyncio.get_running_loop())
        self._refused: Final = LogThrottle(10.0)
        self._told_away = False
        """Everybody has been told that there is no coordinator."""
        self._numbers: Final = count(1)
        self._visits: Final[dict[int, DoorVisit]] = {}
        self._pending: Final[dict[int, _PendingCall]] = {}
        self._lobby: m.LobbySnapshot | None = None

    # ------------------------------------------------------------ the line

    async def keep_connected(self) -> None:
        """Open the line, and again whenever it has broken, until cancelled."""
        loop = asyncio.get_running_loop()
        try:
            for reach in cycle(self._ways):
                lost = self._lost = loop.create_future()
                with suppress(OSError):
                    await reach(self.new_line)
                    await lost
                await asyncio.sleep(_RETRY_SECONDS)
        finally:
            if self._line is not None:
                self._line.close()

    def new_line(self) -> f.LinkConnection[f.Down]:
        """The end of a line that has just been opened."""
        self._line = f.LinkConnection(f.decode_down, self._heard, self._broken)
        self._lobby = None
        self._line.send(f.Hello(f.VERSION, self._door))
        return self._line

    def _welcomed(self, welcome: f.Welcome) -> None:
        assert self._line is not None
        if welcome.version != f.VERSION or welcome.term < self._term:
            _log.error("coordinator_refused", version=welcome.version, term=welcome.term)
            self._line.close()
            return
        self._term = welcome.term
        self.clock.set(welcome.time)
        self.connected.set()
        _log.info("coordinator_found", visits=len(self._visits))
        for number, visit in tuple(self._visits.items()):
            if visit.player is not None and not visit.feed.closed:
                again = f.Again(visit.player, visit.since, visit.blocked, visit.muted, visit.goal)
                self._line.send(f.Arrive(number, visit.arrival, again))
        self._away.cancel()
        if self._told_away:
            self._told_away = False
            self._say(m.ServerMessage("here_again"))
        for call in tuple(self._pending.values()):
            self._send(call)

    def _broken(self) -> None:
        if self._lost is not None and not self._lost.done():
            self._lost.set_result(None)
        self._line = None
        if not self.connected.is_set():
            if (also := self._refused.left_out(self.clock.time())) is not None:
                _log.warning("coordinator_hung_up", also=also)
            return
        self.connected.clear()
        _log.warning("coordinator_lost", visits=len(self._visits))
        self._away.after(_NOTICED, self._tell_that_it_is_away)
        for call in self._pending.values():
            if call.sent and not call.harmless and not call.answer.done():
                call.answer.set_result(f.Failed(0, "uncertain"))

    def _tell_that_it_is_away(self) -> None:
        self._told_away = True
        self._say(m.ServerMessage("one_moment"))
        self._away.after(_GIVEN_UP, partial(self.send_away, "lost"))

    def _say(self, word: m.ServerMessage) -> None:
        for visit in self._visits.values():
            visit.feed.say(word)

    def send_away(self, why: str) -> None:
        """End every visit."""
        for visit in tuple(self._visits.values()):
            visit.feed.close(why)

    # ------------------------------------------------------------ what is asked for

    @override
    async def arrive(self, arrival: Arrival) -> tuple[Visit, Arrived]:
        number = next(self._numbers)
        visit = self._visits[number] = DoorVisit(arrival)
        try:
            came: f.Came = await self._ask(number, f.Arrive(number, arrival), f.Came, _PATIENCE)
        except BaseException:
            self._leave(number)
            raise
        visit.player, visit.since, arrived = came
        visit.blocked = blocked_in(arrived.settings)
        submit, leave = partial(self._submit, number), partial(self._leave, number)
        return Visit(visit.player, visit.feed, submit, leave), arrived

    async def call(self, method: str, *arguments: Any) -> Any:
        """Have the coordinator carry out a method of the contract."""
        number = next(self._numbers)
        message = f.Call(number, method, arguments)
        return await self._ask(number, message, f.METHODS[method]["return"], _PATIENCE)

    async def _submit(self, visiting: int, command: m.Command) -> m.Reply:
        visit = self._visits.get(visiting)
        if visit is None:
            return m.Reply(m.Refusal.GONE)
        number = next(self._numbers)
        try:
            reply: m.Reply = await self._ask(number, f.Submit(number, visiting, command), m.Reply)
        except StoreError:
            return m.Reply(m.Refusal.UNCERTAIN)
        if reply.ok and isinstance(command, m.EntryCommand | m.FollowBusiest):
            visit.led = command
        if reply.ok and isinstance(command, m.Mute):
            visit.muted.pop(person := str(reply.details["person"]), None)
            if command.on:
                visit.muted[person] = str(reply.details["name"])
        return reply

    async def _ask(
        self,
        number: int,
        message: f.Submit | f.Call | f.Arrive,
        kind: Any,
        seconds: float | None = None,
    ) -> Any:
        """Return the answer, which is of this ``kind``. Raises ``StoreError`` or ``Banned``."""
        call = _PendingCall(message, asyncio.get_running_loop().create_future())
        self._pending[number] = call
        try:
            self._send(call)
            async with asyncio.timeout(seconds):
                answer = await call.answer
        except BaseException as error:
            if call.sent and self._line is not None:
                self._line.send(f.Leave(number))
            if isinstance(error, TimeoutError):
                raise StoreError("unreachable") from None
            raise
        finally:
            del self._pending[number]
        if isinstance(answer, f.Failed):
            raise Banned(answer.ban) if answer.ban is not None else StoreError(answer.code)
        value = msgspec.convert(answer.value, kind)
        if call.sent > 1 and isinstance(value, m.Reply) and not value.ok:
            # The first one may have been carried out, and have led to the refusal of the second.
            raise StoreError("uncertain")
        return value

    def _send(self, call: _PendingCall) -> None:
        if self._line is not None and self.connected.is_set() and not call.answer.done():
            call.sent += 1
            self._line.send(call.message)

    def _leave(self, number: int) -> None:
        visit = self._visits.pop(number, None)
        if visit is not None:
            visit.feed.close("left")
            if self._line is not None and self.connected.is_set():
                self._line.send(f.Leave(number))

    known = _forwarded(Coordinator.known)
    password_of = _forwarded(Coordinator.password_of)
    lobby_now = _forwarded(Coordinator.lobby_now)
    knows_table = _forwarded(Coordinator.knows_table)
    correspondence_of = _forwarded(Coordinator.correspondence_of)
    plays_today = _forwarded(Coordinator.plays_today)
    review = _forwarded(Coordinator.review)
    profile = _forwarded(Coordinator.profile)
    follow = _forwarded(Coordinator.follow)
    followed = _forwarded(Coordinator.followed)
    link_code = _forwarded(Coordinator.link_code)
    report = _forwarded(Coordinator.report)
    act = _forwarded(Coordinator.act)

    @override
    async def keep_settings(self, player: str, settings: Mapping[str, Any]) -> None:
        for visit in self._visits.values():
            if visit.player is not None and visit.player.id == player:
                visit.blocked = blocked_in(settings)
        await self.call("keep_settings", player, settings)

    # ------------------------------------------------------------ what comes down

    def _heard(self, message: f.Down) -> None:
        match message:
            case f.LobbyNow():
                self._put_together(message)
            case f.VisitUpdate(number, update, in_lobby):
                if visit := self._visits.get(number):
                    self._tell(visit.feed, update, in_lobby)
            case f.Result(number) | f.Failed(number):
                call = self._pending.get(number)
                if call is not None and not call.answer.done():
                    call.answer.set_result(message)
            case f.BansNow(bans):
                self.bans.fill({(kind, value): ban for kind, value, ban in bans})
            case f.Welcome():
                self._welcomed(message)

    def _put_together(self, now: f.LobbyNow) -> None:
        rows = {row.id: row for row in (*(self._lobby.tables if self._lobby else ()), *now.rows)}
        self._lobby = replace(now.rest, tables=tuple([rows[each] for each in now.tables]))

    def _tell(self, feed: Feed, told: m.Update, in_lobby: bool) -> None:
        if told.table is not None:
            happened = _first(told.happenings)
            feed.offer_table(_with_shared(told.table), happened, resynced=told.resynced)
        elif in_lobby and self._lobby is not None:
            feed.offer_lobby(self._lobby, told.happenings)
        feed.offer_tournaments(told.tournaments)
        feed.offer_correspondence(told.correspondence)
        feed.offer_standings(told.standings)
        feed.offer_chat(told.chat)
        for word in told.said:
            feed.say(word)
        if told.closed:
            feed.close(told.closed)
