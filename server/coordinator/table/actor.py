"""What runs a table: one inbox, one task, no locks. What comes is decided one after the other.

An input is decided; what it leads to is written; only then is it taken over and told. When the store
refuses, nothing has happened, and what was due is tried again.
"""

import asyncio
import secrets
from functools import partial
from typing import Any, Final

import structlog
from msgspec.structs import replace

from engine.bots import FALLBACK_STRATEGY, Question, question
from engine.bots.advice import HintQuestion, from_plain
from engine.history import history_of
from engine.views import seat_view
from server.coordinator import messages as m
from server.coordinator.clock import OneTimer
from server.coordinator.table import invitation, steps
from server.coordinator.table.decide import decide
from server.coordinator.table.model import Table, Thought, what_is_kept
from server.coordinator.table.play import Bid
from server.coordinator.table.ports import Asker, TableEnvironment, Urgency
from server.coordinator.table.publisher import Publisher
from server.coordinator.table.stored import entered_by, finished_game, to_entries, to_row
from server.coordinator.table.timers import AT_ONCE, TableTimer, due
from server.logs import places
from server.rate_limiter import take_all
from server.storage.store import Conflict, StoreError, TableLog

_log = structlog.get_logger("table")


class TableActor:
    """Feeds one table with what comes, and does what that leads to."""

    def __init__(self, log: TableLog, table: Table, shared: TableEnvironment) -> None:
        self.id: Final = table.id
        """The speakable code."""
        self.table = table
        """As it has been written."""
        self._stored: Final = log
        self._shared: Final = shared
        self._host: Final = shared.host
        self._unsure = True
        """The store may have another row than this table's: the next change is written with the row."""
        self._rng: Final = shared.new_rng()
        self._seed = b""
        """Of the next game."""
        self._guesses: Final = invitation.guess_limiters()
        self.publisher: Final = Publisher(log.key, table, shared)
        self._inbox: asyncio.Queue[tuple[steps.Input | None, asyncio.Future[m.Reply] | None]]
        self._inbox = asyncio.Queue()
        """``None`` stands for the clock's timer."""
        self._timer: Final = OneTimer(shared.clock)
        self._thoughts: Final[dict[Thought, asyncio.Future[int]]] = {}
        """Which bots think now, and of which round."""
        self._hints: dict[tuple[int, ...], asyncio.Future[Any]] = {}
        """Those of this round, by its epoch and the seat."""
        self._not_before = 0.0
        """What was due and failed is not tried again before."""
        self._trouble = False
        self._open = True
        self._retiring = False
        self._lost = False
        """Another node has this table now."""
        self._stopped = False
        """The server ends."""
        loop = asyncio.get_running_loop()
        self._task: Final = loop.create_task(self._run(), name=f"table {self.id}")

    @property
    def key(self) -> str:
        """Unique for all time; the speakable code is not."""
        return self._stored.key

    @property
    def epoch(self) -> int:
        """Of its owner, which is this process."""
        return self._stored.epoch

    # ------------------------------------------------------------ from outside

    async def ask(self, given: steps.Order | steps.Arranged) -> m.Reply:
        """Do what is asked, or say why not. Of a command, ``Host.answered`` is told when it is done."""
        answer: asyncio.Future[m.Reply] = asyncio.get_running_loop().create_future()
        if self._open:
            self._inbox.put_nowait((given, answer))
        else:
            self._answer(given, answer, self._refusal)
        return await answer

    def post(self, given: steps.Input | None = None) -> None:
        """Let the table know; without anything, that something is due."""
        self._inbox.put_nowait((given, None))

    def take_turn(self) -> None:
        """It is this table's turn in the background."""
        self.post(steps.Turn())

    async def advise(self, player: str) -> m.Reply:
        """The hint that this player has asked for; it is thought about once a round."""
        game, number = self.table.game, self.table.seat_of(player)
        m.refuse_if(game is None or number < 0 or not game.stage.hands[number], m.Refusal.TOO_LATE)
        assert game is not None
        place = (*self.table.epoch[:3], number)
        # The round in which it was asked for, and noted, may be over.
        m.refuse_if(place[1:3] not in self.table.seats[number].hints, m.Refusal.TOO_LATE)
        hint = self._hints.get(place)
        if hint is None or hint.cancelled():
            asked = HintQuestion(seat_view(game, number), history_of(game, number))
            hint = self._hints[place] = self._shared.think(asked, self._asker(Urgency.HINT, player))
        await asyncio.wait([hint])
        m.refuse_if(hint.cancelled(), m.Refusal.TOO_LATE)
        if not (found := hint.result()):
            self._hints.pop(place, None)
            raise m.Refused(m.Refusal.BUSY)
        return m.Reply(hint=from_plain(*found))

    async def retire(self) -> None:
        """End when the current input is done; what comes later is ``steps.MOVED``."""
        self._retiring = True
        self.post()
        await asyncio.wait([self._task])

    async def stop(self, *, lost: bool = False) -> None:
        """End the task without telling anybody; what has been written stays written. ``lost``: another node
        has the table, as who waits for an answer is told.
        """
        self._lost, self._stopped = lost, True
        self._end()
        self._task.cancel()
        await asyncio.wait([self._task])
        self._refuse_the_rest()

    # ------------------------------------------------------------ the task

    async def _run(self) -> None:
        while self._open and not self._retiring:
            given, answer = await self._inbox.get()
            reply = m.Reply(m.Refusal.CLOSING)
            try:
                if not self._shared.lease.valid:
                    await self._shared.lease.hold()
                reply = await self._handle(given)
            except Conflict:
                if self.table.is_new:
                    # There is one with this key, or somebody else may open such tables now.
                    reply = m.Reply(m.Refusal.BUSY)
                else:
                    # Somebody else has this table now: what stands in the store is the truth.
                    self._end()
                    self._lost = self._host.lost(self.id)
                    reply = self._refusal
            except Exception as error:
                reply = m.Reply(m.Refusal.INTERNAL)
                self._try_later()
                self._failed(error)
            except asyncio.CancelledError:
                # What was asked may or may not have been written.
                if self._lost:
                    reply = steps.MOVING
                raise
            finally:
                self._answer(given, answer, reply)
            try:
                filled = isinstance(given, steps.Arranged) or (
                    isinstance(given, steps.Asked) and isinstance(given.command, m.OpeningCommand)
                )
                if filled and self.table.is_new and not reply.ok and self._open:
                    await self._shut(None)
                self._wait(given, reply)
                if self._open:
                    await self.publisher.tell_spectators()
            except Exception as error:
                self._failed(error)
        if self._open:
            self._end()
        self._refuse_the_rest()

    async def _handle(self, given: steps.Input | None) -> m.Reply:
        """Take an input, and what follows from it at once; for ``None``, all that is due."""
        reply, latest = m.Reply(), AT_ONCE
        if given is None:
            latest = self._shared.clock.time()
            if latest < self._not_before:
                return reply
        else:
            reply = await self._take(given)
        while self._open and reply.ok:
            timer = self._next_timer()
            if timer is None or timer.when > latest:
                break
            before = self.table
            following = await self._take(timer)
            if self.table is before:
                # Refused, or it could not be written.
                self._try_later()
                # The seats of an event's table have been: the game begins later.
                arranged = isinstance(given, steps.Arranged)
                failed = following.code == m.Refusal.STORAGE and not arranged
                return following if failed else reply
        return reply

    async def _take(self, given: steps.Input) -> m.Reply:
        """Decide, write, take over, tell: one transaction."""
        while True:
            step = decide(self.table, given, self._env(given))
            try:
                await self._commit(step)
            except StoreError as error:
                self._storage_failed(error)
                return m.Reply(m.Refusal.STORAGE, {"reason": error.code})
            answers = [await self._perform(effect) for effect in step.effects]
            following = next((each for each in answers if each is not None), None)
            if following is None:
                return step.reply
            given = following

    def _env(self, given: steps.Input) -> steps.Env:
        shared, table, now = self._shared, self.table, self._shared.clock.time()
        claiming = {*table.claims}
        if isinstance(given, steps.WordChecked):
            given = given.asked
        if isinstance(given, steps.Asked):
            claiming.add(given.who.player.id)
        too_many = {}
        if table.status is not m.Status.PLAYING:
            self._seed = self._seed or shared.new_seed()
            for id_, member in table.people.items():
                reply = shared.begun.check(id_, member.source, now, table.fast)
                if not reply.ok:
                    too_many[id_] = reply
        return steps.Env(
            now,
            shared.timing,
            shared.limits,
            self._rng,
            self._seed,
            too_many,
            frozenset(id_ for id_ in claiming if not self._host.is_connected(id_)),
        )

    async def _commit(self, step: steps.Step) -> None:
        """Write what has changed, take it over, tell everybody. Raises ``StoreError``; then nothing has."""
        before, after, shared = self.table, step.table, self._shared
        if after is before and not step.events:
            return
        new_game = after.number != before.number
        over = after.status is m.Status.OVER and before.status is m.Status.PLAYING
        events: tuple[m.Happening, ...] = step.events
        changed = what_is_kept(after) != what_is_kept(before)
        if changed or step.actions:
            row = to_row(after) if changed or self._unsure else None
            now, key = shared.clock.time(), self._stored.key
            # Of a game that was broken off before its first stage was over, nothing is kept.
            has_result = over and after.game is not None and after.game.finished
            record = finished_game(key, after, now) if has_result else None
            entries, code = to_entries(step.actions, now), after.id if self._unsure else ""
            entered = entered_by(after, now) if new_game else ()
            try:
                await self._stored.append(row, after.number, entries, record, code, entered)
            except StoreError:
                # Should the store have kept it after all, the next row puts that right.
                self._unsure = True
                raise
            self._unsure = shared.store_fails = False
            if not shared.lease.valid:
                await shared.lease.hold()
            if self._trouble:
                self._trouble = False
                events = (*events, m.TroubleOver())
        self.table = after
        if new_game:
            self._seed = b""
        shared.tally.games_begun += new_game
        shared.tally.games_over += over
        shared.tally.bids += sum(isinstance(action, Bid) for action in step.actions)
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
                return await self._choose(effect)
            case steps.CheckWord():
                return await self._check_word(effect)
            case steps.Shut():
                await self._shut(effect.why)
        return None

    async def _choose(self, effect: steps.AskBots) -> steps.BotsChose:
        cards = {}
        for number in effect.seats:
            asked, card = self._question(number), self.table.thought(number)
            if asked.thinks and card is None and isinstance(effect.asked, steps.Turn):
                # Nobody is here who would be kept waiting.
                card = await self._think(asked)
            if asked.thinks and card not in asked.view.hand:
                self._shared.tally.fallbacks += 1
                asked, card = asked._replace(strategy=FALLBACK_STRATEGY), None
            cards[number] = card or self._bots_card(asked)
            # Somebody elsewhere may have bid meanwhile.
            await asyncio.sleep(0)
        return steps.BotsChose(effect.asked, cards)

    def _question(self, number: int) -> Question:
        table = self.table
        assert table.game is not None
        seed = table.bots_seed or table.seed
        return question(table.seats[number].plays, table.game, number, seed)

    def _bots_card(self, asked: Question) -> int:
        try:
            card = asked.answer(self._shared.choose)
        except Exception as error:
            name = type(error).__name__
            _log.error("bot_failed", table=self.id, strategy=asked.strategy, error=name)
            card = 0
        return card if card in asked.view.hand else self._rng.choice(asked.view.hand)

    def _think(self, asked: Question) -> asyncio.Future[int]:
        table = self.table
        urgency = Urgency.FAST_BID if table.fast else Urgency.BID
        return self._shared.think(asked, self._asker(Urgency.COUNTS if table.counts else urgency))

    def _asker(self, urgency: Urgency, player: str = "") -> Asker:
        """Who waits for a bot: a player here, or all of them, of whom one stands for the others."""
        people = self.table.people
        one = people.get(player) or next(iter(people.values()), None)
        # Of whom no address is known, the table stands for itself.
        source = one.source if one else ""
        return Asker(urgency, one.player.id if one else self.key, source or self.key)

    def _have_thought(self) -> None:
        """Have those bots think that people wait for, as soon as there is something to think of."""
        table = self.table
        waits = table.running and not table.left_to_bots
        seats = [n for n in range(len(table.seats)) if table.thinks(n)] if waits else []
        wanted = [Thought(*table.epoch[:3], number) for number in seats]
        for each in self._thoughts.keys() - wanted:
            self._thoughts.pop(each).cancel()
        for each in wanted:
            if each not in self._thoughts:
                answer = self._thoughts[each] = self._think(self._question(each.seat))
                began = self._shared.clock.time()
                answer.add_done_callback(partial(self._has_thought, each, began))

    def _has_thought(self, what: Thought, began: float, answer: asyncio.Future[int]) -> None:
        if not answer.cancelled():
            self._shared.tally.thinking.add(self._shared.clock.time() - began)
            self.post(what._replace(card=answer.result()))

    def _drop_hints(self, bidder: int) -> None:
        """Keep those of this round, and have nobody think of one for who has just bid, or has gone."""
        epoch, here = self.table.epoch[:3], self.table.connected
        for place, hint in list(self._hints.items()):
            if place[:3] != epoch or place[3] not in here or place[3] == bidder:
                hint.cancel()
            if place[:3] != epoch:
                del self._hints[place]

    async def _check_word(self, effect: steps.CheckWord) -> steps.WordChecked:
        """Beside the event loop, unless the word itself is known (not after a restart, until it is said)."""
        who, told = effect.asked.who, self.table.told_word
        answer = steps.WordChecked(effect.asked, effect.word)
        if isinstance(effect.asked.command, m.SetWord):
            return replace(answer, kept=await asyncio.to_thread(invitation.hashed, effect.word))
        counted = invitation.guessed_by(self._guesses, who)
        if take_all(counted, self._shared.clock.time()):
            return replace(answer, reply=m.Reply(m.Refusal.WORD_WAIT))
        if told:
            typed = invitation.plain_word(effect.word)
            fits = secrets.compare_digest(typed.encode(), told.encode())
        else:
            fits = await asyncio.to_thread(invitation.is_word, effect.word, self.table.word)
        if fits:
            # It was no guess but the right word.
            for limiter, source in counted:
                limiter.give_back(source)
        return answer if fits else replace(answer, reply=m.Reply(m.Refusal.WRONG_WORD))

    # ------------------------------------------------------------ waiting

    def _wait(self, given: steps.Input | None, reply: m.Reply) -> None:
        """Have the clock, or the other tables left to their bots, wake this one for what it waits for."""
        background, timing = self._shared.background, self._shared.timing
        if self._open and self.table.wants_turn:
            background.join(self.take_turn)
        else:
            background.leave(self.take_turn)
        if isinstance(given, steps.Turn):
            background.done(self.take_turn, 0.0 if reply.ok else timing.retry)
        if not self._open:
            return
        bidder = -1
        if isinstance(given, steps.Asked) and isinstance(given.command, m.PlaceBid) and reply.ok:
            bidder = self.table.seat_of(given.who.player.id)
        self._drop_hints(bidder)
        timer = self._next_timer()
        if timer is None:
            self._timer.cancel()
        else:
            self._timer.start(max(timer.when, self._not_before), self.post)
        self._have_thought()

    def _next_timer(self) -> TableTimer | None:
        return min(due(self.table, self._shared.timing), default=None)

    def _try_later(self) -> None:
        self._not_before = self._shared.clock.time() + self._shared.timing.retry

    # ------------------------------------------------------------ the end, and trouble

    async def _shut(self, why: m.Happening | None) -> None:
        """The table is no more; who is here is told ``why``."""
        self._end()
        for player in (*self.table.people, *self.table.spectators):
            self._host.released(self.id, player, why)
        _log.info("table_closed", table=self.id)
        self._host.closed(self.id)
        try:
            await self._host.forget(self._stored)
        except StoreError as error:
            # Nobody is left here to be told.
            self._log_refusal(error)

    def _end(self) -> None:
        self._open = False
        self._shared.background.leave(self.take_turn)
        self._timer.cancel()
        for answer in (*self._thoughts.values(), *self._hints.values()):
            answer.cancel()

    def _refuse_the_rest(self) -> None:
        while not self._inbox.empty():
            self._answer(*self._inbox.get_nowait(), self._refusal)

    @property
    def _refusal(self) -> m.Reply:
        if self._lost:
            return steps.MOVING
        if self._retiring:
            return steps.MOVED
        return m.Reply(m.Refusal.CLOSING if self._stopped else m.Refusal.NO_SUCH_TABLE)

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

    def _tell_trouble(self, code: str) -> None:
        self.publisher.tell(self.table, [m.Trouble(code)], apart=True)

    def _log_refusal(self, error: StoreError) -> None:
        if not self._shared.store_fails:
            self._shared.store_fails = True
            _log.error("storage_failed", table=self.id, code=error.code)
