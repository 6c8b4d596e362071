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
from msgspec.structs import replace
from typing_extensions import override

from engine.deal import SEED_BYTES, commitment
from engine.errors import TournamentError
from engine.tournament import model as engine
from engine.tournament.seating import seat_round
from server.coordinator import messages as m
from server.coordinator.clock import Clock
from server.coordinator.table.ports import Lease, Unlimited
from server.coordinator.tournaments.known import KnownTournaments, Running
from server.coordinator.tournaments.limit import LATE, longest_round
from server.coordinator.tournaments.ports import Directory, Tables
from server.coordinator.tournaments.state import (
    Held,
    checked_plan,
    to_stored,
)
from server.logs import places
from server.storage.events import Event, EventStore
from server.storage.store import Charge, Conflict, StoreError
from server.storage.tournaments import KIND, TournamentStore

MOST_OPEN: Final = 20
"""Tournaments that are not over."""
RETRY: Final = 2.0
"""Seconds until what has failed is tried again; after a mistake of ours twice as many each time ..."""
LONGEST_RETRY: Final = 300.0
"""... up to this."""
TOLD: Final = 3
"""After so many mistakes in a row the director is told."""
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

_MOVED: Final = (m.Refusal.STORAGE, {"reason": "moved"})
"""``steps.MOVED``: another node runs the tournaments by now, and is to be asked."""
MOVING: Final = (m.Refusal.MOVING, {"reason": "tournaments_moving"})
"""Nobody can tell what has become of what was asked: another node is about to run them."""

_log = structlog.get_logger("tournaments")


class Tournaments(KnownTournaments, Directory):
    """All tournaments of a server. ``guests``: anybody may open one, and guests register. ``new_code`` makes
    a speakable one that is not among others.

    Where several nodes could run them, this is the one with the ``charge``: what it writes without it is
    refused, and then ``lost`` is called. Others are told that something has ``changed`` at one, by its id.
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
        charge: Charge | None = None,
        lease: Lease | None = None,
        lost: Callable[[], object] = lambda: None,
        changed: Callable[[str], object] = lambda _: None,
    ) -> None:
        super().__init__(store, events, tables, clock)
        self._charge: Final = charge
        self._lease: Final = lease or Unlimited()
        self._lost: Final = lost
        self._changed: Final = changed
        self._guests: Final = guests
        self._new_seed: Final = new_seed
        self._new_code: Final = new_code
        self._opening: Final = asyncio.Lock()
        """So that the limits hold for those who open one at the same moment."""
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._closed = False

    async def recover(self) -> None:
        """Take up what the store has, when the tables are back. Raises ``StoreError``."""
        await self.read()
        for running in self._all.values():
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

    async def carry_out(
        self, player: m.Player | None, command: m.TournamentCommand, source: str = ""
    ) -> m.Reply:
        """Without a player, it is the operators who want it. Raises ``Refused``."""
        if not self._lease.valid:
            raise m.Refused(*_MOVED)
        try:
            return await self._carry_out(player, command, source)
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None

    async def _carry_out(
        self, player: m.Player | None, command: m.TournamentCommand, source: str
    ) -> m.Reply:
        match command:
            case m.OpenTournament(plan):
                m.refuse_if(player is not None and not self._guests, m.Refusal.NO_DIRECTOR)
                return await self.open(plan, player)
            case m.DirectTournament(which, what, name):
                directs = player is None or self._find(which).held.director == player.id
                m.refuse_if(not directs, m.Refusal.NOT_YOURS_TO_DIRECT)
                return await self.direct(which, what, name)
            case m.AskTournament(which):
                view = await self.view(which, player.id if player is not None else "")
                return m.Reply(tournament=view)
        m.refuse_if(player is None, m.Refusal.NOT_ENTERED)
        assert player is not None
        if isinstance(command, m.EnterTournament):
            return await self.enter(command.tournament, player, source)
        return await self.withdraw(command.tournament, player.id)

    @override
    def table_changed(self, event: str) -> None:
        if (running := self._of(event)) is not None:
            self._look_in(running, NOTICED)

    # ------------------------------------------------------------ what can be asked for

    async def open(self, plan: m.TournamentPlan, director: m.Player | None) -> m.Reply:
        """Open a tournament; without a ``director`` it is the operators'. Raises ``Refused``."""
        plan = checked_plan(plan)
        async with self._opening:
            return await self._open(plan, director)

    async def _open(self, plan: m.TournamentPlan, director: m.Player | None) -> m.Reply:
        going_on = [each for each in self._all.values() if not each.held.over]
        m.refuse_if(len(going_on) >= MOST_OPEN, m.Refusal.TOO_MANY_TOURNAMENTS)
        if director is not None:
            own = any(each.held.director == director.id for each in going_on)
            m.refuse_if(own, m.Refusal.TOO_MANY_TOURNAMENTS)
        id_ = await self._new_id()
        held = Held(
            id_,
            plan,
            self._clock.time(),
            director.id if director else "",
            director.name if director else "",
            self._guests,
            engine.Tournament(plan.options.rules, plan.rounds),
        )
        await self._write(held)
        self._all[id_] = Running(held, self._clock)
        _log.info("tournament_opened", tournament=id_, rounds=plan.rounds)
        self._tell(id_)
        return m.Reply(details={"tournament": id_})

    async def enter(self, which: str, player: m.Player, source: str = "") -> m.Reply:
        """Register somebody, who comes from there. Raises ``Refused``."""
        running = self._find(which)
        m.refuse_if(player.guest and not running.held.guests, m.Refusal.NO_GUESTS)
        async with running.lock:
            held, guest = running.held, player.guest
            play = _allowed(
                lambda: engine.register(
                    held.play, player.id, player.name, guest=guest, places=held.plan.places
                )
            )
            await self._adopt(running, held.with_entrant(play, player.id, source))
        return m.Reply()

    async def withdraw(self, which: str, player: str) -> m.Reply:
        """Seat somebody no more. Raises ``Refused``."""
        running = self._find(which)
        async with running.lock:
            play = _allowed(lambda: engine.withdraw(running.held.play, player))
            await self._adopt(running, running.held.with_play(play))
        return m.Reply()

    async def direct(self, which: str, what: m.Directing, name: str = "") -> m.Reply:
        """Do what a director wants, with the player of that name. Raises ``Refused``."""
        running = self._find(which)
        async with running.lock:
            held = running.held
            match what:
                case m.Directing.BEGIN:
                    await self._begin(running)
                case m.Directing.CLOSE:
                    _allowed(lambda: engine.close_round(held.play))
                    await self._collect(running)
                    if running.held.play.open_round is not None:
                        await self._close_round(running)
                case m.Directing.END:
                    play = _allowed(lambda: engine.end(held.play))
                    now = self._clock.time()
                    await self._adopt(running, held.with_play(play, begins=0.0, over=now))
                    await self._settle(running)
                case m.Directing.LIFT:
                    m.refuse_if(held.over, m.Refusal.TOURNAMENT_OVER)
                    await self._adopt(running, replace(held, lifted=True))
                case m.Directing.REMOVE:
                    await self._remove(running, name)
                case m.Directing.REMOVE_ABSENT:
                    await self._remove(running)
        return m.Reply()

    async def _remove(self, running: Running, name: str | None = None) -> None:
        """Have whoever is registered under that name withdraw; without one, all who are not connected. Raises
        ``Refused``.
        """
        held = running.held
        m.refuse_if(held.over, m.Refusal.TOURNAMENT_OVER)
        play, registered = held.play, [each for each in held.play.entrants if each.until is None]
        if name is None:
            meant = [one for one in registered if not self._tables.is_connected(one.player)]
        else:
            meant = [one for one in registered if one.name.casefold() == name.casefold()][:1]
            m.refuse_if(not meant, m.Refusal.NOBODY_ENTERED, {"name": name})
        for each in meant:
            play = engine.withdraw(play, each.player)
        await self._adopt(running, held.with_play(play))
        for each in meant:
            self._tables.say_to(each.player, m.ServerMessage("tournament_removed", held.plan.name))

    # ------------------------------------------------------------ rounds

    async def _look(self, running: Running) -> None:
        """Do what is to be done by now; what fails is tried again."""
        async with running.lock:
            try:
                if not self._lease.valid:
                    await self._lease.hold()
                await self._proceed(running)
                # Last: when it is tried again comes before whatever else is planned.
                await self._settle(running)
            except Exception as error:
                await self._failed(running, error)
            else:
                running.mistakes = 0
                if running.held.stuck:
                    await self._note_stuck(running, stuck=False)

    async def _failed(self, running: Running, error: Exception) -> None:
        """Our own mistake: with the next results or players it may go on."""
        again, held = retry_after(running.mistakes), running.held
        running.mistakes += 1
        where, name = places(error), type(error).__name__
        _log.error("tournament_failed", tournament=held.id, error=name, where=where, again=again)
        self._look_in(running, again)
        if running.mistakes == TOLD:
            if held.director:
                self._tables.say_to(
                    held.director, m.ServerMessage("tournament_stuck", held.plan.name)
                )
            await self._note_stuck(running, stuck=True)

    async def _note_stuck(self, running: Running, *, stuck: bool) -> None:
        """Everybody sees it in the lists; whether that can be written is not important."""
        try:
            await self._adopt(running, replace(running.held, stuck=stuck))
        except Exception as error:
            name = type(error).__name__
            _log.warning("tournament_waits", tournament=running.held.id, code=name)

    async def _proceed(self, running: Running) -> None:
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

    async def _begin(self, running: Running) -> None:
        """Begin the next round. Raises ``Refused`` and ``StoreError``."""
        m.refuse_if(running.held.play.open_round is not None, m.Refusal.ROUND_OPEN)
        play = self._without_absent(running.held.play)
        tables = seat_round(play, self._away(play))
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

    async def end_deserted(self, running: Running) -> None:
        """Nobody is left to be seated: it is over."""
        held = running.held
        await self._adopt(
            running, held.with_play(engine.end(held.play), begins=0.0, over=self._clock.time())
        )

    def _without_absent(self, play: engine.Tournament) -> engine.Tournament:
        """Whoever had no seat in the last round, or was not there at its end, nor is now, has withdrawn."""
        if not play.rounds:
            return play
        stayed = _stayed(play.rounds[-1])
        missing = [
            who.player
            for number, who in enumerate(play.entrants)
            if who.until is None and who.since < len(play.rounds) and number not in stayed
        ]
        for player in missing:
            if not self._tables.is_connected(player):
                play = engine.withdraw(play, player)
        return play

    def _away(self, play: engine.Tournament) -> set[int]:
        """Who is not there, and gets no seat in the next round. Who has played the last one to its end gets
        one, and may be on the way back.
        """
        stayed = _stayed(play.rounds[-1]) if play.rounds else set[int]()
        return {
            number
            for number in set(play.present) - stayed
            if not self._tables.is_connected(play.entrants[number].player)
        }

    async def _go_on(self, running: Running) -> None:
        """Collect results, open the tables that are missing, close the round when all are done, or when it is
        far too late.
        """
        there = await self._collect(running)
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
        awaited = {n for n, table in enumerate(current.tables) if not table.done}
        if missing := sorted(awaited - there):
            await self._open_tables(running, missing)
        if awaited & there - running.codes.keys():
            # Some are read back, or moved to another node.
            self._look_in(running, RETRY)
        if not running.timer.running:
            self._look_in(running, left)

    def _time_left(self, running: Running) -> float:
        """Seconds until the round that goes on is closed, whatever its tables do."""
        now, number = self._clock.time(), len(running.held.play.rounds)
        if running.begun[0] != number:
            running.begun = number, now
        return running.begun[1] + longest_round(running.held.plan, self._tables.timing) + LATE - now

    async def _collect(self, running: Running) -> set[int]:
        """Take over what tables have come to; which tables there are. Raises ``StoreError``."""
        held = running.held
        # First how the tables are: whatever is over by then is in the store.
        running.codes = self._rounds.codes(held)
        play, there = await self._rounds.results(held, running.codes)
        if play is not held.play:
            await self._adopt(running, held.with_play(play))
        return there

    async def _open_tables(self, running: Running, missing: Sequence[int]) -> None:
        opened = await self._rounds.open(running.held, missing, running.codes, self._charge)
        self._tell(running.held.id)
        if not opened:
            self._look_in(running, RETRY)

    async def _close_round(self, running: Running) -> None:
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
        if goes_on:
            for each in running.held.play.entrants:
                if each.until is None:
                    until = running.held.begins
                    word = m.ServerMessage("tournament_round", held.plan.name, until)
                    self._tables.say_to(each.player, word)
            self._look_in(running, held.plan.pause)
        await self._settle(running)

    async def _settle(self, running: Running) -> None:
        """Break off what still goes on of rounds that are not open any more, and close their events; what
        fails is tried again.
        """
        try:
            await self._rounds.close_events(running.held)
        except StoreError as error:
            _log.warning("tournament_waits", tournament=running.held.id, code=error.code)
            self._look_in(running, RETRY)

    # ------------------------------------------------------------ inside

    async def _new_id(self) -> str:
        while await self._store_has(code := self._new_code(self._all)):
            pass
        return code

    async def _store_has(self, code: str) -> bool:
        try:
            return await self._store.find(code) is not None
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None

    async def _adopt(self, running: Running, held: Held) -> None:
        """Write it; only then it is so, and everybody sees it. Raises ``Refused``."""
        await self._write(held)
        running.held = held
        self._tell(held.id)

    async def _write(self, held: Held) -> None:
        try:
            await self._store.keep(to_stored(held), self._charge)
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None
        except Conflict:
            self._lost()
            raise m.Refused(*_MOVED) from None
        if not self._lease.valid:
            if not self._closed:
                await asyncio.wait([self._spawn(self._lease.hold())])
            m.refuse_if(self._closed, *MOVING)

    def _tell(self, which: str) -> None:
        self._tables.tournaments_changed()
        self._changed(which)

    def _look_in(self, running: Running, seconds: float) -> None:
        if not self._closed:
            running.timer.after(seconds, lambda: self._spawn(self._look(running)))

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work, name="tournament")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def retry_after(mistakes: int) -> float:
    """Seconds until it is tried again after so many mistakes before this one."""
    return min(LONGEST_RETRY, RETRY * 2.0 ** min(mistakes, 16))


def _stayed(last: engine.Round) -> set[int]:
    """Who was there at the end of a round, or may have been: nobody knows of a game that was broken off."""
    return {
        seat
        for table in last.tables
        for number, seat in enumerate(table.seats)
        if seat != engine.BOT and (table.scores is None or table.scores[number].stayed)
    }


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
