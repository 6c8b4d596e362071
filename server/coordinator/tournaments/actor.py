"""The actor of all tournaments: one inbox, one task, no locks; and the tables of a round.

An input is decided; what it leads to is written; only then is it taken over, told and done. What tables have
come to is read from the store, so that nothing is lost whatever ends the process: after a restart, a table of
the open round has a result, goes on, or is opened (again).
"""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Any, Final

import structlog
from msgspec.structs import replace
from typing_extensions import override

from engine.bots import ALIKE
from engine.tournament import progress as engine
from engine.tournament.standings import record_of
from server import StoreError
from server.coordinator import messages as m
from server.coordinator.lobby.event_tables import EventTable, open_event_table
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.lobby_feed import Directory
from server.coordinator.lobby.tables import new_code
from server.coordinator.table.ports import reply_of
from server.coordinator.table.state import SharedDeal, Table
from server.coordinator.table.steps import Close
from server.coordinator.tournaments.tournament import (
    Asked,
    Effect,
    Env,
    Held,
    Input,
    Look,
    LookAgain,
    OpenTables,
    See,
    Seen,
    Settle,
    Step,
    Stuck,
    Tell,
    UnreadableTournament,
    checked_plan,
    decide,
    from_stored,
    info_of,
    to_stored,
    view_of,
)
from server.logs import places
from server.networks import salt_of
from server.storage.events import KIND, EventStore, TournamentStore
from server.timers import OneTimer


def codes_of(held: Held, tables: Mapping[str, Table]) -> dict[int, str]:
    """The tables of the open round that the lobby knows of: their codes, by their numbers (from 0)."""
    event = held.open_event
    if not event:
        return {}
    return {_number_in(each.key): each.id for each in tables.values() if each.event == event}


def _number_in(key: str) -> int:
    """The table (from 0) whose key it is; -1 for none."""
    number = key.split("/")[-2]
    return int(number) - 1 if number.isdecimal() else -1


def _player(entrant: engine.Entrant) -> m.Player:
    return m.Player(entrant.player, entrant.name, entrant.guest)


MOST_OPEN: Final = 20
"""Tournaments that are not over."""
SHOWN: Final = 10
"""Finished tournaments that are kept at hand ..."""
SHOWN_SECONDS: Final = 24 * 60 * 60.0
"""... and told of in the lobby for so long."""
RETRY: Final = 2.0
"""Seconds until what has failed is tried again; after a mistake of ours twice as many each time ..."""
LONGEST_RETRY: Final = 300.0
"""... up to this."""
TOLD: Final = 3
"""After so many mistakes in a row the director is told."""
NOTICED: Final = 0.05
"""Seconds after which several tables that are over are looked at together."""

_Work = Callable[[], Coroutine[Any, Any, m.Reply]]

_log = structlog.get_logger("tournaments")


@dataclass(eq=False)
class Course:
    """A tournament, and what is not kept of it."""

    held: Held
    """As it has been written."""
    timer: OneTimer
    codes: Mapping[int, str] = field(default_factory=dict)
    """Codes of the tables of the open round, by their numbers (from 0)."""
    seeds: dict[int, str] = field(default_factory=dict)
    """In hex, of closed rounds only."""
    again: float = 0.0
    """When to look whatever is due: something has failed, or happened at a table; 0 for neither."""
    mistakes: int = 0
    """Failures of our own code here, in a row."""


class Tournaments(Directory):
    """All tournaments of a server. ``guests``: anybody may open one, and guests register."""

    def __init__(
        self, lobby: Lobby, store: TournamentStore, events: EventStore, *, guests: bool
    ) -> None:
        self.anybody_opens = guests
        self.all: Final[dict[str, Course]] = {}
        """By id, the last to be opened last."""
        self._lobby: Final = lobby
        self._clock: Final = lobby.shared.clock
        self.store: Final = store
        self.events: Final = events
        self._unopened: Final[set[str]] = set()
        """Keys of tables that could not be opened; if only the answer was lost, they have been kept."""
        self._rng: Final = lobby.shared.new_rng()
        """Draws codes."""
        self._inbox: asyncio.Queue[tuple[_Work, asyncio.Future[m.Reply] | None]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        """``None`` before ``recover``."""
        self._closed = False
        lobby.directory = self

    @override
    async def recover(self) -> None:
        over = [each for each in await self.store.newest(SHOWN) if each.over]
        for stored in [*reversed(over), *await self.store.still_open()]:
            try:
                held = replace(from_stored(stored), begun=self._clock.time())
            except UnreadableTournament as error:
                _log.error("tournament_unreadable", tournament=stored.id, reason=str(error))
                continue
            # Also at one that is over: perhaps the process ended before its tables and events were closed.
            self._look_in(self._take_up(held), 0.0)
        self._task = asyncio.create_task(self._run(), name="tournaments")

    async def close(self) -> None:
        """The server ends; everything that counts has been written."""
        self._closed = True
        for course in self.all.values():
            course.timer.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        while not self._inbox.empty():
            _answer(self._inbox.get_nowait()[1], m.Reply(m.Refusal.CLOSING))

    # ------------------------------------------------------------ what is asked for

    @override
    async def carry_out(
        self, player: m.Player | None, command: m.TournamentCommand, source: str = ""
    ) -> m.Reply:
        if isinstance(command, m.AskTournament):
            return m.Reply(tournament=await self.view(command.tournament, player))
        m.refuse_if(self._task is None, m.Refusal.BUSY)  # the server has just begun
        m.refuse_if(self._closed, m.Refusal.CLOSING)
        if isinstance(command, m.OpenTournament):
            work = partial(self._open, player, command.plan)
        elif course := self.all.get(command.tournament.lower()):
            work = partial(self._handle, course, Asked(player, command, source))
        else:
            raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT)
        answer: asyncio.Future[m.Reply] = asyncio.get_running_loop().create_future()
        self._inbox.put_nowait((work, answer))
        return await answer

    @override
    async def record(self, which: str) -> dict[str, Any]:
        course = await self._find(which)
        held, seeds = course.held, await self._seeds(course)
        more = {
            "id": held.id,
            "name": held.plan.name,
            "opened": round(held.opened),
            "ended": round(held.over),
        }
        return record_of(held.play, list(zip(held.commitments, seeds, strict=False)), more)

    async def view(self, which: str, player: m.Player | None) -> m.TournamentView:
        """One as somebody sees it; without ``which``, the newest. Raises ``Refused`` and ``StoreError``."""
        if not which:
            newest = max(
                self.all.values(),
                key=lambda each: (not each.held.over, each.held.opened),
                default=None,
            )
            which = newest.held.id if newest else ""
        course = await self._find(which)
        seeds, who = await self._seeds(course), player.id if player else ""
        # What the lobby knows of them has nothing of their bids.
        here = {
            number: actor.table
            for number, code in course.codes.items()
            if (actor := self._lobby.tables.actors.get(code)) is not None
        }
        return view_of(course.held, here, who, seeds, self._lobby.shared.timing)

    async def _find(self, which: str) -> Course:
        """Also one that was over long ago. Raises ``Refused`` and ``StoreError``."""
        if (course := self.all.get(which.lower())) is not None:
            return course
        stored = await self.store.find(which.lower())
        m.refuse_if(stored is None, m.Refusal.NO_SUCH_TOURNAMENT)
        assert stored is not None
        try:
            return Course(from_stored(stored), OneTimer(self._clock))
        except UnreadableTournament:
            raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT) from None

    async def _seeds(self, course: Course) -> list[str]:
        """In hex, of the closed rounds. Raises ``StoreError``."""
        closed = [number for number, it in enumerate(course.held.play.rounds) if it.closed]
        for number in closed:
            if number not in course.seeds:
                event = await self.events.find(course.held.event(number))
                course.seeds[number] = event.seed if event is not None else ""
        return [course.seeds[number] for number in closed]

    # ------------------------------------------------------------ what the lobby asks and tells

    @override
    def shown_to(self, player: str) -> tuple[m.TournamentInfo, ...]:
        long_ago = self._clock.time() - SHOWN_SECONDS
        return tuple(
            info_of(each.held, each.codes, player, self._lobby.shared.timing)
            for each in reversed(self.all.values())
            if not each.held.over or each.held.over > long_ago
        )

    @override
    def knows(self, player: str) -> bool:
        return any(
            not each.held.over and each.held.play.number_of(player) != engine.BOT
            for each in self.all.values()
        )

    @override
    def table_changed(self, event: str) -> None:
        kind, _, rest = event.partition("/")
        course = self.all.get(rest.partition("/")[0])
        if kind == KIND and course is not None:
            self._note_tables(course)
            self._look_in(course, NOTICED)

    def _note_tables(self, course: Course) -> None:
        """The lobby may know of other tables."""
        codes = codes_of(course.held, self._lobby.known)
        if codes != course.codes:
            course.codes = codes
            self._lobby.feed.tournaments_changed()

    # ------------------------------------------------------------ the task

    async def _run(self) -> None:
        while True:
            work, answer = await self._inbox.get()
            # Where it is cut off, what was asked may or may not have been written.
            reply = m.Reply(m.Refusal.CLOSING)
            try:
                reply = await reply_of(work())
            except Exception as error:
                reply = m.Reply(m.Refusal.INTERNAL)
                _log.error("tournament_failed", error=type(error).__name__, where=places(error))
            finally:
                _answer(answer, reply)

    async def _open(self, director: m.Player | None, plan: m.TournamentPlan) -> m.Reply:
        """Open a tournament; without a ``director`` it is the operators'.

        Raises ``Refused`` and ``StoreError``.
        """
        m.refuse_if(director is not None and not self.anybody_opens, m.Refusal.NO_DIRECTOR)
        # Everybody is to meet the same bots.
        m.refuse_if(plan.options.bots == ALIKE, m.Refusal.NO_SUCH_STRATEGY)
        plan, by = checked_plan(plan), director or m.Player("", "", guest=False)
        going_on = [each.held for each in self.all.values() if not each.held.over]
        m.refuse_if(len(going_on) >= MOST_OPEN, m.Refusal.TOO_MANY_TOURNAMENTS)
        own = director is not None and any(each.director == by.id for each in going_on)
        m.refuse_if(own, m.Refusal.TOO_MANY_TOURNAMENTS)
        while await self.store.find(code := new_code(self.all, self._rng)) is not None:
            pass
        play = engine.Tournament(plan.options.rules, plan.rounds)
        now, guests = self._clock.time(), self.anybody_opens
        held = Held(code, plan, now, by.id, by.name, guests, play, salt=salt_of(()))
        await self.store.keep(to_stored(held))
        self._take_up(held)
        self._lobby.feed.tournaments_changed()
        _log.info("tournament_opened", tournament=code, rounds=plan.rounds)
        return m.Reply(details={"tournament": code})

    def _take_up(self, held: Held) -> Course:
        """This tournament is in the store."""
        codes = codes_of(held, self._lobby.known)
        course = self.all[held.id] = Course(held, OneTimer(self._clock), codes)
        return course

    async def _handle(self, course: Course, given: Input) -> m.Reply:
        """Take an input; what fails of what is due is tried again."""
        looks = isinstance(given, Look)
        try:
            reply = await reply_of(self._take(course, given))
            if looks and reply.ok:
                course.mistakes = 0
                if course.held.stuck:
                    reply = await reply_of(self._take(course, Stuck(stuck=False)))
            if looks and not reply.ok:
                self._try_later(course, reply.code)
        except Exception as error:
            reply = m.Reply(m.Refusal.INTERNAL)
            await self._failed(course, error)
        self._wait(course)
        return reply

    async def _take(self, course: Course, given: Input) -> m.Reply:
        """Decide, write, take over, tell, do what follows. Raises ``StoreError``."""
        while True:
            step = decide(course.held, given, self._env(course.held))
            await self._commit(course, step)
            answers = [await self._perform(course, effect) for effect in step.effects]
            following = next((each for each in answers if each is not None), None)
            if following is None:
                return step.reply
            given = following

    def _env(self, held: Held) -> Env:
        shared = self._lobby.shared
        players = (each.player for each in held.play.entrants)
        connected = frozenset(filter(self._lobby.is_connected, players))
        return Env(self._clock.time(), shared.timing, connected, shared.new_seed())

    async def _commit(self, course: Course, step: Step) -> None:
        """Write what has changed, take it over, tell everybody. Raises ``StoreError``; then nothing has."""
        before, after = course.held, step.held
        if after is before:
            return
        await self.store.keep(to_stored(after), step.event)
        course.held, course.codes = after, codes_of(after, self._lobby.known)
        self._lobby.feed.tournaments_changed()
        if after.over and not before.over:
            self._lobby.news.changed()
        if step.event is not None:
            _log.info("tournament_round", tournament=after.id, round=len(after.play.rounds))
        elif before.open_event and not after.open_event:
            round_ = len(before.play.rounds)
            _log.info("tournament_round_closed", tournament=after.id, round=round_)

    async def _perform(self, course: Course, effect: Effect) -> Input | None:
        """Do what a step has led to; an input where there is an answer, which may raise ``StoreError``."""
        match effect:
            case See():
                return await self.see_tables(course.held, effect)
            case OpenTables(tables):
                await self._or_later(course, self.open_tables(course.held, tables))
                self._note_tables(course)
            case Settle():
                await self._or_later(course, self.settle_rounds(course.held))
            case LookAgain():
                self._look_in(course, RETRY)
            case Tell(players, word):
                for player in players:
                    self._lobby.say_to(player, word)
        return None

    # ------------------------------------------------------------ the tables of a round

    async def see_tables(self, held: Held, asked: See) -> Seen:
        """What has become of the tables of a round."""
        # First how the tables are: whatever is over by then is in the store.
        codes, tables = codes_of(held, self._lobby.known), self._lobby.known
        over = {n for n, code in codes.items() if tables[code].status is m.Status.OVER}
        # In this order: what is not there any more has left its result before.
        keys = set(await self.events.tables(asked.event))
        for key in keys & self._unopened:
            await self._lobby.shared.store.drop(key)
        there = {_number_in(key) for key in keys - self._unopened} - codes.keys()
        games = tuple(await self.events.games(asked.event))
        entered = frozenset(await self.events.entered(asked.event))
        known = frozenset(over), frozenset(codes), frozenset(there)
        return Seen(asked, *known, games, entered)

    async def open_tables(self, held: Held, tables: Sequence[int]) -> m.Reply:
        """Open these tables of the open round, or say why some could not be. Raises ``StoreError``."""
        event = await self.events.find(held.open_event)
        if event is None:
            raise StoreError("failed")
        starts = self._clock.time() + held.plan.call
        deal = SharedDeal(bytes.fromhex(event.seed), event.id, starts)
        options, refused = held.plan.options, m.Reply()
        call = m.ServerMessage("tournament_table", held.plan.name)
        for number in tables:
            seats = [
                options.bots if seat == engine.BOT else _player(held.play.entrants[seat])
                for seat in held.play.rounds[-1].tables[number].seats
            ]
            key = f"{event.id}/{number + 1}/{secrets.token_hex(8)}"
            wanted = EventTable(deal, options, seats, held.title(number), call=call, key=key)
            reply = await open_event_table(self._lobby, wanted)
            if not reply.ok:
                self._unopened.add(key)
                refused = reply
        return refused

    async def settle_rounds(self, held: Held) -> m.Reply:
        """Break off what still goes on of rounds that are closed, and close their events.

        Each when all its tables are: until then, refused as ``busy``. Raises ``StoreError``.
        """
        tables, reply = self._lobby.known, m.Reply()
        for event in await self.events.still_open(KIND):
            if not held.has_closed(event.id):
                continue
            closed = True
            for code, each in [*tables.items()]:
                if each.event == event.id and each.status is not m.Status.OVER:
                    closed &= (await self._lobby.order(code, Close("closed"))).ok
            # One that is not known of may be read back just now.
            known = {each.key for each in tables.values()}
            if closed and known.issuperset(await self.events.tables(event.id)):
                await self.events.close(event.id, self._clock.time())
            else:
                reply = m.Reply(m.Refusal.BUSY)
        return reply

    # ------------------------------------------------------------ waiting, and trouble

    def _wait(self, course: Course) -> None:
        """Have the clock wake this tournament for what it waits for."""
        when = course.again or course.held.due(self._lobby.shared.timing)
        if self._closed or when == inf:
            course.timer.cancel()
        else:
            course.timer.start(when, partial(self._wake, course))

    def _wake(self, course: Course) -> None:
        course.again = 0.0
        self._inbox.put_nowait((partial(self._handle, course, Look()), None))

    def _look_in(self, course: Course, seconds: float) -> None:
        """Sooner if something else has that looked at."""
        when = self._clock.time() + seconds
        course.again = min(course.again or when, when)
        self._wait(course)

    async def _or_later(self, course: Course, doing: Coroutine[Any, Any, m.Reply]) -> None:
        """What fails is tried again."""
        if not (reply := await reply_of(doing)).ok:
            self._try_later(course, reply.code)

    def _try_later(self, course: Course, code: str) -> None:
        _log.warning("tournament_waits", tournament=course.held.id, code=code)
        self._look_in(course, RETRY)

    async def _failed(self, course: Course, error: Exception) -> None:
        """Our own mistake: with the next results or players it may go on."""
        again, held = retry_after(course.mistakes), course.held
        course.mistakes += 1
        where, name = places(error), type(error).__name__
        _log.error("tournament_failed", tournament=held.id, error=name, where=where, again=again)
        self._look_in(course, again)
        if course.mistakes >= TOLD and not held.stuck:
            try:
                await self._take(course, Stuck(stuck=True))
            except Exception as also:
                name = type(also).__name__
                _log.warning("tournament_waits", tournament=held.id, code=name)


def retry_after(mistakes: int) -> float:
    """Seconds until it is tried again after so many mistakes before this one."""
    return min(LONGEST_RETRY, RETRY * 2.0 ** min(mistakes, 16))


def _answer(answer: asyncio.Future[m.Reply] | None, reply: m.Reply) -> None:
    # Who asked may have been cut off; then nobody waits for this.
    if answer is not None and not answer.done():
        answer.set_result(reply)
