"""The contract between fronts, where people connect, and the coordinator: visits, feeds, bans, requests.

Beside it go the messages of a ``Visit``: commands up, updates down. All of it is plain data.
"""

import asyncio
import ipaddress
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

import structlog
from msgspec import structs

from engine.bots.review import Decision
from engine.records.statistics import Streak
from server.coordinator import messages as m
from server.coordinator.messages import CorrespondenceGame, LobbySnapshot
from server.coordinator.messages.operator_orders import Action, OperatorReply
from server.coordinator.messages.tables import Message
from server.coordinator.people.names import looks
from server.networks import network_of, parsed_address
from server.storage.history import PublicResults
from server.storage.moderation import BanRow
from server.timers import Clock, OneTimer


class Bans:
    """Bans by what they match; expired ones are ignored. ``now`` returns seconds since 1970."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now: Final = now
        self.rows: Mapping[tuple[str, str], BanRow] = {}
        """As given to ``fill``."""
        self._bans: dict[tuple[str, str], BanRow] = {}
        """By kind (``network`` for addresses, too) and what they match."""
        self._prefixes: set[tuple[int, int]] = set()
        """IP versions and prefix lengths of the networks: an address is looked up once for each."""
        self.when_changed: Final[list[Callable[[], object]]] = []
        """Called after each change."""

    def fill(self, bans: Mapping[tuple[str, str], BanRow]) -> None:
        """Replace all bans by these, by kind and what they match."""
        self.rows = bans
        self._bans, self._prefixes = {}, set()
        for (kind, matched), ban in bans.items():
            if kind in {"key", "name"}:
                self._bans[kind, matched] = ban
            else:
                network = ipaddress.ip_network(matched)
                self._prefixes.add((network.version, network.prefixlen))
                self._bans["network", str(network)] = ban
        for told in self.when_changed:
            told()

    def find(self, key: str, name: str, address: str) -> BanRow | None:
        """Return the ban that matches this key, name or address, if any."""
        if not self._bans:
            return None
        named = filter(None, (self._one("name", it) for it in looks(name)))
        return next(named, None) or self._one("key", key) or self.at(address)

    def at(self, address: str) -> BanRow | None:
        """Return the ban that matches this address, if any."""
        found = parsed_address(address) if self._prefixes else None
        for version, length in self._prefixes:
            if found is not None and version == found.version:
                network = ipaddress.ip_network((found, length), strict=False)
                if ban := self._one("network", str(network)):
                    return ban
        return None

    def _one(self, kind: str, matched: str) -> BanRow | None:
        ban = self._bans.get((kind, matched))
        return ban if ban and (not ban.until or self._now() < ban.until) else None


def address_matched(address: str) -> str:
    """Return the network that a ban of an address matches (for IPv6 its /64). Raises ``ValueError``."""
    return str(ipaddress.ip_network(network_of(str(ipaddress.ip_address(address)))))


def network_of_ban(typed: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """Parse a network; bits beyond the prefix are ignored. Raises ``ValueError``."""
    network = ipaddress.ip_network(typed, strict=False)
    if isinstance(network, ipaddress.IPv6Network):
        mapped = network.network_address.ipv4_mapped
        if mapped is not None and network.prefixlen >= 96:
            return ipaddress.IPv4Network((int(mapped), network.prefixlen - 96))
    return network


LIMIT: Final = 256
"""Happenings that wait to be taken; with more, all are dropped and the reader is resynced."""
CHAT_LIMIT: Final = 60
"""Chat lines that wait to be taken, or are kept for another frontend; beyond it the oldest go."""
WORDS: Final = 20
"""What the server says that waits to be taken; with more, the oldest is dropped."""

NOTHING: Final = m.Update(None, None, (), False, "")

_log = structlog.get_logger("feed")


@dataclass(slots=True, eq=False)
class Feed:
    """A bounded stream of updates to one visitor: the lobby or a table offers, the session takes.

    Updates that are not taken are merged: the newest snapshot wins, happenings queue up to a limit and
    are then dropped with ``resynced``.
    """

    now: m.Update = NOTHING
    """How things are, and what has come since the last ``take``."""
    _heard: tuple[m.ChatLine, ...] = ()
    _pending: bool = False
    _ready: Callable[[], object] | None = None
    _observer: Callable[[m.Update], None] | None = None

    @property
    def closed(self) -> str:
        """Why it has ended; empty while it has not."""
        return self.now.closed

    # ------------------------------------------------------------ the session's side

    def listen(self, ready: Callable[[], object]) -> None:
        """Call ``ready`` when there is something to take (perhaps at once), once until it has been taken."""
        self._ready = ready
        if self._pending:
            self._wake(again=True)

    def observe(self, heard: Callable[[m.Update], None]) -> None:
        """Give every update that is taken to ``heard`` first."""
        self._observer = heard

    def take(self) -> m.Update | None:
        """What has come since the last ``take``; ``None`` when nothing has."""
        if not self._pending:
            return None
        update, self._pending = self.now, False
        self._heard = (*self._heard, *update.chat)[-CHAT_LIMIT:]
        self.now = structs.replace(update, happenings=(), resynced=False, chat=(), said=())
        if self._observer is not None:
            self._observer(update)
        return update

    @property
    def can_wait(self) -> bool:
        """What there is to take is no more than another look of the lobby, and what is said there."""
        now = self.now
        return now.table is None and not (now.closed or now.said or now.happenings)

    @property
    def _shows(self) -> bool:
        """There is a place to show already."""
        return self.now.lobby is not None or self.now.table is not None

    def rewind(self) -> None:
        """Another frontend takes over: forget the listener, and have the newest snapshot taken once more."""
        self._ready = None
        if not self.closed and self._shows:
            heard = [structs.replace(line, old=True) for line in self._heard]
            chat = (*heard, *self.now.chat)[-CHAT_LIMIT:]
            self.now = structs.replace(self.now, happenings=(), chat=chat)
            self._heard = ()
            self._pending = True

    # ------------------------------------------------------------ the coordinator's side

    def offer_lobby(self, lobby: m.LobbySnapshot, happenings: Sequence[m.Happening] = ()) -> None:
        """The visitor is in the lobby, which looks like this now; ``happenings`` led there."""
        now = self.now
        if now.closed or (lobby is now.lobby and not happenings):
            return
        if now.table is not None:
            now = structs.replace(now, table=None, happenings=(), resynced=False)
        self.now = structs.replace(now, lobby=lobby, happenings=(*now.happenings, *happenings))
        self._wake()

    def offer_table(
        self,
        table: m.TableSnapshot,
        happenings: Sequence[m.Happening],
        *,
        resynced: bool = False,
    ) -> None:
        """The visitor is at a table, which looks like this now, after these happenings.

        ``resynced``: others before them have been dropped.
        """
        now = self.now
        if now.closed:
            return
        moved = now.table is None or now.table.info.id != table.info.id
        if moved:
            now = structs.replace(now, lobby=None, happenings=(), resynced=False)
        elif not (happenings or resynced) and table == now.table:
            return
        if resynced:
            now = structs.replace(now, happenings=(), resynced=True)
        happened, resynced = (*now.happenings, *happenings), now.resynced
        if len(happened) > LIMIT:
            happened, resynced = (), True
        self.now = structs.replace(now, table=table, happenings=happened, resynced=resynced)
        self._wake(again=moved)

    def say(self, word: m.ServerMessage) -> None:
        """The server says something."""
        if not self.closed:
            said = (*self.now.said[1 - WORDS :], word)
            self.now = structs.replace(self.now, said=said)
            # Before there is a place to show, it waits for that.
            if self._shows:
                self._wake(again=True)

    def offer_tournaments(self, tournaments: tuple[m.TournamentInfo, ...]) -> None:
        """These are the tournaments now, as this visitor sees them."""
        if tournaments != self.now.tournaments:
            self._offer(tournaments=tournaments)

    def offer_correspondence(self, games: tuple[m.CorrespondenceGame, ...]) -> None:
        """These are the visitor's games by correspondence now."""
        if games != self.now.correspondence:
            self._offer(correspondence=games)

    def offer_standings(self, tournament: str | None) -> None:
        """What a screen shows that shows everybody whatever goes on (``Update.standings``)."""
        if tournament != self.now.standings:
            self._offer(standings=tournament)

    def offer_chat(self, lines: Iterable[m.ChatLine]) -> None:
        """The visitor hears these."""
        if chat := (*self.now.chat, *lines)[-CHAT_LIMIT:]:
            self._offer(chat=chat)

    def _offer(self, **news: object) -> None:
        if not self.closed:
            self.now = structs.replace(self.now, **news)
            # Before there is a place to show, nobody knows where to see or hear it.
            if self._shows:
                self._wake()

    def close(self, reason: str) -> None:
        """End it. What was not taken yet still can be, together with ``reason``."""
        if not self.closed:
            self.now = structs.replace(self.now, closed=reason)
            self._wake(again=True)

    def _wake(self, *, again: bool = False) -> None:
        """There is something to take; ``again``: who has left it for later hears of it once more."""
        told, self._pending = self._pending and not again, True
        if told or self._ready is None:
            return
        try:
            self._ready()
        except Exception as error:
            # A broken screen must not keep the news from everybody else at the table.
            self._ready = None
            _log.error("listener_failed", error=type(error).__name__)


NOBODY: Final = Feed(structs.replace(NOTHING, closed="left"))
"""In place of the feed of somebody who is not connected: it has ended, and what it is offered is lost."""

_AT_ONCE: Final = 32
"""Feeds that are notified before others get a turn."""


@dataclass(slots=True, eq=False)
class Visit:
    """One connection of one player: all that a frontend may use of the coordinator."""

    player: m.Player
    """The player of this visit."""
    feed: Feed
    """What this player sees."""
    submit: Callable[[m.Command], Coroutine[Any, Any, m.Reply]]
    """Carries out a command, or says why not. Never raises for anything that a player can cause."""
    close: Callable[[], None]
    """The connection has ended; the seat stays."""


@dataclass(slots=True, eq=False)
class Broadcaster:
    """Tells many something, in turns."""

    _timer: OneTimer
    _name: str
    _delay: Callable[[], float]
    """Returns the seconds between a change and its broadcast."""
    _tell: Callable[[], Iterable[object]]
    """Tells one person and yields, then the next."""
    _closed: bool = False
    _telling: asyncio.Task[None] | None = None

    def changed(self, *, sooner: bool = False) -> None:
        """There is something to tell: soon, once for all that changes until then.

        ``sooner``: the delay has become shorter.
        """
        if (sooner or not self._timer.running) and not self._closed:
            self._timer.after(self._delay(), self._begin)

    def close(self) -> None:
        """Nobody is told anything any more."""
        self._closed = True
        self._timer.cancel()
        if self._telling is not None:
            self._telling.cancel()

    def _begin(self) -> None:
        if self._telling is not None and not self._telling.done():
            self._timer.after(self._delay(), self._begin)
            return
        loop = asyncio.get_running_loop()
        self._telling = loop.create_task(self._tell_all(), name=self._name)

    async def _tell_all(self) -> None:
        for number, _ in enumerate(self._tell(), 1):
            if not number % _AT_ONCE:
                await asyncio.sleep(0)


class Arrival(Message, frozen=True):
    """Somebody wants to come in. What is proven or given has been checked by the front."""

    name: str
    """Wanted: clean, and perhaps empty."""
    address: str
    line: str
    """``ssh``, ``telnet``, ``tty``."""
    source: str = ""
    """What the address counts as among others; empty where it does not count."""
    key: str = ""
    """The fingerprint of the key that was proven; empty without one ..."""
    public_key: bytes = b""
    """... and the key in its wire form."""
    code: str = ""
    """To come back with, or to add the key with, as it was typed."""
    rename: bool = False
    """A person who is known is to be called ``name`` from now on."""
    program: bool = False
    """A program plays that nobody steers."""
    password: str = ""
    """The id of the server password that was given; empty when none was asked for."""


class Arrived(Message, frozen=True):
    """What there is to know of somebody who has just come in."""

    rejoin_code: str
    """A guest's, to come back with; nobody else may see it, and it is kept nowhere but hashed."""
    notes: tuple[str, ...]
    """What has to be told (``Admitted.notes``)."""
    settings: Mapping[str, Any]
    """What this person has chosen on earlier visits."""
    new: bool
    """Here for the first time."""
    opens_tournaments: bool
    """Anybody may open tournaments here."""
    played_yesterday: bool
    """Has begun yesterday's tide."""
    played_today: bool
    """Has had the try at today's, or there is none."""


class Banned(Exception):
    """The person who arrives is banned."""

    def __init__(self, ban: BanRow) -> None:
        super().__init__(ban.id)
        self.ban = ban


class Known(NamedTuple):
    """Somebody who has been here before, and does not come in now."""

    id: str
    name: str
    language: str
    """The one chosen; empty for none."""


class PlayerResults(NamedTuple):
    """What a person has achieved, as anybody may know it."""

    standing: PublicResults
    streak: Streak
    """Streak of days of today's tide."""
    days: int
    """Days of today's tide that the person has begun."""


class Profile(NamedTuple):
    """A person's page. Some of it a person can keep to himself or herself."""

    name: str
    own: bool
    """It is that of who asks."""
    results: PlayerResults | None
    """``None`` where they are not shown, or where no games are kept."""
    shows_visits: bool
    here: bool
    """Whether the person is connected; false where that is not shown, as what follows is empty."""
    table: str
    """The code of the table where the person plays or watches, if that is for everybody to see ..."""
    title: str
    """... and its title."""
    seen: float
    """When the person was here last, rounded down to ``SEEN_TO``."""
    followable: bool
    """Others may follow the person."""
    followed: bool
    """Whether the asking person follows this one, and is notified at logins."""


class Followed(NamedTuple):
    """Somebody whom one follows."""

    name: str
    here: bool
    """False also where the person does not show that."""


class Coordinator(Protocol):
    """The coordinator as a front sees it.

    People are named by their ids. All that is awaited may raise ``StoreError``.
    """

    bans: Bans
    """The bans in force, kept up to date."""
    clock: Clock

    async def arrive(self, arrival: Arrival) -> tuple[Visit, Arrived]:
        """Let somebody in. Raises ``Banned``. Who is cancelled has left again."""

    async def known(self, key: str, code: str = "") -> Known | None:
        """Return the owner of a key or rejoin code, without letting anybody in."""

    async def password_of(self, key: str) -> str:
        """Which server password the owner of this key has given; empty for none."""

    async def lobby_now(self) -> LobbySnapshot:
        """How the lobby looks, to who has not come in."""

    async def knows_table(self, code: str) -> bool:
        """Whether anybody may know of a table with this code."""

    async def correspondence_of(self, player: str) -> tuple[CorrespondenceGame, ...]:
        """The games that somebody plays by correspondence, the most urgent first."""

    async def plays_today(self, player: str, event: str) -> bool:
        """Whether somebody's try at that day's tide goes on, or waits."""

    async def review(self, decision: Decision, player: str, network: str) -> Any:
        """What the strongest bot says of a bid, as plain data, for ``player``, who comes from ``network``.

        0 when it is asked for too much.
        """

    async def profile(self, asker: str, name: str) -> tuple[str, Profile] | None:
        """Return a person's page, without results, and the id for results.

        The id is empty where the results may not be shown; ``None`` where there is no page for the asking
        person.
        """

    async def follow(self, asker: str, name: str, on: bool) -> str:
        """Have somebody told when another one comes (``Account.follow``)."""

    async def followed(self, asker: str) -> tuple[Followed, ...]:
        """Return the people whom somebody follows, by name."""

    async def link_code(self, account: str) -> str:
        """A code with which another key can be added to an account, once and soon."""

    async def keep_settings(self, player: str, settings: Mapping[str, Any]) -> None:
        """Keep what somebody has chosen, but for blocks of people who have been forgotten."""

    async def report(self, player: str, about: str, text: str) -> str:
        """Somebody reports another one to the operators (``Account.report``)."""

    async def act(self, player: str, action: Action, again: bool) -> OperatorReply:
        """Somebody acts as an operator (``OperatorActions.act``)."""
