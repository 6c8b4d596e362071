"""What all connections of a server share (settings, tables, admission, names), and its sessions."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple, Protocol

import structlog
from msgspec import Struct, structs

from server import StoreError
from server.cleaning import notice_lines
from server.coordinator import messages as m
from server.coordinator.contract import Arrival, Arrived, Banned, Coordinator, Known, Visit
from server.coordinator.events.days import DayPages
from server.coordinator.people.names import is_machine_name
from server.i18n.lookup import words_for
from server.jsonapi.session import end_line
from server.networks import LogThrottle, network_of
from server.session.account import Account, GameLibrary, VisitorAccount
from server.settings.settings import Settings
from server.storage.history_store import HistoryStore
from server.storage.moderation import BanRow
from server.storage.ratings import SeasonTable
from server.terminal.capabilities import ByteStream, Capabilities
from server.terminal.drawing.frame import wrap
from server.terminal.fair_queue import queues_of
from server.terminal.meter import LOOK_UPS, NEWCOMERS, PLAYERS, Networks, Usage
from server.text.server_messages import ban_in_words
from server.transport.access.limiter import ConnectionLimiter, Reason
from server.transport.access.login import AuthorizedKeys, Login
from server.transport.access.password import AccessPolicy
from server.transport.net.sockets import contains, networks

log = structlog.get_logger("session")

_LIMITS_OF_NOTES: Final = {
    "code_unknown": Reason.CODE,
    "code_wait": Reason.CODES,
    "many_accounts": Reason.ACCOUNTS,
}
"""``Admitted.notes`` that operators want to see in numbers."""

_RATHER_WATCH: Final = {
    *("table_full", "not_open", "already_playing", "seat_kept", "removed"),
    *("held_seat", "no_bot_seat"),
}
"""Refusals of a seat after which the player may still watch."""

_TOLD_EVERY: Final = 60.0
"""Minimum seconds between two log lines about logins that fail with the store."""

_RENAMES: Final = 10
"""Maximum names that a player can ask for without logging in again."""

_TYPED_AHEAD: Final = 8192
"""Maximum characters of type-ahead before the first frame."""
_SENT_AHEAD: Final = 65_536
"""Maximum characters of type-ahead of a program, which waits for nothing."""


class Caller(Struct, frozen=True):
    """A connected client, and its address."""

    login: Login
    fingerprint: str
    """The fingerprint of the public key that was proven (``SHA256:...``); empty for a guest."""
    address: str
    line: str
    """``ssh``, ``telnet``, ``tty``."""
    begin: m.Command | None = None
    """The first command, if the login name asks for nothing."""
    tap: Callable[[m.Update], None] | None = None
    """Called with every update that the frontend gets."""
    password: str = ""
    """The id of the password that was given; empty if none was asked for."""
    key: bytes = b""
    """The public key that was proven, in its wire form."""


class SessionNotice(NamedTuple):
    """A notice for a player on arrival; ``code`` has no words, ``text`` is clean."""

    code: str
    """``house`` (what its operator says to everybody), ``unknown_suffix``, ``nothing_to_watch``, ``rejoin``
    (a guest's code), ``altered`` (what was typed is no name), ``domain`` (it began with one),
    ``machine_name`` (new, and called as the machine calls whoever works at it), a code of
    ``Admitted.notes``, or a refusal code of ``Reply`` for the table asked for."""
    text: str
    refused: m.JoinTable | m.WatchTable | None = None
    """The command that was refused."""


class Frontend(Protocol):
    """The user interface of one session."""

    @property
    def lines(self) -> bool:
        """Whether it is line mode, and no full screen."""

    async def run(self) -> Capabilities | None:
        """Run until the player leaves or the visit ends; cancelled when the connection drops.

        Returns how to use the terminal from now on if the player wants the other frontend.
        """

    def feed(self, text: str) -> None:
        """Take typed text, which may begin or end within a key's sequence."""

    def resized(self) -> None:
        """Adapt to the terminal's new size."""

    def drained(self) -> None:
        """Redraw: the terminal is writable again, and shows something old."""

    def slow(self) -> None:
        """Adapt to a slow line; called once."""


MakeFrontend = Callable[
    [ByteStream, Visit, tuple[SessionNotice, ...], Account, Capabilities | None], Frontend
]
"""A maker of the frontend of a visit. The last argument is what the ``run`` before has returned."""


class GameServer:
    """A server, whatever the protocols of its connections."""

    def __init__(
        self,
        settings: Settings,
        coordinator: Coordinator,
        make_frontend: MakeFrontend,
        *,
        history: HistoryStore | None = None,
        days: DayPages | None = None,
        season: Callable[[int], Awaitable[SeasonTable]] | None = None,
        operators: AuthorizedKeys | None = None,
        now: Callable[[], float] | None = None,
    ) -> None:
        """``now`` is a clock in seconds for the limits."""
        self.settings = settings
        self.coordinator: Final = coordinator
        self.make_frontend: Final = make_frontend
        loop = asyncio.get_running_loop()
        self.limiter: Final = ConnectionLimiter(settings.limits, now or loop.time)
        self.usage: Final = Usage()
        """Processor time that has been charged to networks."""
        networks = partial(
            Networks, turns=queues_of(loop).traffic, now=self.limiter.now, usage=self.usage
        )
        self.newcomers: Final = networks(*NEWCOMERS)
        """Shares for connections before their login ..."""
        self.players: Final = networks(*PLAYERS)
        """... and after it."""
        self.look_ups: Final = networks(*LOOK_UPS)
        """Shares for look-ups."""
        self.access: Final = AccessPolicy(settings, self.limiter, coordinator.password_of)
        self.history: Final = history
        self.days: Final = days
        """The days of today's tide; ``None`` if it is not played."""
        self.season: Final = season
        """Returns the leaderboard of the month so many months ago; ``None`` if there are none."""
        self.operators: Final = operators
        """The keys of operators; ``None`` if there are none."""
        self.bans: Final = coordinator.bans
        self.bans.when_changed.append(self._hang_up_banned)
        self.sessions: Final[set[Session]] = set()
        self.ended = 0
        """Number of sessions that have ended."""
        self.not_admitted: Final = LogThrottle(_TOLD_EVERY)
        self.sent: Final[Counter[str]] = Counter()
        """Bytes sent to them, by protocol."""

    def adjust(self, settings: Settings) -> None:
        """Apply settings to connections to come."""
        self.settings = settings
        self.limiter.adjust(settings.limits)
        self.access.adjust(settings)

    def _hang_up_banned(self) -> None:
        """End banned sessions that have no visit yet; the others end with their visits."""
        for session in tuple(self.sessions):
            caller = session.caller
            ban = self.bans.find(caller.fingerprint, caller.login.name, caller.address)
            if session.player is None and ban is not None:
                session.hang_up()

    def source_of(self, address: str) -> str:
        """Return the network of an address; empty for a load balancer that has named no client."""
        proxies = networks(self.settings.proxies)
        return "" if contains(proxies, address) else network_of(address)

    def library_of(
        self,
        visitor: str,
        address: str,
        player: m.Player | None = None,
        *,
        played_yesterday: bool = False,
        played_today: bool = True,
    ) -> GameLibrary | None:
        """Return the finished games for the visitor with this id, and today's tide for a ``player``."""
        if self.history is None:
            return None
        network = network_of(address)
        return GameLibrary(
            self.history,
            visitor,
            self.coordinator.review,
            (self.days, player) if self.days and player else None,
            self.season,
            network,
            self.look_ups.of(network),
            played_yesterday=played_yesterday,
            played_today=played_today,
        )

    async def close(self, seconds: float = 5.0) -> None:
        """End every session; those that have not ended in time are cut off."""
        tasks = [session.task for session in self.sessions]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=seconds)
        self.access.close()


@dataclass(slots=True, eq=False, repr=False)
class Session:
    """One player at one terminal, from the login to the end: runs a frontend for a visit, and closes both.

    Starts at once; needs a running event loop.
    """

    server: GameServer
    terminal: ByteStream
    caller: Caller
    player: m.Player | None = field(default=None, init=False)
    """The player; ``None`` before the login."""
    task: asyncio.Task[None] = field(init=False)
    """Ends with the session."""
    _since: float = field(init=False)
    _visit: Visit | None = field(default=None, init=False)
    frontend: Frontend | None = field(default=None, init=False)
    """``None`` before the player has arrived, and at the end."""
    status: int = field(default=0, init=False)
    """The exit status of a command over SSH."""
    _ahead: str = field(default="", init=False)
    _renamed: int = field(default=0, init=False)
    """Number of times that the player has asked for another name."""

    def __post_init__(self) -> None:
        self._since = self.server.limiter.now()
        self.server.sessions.add(self)
        self.task = asyncio.create_task(self._run())
        self.task.add_done_callback(self._ended)

    @property
    def frontend_kind(self) -> str:
        """``lines``, ``screen`` or ``api``; before there is a frontend, what the terminal is for."""
        if self.terminal.abilities.program:
            return "api"
        lines = self.frontend.lines if self.frontend else self.terminal.abilities.lines
        return "lines" if lines else "screen"

    def feed(self, text: str) -> None:
        """Take typed text."""
        if self.frontend is not None:
            self.frontend.feed(text)
        else:
            most = _SENT_AHEAD if self.terminal.abilities.program else _TYPED_AHEAD
            if len(self._ahead) < most:
                self._ahead += text[:most]

    def resized(self) -> None:
        """Adapt to the terminal's new size."""
        if self.frontend is not None:
            self.frontend.resized()

    def end(self, reason: str) -> None:
        """End the session for a reason that is shown (``Client.farewell``); the seat is kept."""
        if self._visit is not None:
            self._visit.feed.close(reason)

    def hang_up(self) -> None:
        """End the session without a word: the connection has dropped, or is about to."""
        self.task.cancel()

    async def _run(self) -> None:
        words = words_for(self.terminal.abilities.language)
        try:
            await self._play()
        except StoreError as problem:
            # The failure has been logged as such: this counts those who could not log in.
            if (also := self.server.not_admitted.left_out(self.server.limiter.now())) is not None:
                log.warning("cannot_come_in", reason=problem.code, also=also)
            sorry = words.t("The server cannot save anything just now: try again later.")
            self._say_last("storage", sorry)
        except Exception:
            # A bug costs this player one connection, and nobody else anything.
            log.exception("session_failed", name=self.player and self.player.name)
            apology = words.t("Something went wrong here. Your seat is kept: please connect again.")
            self._say_last("internal", apology, "\r\n")

    async def _play(self) -> None:
        while (account := await self._come_in()) is not None:
            assert self._visit is not None
            assert self.frontend is not None
            while wanted := await self.frontend.run():
                self._visit.feed.rewind()
                self.frontend = self.server.make_frontend(
                    self.terminal, self._visit, (), account, wanted
                )
            await account.kept()
            if not account.new_name:
                return
            self._come_again(account)

    def _come_again(self, account: VisitorAccount) -> None:
        """Log in once more as the same person, under the name that was asked for."""
        self.frontend = None
        self._renamed += 1
        before = self.caller.login
        login = Login(account.new_name, before.plain, rename=True, rejoin=account.rejoin_code)
        login = login._replace(language=before.language, guest=before.guest)
        self.caller = structs.replace(self.caller, login=login, begin=None)

    async def _come_in(self) -> VisitorAccount | None:
        """Begin a visit and make its frontend; return ``None`` if the player is turned away."""
        server, coordinator = self.server, self.server.coordinator
        login = self.caller.login
        if self.caller.line == "ssh" and login.user:
            login = login.without_domain(is_table=await coordinator.knows_table(login.code))
            self.caller = structs.replace(self.caller, login=login)
        caller = self.caller
        name = "" if await self._keeps_another_name() else login.name
        if self._turned_away(name):
            return None
        program = login.program and not login.steered
        arrival = Arrival(
            login.name,
            caller.address,
            caller.line,
            server.source_of(caller.address),
            caller.fingerprint,
            caller.key,
            login.rejoin,
            login.rename,
            program,
            caller.password,
        )
        earlier = self._visit
        try:
            visit, arrived = await coordinator.arrive(arrival)
        except Banned as banned:
            self._turn_away(banned.ban)
            return None
        finally:
            if earlier is not None:
                earlier.close()
        self._visit = visit
        self.player = player = visit.player
        for note in arrived.notes:
            if reason := _LIMITS_OF_NOTES.get(note):
                server.limiter.refuse(reason, caller.address)
        # The language that the login name asks for counts more than any chosen before.
        asked = {"language": login.language} if login.language else {}
        settings = {**arrived.settings, **asked}
        library = server.library_of(
            player.id,
            caller.address,
            player,
            played_yesterday=arrived.played_yesterday,
            played_today=arrived.played_today,
        )
        keys = server.operators
        is_operator = partial(keys.knows, caller.key, caller.address) if keys else None
        account = VisitorAccount(
            coordinator,
            player,
            arrived.rejoin_code,
            settings,
            library,
            is_operator,
            partial(visit.feed.say, m.ServerMessage("not_kept")),
            arrived.opens_tournaments,
            self._renamed < _RENAMES,
        )
        if asked and not (player.guest or program) and settings != arrived.settings:
            account.remember(settings)
        notices = await self._arrive(visit, arrived)
        if caller.tap is not None:
            visit.feed.observe(caller.tap)
        self.frontend = server.make_frontend(self.terminal, visit, notices, account, None)
        if self._ahead:
            self.frontend.feed(self._ahead)
            self._ahead = ""
        return account

    async def _keeps_another_name(self) -> bool:
        """Return whether the login name is banned, but the key belongs to somebody with another name."""
        login, key = self.caller.login, self.caller.fingerprint
        if not key or login.rename or self.server.bans.find("", login.name, "") is None:
            return False
        return await self.server.coordinator.known(key) is not None

    async def _recognized(self) -> tuple[Known | None, Capabilities]:
        """Return the person with this key or code, without a login, and the terminal in their language.

        Raises ``StoreError``.
        """
        login, abilities = self.caller.login, self.terminal.abilities
        person = await self.server.coordinator.known(self.caller.fingerprint, login.rejoin)
        if person is not None and person.language and not login.language:
            abilities = structs.replace(abilities, language=person.language)
        return person, abilities

    def _turned_away(self, name: str) -> bool:
        """Return whether the caller, under this name, is banned, after saying so."""
        caller = self.caller
        ban = self.server.bans.find(caller.fingerprint, name, caller.address)
        if ban is not None:
            self._turn_away(ban)
        return ban is not None

    def _turn_away(self, ban: BanRow) -> None:
        log.info("turned_away", ban=ban.id, kind=ban.kind, address=self.caller.address)
        words = words_for(self.terminal.abilities.language)
        self._say_last("banned", ban_in_words(ban.reason, ban.until, words))

    def _say_last(self, code: str, text: str, before: str = "") -> None:
        """Show why the session ends, without a frontend."""
        if self.terminal.abilities.program:
            self.terminal.write(end_line(code, text))
        else:
            lines = wrap(text, self.terminal.size.columns - 1)
            self.terminal.write("".join((before, *(f"{line}\r\n" for line in lines))))

    async def _arrive(self, visit: Visit, arrived: Arrived) -> tuple[SessionNotice, ...]:
        """Do what the login name asks for, and return the notices for the player."""
        login = self.caller.login
        notices = []
        # Over telnet, line mode has shown the operator's notice before the name.
        if self.caller.line != "telnet" or not self.terminal.abilities.lines:
            lines = notice_lines(self.server.settings.notice)
            notices = [SessionNotice("house", line) for line in lines]
        notices += [SessionNotice("unknown_suffix", word) for word in login.unknown]
        notes = list(arrived.notes)
        if (arrived.new or login.rename) and "called" not in notes:
            if self.caller.line == "ssh" and is_machine_name(login.name) and arrived.new:
                notes.append("machine_name")
            else:
                notes += ["altered"] * login.altered + ["domain"] * login.had_domain
        notices += [SessionNotice(note, visit.player.name) for note in notes]
        reply, asked = m.Reply(), None
        if login.code:
            asked = (m.WatchTable if login.watch else m.JoinTable)(login.code, word=login.word)
            reply = await visit.submit(asked)
            if reply.code in _RATHER_WATCH and not login.watch:
                reply = await visit.submit(m.WatchTable(login.code, login.word))
        elif login.today:
            reply = await visit.submit(m.PlayToday())
        elif login.watch:
            reply = await self._to_what_goes_on(visit)
        elif self.caller.begin is not None:
            reply = await visit.submit(self.caller.begin)
        if not reply.ok:
            notices.append(SessionNotice(reply.code, login.code, asked))
        return tuple(notices)

    async def _to_what_goes_on(self, visit: Visit) -> m.Reply:
        reply = await visit.submit(m.FollowBusiest(standings=True))
        now = visit.feed.now
        if not reply.ok or now.lobby is None:
            # A player with a seat goes back to it.
            return m.Reply()
        return m.Reply("standings" if now.standings else "nothing_to_watch")

    def _ended(self, task: asyncio.Task[None]) -> None:
        if self._visit is not None:
            self._visit.close()
        self.server.sessions.discard(self)
        self.server.ended += 1
        self.server.sent[self.caller.line] += self.terminal.facts.sent
        self.terminal.close()
        self.frontend = None
        if self.player is not None:
            seconds = round(self.server.limiter.now() - self._since)
            log.info("left", name=self.player.name, seconds=seconds, dropped=task.cancelled())
