"""Every main screen, in every size, language and character set: for people to look at, and for the tests.

    python -m tests.support.gallery [FOLDER]

writes what each would show on a terminal as text files, ``gallery/`` (which git ignores) if no other folder
is named: one file for each screen, language and character set.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

from msgspec import structs

from engine.bots.manners import MANNER_OF
from engine.editions import Edition, Rules
from engine.records.statistics import Streak
from server.coordinator.contract import Profile
from server.coordinator.messages import (
    DAY,
    ChatLine,
    CorrespondenceGame,
    GameNow,
    LobbySnapshot,
    News,
    Occupant,
    Pace,
    Player,
    Reply,
    Room,
    Spectating,
    Status,
    TableOptions,
    TodayNow,
    TournamentPhase,
    Update,
)
from server.coordinator.messages import TableRow as LobbyRow
from server.fullscreen.menus.help import KeysPage
from server.fullscreen.tournaments.list_page import PlanPage
from server.i18n.lookup import languages
from server.playback import SummaryScene
from server.storage.history import PlayerPage, PlayerTotals
from server.storage.ratings import Rating
from server.terminal.capabilities import Capabilities, Colours, ConnectionStats, Size
from server.terminal.drawing.frame_encoder import FrameEncoder
from server.terminal.drawing.theme import theme_for
from tests.support.accounts import RESULTS, FakeAccount, FakeLibrary, FakeOperators, two_months
from tests.support.days import a_day
from tests.support.fake_clock import FakeClock
from tests.support.fakes import NOBODY_HERE, Player1
from tests.support.glass import Glass
from tests.support.hints import hint_for
from tests.support.snapshots import Game, seat, table_info
from tests.support.standings_shown import a_tournament

SIZES: Final = tuple(
    Size(*size)
    for size in ((40, 15), (60, 20), (80, 24), (100, 30), (132, 43), (200, 50), (300, 100))
)
NAMES: Final = ("ada", "Maximilianna", "王小明李大华", "Puffin", "eve", "Sprat")
"""As long and as wide as a name can be, among others."""
ME: Final = Player("account:1", "ada", False)
SIX: Final = Rules(Edition.BGA, players=6)
WELL_KNOWN: Final = bytes([1] * 32)
LATE_SECONDS: Final = 75.0
SEALED_SECONDS: Final = 8.0

Screen = Callable[[dict[str, Any]], Awaitable[Player1]]
SCREENS: Final[dict[str, Screen]] = {}
"""Name -> what brings a player there, whose terminal has these abilities."""


def screen(make: Screen) -> Screen:
    """Keep ``make`` under its name."""
    SCREENS[make.__name__] = make
    return make


def then(name: str, start: Screen, *keys: str) -> None:
    """Keep what these keys lead to from there."""

    async def make(abilities: dict[str, Any]) -> Player1:
        player = await start(abilities)
        await player.press(*keys)
        return player

    SCREENS[name] = make


@cache
def _library(now: float) -> FakeLibrary:
    library = FakeLibrary(now, 25)
    library.seasons = two_months()
    return library


class Crowd(Player1):
    """At a table of people with all kinds of names, with an account and finished games."""

    def __init__(self, game: Game | None = None, who: Player = ME, **abilities: Any) -> None:
        library = _library(FakeClock().time())
        tally = PlayerTotals(12, 4, 44, 2.409, 40, 2.5, 2.1, 17)
        library.found = PlayerPage("ada", tally, Rating(31.0, 2.0, 5), 3, tuple(library.rows[:3]))
        self.account = FakeAccount("k7m2-p9xq-3dhw" if who.guest else "", library=library)
        super().__init__(game, who=who, account=self.account, **abilities)

    async def sees(self, *happenings: Any, seconds: float = 0.0, **changes: Any) -> None:
        """The table as it is now."""
        rules = self.game.rules
        over = bool(self.game.state.winners)
        facts: dict[str, Any] = {
            "status": Status.OVER if over else Status.PLAYING,
            "seed": WELL_KNOWN.hex() if over else "",
            "deadline": self.clock.time() + seconds if seconds else 0.0,
        }
        await self.table(*happenings, info=table_info(rules, NAMES, **(facts | changes)))


def five(rounds: int, **options: Any) -> Game:
    game = Game(Rules(players=5, **options), WELL_KNOWN)
    game.play_rounds(rounds)
    return game


async def at(game: Game, abilities: dict[str, Any], **more: Any) -> Crowd:
    player = Crowd(game, **abilities)
    game.taken()
    await player.sees(**more)
    return player


@screen
async def title(abilities: dict[str, Any]) -> Player1:
    player = Crowd(who=Player("guest:1", "ada", True), **abilities)
    await player.lobby(LobbySnapshot((), ("ada", "bo")))
    return player


@screen
async def lobby(abilities: dict[str, Any]) -> Player1:
    def listed(code: str, status: Status, rules: Rules, pace: Pace, free: int) -> LobbyRow:
        names = (*NAMES[: rules.players - free], *("",) * free)
        return LobbyRow(code, code, TableOptions(rules, pace), status, names, 2, 1, 3)

    player = Crowd(**abilities)
    rows = (
        listed("harbour", Status.OPEN, Rules(players=5), Pace.TIMED, 2),
        listed("kudidoro", Status.PLAYING, Rules(Edition.BGA, 6, 0, True, True), Pace.UNTIMED, 0),
        listed("reef", Status.OPEN, Rules(players=3, stages=1), Pace.CORRESPONDENCE, 1),
        listed("sandbank", Status.OVER, Rules(Edition.GAMEWRIGHT, 4), Pace.TIMED, 0),
    )
    await player.lobby(LobbySnapshot(rows, NAMES[:5]))
    await player.press("l", "down")
    return player


def _lively(player: Crowd) -> Update:
    """What a lobby tells in which much goes on."""
    playing = LobbyRow(*("kudidoro", "kudidoro", TableOptions(SIX), Status.PLAYING, NAMES, 6, 3, 0))
    slow = TableOptions(SIX, Pace.CORRESPONDENCE, seconds=DAY)
    due = player.clock.time() + DAY - 1
    lobby = LobbySnapshot(
        (playing,),
        NAMES,
        games=(
            GameNow(
                "kudidoro", 12, (12, 0, 11, -1, 10, 8), (-1, 24, 24, 13, 9, 10), (1, 5, 0, 0, 3, 2)
            ),
        ),
        news=(
            News((NAMES[1],), (NAMES[2], NAMES[3]), bots=3, points=24, row=12, most=True),
            News((NAMES[1], NAMES[2]), points=24),
            News((NAMES[2],), days=365),
        ),
        today=TodayNow(1234, "2025-11-20", ((NAMES[1], 24), (NAMES[2], 23)), 1234),
    )
    letters = tuple(
        CorrespondenceGame(code, code, slow, Status.PLAYING, NAMES, 6, 12, due, code == "reef")
        for code in ("kudidoro", "reef")
    )
    cups = (a_tournament(TournamentPhase.OPEN).info,)
    return Update(lobby, None, (), False, "", tournaments=cups, correspondence=letters)


async def _regular(abilities: dict[str, Any]) -> Crowd:
    """Somebody who plays every day, where much goes on."""
    player = Crowd(**abilities)
    player.account.library = library = FakeLibrary(player.clock.time(), 4)
    library.days_in_a_row, library.played_yesterday = Streak(365, 365), True
    player.visit.feed.push(_lively(player))
    await player.clock.settle()
    await player.clock.advance(0)
    return player


@screen
async def title_of_a_regular(abilities: dict[str, Any]) -> Player1:
    return await _regular(abilities)


then("lively_lobby", _regular, "l", "down")


@screen
async def big_screen(abilities: dict[str, Any]) -> Player1:
    player = await _regular(abilities)
    player.controller.context.facts = lambda: ConnectionStats(way_in="-p 2222 192.168.178.101")
    player.visit.feed.push(structs.replace(_lively(player), standings=""))
    await player.clock.advance(0)
    return player


@screen
async def table_by_correspondence(abilities: dict[str, Any]) -> Player1:
    player = Crowd(five(14), **abilities)
    options = TableOptions(player.game.rules, Pace.CORRESPONDENCE, seconds=DAY)
    await player.sees(seconds=DAY - 1, options=options)
    return player


then("table_by_correspondence_left", table_by_correspondence, "q")


def _of_a_day(name: str, state: str, *keys: str, tries: bool = False) -> None:
    async def make(abilities: dict[str, Any]) -> Player1:
        player = Crowd(**abilities)
        library = FakeLibrary(player.clock.time(), 4)
        library.days = [a_day(state, tries=tries), a_day("missed", closed=True, tries=True)]
        player.account.library = library
        await player.lobby()
        await player.press("d", *keys)
        return player

    SCREENS[name] = make


_of_a_day("today", "new")
_of_a_day("today_of_a_guest", "guest")
_of_a_day("today_played", "played", tries=True)
_of_a_day("yesterday", "new", "tab")
_of_a_day("fairness", "new", "f")


async def _operators(abilities: dict[str, Any]) -> Player1:
    player = Crowd(**abilities)
    player.account.operator_actions = FakeOperators()
    await player.lobby()
    await player.press("l", "!")
    return player


@screen
async def people(abilities: dict[str, Any]) -> Player1:
    player = Crowd(**abilities)
    where = ("kudidoro", "kudidoro", player.clock.time(), True, True)
    player.account.profiles = {
        each: Profile(each, False, RESULTS, True, True, *where)
        for each in (*NAMES[1:], "Wilhelmina")
    }
    player.account.following = {NAMES[1], "Wilhelmina"}
    await player.lobby(LobbySnapshot((), NAMES))
    await player.press("l", "i")
    return player


then("person", people, "enter")


for _number, _list in enumerate(("people", "tables", "reports", "bans", "log"), 1):
    then(f"operators_{_list}", _operators, str(_number))
    then(f"operators_{_list}_done", _operators, str(_number), "enter")
then("operators_help", _operators, "?")
then("operators_server", _operators, "h")
then("operators_mute", _operators, "1", "m")
then("operators_ban", _operators, "1", "b")


@screen
async def waiting(abilities: dict[str, Any]) -> Player1:
    nobody = seat("", occupant=Occupant.NOBODY, connected=False)
    seats = (*(seat(name) for name in NAMES[:4]), nobody)
    player = Crowd(Game(Rules(players=5, assistance=True)), **abilities)
    info = table_info(player.game.rules, status=Status.OPEN, seats=seats)
    snapshot = structs.replace(player.game.snapshot(0, info), table=None, own=None)
    player.visit.feed.push(Update(None, snapshot, (), False, ""))
    await player.clock.advance(0)
    return player


@screen
async def waiting_with_bots(abilities: dict[str, Any]) -> Player1:
    """Of each manner one, and the longest name of a level."""
    player = await waiting(abilities)
    table = player.controller.context.table
    assert table is not None
    names = tuple({manner: name for name, manner in MANNER_OF.items()}.values())
    seats = tuple(
        seat(name, occupant=Occupant.BOT, strategy="forgetful", manner=MANNER_OF[name])
        for name in names[:4]
    )
    info = structs.replace(table.info, seats=(table.info.seats[0], *seats))
    player.visit.feed.push(Update(None, structs.replace(table, info=info), (), False, ""))
    await player.clock.advance(0)
    return player


@screen
async def lobby_filtered(abilities: dict[str, Any]) -> Player1:
    player = await lobby(abilities)
    shown = player.controller.context.lobby
    assert shown is not None
    delayed = TableOptions(Rules(players=6, edition=Edition.BGA), rated=True)
    first = structs.replace(
        shown.tables[0],
        options=replace(delayed, spectators=Spectating.DELAYED),
        names=("ada", "eve", *("",) * 4),
        kept=2,
        ratings=(812, 1540),
    )
    await player.lobby(LobbySnapshot((first, *shown.tables[1:]), NAMES[:5]))
    await player.press("f")
    assert player.controller.entry is not None
    player.controller.entry.insert_text("free bga")
    await player.press("enter")
    return player


async def _private(abilities: dict[str, Any]) -> Player1:
    """At a private table of one's own, with a seat kept for somebody."""
    player = await waiting(abilities)
    player.controller.context.facts = lambda: ConnectionStats(way_in="-p 2222 192.168.178.101")
    table = player.controller.context.table
    assert table is not None
    empty = structs.replace(table.info.seats[4], kept="Maximilianna")
    info = structs.replace(table.info, private=True, seats=(*table.info.seats[:3], empty, empty))
    snapshot = structs.replace(table, info=info, word="sea-otter")
    player.visit.feed.push(Update(None, snapshot, (), False, ""))
    await player.clock.advance(0)
    return player


@screen
async def waiting_private(abilities: dict[str, Any]) -> Player1:
    return await _private(abilities)


then("waiting_typing", _private, "i")


@screen
async def watching_behind(abilities: dict[str, Any]) -> Player1:
    player = await SCREENS["table_early"](abilities)
    player.viewer = -1
    snapshot = player.game.snapshot(-1)
    assert snapshot.table is not None
    view = snapshot.table._replace(offer=None)
    snapshot = structs.replace(snapshot, table=view, own=None, seat=-1, behind=True)
    player.visit.feed.push(Update(None, snapshot, (), False, ""))
    await player.clock.advance(0)
    return player


LINES: Final = (
    ChatLine(1, Room.LOBBY, "Maximilianna", "anybody for a game?", 0.0, old=True),
    ChatLine(2, Room.DIRECT, "王小明李大华", "https://example.org/" + "x" * 90, 0.0, to="ada"),
    ChatLine(3, Room.TABLE, "eve", "", 0.0, "still_there", place="harbour", watching=True),
    ChatLine(4, Room.TABLE, "ada", "a line with words enough " * 9, 0.0, place="harbour"),
)


async def talking(player: Player1) -> Player1:
    """What ``LINES`` say has been said."""
    context = player.controller.context
    player.visit.feed.push(Update(context.lobby, context.table, (), False, "", LINES))
    await player.clock.advance(0)
    return player


@screen
async def chat_in_the_lobby(abilities: dict[str, Any]) -> Player1:
    return await talking(await lobby(abilities))


@screen
async def chat_in_the_waiting_room(abilities: dict[str, Any]) -> Player1:
    return await talking(await _private(abilities))


@screen
async def chat_at_the_table(abilities: dict[str, Any]) -> Player1:
    return await talking(await table_early(abilities))


@screen
async def chat_typing(abilities: dict[str, Any]) -> Player1:
    player = await chat_at_the_table(abilities)
    await player.press("/")
    entry = player.controller.entry
    assert entry is not None
    entry.insert_text("潮" * 30 + " and more words than fit the line " * 3)
    return player


then("chat_phrases", chat_at_the_table, "/", "enter", "down")


then("chat_page", chat_at_the_table, "m", "/")


@screen
async def table_early(abilities: dict[str, Any]) -> Player1:
    return await at(five(1), abilities)


@screen
async def table_late(abilities: dict[str, Any]) -> Player1:
    game = Game(Rules(players=5, modified_drowning=False, assistance=True), WELL_KNOWN)
    game.play_until_somebody_is_out()
    out = game.state.stage.eliminated.index(True)
    assert out != 0
    game.bid(1 if out != 1 else 2)
    return await at(game, abilities, seconds=LATE_SECONDS)


@screen
async def table_of_six(abilities: dict[str, Any]) -> Player1:
    rules = Rules(Edition.BGA, players=6, modified_drowning=True, assistance=True)
    game = Game(rules, WELL_KNOWN)
    game.play_rounds(15)
    return await at(game, abilities, seconds=LATE_SECONDS)


@screen
async def sealed(abilities: dict[str, Any]) -> Player1:
    game = five(4)
    game.bid(0)
    game.bid(2)
    return await at(game, abilities, seconds=SEALED_SECONDS)


@screen
async def reveal(abilities: dict[str, Any]) -> Player1:
    player = await at(five(5), abilities)
    player.game.play_round()
    await player.sees()
    while player.controller.context.reveal.scene and not player.controller.context.reveal.holding:
        await player.clock.next()
    return player


@screen
async def tutorial(abilities: dict[str, Any]) -> Player1:
    player = Crowd(Game(Rules(players=3, stages=1), WELL_KNOWN), **abilities)
    await player.lobby()
    await player.press("t")
    await player.sees()
    return player


@screen
async def tutorial_later(abilities: dict[str, Any]) -> Player1:
    player = await tutorial(abilities)
    assert isinstance(player, Crowd)
    for _ in range(3):
        player.game.play_round()
        await player.sees()
        await player.press(" ", " ", " ")
    return player


async def _to_the_end(abilities: dict[str, Any], stage: bool) -> Player1:
    player = Crowd(Game(Rules(Edition.BGA, players=6), WELL_KNOWN), **abilities)
    player.game.taken()
    await player.sees()
    while not player.game.state.winners:
        player.game.play_round()
        await player.sees()
        await player.press(" ")
        if isinstance(player.controller.context.reveal.scene, SummaryScene):
            if stage:
                return player
            await player.clock.advance(1)  # until then, Space is for what was there before
            await player.press(" ")
    await player.clock.advance(2)  # all stand on the podium
    return player


@screen
async def stage_summary(abilities: dict[str, Any]) -> Player1:
    return await _to_the_end(abilities, True)


@screen
async def standings(abilities: dict[str, Any]) -> Player1:
    return await _to_the_end(abilities, False)


@screen
async def won(abilities: dict[str, Any]) -> Player1:
    player = await _to_the_end(abilities, False)
    seat = player.viewer = player.game.view.winners[0]
    names = (*NAMES[1 : seat + 1], NAMES[0], *NAMES[seat + 1 :])
    info = table_info(player.game.rules, names, status=Status.OVER, played_by=names)
    await player.table(info=info)
    await player.clock.advance(2)
    return player


async def _late_in_a_stage(abilities: dict[str, Any]) -> Player1:
    return await at(five(14), abilities)


@screen
async def hint(abilities: dict[str, Any]) -> Player1:
    player = await at(five(14), abilities)
    assert player.controller.context.own is not None
    player.visit.replies.append(hint_for(player.controller.context.own))
    await player.press("H")
    return player


@screen
async def keys(abilities: dict[str, Any]) -> Player1:
    player = await at(five(14), abilities)
    await player.press("o")
    while not any(isinstance(page, KeysPage) for page in player.controller.context.overlays):
        await player.press("down")
        chosen = player.row_with("> ").strip("│> ")
        if chosen.startswith(player.controller.context.words.t("Keys at the table")):
            await player.press("right")
    await player.press(*["down"] * 3, "enter")
    return player


async def _in_the_lobby(abilities: dict[str, Any]) -> Player1:
    player = Crowd(**abilities)
    await player.lobby()
    return player


@screen
async def correspondence(abilities: dict[str, Any]) -> Player1:
    player = Crowd(**abilities)
    rules, now = Rules(), player.clock.time()
    options, names = TableOptions(rules, Pace.CORRESPONDENCE), NAMES[: rules.players]

    def game(code: str, awaited: tuple[str, ...], due: float, status: Status) -> CorrespondenceGame:
        started = (3, 7) if status is Status.PLAYING else (0, 0)
        waits, since = "ada" in awaited, now - 3600.0 if due else 0.0
        where = (code, code.title(), options, status, names, *started)
        return CorrespondenceGame(*where, due and now + due, waits, awaited, since)

    games = (
        game("kadubilo", ("ada", NAMES[1]), 82_000.0, Status.PLAYING),
        game("lotulupi", ("ada",), 0.0, Status.OPEN),
        game("serapoti", NAMES[1:3], 250_000.0, Status.PLAYING),
        game("tudikona", (), 0.0, Status.OVER),
    )
    player.visit.feed.push(Update(NOBODY_HERE, None, (), False, "", correspondence=games))
    await player.clock.settle()
    await player.clock.advance(0)
    await player.press("l", "Y")
    return player


then("all_hands", standings, "h")
then("to_share", standings, "s")
then("log", _late_in_a_stage, "L")
then("played", _late_in_a_stage, "p")
then("help", _late_in_a_stage, "?")
then("settings", _late_in_a_stage, "o")
then("vote", _late_in_a_stage, "v")
then("leave", _late_in_a_stage, "escape")
then("chat", _late_in_a_stage, "m")
then("report", _late_in_a_stage, "!")
then("options", _in_the_lobby, "l", "n")
then("history", _in_the_lobby, "r")
then("results", _in_the_lobby, "r", "y")
then("best", _in_the_lobby, "r", "b")
then("season", _in_the_lobby, "r", "b", "m")
then("statistics", _in_the_lobby, "r", "s")
then("replay", _in_the_lobby, "r", "enter", "right", "right", "right", "right")
then("replay_open", _in_the_lobby, "r", "enter", "right", "right", "right", "a")
then("account", _in_the_lobby, "l", "a", "n")
then("review", _in_the_lobby, "r", "enter", "v")
then("help_of_a_replay", _in_the_lobby, "r", "enter", "?")
then("help_of_the_lobby", _in_the_lobby, "l", "?")
then("leave_the_server", _in_the_lobby, "escape")
then("correspondence_none", _in_the_lobby, "Y")


def _of_a_tournament(
    name: str, *keys: str, phase: TournamentPhase = TournamentPhase.PLAYING
) -> None:
    async def make(abilities: dict[str, Any]) -> Player1:
        player, view = Crowd(**abilities), a_tournament(phase)
        player.visit.feed.push(
            Update(LobbySnapshot((), NAMES), None, (), False, "", tournaments=(view.info,))
        )
        await player.clock.settle()
        await player.clock.advance(0)
        player.visit.replies += [Reply(tournament=view)] * 2
        await player.press("l", "e", *keys)
        return player

    SCREENS[name] = make


_of_a_tournament("tournaments")
_of_a_tournament("tournament_open", "enter", phase=TournamentPhase.OPEN)
_of_a_tournament("tournament", "enter")
_of_a_tournament("tournament_cross", "enter", "c")
_of_a_tournament("tournament_tables", "enter", "t")
_of_a_tournament("tournament_players", "enter", "p")
_of_a_tournament("tournament_over", "enter", phase=TournamentPhase.OVER)


@screen
async def new_tournament(abilities: dict[str, Any]) -> Player1:
    player = Crowd(**abilities)
    await player.lobby()
    player.controller.context.open(PlanPage(player.controller.context, "Friday cup"))
    return player


async def _write(folder: Path) -> None:
    for name, language, unicode, thin in product(
        SCREENS, languages(), (True, False), (False, True)
    ):
        abilities: dict[str, Any] = {"language": language, "unicode": unicode, "thin": thin}
        able = Capabilities(colours=Colours.NONE, **abilities)
        player = await SCREENS[name](abilities)
        parts = []
        for player.size in SIZES:
            glass, encoder = Glass(player.size), FrameEncoder(theme_for(able), False)
            glass.write(encoder.enter() + encoder.update(player.frame, player.size))
            edge = "-" * player.size.columns
            rows = (f"{row:<{player.size.columns}}|" for row in glass.lines)
            title = f"{player.size.columns}x{player.size.rows}"
            parts.append("\n".join((title, edge, *rows, edge)))
        charset = "unicode" if unicode else "ascii"
        label = "-".join((name, language, charset, *(["thin"] * thin)))
        (folder / f"{label}.txt").write_text("\n".join(parts), encoding="utf-8")
        player.controller.close()


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "gallery")
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(_write(target))
