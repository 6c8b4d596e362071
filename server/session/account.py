"""A visitor's account and library of finished games, as frontends see them: safe for a terminal."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Final, Protocol, TypeVar

from typing_extensions import override

from engine.bots.review import Decision, ReviewedBid, decisions, from_plain
from engine.records.outcome import SeatResult
from engine.records.record_format import Record
from engine.records.replay import Replay
from engine.records.statistics import Collector, Opponent, Statistics, Streak
from server import StoreError
from server.cleaning import clean_name
from server.coordinator.contract import Coordinator, Followed, PlayerResults, Profile
from server.coordinator.events.days import DayPage, DayPages, Try
from server.coordinator.messages import Player, TableSnapshot
from server.coordinator.messages.operator_orders import Action, OperatorReply
from server.playback import ReplayedGame, shown
from server.storage.history import CountedGame, GamePlace, GameRow, PlayerPage
from server.storage.history_store import HistoryStore
from server.storage.ratings import LeaderboardRow, SeasonTable
from server.terminal.meter import Network
from server.text.history import table_of

_NEAR: Final = 20
"""Newest games among which the one at a table is looked for."""

MOST_MONTHS: Final = 1200
"""Maximum months that a season may be back."""

PLAYED: Final = "played"
"""Setting with the number of games that a person has played to the end, up to ``FAMILIAR`` ..."""
FAMILIAR: Final = 3
"""... from which on nothing is explained any more."""
SEEN: Final = "seen"
"""Setting with the game, stage and round that a person has last seen, by ids of correspondence tables."""
LESSON: Final = "lesson"
"""Setting with the game in which the guide explains."""

Named = TypeVar("Named", SeatResult, Opponent, Try)

_NOTHING_YET: Final = Collector().statistics()
_MOST: Final = 4096
"""Maximum length of stored settings as text."""
_REVIEWS: Final = 8
"""Maximum reviews that are remembered for a visit."""
_AT_ONCE: Final = 8
"""Games that are counted in one read, in some ten milliseconds."""
_TRY: Final = 0.00006
"""Seconds that it takes to read a try at a day."""


@dataclass(slots=True, eq=False)
class GameLibrary:
    """Finished games and players' results, for one visitor.

    All names are clean. All methods raise ``StoreError``.
    """

    games_at_once: ClassVar = 50
    """Maximum games in an answer of ``games``; an answer with fewer is the last one."""

    _history: HistoryStore
    _player: str
    _review: Callable[[Decision, str, str], Awaitable[Any]]
    """``Coordinator.review``."""
    _days: tuple[DayPages, Player] | None = None
    """The pages of today's tide, if it is played, and the player who reads them."""
    _season: Callable[[int], Awaitable[SeasonTable]] | None = None
    """Returns the season so many months ago."""
    _source: str = ""
    """The visitor's network ..."""
    _network: Network | None = None
    """... and its meter; ``None`` where nothing is metered."""
    _: KW_ONLY
    played_yesterday: bool = False
    """Whether ``streak`` can be more than one day."""
    played_today: bool = True
    """Whether the player has begun today's tide, or there is none."""
    _reviews: dict[tuple[str, int], list[ReviewedBid]] = field(default_factory=dict, init=False)
    """Reviewed bids so far, by record and seat."""
    _reviewing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _counting: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _counted: tuple[CountedGame, ...] = field(default=(), init=False)
    """The games in ``_statistics``."""
    _statistics: Statistics = field(default=_NOTHING_YET, init=False)

    async def _look_up(self) -> HistoryStore:
        """Wait for the network's turn, and return the store."""
        if self._network is None:
            return self._history
        await self._network.look_up()
        return self._history.metered(self._network.looked_up)

    async def games(self, *, mine: bool, before: int = 0) -> tuple[GameRow, ...]:
        """List games with ids below ``before``, the newest first; with ``mine`` only the player's."""
        player, history = self._player if mine else "", await self._look_up()
        rows = await history.games(player=player, before=before, limit=self.games_at_once)
        return tuple(map(_clean, rows))

    async def place(self, number: int) -> GamePlace | None:
        """Return the player's place in a game, at little cost; ``None`` if there is none to see."""
        return await (await self._look_up()).place(number, self._player)

    async def game(self, number: int) -> ReplayedGame | None:
        """Return a game from the player's viewpoint; ``None`` if there is none to see.

        A ``held`` one is the player's own, and has no record or review yet.
        """
        found = await (await self._look_up()).replay(number, self._player)
        if found is None:
            return None
        replay, place = found
        return _shown(number, replay, place)

    async def by_code(self, code: str) -> ReplayedGame | str:
        """Return the game with this ``replay_code``, or why there is none to see.

        Reasons: ``no_such_game``, ``game_open`` (others may still play its deal), ``private_game``.
        """
        found = await (await self._look_up()).by_code(code, self._player)
        if found is None:
            return "no_such_game"
        if found.replay is None:
            return "game_open" if found.place.held else "private_game"
        return _shown(found.number, found.replay, found.place)

    async def review(self, game: ReplayedGame, seat: int) -> AsyncGenerator[ReviewedBid, None]:
        """Yield the reviewed bids of a seat as they are ready, which takes some seconds for all.

        Those of an earlier review come at once. A visitor's reviews run one at a time.
        """
        if not game.can_be_seen_by(seat):
            return
        async with self._reviewing:
            while len(self._reviews) >= _REVIEWS:
                self._reviews.pop(next(iter(self._reviews)))
            known = self._reviews.setdefault((game.replay.record.text, seat), [])
            made = decisions(game.replay, seat)
            for number, decision in enumerate(made):
                if number == len(known):
                    known.append(await self._reviewed(decision))
                yield known[number]

    async def what_if(
        self, game: ReplayedGame, seat: int, stage: int, round_: int, card: int
    ) -> ReviewedBid:
        """Review another card of a seat's hand in place of a bid."""
        made = decisions(game.replay, seat)
        decision = next(each for each in made if (each.stage, each.round) == (stage, round_))
        return await self._reviewed(decision._replace(bid=card))

    async def _reviewed(self, decision: Decision) -> ReviewedBid:
        found = await self._review(decision, self._player, self._source or self._player)
        if not found:
            raise StoreError("busy")
        return from_plain(*found)

    async def page(self) -> PlayerPage | None:
        """Return the player's page."""
        page = await (await self._look_up()).page(self._player)
        return page and page._replace(games=tuple(map(_clean, page.games)))

    async def statistics(self) -> Statistics:
        """Return statistics of the player's newest games, at most ``COUNTED_GAMES``."""
        async with self._counting:
            games = await (await self._look_up()).counted(self._player)
            if games != self._counted:
                collector = Collector()
                # Few at a time, as logins wait for the same threads.
                for first in range(0, len(games), _AT_ONCE):
                    history = await self._look_up()
                    await history.collect(collector, games[first : first + _AT_ONCE])
                found = collector.statistics()
                found = found._replace(opponents=_with_clean_names(found.opponents))
                self._counted, self._statistics = games, found
            return self._statistics

    async def day(self, before: int = 0) -> DayPage | None:
        """Return today's tide, or the one so many days ``before``; ``None`` if there was none."""
        if self._days is None:
            return None
        days, who = self._days
        await self._look_up()
        page = await days.page(who, before)
        if page is None:
            return None
        if not before:
            self.played_today = not page.playable
        if self._network is not None and page.shown:
            self._network.looked_up(_TRY * page.begun)
        return page._replace(tries=_with_clean_names(page.tries))

    async def streak(self) -> Streak:
        """Return the player's longest and current streak of days with today's tide."""
        if self._days is None:
            return Streak(0, 0)
        await self._look_up()
        return await self._days[0].streak(self._player)

    async def results_of(self, person: str) -> PlayerResults:
        """Return a person's results, by id."""
        standing = await (await self._look_up()).standing(person, self._player)
        if self._days is None:
            return PlayerResults(standing, Streak(0, 0), 0)
        return PlayerResults(standing, *await self._days[0].played(person))

    async def best(self) -> tuple[LeaderboardRow, ...]:
        """Return the leaderboard."""
        return await (await self._look_up()).best()

    async def season(self, before: int = 0) -> SeasonTable | None:
        """Return the season of this month, or so many months ``before``; ``None`` where there are none."""
        if self._season is None:
            return None
        await self._look_up()
        return await self._season(before)


def _shown(number: int, replay: Replay, place: GamePlace) -> ReplayedGame:
    names, title = names_of(replay.record), table_of(replay.record) or f"#{number}"
    return shown(replay, names, title, place.mine, held=place.held, number=number)


def names_of(record: Record) -> tuple[str, ...]:
    """Return the players' names, clean, none empty and no two the same."""
    cleaned = [clean_name(name) for name in record.players]
    return tuple(
        name if name and cleaned.count(name) == 1 else f"{name}#{seat + 1}"
        for seat, name in enumerate(cleaned)
    )


def _clean(row: GameRow) -> GameRow:
    return row._replace(seats=_with_clean_names(row.seats))


def _with_clean_names(found: Iterable[Named]) -> tuple[Named, ...]:
    return tuple(each._replace(name=clean_name(each.name) or "?") for each in found)


async def game_played(library: GameLibrary, table: TableSnapshot) -> ReplayedGame | None:
    """Return the game that has just ended at a table, if it is stored. Raises ``StoreError``."""
    if table.table is None:
        return None
    scores = [seat.score for seat in table.table.seats]
    for known in (await library.games(mine=table.seat >= 0))[:_NEAR]:
        # Another game may have the same scores; the commitment identifies this one.
        if [seat.score for seat in known.seats] == scores:
            game = await library.game(known.id)
            if game is not None and game.info.commitment == table.info.commitment:
                return game
    return None


class OperatorActions(Protocol):
    """Operators' actions, each of which is logged first."""

    async def act(self, action: Action, *, again: bool = False) -> OperatorReply:
        """Carry out or refuse an action; never raises for anything that an operator can cause.

        ``again`` refreshes a list that is still open, which is not logged again.
        """


class Account:
    """The account of a visitor. This base class, for playing without a server, stores nothing."""

    rejoin_code: str = ""
    """A guest's secret rejoin code; empty for an account."""
    settings: Mapping[str, Any] = MappingProxyType({})
    """Settings from earlier visits."""
    library: GameLibrary | None = None
    """Finished games; ``None`` where none are stored."""
    opens_tournaments: bool = False
    """Whether anybody may open tournaments."""
    renames: bool = False
    """Whether the player may ``rename``."""
    new_name: str = ""
    """The name of another visit that follows this one, if it is free; empty for no other visit."""

    @property
    def operator_actions(self) -> OperatorActions | None:
        """Operators' actions; ``None`` while the visitor is not an operator."""
        return None

    async def profile(self, name: str) -> Profile | None:
        """Return the page of a person with this name; ``None`` if this visitor sees none.

        Raises ``StoreError``, as the next two.
        """
        return None

    async def follow(self, name: str, on: bool = True) -> str:
        """Follow a person, or no longer: be notified at the person's logins.

        Returns ``ok``, ``no_profile``, ``own_name``, ``follow_guest`` (guests follow nobody),
        ``not_followable`` (by the person's settings), or ``too_many_followed``.
        """
        return "no_profile"

    async def followed(self) -> tuple[Followed, ...]:
        """Return the people whom this person follows, by name."""
        return ()

    async def report(self, about: str, text: str) -> str:
        """Report the player called ``about`` to the operators.

        Returns ``ok``, ``cut`` (only the first ``REPORT_WIDTH`` columns were taken),
        ``nobody_called``, ``own_name``, ``bot_called``, ``no_text``, ``report_wait`` (too many
        lately), ``storage``, or ``no_operators``.
        """
        return "no_operators"

    async def link_code(self) -> str:
        """Return a new one-time code that adds a key to the account; empty for guests."""
        return ""

    def rename(self, name: str) -> None:
        """Set ``new_name``."""

    def remember(self, settings: Mapping[str, Any]) -> None:
        """Store all settings, sooner or later; the person is notified if that fails."""

    async def keep(self, settings: Mapping[str, Any]) -> bool:
        """Store all settings now; return False if that failed, and they hold for this visit only."""
        return True


@dataclass(slots=True, eq=False)
class VisitorAccount(Account, OperatorActions):
    """The account of a server's visitor, who may be an operator."""

    _coordinator: Coordinator
    _player: Player
    rejoin_code: str = field()
    settings: Mapping[str, Any] = field()
    library: GameLibrary | None = field()
    _is_operator: Callable[[], bool] | None
    """Returns whether the key that authenticated this connection is an operator's now: another key of the
    account may be on another machine. ``None`` where there are no operators.
    """
    _lost: Callable[[], object]
    """Notifies the player that settings could not be stored."""
    opens_tournaments: bool = field()
    renames: bool = field(default=True)
    new_name: str = field(default="", init=False)
    _wanted: Mapping[str, Any] | None = field(default=None, init=False)
    _keeping: asyncio.Task[bool] | None = field(default=None, init=False)
    _trouble: bool = field(default=False, init=False)
    """The last attempt has failed, which is reported once."""

    @property
    @override
    def operator_actions(self) -> OperatorActions | None:
        return self if self._is_operator and self._is_operator() else None

    @override
    async def act(self, action: Action, *, again: bool = False) -> OperatorReply:
        return await self._coordinator.act(self._player.id, action, again)

    @override
    async def profile(self, name: str) -> Profile | None:
        found = await self._coordinator.profile(self._player.id, name)
        if found is None:
            return None
        person, page = found
        if not person or self.library is None:
            return page
        return page._replace(results=await self.library.results_of(person))

    @override
    async def follow(self, name: str, on: bool = True) -> str:
        return await self._coordinator.follow(self._player.id, name, on)

    @override
    async def followed(self) -> tuple[Followed, ...]:
        return await self._coordinator.followed(self._player.id)

    @override
    async def report(self, about: str, text: str) -> str:
        if self._is_operator is None:
            return "no_operators"
        return await self._coordinator.report(self._player.id, about, text)

    @override
    async def link_code(self) -> str:
        return "" if self._player.guest else await self._coordinator.link_code(self._player.id)

    @override
    def rename(self, name: str) -> None:
        self.new_name = name

    @override
    def remember(self, settings: Mapping[str, Any]) -> None:
        """Store the last of several settings that change quickly."""
        if self._keeping is None:
            self._want(settings).add_done_callback(self._tell)
        else:
            self._want(settings)

    @override
    async def keep(self, settings: Mapping[str, Any]) -> bool:
        # Settings are stored even if the caller is cancelled.
        return await asyncio.shield(self._want(settings))

    async def kept(self) -> None:
        """Wait until settings are stored, or cannot be."""
        if self._keeping is not None:
            await self._keeping

    def _want(self, settings: Mapping[str, Any]) -> asyncio.Task[bool]:
        self.settings = self._wanted = settings
        if self._keeping is None:
            self._keeping = asyncio.get_running_loop().create_task(self._keep())
        return self._keeping

    def _tell(self, keeping: asyncio.Task[bool]) -> None:
        if not keeping.cancelled() and not keeping.result():
            if not self._trouble:
                self._lost()
            self._trouble = True

    async def _keep(self) -> bool:
        kept = True
        try:
            while (wanted := self._wanted) is not None:
                self._wanted = None
                kept = len(str(wanted)) <= _MOST and await self._write(wanted)
            self._trouble = self._trouble and not kept
            return kept
        finally:
            self._keeping = None

    async def _write(self, wanted: Mapping[str, Any]) -> bool:
        try:
            await self._coordinator.keep_settings(self._player.id, wanted)
        except StoreError:
            return False
        return True
