"""One player at one terminal, from coming in to leaving, whatever the line. Every session ends."""

import asyncio
from functools import partial
from typing import Final

import structlog

from server.coordinator.messages import (
    FollowBusiest,
    JoinTable,
    Player,
    Reply,
    ServerMessage,
    WatchTable,
)
from server.coordinator.people.people import Admitted
from server.coordinator.ports import Visit
from server.i18n.catalogues import words_for
from server.jsonapi.session import end_line
from server.storage.store import StoreError
from server.terminal.capabilities import ByteStream
from server.terminal.drawing.text_layout import wrap
from server.text.server_messages import ban_in_words
from server.transport.access.limiter import network_of
from server.transport.access.sanitize import notice_lines
from server.transport.session.account import VisitorAccount
from server.transport.session.blocking import SavedBlocks, blocked_in
from server.transport.session.observed_visit import ObservedVisit
from server.transport.session.ports import Caller, Frontend, SessionNotice
from server.transport.session.server import GameServer

log = structlog.get_logger("session")

_RATHER_WATCH: Final = {
    *("table_full", "not_open", "already_playing", "seat_kept", "removed"),
    *("held_seat", "no_bot_seat"),
}
"""Who cannot sit down for one of these reasons may still watch."""

_TYPED_AHEAD: Final = 1024
"""Characters typed before there is anything to see that are kept."""
_SENT_AHEAD: Final = 65_536
"""The same for a program, which does not wait to see anything."""


class Session:
    """Runs a face for a visit, and tidies up after both. Starts at once; needs a running event loop."""

    __slots__ = (
        "_ahead",
        "_face",
        "_server",
        "_since",
        "_terminal",
        "_visit",
        "caller",
        "player",
        "task",
    )

    def __init__(self, server: GameServer, terminal: ByteStream, caller: Caller) -> None:
        self._server: Final = server
        self._terminal: Final = terminal
        self.caller: Final = caller
        self.player: Player | None = None
        self._visit: Visit | None = None
        self._face: Frontend | None = None
        self._ahead = ""
        self._since: Final = server.limiter.now()
        server.sessions.add(self)
        self.task: Final = asyncio.create_task(self._run())
        self.task.add_done_callback(self._ended)

    @property
    def seconds(self) -> float:
        """How long it has lasted."""
        return self._server.limiter.now() - self._since

    @property
    def line(self) -> str:
        """``ssh``, ``telnet`` or ``tty``."""
        return self.caller.line

    @property
    def face(self) -> str:
        """``lines``, ``screen`` or ``api``; what the terminal is for, until there is a face."""
        if self._terminal.abilities.program:
            return "api"
        lines = self._face.lines if self._face else self._terminal.abilities.lines
        return "lines" if lines else "screen"

    @property
    def sent(self) -> int:
        """Bytes of output so far."""
        return self._terminal.facts.sent

    def feed(self, text: str) -> None:
        """The player typed."""
        self._terminal.budget.heard(len(text))
        if self._face is not None:
            self._face.feed(text)
        else:
            most = _SENT_AHEAD if self._terminal.abilities.program else _TYPED_AHEAD
            if len(self._ahead) < most:
                self._ahead += text[:most]

    def resized(self) -> None:
        """The terminal has another size."""
        if self._face is not None:
            self._face.resized()

    def drained(self) -> None:
        """The terminal is writable again."""
        if self._face is not None:
            self._face.drained()

    def slow(self) -> None:
        """The line has turned out to be a thin one."""
        if self._face is not None:
            self._face.slow()

    def hang_up(self) -> None:
        """The line has dropped, or is about to."""
        self.task.cancel()

    async def _run(self) -> None:
        words = words_for(self._terminal.abilities.language)
        try:
            await self._play()
        except StoreError as problem:
            log.error("cannot come in", reason=problem.code)
            sorry = words.t("The server cannot save anything just now: try again later.")
            self._say_last("storage", sorry)
        except Exception:
            # Our own mistake: it costs this player one connection, and nobody else anything.
            log.exception("session failed", name=self.player and self.player.name)
            apology = words.t("Something went wrong here. Your seat is kept: please connect again.")
            self._say_last("internal", apology, "\r\n")

    async def _play(self) -> None:
        caller, server = self.caller, self._server
        if self._turned_away(caller.login.name, caller.identity, caller.address):
            return
        admitted = await server.admit(
            caller.login, caller.identity, caller.address, word=caller.word
        )
        self.player = player = admitted.player
        if self._turned_away(player.name):
            return
        log.info(
            "came in",
            name=player.name,
            guest=player.guest,
            line=caller.line,
            address=caller.address,
        )
        desk = server.operator_services(self) if server.operator_services is not None else None
        not_kept = partial(server.coordinator.say_to, player.id, ServerMessage("not_kept"))
        account = VisitorAccount(
            server.people, admitted, caller.login.language, server.history, desk, not_kept
        )
        await server.turn_to_begin()
        blocked = blocked_in(admitted.settings)
        source = network_of(caller.address)
        self._visit = server.coordinator.enter(player, blocked, source, new=admitted.new)
        notices = await self._arrive(self._visit, admitted)
        if desk is not None:
            desk.arrived()
        # Arriving may have made another visit of it.
        visit: Visit = SavedBlocks(self._visit, account)
        if caller.tap:
            visit = ObservedVisit(visit, caller.tap)
        self._face = server.make_face(self._terminal, visit, notices, account)
        if self._ahead:
            self._face.feed(self._ahead)
            self._ahead = ""
        await self._face.run()
        await account.kept()

    def _turned_away(self, name: str, identity: str = "", address: str = "") -> bool:
        """Whether whoever has this name or key, or comes from there, may not come in; then that has been
        said. Who was on the way when an address was banned has got past the porch.
        """
        bans = self._server.bans
        ban = bans.of_name(name) or bans.of_key(identity.removeprefix("key:")) or bans.at(address)
        if ban is None:
            return False
        log.info("turned away", ban=ban.row.id, kind=ban.row.kind, address=self.caller.address)
        words = words_for(self._terminal.abilities.language)
        self._say_last("banned", ban_in_words(ban.row.reason, ban.row.until, words))
        return True

    def _say_last(self, code: str, text: str, before: str = "") -> None:
        """Say why the session ends here, without a face that could."""
        if self._terminal.abilities.program:
            self._terminal.write(end_line(code, text))
        else:
            lines = wrap(text, self._terminal.size.columns - 1)
            self._terminal.write("".join((before, *(f"{line}\r\n" for line in lines))))

    async def _arrive(self, visit: Visit, admitted: Admitted) -> tuple[SessionNotice, ...]:
        """Go where the login name says; what there is to say about it."""
        login = self.caller.login
        notices = [SessionNotice("house", line) for line in self._server_notice()]
        notices += [SessionNotice("unknown_suffix", word) for word in login.unknown]
        for note in admitted.notes:
            text = admitted.player.name if note.code == "called" else note.text
            notices.append(SessionNotice(note.code, text))
        reply, asked = Reply(), None
        if login.code:
            asked = (WatchTable if login.watch else JoinTable)(login.code, word=login.word)
            reply = await self._to_table(visit, asked)
        elif login.watch:
            reply = await self._to_busiest(visit)
        elif self.caller.begin is not None:
            reply = await visit.submit(self.caller.begin)
        if not reply.ok:
            notices.append(SessionNotice(reply.code, login.code, asked))
        return tuple(notices)

    def _server_notice(self) -> tuple[str, ...]:
        """What the operator has to say to everybody; on telnet that has been said before the name."""
        if self.caller.line == "telnet" and self._terminal.abilities.lines:
            return ()
        return notice_lines(self._server.settings.notice)

    async def _to_table(self, visit: Visit, asked: JoinTable | WatchTable) -> Reply:
        reply = await visit.submit(asked)
        if reply.code in _RATHER_WATCH and isinstance(asked, JoinTable):
            reply = await visit.submit(WatchTable(asked.table, asked.word))
        return reply

    async def _to_busiest(self, visit: Visit) -> Reply:
        reply = await visit.submit(FollowBusiest())
        if not reply.ok:
            # Whoever has a seat goes back to it.
            return Reply()
        update = await visit.feed.next()
        # The face wants to see for itself what was taken here.
        visit.feed.rewind()
        return Reply("nothing_to_watch") if update.table is None else Reply()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if self._visit is not None:
            self._visit.close()
        self._server.sessions.discard(self)
        self._server.ended += 1
        self._server.sent[self.line] += self.sent
        self._terminal.close()
        self._face = None
        if self.player is not None:
            self._server.left(self.player)
            seconds = round(self.seconds)
            log.info("left", name=self.player.name, seconds=seconds, dropped=task.cancelled())
