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
class Guest:
    """A visit by this door."""

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
        """How to come back to where the visit is, if that is no seat of a live game."""
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
class _Asked:
    """What waits for an answer."""

    message: f.Submit | f.Call | f.Arrive
    answer: asyncio.Future[Any]
    sent: int = 0
    """How often."""

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


def _asked(
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
        self._line: f.Line[f.Down] | None = None
        self._lost: asyncio.Future[None] | None = None
        self._term = 0
        self._away: Final = OneTimer(asyncio.get_running_loop())
        self._refused: Final = LogThrottle(10.0)
        self._told_away = False
        """Everybody has been told that there is no coordinator."""
        self._numbers: Final = count(1)
        self._guests: Final[dict[int, Guest]] = {}
        self._asked: Final[dict[int, _Asked]] = {}
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

    def new_line(self) -> f.Line[f.Down]:
        """The end of a line that has just been opened."""
        self._line = f.Line(f.decode_down, self._heard, self._broken)
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
        _log.info("coordinator_found", visits=len(self._guests))
        for number, guest in tuple(self._guests.items()):
            if guest.player is not None and not guest.feed.closed:
                again = f.Again(guest.player, guest.since, guest.blocked, guest.muted, guest.goal)
                self._line.send(f.Arrive(number, guest.arrival, again))
        self._away.cancel()
        if self._told_away:
            self._told_away = False
            self._say(m.ServerMessage("here_again"))
        for asked in tuple(self._asked.values()):
            self._send(asked)

    def _broken(self) -> None:
        if self._lost is not None and not self._lost.done():
            self._lost.set_result(None)
        self._line = None
        if not self.connected.is_set():
            if (also := self._refused.left_out(self.clock.time())) is not None:
                _log.warning("coordinator_hung_up", also=also)
            return
        self.connected.clear()
        _log.warning("coordinator_lost", visits=len(self._guests))
        self._away.after(_NOTICED, self._tell_that_it_is_away)
        for asked in self._asked.values():
            if asked.sent and not asked.harmless and not asked.answer.done():
                asked.answer.set_result(f.Failed(0, "uncertain"))

    def _tell_that_it_is_away(self) -> None:
        self._told_away = True
        self._say(m.ServerMessage("one_moment"))
        self._away.after(_GIVEN_UP, partial(self.send_away, "lost"))

    def _say(self, word: m.ServerMessage) -> None:
        for guest in self._guests.values():
            guest.feed.say(word)

    def send_away(self, why: str) -> None:
        """End every visit."""
        for guest in tuple(self._guests.values()):
            guest.feed.close(why)

    # ------------------------------------------------------------ what is asked for

    @override
    async def arrive(self, arrival: Arrival) -> tuple[Visit, Arrived]:
        number = next(self._numbers)
        guest = self._guests[number] = Guest(arrival)
        try:
            came: f.Came = await self._ask(number, f.Arrive(number, arrival), f.Came, _PATIENCE)
        except BaseException:
            self._leave(number)
            raise
        guest.player, guest.since, arrived = came
        guest.blocked = blocked_in(arrived.settings)
        submit, leave = partial(self._submit, number), partial(self._leave, number)
        return Visit(guest.player, guest.feed, submit, leave), arrived

    async def call(self, method: str, *arguments: Any) -> Any:
        """Have the coordinator carry out a method of the contract."""
        number = next(self._numbers)
        message = f.Call(number, method, arguments)
        return await self._ask(number, message, f.METHODS[method]["return"], _PATIENCE)

    async def _submit(self, visit: int, command: m.Command) -> m.Reply:
        guest = self._guests.get(visit)
        if guest is None:
            return m.Reply(m.Refusal.GONE)
        number = next(self._numbers)
        try:
            reply: m.Reply = await self._ask(number, f.Submit(number, visit, command), m.Reply)
        except StoreError:
            return m.Reply(m.Refusal.UNCERTAIN)
        if reply.ok and isinstance(command, m.EntryCommand | m.FollowBusiest):
            guest.led = command
        if reply.ok and isinstance(command, m.Mute):
            guest.muted.pop(person := str(reply.details["person"]), None)
            if command.on:
                guest.muted[person] = str(reply.details["name"])
        return reply

    async def _ask(
        self,
        number: int,
        message: f.Submit | f.Call | f.Arrive,
        kind: Any,
        seconds: float | None = None,
    ) -> Any:
        """Return the answer, which is of this ``kind``. Raises ``StoreError`` or ``Banned``."""
        asked = _Asked(message, asyncio.get_running_loop().create_future())
        self._asked[number] = asked
        try:
            self._send(asked)
            async with asyncio.timeout(seconds):
                answer = await asked.answer
        except BaseException as error:
            if asked.sent and self._line is not None:
                self._line.send(f.Leave(number))
            if isinstance(error, TimeoutError):
                raise StoreError("unreachable") from None
            raise
        finally:
            del self._asked[number]
        if isinstance(answer, f.Failed):
            raise Banned(answer.ban) if answer.ban is not None else StoreError(answer.code)
        value = msgspec.convert(answer.value, kind)
        if asked.sent > 1 and isinstance(value, m.Reply) and not value.ok:
            # The first one may have been carried out, and have led to the refusal of the second.
            raise StoreError("uncertain")
        return value

    def _send(self, asked: _Asked) -> None:
        if self._line is not None and self.connected.is_set() and not asked.answer.done():
            asked.sent += 1
            self._line.send(asked.message)

    def _leave(self, visit: int) -> None:
        guest = self._guests.pop(visit, None)
        if guest is not None:
            guest.feed.close("left")
            if self._line is not None and self.connected.is_set():
                self._line.send(f.Leave(visit))

    known = _asked(Coordinator.known)
    word_of = _asked(Coordinator.word_of)
    lobby_now = _asked(Coordinator.lobby_now)
    knows_table = _asked(Coordinator.knows_table)
    correspondence_of = _asked(Coordinator.correspondence_of)
    plays_today = _asked(Coordinator.plays_today)
    review = _asked(Coordinator.review)
    profile = _asked(Coordinator.profile)
    follow = _asked(Coordinator.follow)
    followed = _asked(Coordinator.followed)
    link_code = _asked(Coordinator.link_code)
    report = _asked(Coordinator.report)
    act = _asked(Coordinator.act)

    @override
    async def keep_settings(self, player: str, settings: Mapping[str, Any]) -> None:
        for guest in self._guests.values():
            if guest.player is not None and guest.player.id == player:
                guest.blocked = blocked_in(settings)
        await self.call("keep_settings", player, settings)

    # ------------------------------------------------------------ what comes down

    def _heard(self, message: f.Down) -> None:
        match message:
            case f.LobbyNow():
                self._put_together(message)
            case f.Told(visit, update, in_lobby):
                if guest := self._guests.get(visit):
                    self._tell(guest.feed, update, in_lobby)
            case f.Result(number) | f.Failed(number):
                asked = self._asked.get(number)
                if asked is not None and not asked.answer.done():
                    asked.answer.set_result(message)
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
