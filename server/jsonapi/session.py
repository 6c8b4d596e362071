"""One visit of a program: lines of JSON become commands, updates become lines of JSON."""

import asyncio
import re
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct
from typing_extensions import override

from engine.bots.estimates import to_json
from engine.errors import BadRules
from server.coordinator import messages as m
from server.coordinator.messages import OpeningCommand, Reply
from server.i18n.lookup import Words, words_for
from server.jsonapi.fields import answer, changed, seen_data, update_data
from server.jsonapi.queries import Query, SendReport, answer_to
from server.jsonapi.requests import (
    LONGEST,
    BadLine,
    ChooseUpdates,
    CommandRequest,
    GetView,
    Id,
    Ping,
    Quit,
    RequestLine,
    problem_in_words,
    read,
)
from server.networks import TokenBucket
from server.session.client import SessionClient, Visitor
from server.session.command_queue import AHEAD, CommandQueue
from server.terminal.capabilities import Terminal
from server.text.refusals import refusal
from server.text.server_messages import report_in_words
from server.timers import OneTimer
from server.viewmodels.lobby import LOBBY_A_SECOND, LOBBY_AT_ONCE

PROTOCOL: Final = 1
"""Changes when something changes its meaning, or goes; not when something is added."""

_END_OF_INPUT: Final = re.compile("[\x03\x04]")
"""What the line makes of the end of a program's output, and of an interrupt; neither can be in JSON."""


class ToldSoFar(Struct):
    """Something to begin or to end with: a code, and a sentence."""

    code: str
    text: str


class Me(Struct):
    """The program's own player."""

    name: str
    guest: bool


class Greeting(Struct):
    """What is told first."""

    protocol: int
    server: str
    player: Me
    program: bool
    rejoin: str | None
    time: float
    notices: Sequence[ToldSoFar]


class HelloLine(Struct):
    """The first line of every session."""

    hello: Greeting


class EndLine(Struct):
    """The last one."""

    end: ToldSoFar


def line_of(data: object) -> str:
    """One line of JSON, with its end."""
    return msgspec.json.encode(data).decode() + "\n"


def end_line(code: str, text: str) -> str:
    """The last line of every session."""
    return line_of(EndLine(ToldSoFar(code, text)))


def _is_for_looking(
    known: tuple[
        m.LobbySnapshot | None, tuple[m.TournamentInfo, ...], tuple[m.CorrespondenceGame, ...]
    ],
    update: m.Update,
) -> bool:
    """Whether nothing has happened but in games that one could watch: no program waits for that."""
    lobby, (before, tournaments, own) = update.lobby, known
    if lobby is None or before is None or tournaments is not update.tournaments:
        return False
    if update.correspondence != own:
        return False
    if update.happenings or update.chat or update.said or update.closed or update.resynced:
        return False
    return (
        lobby.games != before.games and msgspec.structs.replace(lobby, games=before.games) == before
    )


class ApiSession(SessionClient):
    """One program's visit. ``notices`` are told first; ``version`` is the server's."""

    lines: Final = True

    def __init__(
        self,
        terminal: Terminal,
        who: Visitor,
        notices: Sequence[ToldSoFar] = (),
        version: str = "",
    ) -> None:
        super().__init__(who)
        assert who.visit is not None
        self._terminal: Final = terminal
        self._feed: Final = who.visit.feed
        self._notices: Final = tuple(notices)
        self._version: Final = version
        self._lobby_budget: Final = TokenBucket(LOBBY_AT_ONCE, LOBBY_A_SECOND, who.clock.time())
        self._lobby_timer: Final = OneTimer(who.clock)
        self._updates = 0
        """Number of updates sent."""
        self._told: dict[str, Any] | None = None
        """With ``delta``: the parts of the updates sent so far."""
        self._language: Final = terminal.abilities.language
        self._begun = ""
        """Beginning of a line whose end is still to come."""
        self._lines: Final[CommandQueue[RequestLine | BadLine | None]] = CommandQueue(
            self._obey,
            ready=lambda: self._greeted and terminal.writable and not (self._tasks or self.done),
            meter=terminal.meter,
        )
        """``None`` is the end of what comes in."""
        self._greeted = False
        """Until then, what comes in waits."""
        self._last_line = False
        """Nothing more will come in."""
        self._over: Final = asyncio.Event()

    @property
    @override
    def words(self) -> Words:
        """Words in the language of the connection; the language that the player has set is for screens."""
        return words_for(self._language)

    async def run(self) -> None:
        """Until the program leaves or the visit ends. Cancelled when the line drops."""
        try:
            self._greet()
            self._begin_feed()
            self._greeted = True
            self._lines.go_on()
            await self._over.wait()
        finally:
            self.done = True
            self.stop()

    def _begin_feed(self) -> None:
        """Tell how things stand, and from then on what is new."""
        self.listen(self._take_news)
        with self.doing():
            self.catch_up()

    def drained(self) -> None:
        """The line takes more: what has happened meanwhile, and what was asked."""
        self.catch_up()
        self._lines.go_on()

    # ---------------------------------------------------------------- what is sent

    def _greet(self) -> None:
        player = self.player
        you = Me(player.name, player.guest)
        now, rejoin = self.clock.time(), self.account.rejoin_code or None
        hello = Greeting(PROTOCOL, self._version, you, player.program, rejoin, now, self._notices)
        self._terminal.write(line_of(HelloLine(hello)))

    def _take_news(self) -> None:
        """Tell what has come by itself; a big lobby not each time that somebody comes or says something."""
        now, budget = self.clock.time(), self._lobby_budget
        if not self._feed.can_wait or budget.left(now) > 0:
            self.catch_up()
        elif not self._lobby_timer.running:
            self._lobby_timer.after(budget.seconds_until(1, now), self._take_news)

    @override
    def catch_up(self) -> None:
        # What is not taken while the line is full is merged by the feed.
        known = self.lobby, self.tournaments, self.correspondence
        update = self.take() if self._terminal.writable else None
        if update is None or (not self.players_doing and _is_for_looking(known, update)):
            return
        now = self.clock.time()
        self._updates += 1
        data = update_data(update, now, self._updates)
        line = line_of({"update": data if self._told is None else changed(data, self._told)})
        self._terminal.write(line)
        if update.table is None:
            self._lobby_budget.charge(len(line), now)
        if update.closed:
            self._end(update.closed, " ".join(self.farewell(update.closed)))

    def _end(self, code: str, text: str = "") -> None:
        if not self.done:
            self._terminal.write(end_line(code, text))
            self.done = True
            self._over.set()

    def _answer(self, id_: Id, reply: Reply, text: str = "", **found: Any) -> None:
        """``text`` says why not, where it is not what everybody is told who is refused that.

        After the end nothing is said any more.
        """
        if self.done:
            return
        answer: dict[str, Any] = {"id": id_, "ok": reply.ok, **found}
        if not reply.ok:
            text = text or refusal(reply, self.words)
            answer |= {"code": reply.code, "details": dict(reply.details), "text": text}
        self._terminal.write(line_of(answer))

    def _refuse(self, line: BadLine) -> None:
        self._answer(line.id, Reply(line.code, line.details), problem_in_words(line, self.words))

    # ---------------------------------------------------------------- what comes in

    def feed(self, text: str) -> None:
        """Something has come, from anywhere in a line. Bytes that are no UTF-8 are lone surrogates."""
        if self.done or self._last_line:
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
            self._lines.add(None, last=True)
        self._lines.go_on()

    def _begin(self, text: str) -> None:
        # One character too many is enough to know that there were too many.
        self._begun += text[: LONGEST + 1 - len(self._begun)]

    def _line(self) -> None:
        line, self._begun = self._begun, ""
        if line.isspace() or not line:
            return
        try:
            asked: RequestLine | BadLine = read(line.encode("utf-8", "surrogateescape"))
        except BadLine as error:
            asked = error
        if not self._lines.add(asked):
            self._refuse(BadLine("too_many_lines", asked.id, limit=AHEAD))

    def _obey(self, asked: RequestLine | BadLine | None) -> None:
        if asked is None:
            self._end("left")
        elif isinstance(asked, BadLine):
            self._refuse(asked)
        else:
            self._do(asked)

    def _do(self, order: RequestLine) -> None:
        request = order.request
        if isinstance(request, Quit):
            self._answer(order.id, Reply())
            self._end("left")
        elif isinstance(request, GetView) and request.table:
            looking = self._look_at(order.id, request.table)
            self.spawn(looking, partial(self._broke_off, order.id))
        elif isinstance(request, GetView):
            if self._told is not None:
                self._told = {}
            self._feed.rewind()
            self._begin_feed()
            self._answer(order.id, Reply())
        elif isinstance(request, ChooseUpdates):
            self._told = {} if request.delta else None
            self._answer(order.id, Reply())
        elif isinstance(request, Ping):
            self._answer(order.id, Reply(), time=self.clock.time())
        elif isinstance(request, CommandRequest):
            self.spawn(self._carry_out(order.id, request), partial(self._broke_off, order.id))
        elif isinstance(request, Query):
            self.spawn(self._look_up(order.id, request), partial(self._broke_off, order.id))

    async def _look_up(self, id_: Id, request: Query) -> None:
        reply, found = await answer_to(request, self)
        text = ""
        if isinstance(request, SendReport):
            text = report_in_words(reply.code, request.name, self.words)
        self._answer(id_, reply, text, **found)

    async def _carry_out(self, id_: Id, request: CommandRequest) -> None:
        found: dict[str, Any] = {}
        try:
            command = request.command(self._options_at(getattr(request, "table", "")))
            # Whoever reads the answer has read what came of it.
            reply = await self.carry_out(command)
            if isinstance(command, OpeningCommand) and reply.ok:
                found = dict(reply.details)
            elif reply.ok and "cut" in reply.details:
                found = {"cut": reply.details["cut"]}
            elif reply.hint is not None:
                found = {"hint": to_json(reply.hint)}
            elif reply.ok and isinstance(command, m.TournamentCommand):
                found = answer(command, reply, self.words, self.facts().way_in)
        except BadRules as error:
            reply = Reply(error.code, error.details)
        self._answer(id_, reply, **found)

    def _options_at(self, table: str) -> m.TableOptions | None:
        """Return the options of the table with this code, or of the one that the program looks at."""
        table = table.lower()
        if self.table is not None and table in ("", self.table.info.id):
            return self.table.info.options
        games = self.correspondence
        return next((game.options for game in games if game.table == table), None)

    async def _look_at(self, id_: Id, table: str) -> None:
        reply = await self.carry_out(m.LookAt(table.lower()))
        found: dict[str, Any] = {"seen": seen_data(reply.table)} if reply.ok else {}
        self._answer(id_, reply, **found)

    def _broke_off(self, id_: Id, error: Exception) -> None:
        self.log_mistake(error)
        self._answer(id_, Reply(m.Refusal.INTERNAL))

    @override
    def _carried_out(self, task: asyncio.Task[object]) -> None:
        super()._carried_out(task)
        self._lines.go_on()
