"""Bots at one table: the cards that they bid, those that some think of beforehand, and hints for players."""

import asyncio
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, Final

import structlog

from engine.bots import BOTS, FALLBACK_STRATEGY, Question, question
from engine.bots.estimates import HintQuestion, from_plain
from engine.views import history_of, seat_view
from server.coordinator import messages as m
from server.coordinator.table.ports import Asker, TableEnvironment, Urgency
from server.coordinator.table.state import Table, Thought
from server.coordinator.table.steps import Alone, AskBots, BotsChose

_log = structlog.get_logger("table")


class Thinking:
    """``key`` is the table's."""

    def __init__(self, key: str, shared: TableEnvironment, rng: Random) -> None:
        self._key: Final = key
        self._shared: Final = shared
        self._rng: Final = rng
        self.thoughts: Final[dict[Thought, asyncio.Future[int]]] = {}
        """Which bots think now, and of which round."""
        self._hints: Final[dict[tuple[int, ...], tuple[asyncio.Future[Any], int | None]]] = {}
        """Hints of this round, by its epoch and the seat, and the card that this had bid then."""

    async def choose(self, table: Table, effect: AskBots) -> BotsChose:
        """The cards of the bots on these seats: thought of before, or found at once."""
        cards = {}
        for number in effect.seats:
            asked, card = self._question(table, number), table.thought(number)
            thinks = BOTS[asked.strategy].thinks
            if thinks and card is None and isinstance(effect.asked, Alone):
                # Nobody is here who would be kept waiting.
                card = await self._think(table, asked)
            if thinks and card not in asked.view.hand:
                self._shared.tally.thinking_fallbacks += 1
                asked, card = asked._replace(strategy=FALLBACK_STRATEGY), None
            if not card:
                try:
                    card = asked.answer(self._shared.choose)
                except Exception as error:
                    name = type(error).__name__
                    _log.error("bot_failed", table=table.id, strategy=asked.strategy, error=name)
            hand = asked.view.hand
            cards[number] = card if card in hand else self._rng.choice(hand)
            # Somebody at another table may have bid meanwhile.
            await asyncio.sleep(0)
        return BotsChose(effect.asked, cards)

    def follow(self, table: Table, tell: Callable[[Thought], None]) -> None:
        """Have the bots think that people wait for, as soon as there is something to think of.

        ``tell`` is called with what they have thought of. Nobody thinks any more for a round that is over,
        or for a player who has gone.
        """
        waits = table.running and not table.left_to_bots
        bots = enumerate(table.bot_due if waits else ())
        seats = [number for number, when in bots if when and table.thinks(number)]
        wanted = [Thought(*table.epoch[:3], number) for number in seats]
        for each in self.thoughts.keys() - wanted:
            self.thoughts.pop(each).cancel()
        for each in wanted:
            if each not in self.thoughts:
                answer = self._think(table, self._question(table, each.seat))
                self.thoughts[each] = answer
                began = self._shared.clock.time()
                answer.add_done_callback(partial(self._has_thought, each, began, tell))
        for place, (hint, bid) in list(self._hints.items()):
            seat = place[3]
            if place[:3] != table.epoch[:3]:
                del self._hints[place]
                hint.cancel()
            elif seat not in table.connected or table.bids[seat] != bid:
                hint.cancel()

    async def hint(self, table: Table, player: str) -> m.Reply:
        """The hint that this player has asked for; it is thought about once a round. Raises ``Refused``."""
        game, number = table.game, table.seat_of(player)
        m.refuse_if(game is None or number < 0 or not game.stage.hands[number], m.Refusal.TOO_LATE)
        assert game is not None
        place = (*table.epoch[:3], number)
        # The round in which it was asked for, and noted, may be over.
        m.refuse_if(place[1:3] not in table.seats[number].hints, m.Refusal.TOO_LATE)
        hint, _ = self._hints.get(place, (None, 0))
        if hint is None or hint.cancelled():
            asked = HintQuestion(seat_view(game, number), history_of(game, number))
            asker = self._asker(table, Urgency.HINT, player)
            hint = self._shared.think(asked, asker)
            self._hints[place] = hint, table.bids[number]
        await asyncio.wait([hint])
        m.refuse_if(hint.cancelled(), m.Refusal.TOO_LATE)
        if not (found := hint.result()):
            self._hints.pop(place, None)
            raise m.Refused(m.Refusal.BUSY)
        return m.Reply(hint=from_plain(*found))

    def close(self) -> None:
        """Nobody waits for anything any more."""
        hints = [hint for hint, _ in self._hints.values()]
        for answer in (*self.thoughts.values(), *hints):
            answer.cancel()

    def _question(self, table: Table, number: int) -> Question:
        assert table.game is not None
        seed = table.bots_seed or table.seed
        strategy, manner = table.seats[number].plays, table.manner(number)
        return question(strategy, table.game, number, seed, manner)

    def _think(self, table: Table, asked: Question) -> asyncio.Future[int]:
        urgency = Urgency.FAST_BID if table.fast else Urgency.BID
        asker = self._asker(table, Urgency.COUNTS if table.counts else urgency)
        return self._shared.think(asked, asker)

    def _has_thought(
        self,
        what: Thought,
        began: float,
        tell: Callable[[Thought], None],
        answer: asyncio.Future[int],
    ) -> None:
        if not answer.cancelled():
            self._shared.tally.thinking_seconds.add(self._shared.clock.time() - began)
            tell(what._replace(card=answer.result()))

    def _asker(self, table: Table, urgency: Urgency, player: str = "") -> Asker:
        """Return the asker that waits for a bot: a player here, or one who stands for all of them."""
        one = table.people.get(player) or next(iter(table.people.values()), None)
        # Of whom no address is known, the table stands for itself.
        source = one.source if one else ""
        return Asker(urgency, one.player.id if one else self._key, source or self._key)
