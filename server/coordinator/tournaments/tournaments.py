"""Who holds tournaments: what is asked for is decided by ``engine.tournament``, written, and only then told.

Each tournament has a lock: one thing happens to it at a time. What its tables have come to is read from the
store, so that nothing is lost whatever ends the process: after a restart, a table of the open round has a
result, goes on, or is opened (again).
"""

import asyncio
import secrets
from collections.abc import Callable, Container, Coroutine, Mapping, Sequence
from typing import Any, Final

import structlog

from engine.deal import SEED_BYTES, commitment
from engine.errors import TournamentError
from engine.tournament import model as engine
from engine.tournament.record import record_of
from engine.tournament.seating import seat_round
from server.coordinator import messages as m
from server.coordinator.clock import Clock, OneTimer
from server.coordinator.tournaments.limit import LATE, longest_round
from server.coordinator.tournaments.ports import Directory, Tables
from server.coordinator.tournaments.round_tables import RoundTables
from server.coordinator.tournaments.state import (
    Held,
    UnreadableTournament,
    checked_plan,
    from_stored,
    to_stored,
)
from server.coordinator.tournaments.views import info_of, view_of
from server.storage.events import Event, EventStore
from server.storage.store import StoreError
from server.storage.tournaments import KIND, TournamentStore

MOST_OPEN: Final = 20
"""Tournaments that are not over."""
SHOWN: Final = 10
"""So many that are over are kept at hand ..."""
SHOWN_SECONDS: Final = 24 * 60 * 60.0
"""... and told of in the lobby for so long."""
RETRY: Final = 2.0
"""Seconds until what has failed is tried again."""
NOTICED: Final = 0.05
"""Seconds after which several tables that are over are looked at together."""

_CODES: Final[Mapping[str, m.Refusal]] = {
    "over": m.Refusal.TOURNAMENT_OVER,
    "full": m.Refusal.TOURNAMENT_FULL,
    "entered": m.Refusal.ENTERED,
    "not_entered": m.Refusal.NOT_ENTERED,
    "too_few": m.Refusal.TOO_FEW,
    "round_open": m.Refusal.ROUND_OPEN,
    "no_round": m.Refusal.NO_ROUND,
}

_log = structlog.get_logger("tournaments")


class _Running:
    """A tournament, and what is not kept of it."""

    def __init__(self, held: Held, clock: Clock) -> None:
        self.held = held
        """As it has been written."""
        self.lock: Final = asyncio.Lock()
        self.timer: Final = OneTimer(clock)
        self.codes: dict[int, str] = {}
        """Of the tables of the open round, by their numbers (from 0)."""
        self.begun = (0, 0.0)
        """Which round goes on, and since when; after a restart, since then."""
        self.seeds: dict[int, str] = {}
        """In hex, of closed rounds only."""


class Tournaments(Directory):
    """All tournaments of a server. ``guests``: anybody may open one, and guests register. ``new_code`` makes
    a speakable one that is not among others.
    """

    def __init__(
        self,
        store: TournamentStore,
        events: EventStore,
        tables: Tables,
        clock: Clock,
        *,
        guests: bool,
        new_code: Callable[[Container[str]], str],
        new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
    ) -> None:
        self._store: Final = store
        self._events: Final = events
        self._tables: Final = tables
        self._clock: Final = clock
        self._rounds: Final = RoundTables(events, tables, clock)
        self._guests: Final = guests
        self._new_seed: Final = new_seed
        self._new_code: Final = new_code
        self._all: Final[dict[str, _Running]] = {}
        """By id, the last to be opened last."""
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._closed = False

    async def recover(self) -> None:
        """Take up what the store has, when the tables are back. Raises ``StoreError``."""
        over = [each for each in await self._store.newest(SHOWN) if each.over]
        for stored in (*reversed(over), *await self._store.still_open()):
            try:
                held = from_stored(stored)
            except UnreadableTournament as error:
                _log.error("tournament_unreadable", tournament=stored.id, reason=str(error))
                continue
            running = self._all[held.id] = _Running(held, self._clock)
            # Also at one that is over: perhaps the process ended before its tables and events were closed.
            self._look_in(running, 0.0)

    async def close(self) -> None:
        """The server ends; everything that counts has been written."""
        self._closed = True
        for running in self._all.values():
            running.timer.cancel()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    # ------------------------------------------------------------ for the lobby

    @property
    def anybody_opens(self) -> bool:
        return self._guests

    async def carry_out(self, player: m.Player, command: m.TournamentCommand) -> m.Reply:
        """Raises ``Refused``."""
        try:
            return await self._carry_out(player, command)
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None

    async def _carry_out(self, player: m.Player, command: m.TournamentCommand) -> m.Reply:
        match command:
            case m.OpenTournament(plan):
                m.refuse_if(not self._guests, m.Refusal.NO_DIRECTOR)
                return await self.open(plan, player)
            case m.EnterTournament(which):
                return await self.enter(which, player)
            case m.WithdrawFromTournament(which):
                return await self.withdraw(which, player.id)
            case m.DirectTournament(which, what):
                directs = self._find(which).held.director == player.id
                m.refuse_if(not directs, m.Refusal.NOT_YOURS_TO_DIRECT)
                return await self.direct(which, what)
            case m.AskTournament(which):
                return m.Reply(tournament=await self.view(which, player.id))

    def shown_to(self, player: str) -> tuple[m.TournamentInfo, ...]:
        long_ago = self._clock.time() - SHOWN_SECONDS
        return tuple(
            info_of(each.held, each.codes, player, self._tables.timing)
            for each in reversed(self._all.values())
            if not each.held.over or each.held.over > long_ago
        )

    def knows(self, player: str) -> bool:
        return any(
            not each.held.over and each.held.play.number_of(player) != engine.BOT
            for each in self._all.values()
        )

    def table_changed(self, event: str) -> None:
        kind, _, rest = event.partition("/")
        running = self._all.get(rest.partition("/")[0]) if kind == KIND else None
        if running is not None:
            self._look_in(running, NOTICED)

    # ------------------------------------------------------------ what can be asked for

    async def open(self, plan: m.TournamentPlan, director: m.Player | None) -> m.Reply:
        """Open a tournament; without a ``director`` it is the operators'. Raises ``Refused``."""
        plan, now = checked_plan(plan), self._clock.time()
        going_on = [each for each in self._all.values() if not each.held.over]
        m.refuse_if(len(going_on) >= MOST_OPEN, m.Refusal.TOO_MANY_TOURNAMENTS)
        if director is not None:
            own = any(each.held.director == director.id for each in going_on)
            m.refuse_if(own, m.Refusal.TOO_MANY_TOURNAMENTS)
        id_ = await self._new_id()
        held = Held(
            id_,
            plan,
            now,
            director.id if director else "",
            director.name if director else "",
            self._guests,
            engine.Tournament(plan.options.rules, plan.rounds),
        )
        await self._write(held)
        self._all[id_] = _Running(held, self._clock)
        _log.info("tournament_opened", tournament=id_, rounds=plan.rounds)
        self._tables.tournaments_changed()
        return m.Reply(details={"tournament": id_})

    async def enter(self, which: str, player: m.Player) -> m.Reply:
        """Register somebody. Raises ``Refused``."""
        running = self._find(which)
        m.refuse_if(player.guest and not running.held.guests, m.Refusal.NO_GUESTS)
        async with running.lock:
            play = _allowed(
                lambda: engine.register(
                    running.held.play, player.id, player.name, guest=player.guest
                )
            )
            await self._adopt(running, running.held.with_play(play))
        return m.Reply()

    async def withdraw(self, which: str, player: str) -> m.Reply:
        """Seat somebody no more. Raises ``Refused``."""
        running = self._find(which)
        async with running.lock:
            play = _allowed(lambda: engine.withdraw(running.held.play, player))
            await self._adopt(running, running.held.with_play(play))
        return m.Reply()

    async def direct(self, which: str, what: m.Directing) -> m.Reply:
        """Do what a director wants. Raises ``Refused``."""
        running = self._find(which)
        async with running.lock:
            held = running.held
            if what is m.Directing.BEGIN:
                await self._begin(running)
            elif what is m.Directing.CLOSE:
                _allowed(lambda: engine.close_round(held.play))
                await self._collect(running)
                if running.held.play.open_round is not None:
                    await self._close_round(running)
            else:
                play = _allowed(lambda: engine.end(held.play))
                await self._adopt(
                    running, held.with_play(play, begins=0.0, over=self._clock.time())
                )
                await self._settle(running)
        return m.Reply()

    async def view(self, which: str, player: str) -> m.TournamentView:
        """Everything that everybody may know; the newest where ``which`` is empty. Raises ``Refused``."""
        if not which:
            found = sorted(
                self._all.values(), key=lambda each: (not each.held.over, each.held.opened)
            )
            m.refuse_if(not found, m.Refusal.NO_SUCH_TOURNAMENT)
            which = found[-1].held.id
        running = await self._find_kept(which)
        seeds = await self._seeds(running)
        return view_of(running.held, running.codes, player, seeds, self._tables.timing)

    async def record(self, which: str) -> dict[str, Any]:
        """The record (``engine.tournament.record``). Raises ``Refused``."""
        running = await self._find_kept(which)
        held, seeds = running.held, await self._seeds(running)
        more = {
            "id": held.id,
            "name": held.plan.name,
            "opened": round(held.opened),
            "ended": round(held.over),
        }
        return record_of(held.play, list(zip(held.commitments, seeds, strict=False)), more)

    # ------------------------------------------------------------ rounds

    async def _look(self, running: _Running) -> None:
        """Do what is to be done by now; what fails is tried again."""
        async with running.lock:
            await self._proceed(running)
            # Last: when it is tried again comes before whatever else is planned.
            await self._settle(running)

    async def _proceed(self, running: _Running) -> None:
        """Begin the next round, or go on with the one that is open; what fails is tried again."""
        held = running.held
        try:
            if held.over:
                return
            if held.play.open_round is not None:
                await self._go_on(running)
            elif held.begins and held.begins <= self._clock.time():
                await self._begin(running)
            elif held.begins:
                self._look_in(running, held.begins - self._clock.time())
        except m.Refused as refused:
            code = refused.reply.code
            if code == m.Refusal.TOO_FEW:
                return
            _log.warning("tournament_waits", tournament=running.held.id, code=code)
            self._look_in(running, RETRY)
        except StoreError as error:
            _log.warning("tournament_waits", tournament=running.held.id, code=error.code)
            self._look_in(running, RETRY)

    async def _begin(self, running: _Running) -> None:
        """Begin the next round. Raises ``Refused`` and ``StoreError``."""
        play = self._without_absent(running.held.play)
        tables = seat_round(play)
        if play.started and not tables:
            await self.end_deserted(running)
            return
        play = _allowed(lambda: engine.with_round(play, tables))
        number, rules = len(play.rounds) - 1, play.rules
        seed = self._new_seed()
        event = Event(
            running.held.event(number),
            KIND,
            self._clock.time(),
            0.0,
            seed.hex(),
            commitment(seed, rules),
        )
        # Should the process have ended between the two, the deal is the one that was kept first.
        event = await _kept(self._events.add(event))
        commitments = (*running.held.commitments[:number], event.commitment)
        running.codes = {}
        await self._adopt(
            running, running.held.with_play(play, begins=0.0, commitments=commitments)
        )
        _log.info("tournament_round", tournament=running.held.id, round=number + 1)
        # The round has begun, even if its tables cannot be opened yet.
        self._look_in(running, RETRY)
        await self._go_on(running)

    async def end_deserted(self, running: _Running) -> None:
        """Nobody is left to be seated: it is over."""
        held = running.held
        await self._adopt(
            running, held.with_play(engine.end(held.play), begins=0.0, over=self._clock.time())
        )

    def _without_absent(self, play: engine.Tournament) -> engine.Tournament:
        """Whoever was not there at the end of the last round, nor is now, is seated no more."""
        last = play.rounds[-1] if play.rounds else None
        for table in last.tables if last is not None else ():
            for seat, score in zip(table.seats, table.scores or (), strict=False):
                if seat == engine.BOT or score.stayed:
                    continue
                who = play.entrants[seat]
                if who.until is None and not self._tables.is_connected(who.player):
                    play = engine.withdraw(play, who.player)
        return play

    async def _go_on(self, running: _Running) -> None:
        """Collect results, open the tables that are missing, close the round when all are done, or when it is
        far too late.
        """
        await self._collect(running)
        current = running.held.play.open_round
        if current is None:
            return
        if current.done:
            await self._close_round(running)
            return
        left = self._time_left(running)
        if left <= 0:
            _log.warning("tournament_late", tournament=running.held.id)
            await self._close_round(running)
            return
        missing = [n for n, table in enumerate(current.tables) if not table.done]
        missing = [number for number in missing if number not in running.codes]
        if missing:
            await self._open_tables(running, missing)
        if not running.timer.running:
            self._look_in(running, left)

    def _time_left(self, running: _Running) -> float:
        """Seconds until the round that goes on is closed, whatever its tables do."""
        now, number = self._clock.time(), len(running.held.play.rounds)
        if running.begun[0] != number:
            running.begun = number, now
        return running.begun[1] + longest_round(running.held.plan, self._tables.timing) + LATE - now

    async def _collect(self, running: _Running) -> None:
        """Take over what tables have come to. Raises ``StoreError``."""
        held = running.held
        if held.play.open_round is None:
            return
        # First how the tables are: whatever is over by then is in the store.
        running.codes = self._rounds.codes(held)
        play = await self._rounds.results(held, running.codes)
        if play is not held.play:
            await self._adopt(running, held.with_play(play))

    async def _open_tables(self, running: _Running, missing: Sequence[int]) -> None:
        opened = await self._rounds.open(running.held, missing, running.codes)
        self._tables.tournaments_changed()
        if not opened:
            self._look_in(running, RETRY)

    async def _close_round(self, running: _Running) -> None:
        held = running.held
        number = len(held.play.rounds) - 1
        play, now = engine.close_round(held.play), self._clock.time()
        goes_on = bool(held.plan.pause) and not play.over
        await self._adopt(
            running,
            held.with_play(
                play,
                begins=now + held.plan.pause if goes_on else 0.0,
                over=now if play.over else 0.0,
            ),
        )
        _log.info("tournament_round_closed", tournament=held.id, round=number + 1)
        self._tables.tournaments_changed()
        if goes_on:
            for each in running.held.play.entrants:
                if each.until is None:
                    until = running.held.begins
                    word = m.ServerMessage("tournament_round", held.plan.name, until)
                    self._tables.say_to(each.player, word)
            self._look_in(running, held.plan.pause)
        await self._settle(running)

    async def _settle(self, running: _Running) -> None:
        """Break off what still goes on of rounds that are not open any more, and close their events; what
        fails is tried again.
        """
        try:
            await self._rounds.close_events(running.held)
        except StoreError as error:
            _log.warning("tournament_waits", tournament=running.held.id, code=error.code)
            self._look_in(running, RETRY)

    # ------------------------------------------------------------ inside

    def _find(self, which: str) -> _Running:
        running = self._all.get(which.lower())
        if running is None:
            raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT)
        return running

    async def _find_kept(self, which: str) -> _Running:
        """Also one that was over long ago. Raises ``Refused``."""
        if which.lower() in self._all:
            return self._find(which)
        try:
            stored = await self._store.find(which.lower())
            m.refuse_if(stored is None, m.Refusal.NO_SUCH_TOURNAMENT)
            assert stored is not None
            return _Running(from_stored(stored), self._clock)
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None
        except UnreadableTournament:
            raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT) from None

    async def _new_id(self) -> str:
        while await self._store_has(code := self._new_code(self._all)):
            pass
        return code

    async def _store_has(self, code: str) -> bool:
        try:
            return await self._store.find(code) is not None
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None

    async def _seeds(self, running: _Running) -> list[str]:
        """In hex, of the closed rounds. Raises ``Refused``."""
        found = []
        try:
            for number, played in enumerate(running.held.play.rounds):
                if not played.closed:
                    continue
                if number not in running.seeds:
                    event = await self._events.find(running.held.event(number))
                    running.seeds[number] = event.seed if event is not None else ""
                found.append(running.seeds[number])
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None
        return found

    async def _adopt(self, running: _Running, held: Held) -> None:
        """Write it; only then it is so, and everybody sees it. Raises ``Refused``."""
        await self._write(held)
        running.held = held
        self._tables.tournaments_changed()

    async def _write(self, held: Held) -> None:
        try:
            await self._store.keep(to_stored(held))
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None

    def _look_in(self, running: _Running, seconds: float) -> None:
        if not self._closed:
            running.timer.after(seconds, lambda: self._spawn(self._look(running)))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work, name="tournament")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _allowed(do: Callable[[], engine.Tournament]) -> engine.Tournament:
    """What the tournament allows. Raises ``Refused``."""
    try:
        return do()
    except TournamentError as error:
        raise m.Refused(_CODES[error.code], error.details) from None


async def _kept(work: Coroutine[Any, Any, Event]) -> Event:
    try:
        return await work
    except StoreError as error:
        raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None


_: type[Directory] = Tournaments
