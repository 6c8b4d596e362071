"""One visit of a program: lines of JSON become commands, updates become lines of JSON."""

import asyncio
import re
from collections import deque
from collections.abc import Coroutine, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from engine.errors import BadRules
from server.coordinator.clock import Clock
from server.coordinator.messages import Reply, TableSnapshot, Update
from server.coordinator.ports import Visit
from server.i18n.catalogues import Words, words_for
from server.jsonapi.errors import problem_in_words
from server.jsonapi.events import chat_data, happening_data, word_data
from server.jsonapi.history import answer_to, why_not
from server.jsonapi.requests import (
    LONGEST,
    Asking,
    BadLine,
    Bid,
    Doing,
    GetView,
    Id,
    OperatorRequest,
    Quit,
    read,
)
from server.jsonapi.tables import game_data, lobby_data, own_data, table_data
from server.session.account import Account, NoAccount
from server.session.lobby_rate import Paced
from server.session.turn_status import farewell_in_words
from server.terminal.capabilities import Terminal
from server.terminal.fair_queue import queues_of
from server.terminal.output_budget import Budget
from server.text.rounds import refusal

PROTOCOL: Final = 1
"""Changes when something changes its meaning, or goes; not when something is added."""
AHEAD: Final = 100
"""Lines that wait for earlier ones to be done."""

_END_OF_INPUT: Final = re.compile("[\x03\x04]")
"""What the line makes of the end of a program's output, and of an interrupt; neither can be in JSON."""


class ToldSoFar(NamedTuple):
    """Something to begin with: a code, and a sentence."""

    code: str
    text: str


def line_of(data: dict[str, Any]) -> str:
    """One line of JSON, with its end."""
    return msgspec.json.encode(data).decode() + "\n"


def end_line(code: str, text: str) -> str:
    """The last line of every session."""
    return line_of({"end": {"code": code, "text": text}})


def update_data(update: Update, now: float) -> dict[str, Any]:
    """Everything that has changed, and how things stand now."""
    table = update.table
    return {
        "time": now,
        "place": "table" if table else "lobby" if update.lobby else "nowhere",
        "lobby": None if update.lobby is None else lobby_data(update.lobby),
        "table": None if table is None else table_data(table),
        "game": None if table is None or table.table is None else game_data(table.table),
        "you": None if table is None else own_data(table),
        "happenings": [happening_data(each) for each in update.happenings],
        "chat": [chat_data(line) for line in update.chat],
        "house": [word_data(word) for word in update.said],
        "resynced": update.resynced,
    }


class ApiSession:
    """See the module. ``notices`` are told first; ``version`` is the server's."""

    def __init__(
        self,
        terminal: Terminal,
        visit: Visit,
        clock: Clock,
        *,
        notices: Sequence[ToldSoFar] = (),
        account: Account | None = None,
        version: str = "",
        budget: Budget | None = None,
    ) -> None:
        self._terminal: Final = terminal
        self._visit: Final = visit
        self._clock: Final = clock
        self._notices: Final = tuple(notices)
        self._account: Final[Account] = account or NoAccount()
        self._version: Final = version
        self._budget: Final = budget or Budget()
        self._lobby_pace: Final = Paced()
        self._lobby_waits = False
        self._asking = False
        """What is told now is an answer, and no news of a table."""
        self._words: Final[Words] = words_for(terminal.abilities.language)
        self._begun = ""
        """Of a line whose end is still to come."""
        self._waiting: Final[deque[OperatorRequest | BadLine]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._table: TableSnapshot | None = None
        self._greeted = False
        """Until then, what comes in waits."""
        self._last_line = False
        """Nothing more will come in."""
        self._over: Final = asyncio.Event()

    async def run(self) -> None:
        """Until the program leaves or the visit ends. Cancelled when the line drops."""
        try:
            self._asking = True
            self._greet()
            self._visit.feed.listen(self._ready)
            self._take()
            self._asking = False
            self._greeted = True
            self._go_on()
            await self._over.wait()
        finally:
            self._over.set()
            if self._task is not None:
                self._task.cancel()

    def drained(self) -> None:
        """The line takes more: what has happened meanwhile, and what was asked."""
        self._take()
        self._go_on()

    # ---------------------------------------------------------------- what is sent

    def _greet(self) -> None:
        player = self._visit.player
        hello = {
            "protocol": PROTOCOL,
            "server": self._version,
            "player": {"name": player.name, "guest": player.guest},
            "rejoin": self._account.rejoin_code or None,
            "time": self._clock.time(),
            "notices": [{"code": told.code, "text": told.text} for told in self._notices],
        }
        self._terminal.write(line_of({"hello": hello}))

    def _ready(self) -> None:
        # The table that calls this has others to tell: take it in a moment, all at once.
        self._clock.call_at(self._clock.time(), self._take_news)

    def _take_news(self) -> None:
        """Tell what has come by itself; a big lobby not each time that somebody comes or says something."""
        now = self._clock.time()
        if not self._visit.feed.can_wait or not (wait := self._lobby_pace.wait(now)):
            self._take()
        elif not self._lobby_waits:
            self._lobby_waits = True
            self._clock.call_at(now + wait, self._take_lobby)

    def _take_lobby(self) -> None:
        self._lobby_waits = False
        self._take_news()

    def _take(self) -> None:
        # What is not taken while the line is full is merged by the feed.
        if self._over.is_set() or not self._terminal.writable:
            return
        update = self._visit.feed.take()
        if update is None:
            return
        self._table = update.table
        now = self._clock.time()
        line = line_of({"update": update_data(update, now)})
        self._terminal.write(line)
        if self._asking:
            self._budget.charge(line)
        if update.table is None:
            self._lobby_pace.told(now, len(line))
        if update.closed:
            name = self._visit.player.name
            said = farewell_in_words(update.closed, name, self._account, self._words)
            self._end(update.closed, " ".join(said))

    def _end(self, code: str, text: str = "") -> None:
        if not self._over.is_set():
            self._terminal.write(end_line(code, text))
            self._over.set()

    def _answer(
        self, id_: Id, reply: Reply, text: str, found: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        answer: dict[str, Any] = {"id": id_, "ok": reply.ok, **found}
        if not reply.ok:
            answer |= {"code": reply.code, "details": dict(reply.details), "text": text}
        line = line_of(answer)
        self._terminal.write(line)
        self._budget.charge(line)

    def _refuse(self, line: BadLine) -> None:
        self._answer(line.id, Reply(line.code, line.details), problem_in_words(line, self._words))

    # ---------------------------------------------------------------- what comes in

    def feed(self, text: str) -> None:
        """Something has come, from anywhere in a line. Bytes that are no UTF-8 are lone surrogates."""
        if self._over.is_set() or self._last_line:
            return
        before, *after = _END_OF_INPUT.split(text, maxsplit=1)
        *lines, begun = before.split("\n")
        for line in lines:
            self._begin(line)
            self._line()
        self._begin(begun)
        if after:
            self._last_line = True
            self._line()
        self._go_on()

    def _begin(self, text: str) -> None:
        # One character too many is enough to know that there were too many.
        self._begun += text[: LONGEST + 1 - len(self._begun)]

    def _line(self) -> None:
        line, self._begun = self._begun, ""
        if line.isspace() or not line:
            return
        try:
            asked: OperatorRequest | BadLine = read(line.encode("utf-8", "surrogateescape"))
        except BadLine as error:
            asked = error
        if len(self._waiting) >= AHEAD:
            self._refuse(BadLine("too_many_lines", asked.id, limit=AHEAD))
        else:
            self._waiting.append(asked)

    def _go_on(self) -> None:
        """Carry out what waits, each when the one before is done, and as long as answers are read."""
        if not self._greeted:
            return
        while self._waiting and self._task is None and self._terminal.writable:
            if self._over.is_set():
                return
            if self._budget.spent and not self._is_bid(self._waiting[0]):
                self._budget.wait(self._go_on)
                return
            asked = self._waiting.popleft()
            if isinstance(asked, BadLine):
                self._refuse(asked)
            else:
                self._do(asked)
        if self._last_line and not self._waiting and self._task is None:
            self._end("left")

    def _is_bid(self, asked: OperatorRequest | BadLine) -> bool:
        """Whether others wait for this one: a game goes on as fast as its players bid."""
        own = self._table.own if self._table is not None else None
        bids = isinstance(asked, OperatorRequest) and isinstance(asked.wish, Bid)
        return bids and own is not None and not own.bid

    def _do(self, order: OperatorRequest) -> None:
        wish = order.wish
        if isinstance(wish, Quit):
            self._answer(order.id, Reply(), "")
            self._end("left")
        elif isinstance(wish, GetView):
            self._visit.feed.rewind()
            self._visit.feed.listen(self._ready)
            self._asking = True
            self._take()
            self._asking = False
            self._answer(order.id, Reply(), "")
        elif isinstance(wish, Doing):
            self._start(self._carry_out(order.id, wish))
        elif isinstance(wish, Asking):
            self._start(self._look_up(order.id, wish))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._task = asyncio.get_running_loop().create_task(work)
        self._task.add_done_callback(self._carried_out)

    async def _look_up(self, id_: Id, wish: Asking) -> None:
        reply, found = await answer_to(wish, self._account)
        if not self._over.is_set():
            text = "" if reply.ok else why_not(wish, reply, self._words)
            self._answer(id_, reply, text, found)

    async def _carry_out(self, id_: Id, wish: Doing) -> None:
        self._asking = not self._is_bid(OperatorRequest(id_, wish))
        try:
            command = wish.command(self._table)
            with queues_of(asyncio.get_running_loop()).hurry():
                reply = await self._visit.submit(command)
        except BadRules as error:
            reply = Reply(error.code, error.details)
        # Whoever reads the answer has read what came of it.
        self._take()
        self._asking = False
        if not self._over.is_set():
            self._answer(id_, reply, "" if reply.ok else refusal(reply, self._words))

    def _carried_out(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if not task.cancelled():
            self._go_on()
