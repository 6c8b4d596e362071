"""A table: one inbox, one task, no locks. What is asked of it is done one after the other.

A change is made in three steps: a handler works out the new state; the store has it; only then does
the table take it over and tell everybody. When the store refuses, nothing has happened.
"""

import asyncio
import traceback
from collections.abc import Sequence
from typing import Final

import structlog

from engine.deal import GameDeal
from engine.views import SeatView
from server.coordinator.messages import (
    Closing,
    Command,
    Happening,
    Pace,
    Reply,
    Spectating,
    Status,
    TableRow,
    Trouble,
    TroubleOver,
    VoteInfo,
)
from server.coordinator.people.presence import Presence
from server.coordinator.people.rejoin import GuessLimiter
from server.coordinator.table import absence, bids, dispatch, pausing
from server.coordinator.table.inputs import (
    Announce,
    Ask,
    Begin,
    Close,
    ConnectionChanged,
    Fill,
    Message,
    Rated,
    StopWatching,
    Turn,
    Wake,
)
from server.coordinator.table.model import TableState
from server.coordinator.table.play import Action, Bid
from server.coordinator.table.ports import Host, TableEnvironment
from server.coordinator.table.publisher import Publisher
from server.coordinator.table.records import finished_game
from server.coordinator.table.stored import same_row, to_entries, to_row
from server.coordinator.table.table_info import vote_infos
from server.coordinator.table.timers import Agenda, TimerKind
from server.storage.store import Conflict, StoreError, TableLog

_log = structlog.get_logger("table")


class Table:
    """The actor. Handlers live in ``opening``, ``bidding`` and ``absence``; they use what is public here."""

    def __init__(
        self,
        log: TableLog,
        state: TableState,
        house: TableEnvironment,
        host: Host,
        deal: GameDeal | None = None,
    ) -> None:
        self.key: Final = log.key
        self.log: Final = log
        self.house: Final = house
        self.state = state
        self.deal = deal
        self.rng: Final = house.new_rng()
        self.people: dict[str, Presence] = {}
        """Who has a seat, by player id."""
        self._sources: dict[str, str] = {}
        """Where those came from who have played in this game, also if they have left since; by player id."""
        self.spectators: dict[str, Presence] = {}
        self.absent: dict[str, float] = {}
        """Whose line is down, by player id, and since when."""
        self.removed: dict[str, float] = {}
        """Whom the owner has removed, by player id, and until when they cannot sit here."""
        self.claims: dict[str, int] = {}
        """Which spectators wait for a bot's seat, by player id, and for which."""
        self.guesses: Final = GuessLimiter(5, 20.0)
        """At the invitation word, one player each; all who come from one place; and all together."""
        self.guesses_there: Final = GuessLimiter(10, 12.0)
        self.all_guesses: Final = GuessLimiter(60, 2.0)
        self.closing = 0.0
        self.back_by = 0.0
        """Until then those who were here before a restart are waited for."""
        self.agenda: Final = Agenda(house.clock, self._wake)
        self._host = host
        self._inbox: asyncio.Queue[Message] = asyncio.Queue()
        self._stored: TableState | None = None
        self._teller = Publisher(self)
        self._trouble = False
        self._open = True
        self._task: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ from outside

    @property
    def id(self) -> str:
        """The speakable code."""
        return self.state.id

    @property
    def is_open(self) -> bool:
        """False once it has been closed."""
        return self._open

    @property
    def row(self) -> TableRow:
        """For the lobby's list."""
        return self._teller.row

    def start(self) -> None:
        """Start the task."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"table {self.id}")

    async def ask(self, presence: Presence, command: Command | Fill | StopWatching) -> Reply:
        """Carry out a command of somebody, or say why not."""
        if not self._open:
            return Reply("no_such_table")
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        presence.asked += 1
        self._inbox.put_nowait(Ask(presence, command, answer))
        return await answer

    def post(self, message: ConnectionChanged | Announce | Begin | Rated) -> None:
        """Let the table know."""
        self._inbox.put_nowait(message)

    async def close(self, code: str, *, deserted: bool = False) -> Reply:
        """Close it, or say why not; see ``inbox.Close``."""
        if not self._open:
            return Reply("no_such_table")
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._inbox.put_nowait(Close(code, deserted, answer))
        return await answer

    def take_turn(self) -> None:
        """See ``background.Waiting``."""
        self._inbox.put_nowait(Turn())

    async def stop(self) -> None:
        """End the task without telling anybody; what has been written stays written."""
        self._open = False
        self.house.background.leave(self)
        self.agenda.close()
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._refuse_the_rest()

    # ------------------------------------------------------------ the task

    def _wake(self) -> None:
        self._inbox.put_nowait(Wake())

    async def _run(self) -> None:
        while self._open:
            message = await self._inbox.get()
            reply = Reply("closing")
            try:
                reply = await self._handle(message)
            except StoreError as error:
                reply = Reply("storage", {"reason": error.code})
                self.storage_failed(error)
                self._count_later()
            except Conflict:
                # Somebody else has this table now: what stands in the store is the truth.
                _log.error("table_conflict", table=self.id)
                reply = Reply("no_such_table")
                self._end(None)
            except Exception as error:
                reply = Reply("internal")
                self._failed(error)
            finally:
                # Also when the task is stopped: then what was asked may or may not have been written.
                if isinstance(message, Ask | Close):
                    self._answer(message, reply)
            try:
                await self._teller.tell_spectators()
            except Exception as error:
                self._failed(error)
        self._refuse_the_rest()

    def _count_later(self) -> None:
        """What was to be written may have been what a vote, or a wish for another game, has led to."""
        if self._open:
            again = self.house.clock.time() + self.house.timing.retry
            self.agenda.plan(again, TimerKind.COUNT)

    def _refuse_the_rest(self) -> None:
        while not self._inbox.empty():
            message = self._inbox.get_nowait()
            if isinstance(message, Ask | Close):
                self._answer(message, Reply("no_such_table"))

    def _answer(self, ask: Ask | Close, reply: Reply) -> None:
        # Who asked may have been cut off; then nobody waits for this.
        if not ask.answer.done():
            ask.answer.set_result(reply)
        if isinstance(ask, Ask):
            ask.presence.asked -= 1
            self._host.answered(ask.presence)

    async def _handle(self, message: Message) -> Reply:
        if isinstance(message, Ask):
            return await dispatch.command(self, message.presence, message.command)
        if isinstance(message, Close):
            return await pausing.close(self, message.code, deserted=message.deserted)
        if isinstance(message, Turn):
            await bids.take_turn(self)
        elif isinstance(message, Wake):
            await dispatch.due(self)
        elif isinstance(message, ConnectionChanged):
            await absence.look(self, message.presence)
        elif isinstance(message, Announce):
            self.closing = message.when
            self.tell([Closing(message.when)], apart=True)
        elif isinstance(message, Rated):
            self.tell()
        else:
            await pausing.begin_again(self)
        return Reply()

    def _failed(self, error: Exception) -> None:
        # Where it happened, but neither the message nor any variable: they may name a card.
        where = [
            f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(error.__traceback__)
        ]
        _log.error("table_failed", table=self.id, error=type(error).__name__, where=where[-6:])
        try:
            self.tell([Trouble("internal")], apart=True)
        except Exception as again:
            _log.error("telling_failed", table=self.id, error=type(again).__name__)

    def storage_failed(self, error: StoreError) -> None:
        """Log it once for all tables, and tell this one once."""
        self._log_refusal(error)
        if not self._trouble:
            self._trouble = True
            self.tell([Trouble("storage")], apart=True)

    def _log_refusal(self, error: StoreError) -> None:
        if not self.house.store_fails:
            self.house.store_fails = True
            _log.error("storage_failed", table=self.id, code=error.code)

    # ------------------------------------------------------------ changing it

    async def commit(
        self,
        after: TableState,
        happenings: Sequence[Happening] = (),
        *,
        actions: Sequence[Action] = (),
        only: int | None = None,
    ) -> None:
        """Write what changed, take it over, tell everybody; with ``only`` set, only that seat.

        Raises ``StoreError``; then nothing has changed.
        """
        before = self.state
        new_game = after.number != before.number
        row = None if self._stored and same_row(self._stored, after) else to_row(after)
        over = after.status is Status.OVER and before.status is Status.PLAYING
        if new_game:
            self._sources = {}
        self._sources |= {id_: one.source for id_, one in self.people.items() if one.source}
        if row is not None or actions:
            now = self.house.clock.time()
            finished = (
                finished_game(self.key, after, now, self._sources)
                if over and after.has_result
                else None
            )
            try:
                await self.log.append(
                    row,
                    after.number,
                    to_entries(actions, now),
                    finished,
                    after.id if self._stored is None else "",
                )
            except StoreError:
                # Should the store have kept it after all, the next row puts that right.
                self._stored = None
                raise
            self.house.store_fails = False
        self._stored = after
        self.state = after
        tally = self.house.tally
        tally.games_begun += new_game
        tally.games_over += over
        tally.bids += sum(isinstance(action, Bid) for action in actions)
        if self._trouble:
            self._trouble = False
            happenings = [*happenings, TroubleOver()]
            only = None
        if over:
            _log.info("game_over", table=self.id, game=after.number, ended=after.ended.value)
            if after.options.rated:
                self._host.rated(self)
        self.tell(happenings, only=only)

    async def shut(self, why: Happening | None = None) -> None:
        """The table is no more: everybody is back in the lobby, told ``why``, and the store forgets it."""
        self._end(why)
        try:
            await self.log.drop()
        except StoreError as error:
            # It comes back after the next restart, and is closed again. Nobody is left here to be told.
            self._log_refusal(error)

    def _end(self, why: Happening | None) -> None:
        self._open = False
        self.agenda.close()
        self.house.background.leave(self)
        for presence in [*self.people.values(), *self.spectators.values()]:
            self.release(presence, why)
        _log.info("table_closed", table=self.id)
        self._host.closed(self)

    def release(self, presence: Presence, why: Happening | None = None) -> None:
        """The player is back in the lobby, and told ``why`` unless it was his or her own wish."""
        self.people.pop(presence.player.id, None)
        self.spectators.pop(presence.player.id, None)
        self.absent.pop(presence.player.id, None)
        self.claims.pop(presence.player.id, None)
        presence.table = None
        self._host.released(presence, why)

    def take_in(self, presence: Presence, *, seated: bool) -> None:
        """The player is at this table from now on."""
        (self.people if seated else self.spectators)[presence.player.id] = presence
        presence.table = self
        if self.house.background.leave(self):
            # From now on somebody waits for the bots.
            self.take_turn()
        if presence.feed is None:
            # The line dropped while the command lay in the inbox.
            self.post(ConnectionChanged(presence))

    # ------------------------------------------------------------ telling it

    @property
    def connected(self) -> frozenset[int]:
        """Seats of people whose line is up."""
        return frozenset(
            number
            for number, seat in enumerate(self.state.seats)
            if seat.human and seat.player and seat.player.id not in self.absent
        )

    @property
    def deserted_since(self) -> float:
        """Since when nobody is connected here, nor watches; 0 while somebody does."""
        state = self.state
        if self.connected or self.spectators:
            return 0.0
        if state.status is Status.OPEN and not state.has_people:
            # Who opened it is about to sit down.
            return 0.0
        if state.status is Status.PLAYING:
            return state.deserted or state.created
        return max(self.absent.values(), default=state.created)

    @property
    def awaited(self) -> frozenset[int]:
        """Seats of people without whom the game is not broken off: who are connected, or may well be back. In
        a game of a round a day nobody is connected all the time: there, whoever has not missed rounds.
        """
        daily = self.state.options.pace is Pace.CORRESPONDENCE
        latest = self.house.clock.time() - self.house.timing.absent
        return self.connected | {
            number
            for number, seat in enumerate(self.state.seats)
            if seat.human and (not seat.away if daily else self.absent_since(number) > latest)
        }

    def absent_since(self, number: int) -> float:
        """Since when the line of the player on this seat is down; 0 while it is not."""
        seat = self.state.seats[number]
        return self.absent.get(seat.player.id, 0.0) if seat.human and seat.player else 0.0

    def is_replaceable(self, number: int) -> bool:
        """Whether the others may vote for a bot to bid for the player on this seat."""
        since = self.absent_since(number)
        return (
            since > 0
            and self.state.status is Status.PLAYING
            and self.state.options.pace is Pace.UNTIMED
            and not self.state.seats[number].away
            and self.house.clock.time() >= since + self.house.timing.absent
        )

    @property
    def spectators_are_behind(self) -> tuple[int, ...] | None:
        """The round (of which game and stage) that spectators see only when it is over; ``None`` when they
        see everything at once.
        """
        delayed = self.state.options.spectators is Spectating.DELAYED
        playing = self.state.status is Status.PLAYING
        return tuple(self.state.moment[:3]) if delayed and playing else None

    def caught_up(self) -> None:
        """Spectators have been told of everything up to the round that goes on."""
        self._host.caught_up(self)

    @property
    def votes(self) -> tuple[VoteInfo, ...]:
        """The votes in progress."""
        return vote_infos(self.state, self.connected, self.awaited)

    def tell(
        self,
        happenings: Sequence[Happening] = (),
        *,
        only: int | None = None,
        apart: bool = False,
    ) -> None:
        """Show everybody how the table looks now. Seats hear it at once, spectators right after, or when the
        round is over if they are a round behind and it is not ``apart`` from what happens in it.
        """
        if self._teller.tell(happenings, only, apart):
            self._host.row_changed(self)

    def show(self, presence: Presence) -> None:
        """Show one player how the table looks now."""
        self._teller.show(presence)

    def view_of(self, seat: int) -> SeatView:
        """What the seat may know; a game must be there."""
        return self._teller.view_of(seat)
