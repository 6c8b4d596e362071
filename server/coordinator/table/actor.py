"""What runs a table: one inbox, one task, no locks. What comes is decided one after the other.

An input is decided; what it leads to is written; only then is it taken over and told. When the store
refuses, nothing has happened, and what was due is tried again.
"""

import asyncio
from itertools import filterfalse
from typing import Final

import structlog

from server import StoreError
from server.coordinator import messages as m
from server.coordinator.table import steps
from server.coordinator.table.decide import decide
from server.coordinator.table.play import Bid
from server.coordinator.table.ports import TableEnvironment, unwritten
from server.coordinator.table.publisher import Publisher
from server.coordinator.table.state import Member, Table
from server.coordinator.table.stored import write
from server.coordinator.table.thinking import Thinking
from server.coordinator.table.timers import AT_ONCE, TableTimer, due
from server.logs import places
from server.networks import RateLimiter, take_all
from server.storage.table_store import Conflict, TableLog
from server.timers import OneTimer

_log = structlog.get_logger("table")


class TableActor:
    """Feeds one table with what comes, and does what that leads to."""

    def __init__(self, log: TableLog, table: Table, shared: TableEnvironment) -> None:
        self.id: Final = table.id
        """The speakable code."""
        self.key: Final = log.key
        """Unique for all time, which that is not."""
        self.table = table
        """As it has been written."""
        self._next: TableTimer | None = min(due(table, shared.timing), default=None)
        """What it waits for."""
        self._log: Final = log
        self._shared: Final = shared
        self._host: Final = shared.host
        self._rng: Final = shared.new_rng()
        self._seed = b""
        """Seed of the next game."""
        # Wrong invitation words of one player, from one place, and of all together, as whoever guesses may
        # come back as somebody else; one place alone does not use up what all have.
        self._guesses: Final = RateLimiter(5, 20.0), RateLimiter(10, 12.0), RateLimiter(60, 2.0)
        self._thinking: Final = Thinking(log.key, shared, self._rng)
        self.publisher: Final = Publisher(table, shared)
        self._inbox: asyncio.Queue[tuple[steps.Input | None, asyncio.Future[m.Reply] | None]]
        self._inbox = asyncio.Queue()
        """``None`` stands for the clock's timer."""
        self._timer: Final = OneTimer(shared.clock)
        self._alone: asyncio.Task[None] | None = None
        """Has the bots play on, where nobody else is here."""
        self._not_before = 0.0
        """What was due and failed is not tried again before."""
        self._trouble = False
        self._refusal: m.Reply | None = None
        """What is answered from now on: the table is no more, or the server ends."""
        loop = asyncio.get_running_loop()
        self._task: Final = loop.create_task(self._run(), name=f"table {self.id}")

    @property
    def _open(self) -> bool:
        return self._refusal is None

    # ------------------------------------------------------------ from outside

    async def hint(self, player: str) -> m.Reply:
        """Return the hint that this player has asked for (``AskHint``). Raises ``Refused``."""
        return await self._thinking.hint(self.table, player)

    def look(self, player: str) -> m.Reply:
        """Return the table as this player, who has a seat here, sees it."""
        if self._open and self.table.seat_of(player) >= 0:
            return m.Reply(table=self.publisher.picture(player))
        return self._refusal or m.Reply(m.Refusal.NOT_SEATED)

    async def ask(self, given: steps.Request) -> m.Reply:
        """Do what is asked, or say why not. Of a command, ``Host.answered`` is told when it is done."""
        answer: asyncio.Future[m.Reply] = asyncio.get_running_loop().create_future()
        if self._refusal is None:
            self._inbox.put_nowait((given, answer))
        else:
            self._answer(given, answer, self._refusal)
        return await answer

    def post(self, given: steps.Input | None = None) -> None:
        """Let the table know; without anything, that something is due."""
        self._inbox.put_nowait((given, None))

    async def stop(self) -> None:
        """End the task without telling anybody; what has been written stays written."""
        self._end(m.Reply(m.Refusal.CLOSING))
        self._task.cancel()
        await asyncio.wait([self._task])
        self._refuse_the_rest()

    # ------------------------------------------------------------ the task

    async def _run(self) -> None:
        while self._open:
            given, answer = await self._inbox.get()
            reply = m.Reply(m.Refusal.INTERNAL)
            try:
                reply = await self._handle(given)
            except Conflict:
                if self.table.is_new:
                    reply = m.Reply(m.Refusal.BUSY)  # there is one with this key
                else:
                    # What stands in the store is the truth.
                    reply = m.Reply(m.Refusal.NO_SUCH_TABLE)
                    self._end(reply)
                    self._host.lost(self.id)
            except Exception as error:
                self._try_later()
                self._failed(error)
            except asyncio.CancelledError:
                # What was asked may or may not have been written.
                reply = self._refusal or m.Reply(m.Refusal.CLOSING)
                raise
            finally:
                self._answer(given, answer, reply)
            try:
                if not reply.ok and self.table.is_new and self._open:
                    # Who opened it could not be seated.
                    await self._shut(None)
                if self._open:
                    self._wait()
                    await self.publisher.tell_spectators()
            except Exception as error:
                self._failed(error)
        self._refuse_the_rest()

    async def _handle(self, given: steps.Input | None) -> m.Reply:
        """Take an input, and what follows from it at once; for ``None``, all that is due."""
        if given is None:
            now = self._shared.clock.time()
            if now < self._not_before:
                return m.Reply()
            # The settings may be others than when it was planned.
            self._next = min(due(self.table, self._shared.timing), default=None)
            return await self._take_due(now)
        reply = await self._take(given)
        following = await self._take_due(AT_ONCE) if reply.ok else reply
        # Once an event's table has its seats, it stays: the game begins later.
        unkept = following.code == m.Refusal.STORAGE and not isinstance(given, steps.Arranged)
        return following if unkept else reply

    async def _take_due(self, until: float) -> m.Reply:
        """Take what is due by then, up to the first that is refused or cannot be written."""
        while self._open and (timer := self._next) is not None and timer.when <= until:
            before = self.table
            reply = await self._take(timer)
            if self.table is before:
                self._try_later()
                return reply
        return m.Reply()

    async def _take(self, given: steps.Input) -> m.Reply:
        """Decide, write, take over, tell: one transaction."""
        while True:
            step = decide(self.table, given, self._env(given))
            try:
                await self._commit(step)
            except StoreError as error:
                self._storage_failed(error)
                return unwritten(error)
            answers = [await self._perform(effect) for effect in step.effects]
            following = next((each for each in answers if each is not None), None)
            if following is None:
                return step.reply
            given = following

    def _env(self, given: steps.Input) -> steps.Env:
        """What a decision about ``given`` depends on, as it is now."""
        table, shared, now = self.table, self._shared, self._shared.clock.time()
        claiming, wait = {*table.claims}, 0.0
        if isinstance(given, steps.Asked):
            claiming.add(given.who.player.id)
            counted = self._guesses_of(given.who)
            wait = max(limiter.wait(guesser, now) for limiter, guesser in counted)
        gone = frozenset(filterfalse(self._host.is_connected, claiming))
        too_many = dict[str, m.Reply]()
        if not table.playing:
            self._seed = self._seed or shared.new_seed()
            for id_, member in table.people.items():
                reply = shared.begun.check(id_, member.source, now, table.fast)
                if not reply.ok:
                    too_many[id_] = reply
        limits = shared.timing, shared.limits
        return steps.Env(now, *limits, self._rng, self._seed, too_many, gone, wait > 0)

    def _guesses_of(self, who: Member) -> list[tuple[RateLimiter, str]]:
        return list(zip(self._guesses, (who.player.id, who.source, "all"), strict=True))

    async def _commit(self, step: steps.Step) -> None:
        """Write what has changed, take it over, tell everybody. Raises ``StoreError``; then nothing has."""
        before, after, shared = self.table, step.table, self._shared
        if after is before and not step.events:
            return
        new_game = after.number != before.number
        over = after.status is m.Status.OVER and before.status is m.Status.PLAYING
        events: tuple[m.Happening, ...] = step.events
        if await write(self._log, before, step, shared.clock.time()):
            shared.store_fails = False
            if self._trouble:
                self._trouble = False
                events = (*events, m.TroubleOver())
        self.table = after
        self._next = min(due(after, shared.timing), default=None)
        if new_game:
            self._seed = b""
        shared.tally.games_begun += new_game
        shared.tally.games_over += over
        for action in step.actions:
            shared.tally.bids += isinstance(action, Bid)
        self.publisher.tell(after, events, apart=step.apart)
        if over:
            _log.info("game_over", table=self.id, game=after.number, ended=after.ended.value)

    async def _perform(self, effect: steps.Effect) -> steps.Input | None:
        """Do what a step has led to; an input where there is an answer."""
        match effect:
            case steps.Release():
                self._host.released(self.id, effect.player, effect.why)
            case steps.Show():
                self.publisher.show(effect.player)
            case steps.CountGame():
                now, fast = self._shared.clock.time(), self.table.fast
                self._shared.begun.count(effect.player, effect.source, now, fast)
            case steps.AskBots():
                return await self._thinking.choose(self.table, effect)
            case steps.CountGuess():
                take_all(self._guesses_of(effect.who), self._shared.clock.time())
            case steps.Invite():
                self._host.invited(self.id, effect.name, effect.by)
            case steps.Shut():
                await self._shut(effect.why)
        return None

    # ------------------------------------------------------------ waiting

    def _wait(self) -> None:
        """Have the clock wake this table for what it waits for, and bots think, or play on by themselves."""
        if (timer := self._next) is None:
            self._timer.cancel()
        else:
            self._timer.start(max(timer.when, self._not_before), self.post)
        self._thinking.follow(self.table, self.post)
        if self.table.plays_alone and self._alone is None:
            self._alone = asyncio.create_task(self._play_on(), name=f"table {self.id} alone")

    async def _play_on(self) -> None:
        """Have the bots play a game to its end that nobody plays or watches any more.

        One such game goes on at a time: whoever begins many, and leaves each to its bots, could
        else have hundreds of them played at once. The more others want the processor, the longer a
        round takes, and the rest after it.
        """
        clock = self._shared.clock
        async with self._shared.one_alone:
            while self._open and self.table.plays_alone:
                began = clock.time()
                reply = await self.ask(steps.Alone())
                took = clock.time() - began
                rest = min(max(3 * took, 0.05), 5.0) if reply.ok else self._shared.timing.retry
                await clock.sleep_until(clock.time() + rest)
        self._alone = None

    def _try_later(self) -> None:
        self._not_before = self._shared.clock.time() + self._shared.timing.retry

    # ------------------------------------------------------------ the end, and trouble

    async def _shut(self, why: m.Happening | None) -> None:
        """The table is no more; who is here is told ``why``."""
        self._end(m.Reply(m.Refusal.NO_SUCH_TABLE))
        _log.info("table_closed", table=self.id)
        try:
            await self._host.closed(self.id, self._log, why)
        except StoreError as error:
            # Nobody is left here to be told.
            self._log_refusal(error)

    def _end(self, refusal: m.Reply) -> None:
        self._refusal = self._refusal or refusal
        self._timer.cancel()
        self._thinking.close()
        if self._alone is not None:
            self._alone.cancel()

    def _refuse_the_rest(self) -> None:
        while not self._inbox.empty():
            self._answer(*self._inbox.get_nowait(), self._refusal or m.Reply(m.Refusal.CLOSING))

    def _answer(
        self, given: steps.Input | None, answer: asyncio.Future[m.Reply] | None, reply: m.Reply
    ) -> None:
        # Who asked may have been cut off; then nobody waits for this.
        if answer is not None and not answer.done():
            answer.set_result(reply)
        if isinstance(given, steps.Asked):
            self._host.answered(given.who.player.id)

    def _failed(self, error: Exception) -> None:
        where, name = places(error), type(error).__name__
        _log.error("table_failed", table=self.id, error=name, where=where)
        try:
            self._tell_trouble("internal")
        except Exception as again:
            _log.error("telling_failed", table=self.id, error=type(again).__name__)

    def _storage_failed(self, error: StoreError) -> None:
        """Log it once for all tables, and tell this one once."""
        self._log_refusal(error)
        if not self._trouble:
            self._trouble = True
            self._tell_trouble("storage")

    def _log_refusal(self, error: StoreError) -> None:
        if not self._shared.store_fails:
            self._shared.store_fails = True
            _log.error("storage_failed", table=self.id, code=error.code)

    def _tell_trouble(self, code: str) -> None:
        self.publisher.tell(self.table, [m.Trouble(code)], apart=True)
