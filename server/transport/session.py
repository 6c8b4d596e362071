"""One player at one terminal, from coming in to leaving, whatever the line. Every session ends."""

import asyncio
from typing import Final, NamedTuple

import structlog

from server.coordinator.messages import (
    Command,
    JoinTable,
    LobbySnapshot,
    Reply,
    Status,
    TableRow,
    WatchTable,
)
from server.transport.house import Face, House, Notice
from server.transport.login import Login
from server.ui.i18n import words_for
from server.ui.terminal import Terminal

log = structlog.get_logger("session")

_TYPED_AHEAD: Final = 1024
"""Characters typed before there is anything to see that are kept."""


class Caller(NamedTuple):
    """Who is on the line."""

    login: Login
    identity: str
    """Proven, such as ``key:SHA256:...``; empty for a guest."""
    address: str
    line: str
    """``ssh``, ``tty``."""
    begin: Command | None = None
    """What to do first, when the login name asks for nothing."""


class Session:
    """Runs a face for a visit, and tidies up after both. Starts at once; needs a running event loop."""

    def __init__(self, house: House, terminal: Terminal, caller: Caller) -> None:
        self._house: Final = house
        self._terminal: Final = terminal
        self._caller: Final = caller
        self._player: Final = house.player(caller.login.name, caller.identity)
        self._visit = house.coordinator.enter(self._player)
        self._face: Face | None = None
        self._ahead = ""
        self._since: Final = asyncio.get_running_loop().time()
        house.sessions.add(self)
        self.task: Final = asyncio.create_task(self._run())
        self.task.add_done_callback(self._ended)

    def feed(self, text: str) -> None:
        """The player typed."""
        if self._face is not None:
            self._face.feed(text)
        elif len(self._ahead) < _TYPED_AHEAD:
            self._ahead += text[:_TYPED_AHEAD]

    def resized(self) -> None:
        """The terminal has another size."""
        if self._face is not None:
            self._face.resized()

    def drained(self) -> None:
        """The terminal is writable again."""
        if self._face is not None:
            self._face.drained()

    def hang_up(self) -> None:
        """The line has dropped, or is about to."""
        self.task.cancel()

    async def _run(self) -> None:
        caller, name = self._caller, self._player.name
        log.info(
            "came in", name=name, guest=self._player.guest, line=caller.line, address=caller.address
        )
        try:
            notices = await self._arrive()
            self._face = self._house.make_face(self._terminal, self._visit, notices)
            if self._ahead:
                self._face.feed(self._ahead)
                self._ahead = ""
            await self._face.run()
        except Exception:
            # Our own mistake: it costs this player one connection, and nobody else anything.
            log.exception("session failed", name=name)
            words = words_for(self._terminal.abilities.language)
            apology = words.t("Something went wrong here. Your seat is kept: please connect again.")
            self._terminal.write(f"\r\n{apology}\r\n")

    async def _arrive(self) -> tuple[Notice, ...]:
        """Go where the login name says; what there is to say about it."""
        login = self._caller.login
        notices = [Notice("unknown_suffix", word) for word in login.unknown]
        if login.name and self._player.name != login.name:
            notices.append(Notice("called", self._player.name))
        reply = Reply()
        if login.code:
            reply = await self._to_table(login.code, login.watch)
        elif login.watch:
            reply = await self._to_busiest()
        elif self._caller.begin is not None:
            reply = await self._visit.submit(self._caller.begin)
        if not reply.ok:
            notices.append(Notice(reply.code, login.code))
        return tuple(notices)

    async def _to_table(self, code: str, watch: bool) -> Reply:
        if not watch:
            reply = await self._visit.submit(JoinTable(code))
            if reply.code not in {"table_full", "not_open", "already_playing"}:
                return reply
        return await self._visit.submit(WatchTable(code))

    async def _to_busiest(self) -> Reply:
        update = await self._visit.feed.next()
        table = busiest(update.lobby) if update.lobby else ""
        if table:
            return await self._visit.submit(WatchTable(table))
        # The face wants to see for itself what was taken here.
        self._visit = self._house.coordinator.enter(self._player)
        return Reply() if update.table else Reply("no_such_table")

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._visit.close()
        self._house.sessions.discard(self)
        if self._player.guest:
            self._house.names.release(self._player.id)
        self._terminal.close()
        self._face = None
        seconds = round(asyncio.get_running_loop().time() - self._since)
        log.info("left", name=self._player.name, seconds=seconds, dropped=task.cancelled())


def busiest(lobby: LobbySnapshot) -> str:
    """The table that most people watch or play at, games in progress first; empty when there is none."""

    def rank(table: TableRow) -> tuple[bool, int, int]:
        people = sum(map(bool, table.names)) - table.bots
        return table.status is Status.PLAYING, people, table.spectators

    return max(lobby.tables, key=rank).id if lobby.tables else ""
