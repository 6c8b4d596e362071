"""Who directs tournaments: what is asked for is decided by ``engine.tournament``, written, only then told.

Each tournament has a lock: one thing happens to it at a time. What its tables have come to is read from the
store, so that nothing is lost whatever ends the process: after a restart, a table of the open round has a
result, goes on, or is opened (again).
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
from msgspec.structs import replace

from engine.bots import ALIKE
from engine.deal import commitment
from engine.errors import TournamentError
from engine.tournament import progress as engine
from engine.tournament.seating import seat_round
from server.coordinator import messages as m
from server.coordinator.lobby.codes_and_titles import new_code
from server.coordinator.people.names import is_called
from server.coordinator.tournaments.known import KnownTournaments, Shown
from server.coordinator.tournaments.round_tables import RoundTables
from server.coordinator.tournaments.state import LATE, Held, checked_plan, longest_round, to_stored
from server.logs import places
from server.storage.events import Event
from server.storage.store import StoreError
from server.storage.tournaments import KIND
from server.tasks import Tasks
from server.timers import OneTimer

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

_CODES: Final = {"over": m.Refusal.TOURNAMENT_OVER, "full": m.Refusal.TOURNAMENT_FULL}
"""Of the engine's errors that are called otherwise here."""

_log = structlog.get_logger("tournaments")


@dataclass(eq=False)
class Course:
    """What the director knows of one tournament besides what is written."""

    shown: Shown
    timer: OneTimer
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    begun: tuple[int, float] = 0, 0.0
    """Which round goes on, and since when; after a restart, since then."""
    mistakes: int = 0
    """So often in a row has our own code failed here."""

    @property
    def held(self) -> Held:
        """As it has been written."""
        return self.shown.held


@dataclass(eq=False)
class Director:
    """Directs all tournaments."""

    _known: KnownTournaments
    guests: bool
    """Anybody may open one, and guests register."""
    _courses: dict[str, Course] = field(default_factory=dict)
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    """So that the limits hold for those who open one at the same moment."""
    _tasks: Tasks = field(default_factory=Tasks)
    _closed: bool = False

    def __post_init__(self) -> None:
        self._lobby, shared = self._known.lobby, self._known.lobby.shared
        self._clock = shared.clock
        self._rounds = RoundTables(self._known.events, self._lobby)
        self._rng = shared.new_rng()
        """Draws codes."""

    def begin(self) -> None:
        """Take up what is known, when the tables are back."""
        for which in self._known.all:
            # Also at one that is over: perhaps the process ended before its tables and events were closed.
            self._look_in(self._course(which), 0.0)

    def stop(self) -> None:
        """Somebody else directs from now on."""
        self._closed = True
        for course in self._courses.values():
            course.timer.cancel()
        self._tasks.cancel()

    async def close(self) -> None:
        """The server ends; everything that counts has been written."""
        self.stop()
        await self._tasks.end()

    async def carry_out(
        self, player: m.Player | None, command: m.DirectedCommand, source: str = ""
    ) -> m.Reply:
        """Without a player, it is the operators who want it. Raises ``Refused`` and ``StoreError``."""
        match command:
            case m.OpenTournament(plan):
                m.refuse_if(player is not None and not self.guests, m.Refusal.NO_DIRECTOR)
                # Everybody is to meet the same bots.
                m.refuse_if(plan.options.bots == ALIKE, m.Refusal.NO_SUCH_STRATEGY)
                return await self.open(plan, player)
            case m.EnterTournament(which) if player is not None:
                await self._enter(self._course(which), player, source)
            case m.WithdrawFromTournament(which) if player is not None:
                await self._withdraw(self._course(which), player.id)
            case m.DirectTournament(which, what, name):
                directs = player is None or self._course(which).held.director == player.id
                m.refuse_if(not directs, m.Refusal.NOT_YOURS_TO_DIRECT)
                await self.direct(which, what, name)
            case _:
                raise m.Refused(m.Refusal.NOT_ENTERED)
        return m.Reply()

    def table_changed(self, event: str) -> None:
        """A table of this event is over, or closed."""
        if (shown := self._known.of(event)) is not None:
            self._look_in(self._course(shown.held.id), NOTICED)

    def _course(self, which: str) -> Course:
        """Raises ``Refused``."""
        shown = self._known.all.get(which.lower())
        if shown is None:
            raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT)
        return self._courses.setdefault(shown.held.id, Course(shown, OneTimer(self._clock)))

    # ------------------------------------------------------------ what can be asked for

    async def open(self, plan: m.TournamentPlan, director: m.Player | None) -> m.Reply:
        """Open a tournament; without a ``director`` it is the operators'. Raises ``Refused``."""
        plan = checked_plan(plan)
        async with self._opening:
            going_on = [each for each in self._known.all.values() if not each.held.over]
            m.refuse_if(len(going_on) >= MOST_OPEN, m.Refusal.TOO_MANY_TOURNAMENTS)
            if director is not None:
                own = any(each.held.director == director.id for each in going_on)
                m.refuse_if(own, m.Refusal.TOO_MANY_TOURNAMENTS)
            while (
                await self._known.store.find(id_ := new_code(self._known.all, self._rng))
                is not None
            ):
                pass
            held = Held(
                id_,
                plan,
                self._clock.time(),
                director.id if director else "",
                director.name if director else "",
                self.guests,
                engine.Tournament(plan.options.rules, plan.rounds),
            )
            await self._write(held)
            _log.info("tournament_opened", tournament=id_, rounds=plan.rounds)
            return m.Reply(details={"tournament": id_})

    async def _enter(self, course: Course, player: m.Player, source: str) -> None:
        m.refuse_if(player.guest and not course.held.guests, m.Refusal.NO_GUESTS)
        async with course.lock:
            held, guest = course.held, player.guest
            play = _allowed(
                lambda: engine.register(
                    held.play, player.id, player.name, guest=guest, places=held.plan.places
                )
            )
            await self._write(held.with_entrant(play, player.id, source))

    async def _withdraw(self, course: Course, player: str) -> None:
        async with course.lock:
            play = _allowed(lambda: engine.withdraw(course.held.play, player))
            await self._write(course.held.with_play(play))

    async def direct(self, which: str, what: m.Directing, name: str = "") -> None:
        """Do what a director wants, with the player of that name. Raises ``Refused``."""
        course = self._course(which)
        async with course.lock:
            held = course.held
            match what:
                case m.Directing.BEGIN:
                    await self._begin(course)
                case m.Directing.CLOSE:
                    _allowed(lambda: engine.close_round(held.play))
                    await self._collect(course)
                    if course.held.play.open_round is not None:
                        await self._close_round(course)
                case m.Directing.END:
                    await self._end(course)
                    await self._settle(course)
                case m.Directing.LIFT:
                    m.refuse_if(held.over, m.Refusal.TOURNAMENT_OVER)
                    await self._write(replace(held, lifted=True))
                case m.Directing.REMOVE:
                    await self._remove(course, name)
                case m.Directing.REMOVE_ABSENT:
                    await self._remove(course)

    async def _remove(self, course: Course, name: str | None = None) -> None:
        """Have whoever is registered under that name withdraw; without one, all who are not connected. Raises
        ``Refused``.
        """
        held = course.held
        m.refuse_if(held.over, m.Refusal.TOURNAMENT_OVER)
        play, registered = held.play, [each for each in held.play.entrants if each.until is None]
        if name is None:
            meant = [one for one in registered if not self._lobby.is_connected(one.player)]
        else:
            meant = [one for one in registered if is_called(one.name, name)][:1]
            m.refuse_if(not meant, m.Refusal.NOBODY_ENTERED, {"name": name})
        for each in meant:
            play = engine.withdraw(play, each.player)
        await self._write(held.with_play(play))
        for each in meant:
            self._lobby.say_to(each.player, m.ServerMessage("tournament_removed", held.plan.name))

    # ------------------------------------------------------------ rounds

    async def _look(self, course: Course) -> None:
        """Do what is to be done by now; what fails is tried again."""
        async with course.lock:
            try:
                await self._or_later(course, self._proceed(course))
                # Last: when it is tried again comes before whatever else is planned.
                await self._settle(course)
            except Exception as error:
                await self._failed(course, error)
            else:
                course.mistakes = 0
                if course.held.stuck:
                    await self._note_stuck(course, stuck=False)

    async def _failed(self, course: Course, error: Exception) -> None:
        """Our own mistake: with the next results or players it may go on."""
        again, held = retry_after(course.mistakes), course.held
        course.mistakes += 1
        where, name = places(error), type(error).__name__
        _log.error("tournament_failed", tournament=held.id, error=name, where=where, again=again)
        self._look_in(course, again)
        if course.mistakes == TOLD:
            if held.director:
                self._lobby.say_to(
                    held.director, m.ServerMessage("tournament_stuck", held.plan.name)
                )
            await self._note_stuck(course, stuck=True)

    async def _note_stuck(self, course: Course, *, stuck: bool) -> None:
        """Everybody sees it in the lists; whether that can be written is not important."""
        try:
            await self._write(replace(course.held, stuck=stuck))
        except Exception as error:
            name = type(error).__name__
            _log.warning("tournament_waits", tournament=course.held.id, code=name)

    async def _proceed(self, course: Course) -> None:
        """Begin the next round, or go on with the one that is open."""
        held = course.held
        if held.over:
            return
        if held.play.open_round is not None:
            await self._go_on(course)
        elif held.begins and held.begins <= self._clock.time():
            await self._begin(course)
        elif held.begins:
            self._look_in(course, held.begins - self._clock.time())

    async def _begin(self, course: Course) -> None:
        """Begin the next round. Raises ``Refused`` and ``StoreError``."""
        m.refuse_if(course.held.play.over, m.Refusal.TOURNAMENT_OVER)
        m.refuse_if(course.held.play.open_round is not None, m.Refusal.ROUND_OPEN)
        play = self._without_absent(course.held.play)
        tables = seat_round(play, self._away(play))
        if play.started and not tables:
            # Nobody is left to be seated.
            await self._end(course)
            return
        play = _allowed(lambda: engine.with_round(play, tables))
        number, rules = len(play.rounds) - 1, play.rules
        seed = self._lobby.shared.new_seed()
        event = Event(
            course.held.event(number),
            KIND,
            self._clock.time(),
            0.0,
            seed.hex(),
            commitment(seed, rules),
        )
        # Should the process have ended between the two, the deal is the one that was kept first.
        event = await self._known.events.add(event)
        commitments = (*course.held.commitments[:number], event.commitment)
        await self._write(course.held.with_play(play, begins=0.0, commitments=commitments))
        _log.info("tournament_round", tournament=course.held.id, round=number + 1)
        # The round has begun, even if its tables cannot be opened yet.
        self._look_in(course, RETRY)
        await self._go_on(course)

    async def _end(self, course: Course) -> None:
        """It is over. Raises ``Refused`` and ``StoreError``."""
        play = _allowed(lambda: engine.end(course.held.play))
        await self._write(course.held.with_play(play, begins=0.0, over=self._clock.time()))

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
            if not self._lobby.is_connected(player):
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
            if not self._lobby.is_connected(play.entrants[number].player)
        }

    async def _go_on(self, course: Course) -> None:
        """Collect results, open the tables that are missing, close the round when all are done, or when it is
        far too late.
        """
        there = await self._collect(course)
        current = course.held.play.open_round
        if current is None:
            return
        if current.done:
            await self._close_round(course)
            return
        left = self._time_left(course)
        if left <= 0:
            _log.warning("tournament_late", tournament=course.held.id)
            await self._close_round(course)
            return
        awaited = {n for n, table in enumerate(current.tables) if not table.done}
        if missing := sorted(awaited - there):
            opened = await self._rounds.open(course.held, missing)
            self._known.table_changed(course.held.event(len(course.held.play.rounds) - 1))
            if not opened:
                self._look_in(course, RETRY)
        if awaited & there - course.shown.codes.keys():
            # Some are read back.
            self._look_in(course, RETRY)
        if not course.timer.running:
            self._look_in(course, left)

    def _time_left(self, course: Course) -> float:
        """Seconds until the round that goes on is closed, whatever its tables do."""
        now, number = self._clock.time(), len(course.held.play.rounds)
        if course.begun[0] != number:
            course.begun = number, now
        return (
            course.begun[1]
            + longest_round(course.held.plan, self._lobby.shared.timing)
            + LATE
            - now
        )

    async def _collect(self, course: Course) -> set[int]:
        """Take over what tables have come to; which tables there are. Raises ``StoreError``."""
        held = course.held
        play, there = await self._rounds.results(held)
        if play is not held.play:
            await self._write(held.with_play(play))
        return there

    async def _close_round(self, course: Course) -> None:
        held = course.held
        number = len(held.play.rounds) - 1
        play, now = engine.close_round(held.play), self._clock.time()
        goes_on = bool(held.plan.pause) and not play.over
        await self._write(
            held.with_play(
                play,
                begins=now + held.plan.pause if goes_on else 0.0,
                over=now if play.over else 0.0,
            ),
        )
        _log.info("tournament_round_closed", tournament=held.id, round=number + 1)
        if goes_on:
            for each in course.held.play.entrants:
                if each.until is None:
                    until = course.held.begins
                    word = m.ServerMessage("tournament_round", held.plan.name, until)
                    self._lobby.say_to(each.player, word)
            self._look_in(course, held.plan.pause)
        await self._settle(course)

    async def _settle(self, course: Course) -> None:
        """Break off what still goes on of rounds that are not open any more, and close their events."""
        await self._or_later(course, self._rounds.close_events(course.held))

    async def _or_later(self, course: Course, doing: Coroutine[Any, Any, None]) -> None:
        """What fails is tried again, but a round for which there are too few players."""
        code = ""
        try:
            await doing
        except m.Refused as refused:
            code = refused.reply.code
        except StoreError as error:
            code = error.code
        if code not in ("", m.Refusal.TOO_FEW):
            _log.warning("tournament_waits", tournament=course.held.id, code=code)
            self._look_in(course, RETRY)

    # ------------------------------------------------------------ inside

    async def _write(self, held: Held) -> None:
        """Only then it is so, and everybody sees it. Raises ``StoreError``."""
        await self._known.store.keep(to_stored(held))
        if not self._closed:
            self._known.take(held)

    def _look_in(self, course: Course, seconds: float) -> None:
        if not self._closed:
            course.timer.after(seconds, lambda: self._tasks.spawn(self._look(course), "tournament"))


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
        raise m.Refused(_CODES.get(error.code, error.code), error.details) from None
