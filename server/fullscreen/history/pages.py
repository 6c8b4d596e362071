"""Pages about games that are over: a list of them, one's own results, statistics, leaderboards."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from engine.editions import called
from engine.records.statistics import Statistics, Streak
from server.coordinator.messages import Reply
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.lists import ListPage, people_key
from server.fullscreen.pages.page import BACK, STATISTICS, Page, menu
from server.fullscreen.pages.reading import AGAIN, LoadedPage, ReadingPage
from server.fullscreen.replay.page import ReplayPage
from server.fullscreen.widgets.boxes import Pane, are_beside
from server.fullscreen.widgets.chrome import menu_row, paragraph, paragraphs
from server.fullscreen.widgets.drawing import (
    DrawContext,
    between,
    shorten,
    side_by_side,
    wrap_facts,
)
from server.i18n.lookup import Words, _
from server.playback import ReplayedGame
from server.session.account import MOST_MONTHS, game_played
from server.session.sharing import GameList
from server.storage.history import GameRow, PlayerPage
from server.storage.ratings import LeaderboardRow, SeasonTable
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, text_width
from server.terminal.keys.bindings import Key, KeyTable
from server.text.history import ago_in_words, game_words, notes_in_words, rating_words, tally_words
from server.text.people import (
    Bar,
    Chart,
    bots_in_words,
    charts,
    season_lines,
    season_words,
    standing_words,
)
from server.text.refusals import refusal
from server.text.times import moment_in_words, month_in_words


class BestPage(LoadedPage[tuple[LeaderboardRow, ...]], ReadingPage):
    """The leaderboard."""

    TITLE = _("Best players")
    HEADING = _("rated games")
    KEYS = KeyTable["BestPage"](
        Key("m", does=lambda page: page.show_page(SeasonPage), footer=_("this month")),
        people_key(of=lambda page: page.names, footer=_("people")),
        *ReadingPage.KEYS,
    )

    @property
    def names(self) -> Sequence[str]:
        return [line.name for line in self._found or ()]

    @override
    async def load(self) -> tuple[LeaderboardRow, ...]:
        return await self.context.library.best()

    @override
    def told(self, found: tuple[LeaderboardRow, ...], width: int) -> list[Row]:
        words, mine = self.context.words, self.context.player.id
        if not found:
            return paragraph(words.t("No rated game has been finished yet."), width)
        return [
            menu_row(standing.player == mine, (("text", standing_words(standing, words)),), width)
            for standing in found
        ]

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        if self._found is None:
            return ()
        bots = [row("  ", ("dim", line)) for line in bots_in_words(self.words)]
        return (Pane(self.words.t("for comparison: the server's bots"), lambda _: bots),)


class SeasonPage(LoadedPage[SeasonTable], ReadingPage):
    """The leaderboard of a month, at first of this one."""

    HEADING = _("players")
    KEYS = KeyTable["SeasonPage"](
        Key(
            *("left", "h"),
            does=lambda page: page.turn(1),
            footer=_("month before"),
            label=_("Left"),
            when=lambda page: page.earlier,
        ),
        Key(
            *("right", "l"),
            does=lambda page: page.turn(-1),
            footer=_("month after"),
            label=_("Right"),
            when=lambda page: page.before > 0,
        ),
        people_key(of=lambda page: page.names, footer=_("people")),
        *ReadingPage.KEYS,
    )

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.before: int = 0
        """Which one: so many months ago."""

    @property
    def names(self) -> Sequence[str]:
        return [line.name for line in self._found.rows if line.player] if self._found else ()

    @property
    def earlier(self) -> bool:
        """Whether there are months before this one."""
        return self._found is not None and self._found.earlier and self.before < MOST_MONTHS

    @override
    def title(self) -> str:
        words, found = self.words, self._found
        if found is None:
            return words.t("Best players")
        return words.t("Season {month}", month=month_in_words(found.month, words))

    @override
    async def load(self) -> SeasonTable | None:
        found = await self.context.library.season(self.before)
        if found is None:
            self.missing = self.words.t("No games are kept here.")
        return found

    @override
    def told(self, found: SeasonTable, width: int) -> list[Row]:
        words, mine = self.words, self.context.player.id
        if not found.rows:
            return paragraph(words.t("Nobody is listed."), width)
        return [
            menu_row(line.player == mine, (("text", season_words(line, words)),), width)
            for line in found.rows
        ]

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        if (found := self._found) is None:
            return ()
        said = season_lines(found, self.words)[:2]
        return (Pane(self.words.t("this season"), partial(paragraphs, said)),)

    def turn(self, months: int) -> None:
        """To the month so many before."""
        self.before += months
        self._found, self._top = None, 0
        self.opened()


_TWO: Final = 130
"""Columns from which charts stand in two columns ..."""
_THREE: Final = 210
"""... and in three."""
_MOST_BAR: Final = 40
_LEAST_BAR: Final = 6


class StatisticsPage(LoadedPage[tuple[Statistics, Streak]], ReadingPage):
    """How one plays, over the newest games."""

    TITLE = _("Your statistics")
    KEYS = ReadingPage.KEYS
    LARGEST = Size(252, 60)

    @override
    async def load(self) -> tuple[Statistics, Streak]:
        return await self.context.library.statistics(), await self.context.library.streak()

    @override
    def told(self, found: tuple[Statistics, Streak], width: int) -> list[Row]:
        look, (played, days) = self.context.look, found
        drawn = charts(played, look.words, days)
        if not drawn:
            return paragraph(look.words.t("You have not finished a game yet."), width)
        columns = 3 if width >= _THREE else 2 if width >= _TWO else 1
        room = width // columns
        parts = [chart_lines(chart, room - 2, look) for chart in drawn]
        return in_columns(parts, columns, room)


def in_columns(parts: Sequence[list[Row]], columns: int, room: int) -> list[Row]:
    """Parts in columns about as long as each other, in their order from the top left."""
    height = sum(len(part) + 1 for part in parts) / columns
    stacks, at = [list[Row]() for _ in range(columns)], 0
    for part in parts:
        # A column begins with the first part whose middle would be below the mean height.
        if at + 1 < columns and stacks[at] and len(stacks[at]) + len(part) / 2 > height:
            at += 1
        stacks[at] += [*([BLANK] if stacks[at] else []), *part]
    rows, *others = stacks
    for place, stack in enumerate(others, 1):
        rows = side_by_side(rows, stack, place * room)
    return rows


def chart_lines(chart: Chart, width: int, look: DrawContext) -> list[Row]:
    """A heading, the bars, and what there is to read."""
    lines = [row("  ", ("heading", chart.title)), *paragraphs(chart.sentences, width)]
    if not chart.bars:
        return lines
    label = min(max(text_width(bar.label) for bar in chart.bars) + 1, width // 2)
    facts = max(text_width(between(bar.facts, look.glyphs)) for bar in chart.bars)
    room = width - label - 5
    bar_width = min(_MOST_BAR, room - facts) if room - facts >= _LEAST_BAR else min(12, room // 3)
    longest = max((text_width(fact) for bar in chart.bars for fact in bar.facts), default=0)
    below = longest > room - bar_width
    indent = 4 if below else label + bar_width + 4
    for bar in chart.bars:
        told = wrap_facts(bar.facts, width - indent, look)
        first, *more = ["", *told] if below else told or [""]
        name = fit(bar.label, label, "<", look.glyphs.more)
        lines.append(row("  ", ("text", name), *_bar(bar, bar_width, look), "  ", ("text", first)))
        lines += [row(" " * indent, ("text", each)) for each in more]
    return lines


def _bar(bar: Bar, width: int, look: DrawContext) -> Row:
    full, half, empty = look.glyphs.bar
    halves = round(2 * width * min(1.0, max(0.0, bar.share)))
    drawn = full * (halves // 2) + half * (halves % 2)
    rest = "" if look.thin else empty * (width - len(drawn))
    return row(("water.2", drawn), ("rule", fit(rest, width - len(drawn))))


_AHEAD: Final = 5
"""So close to the end of the list, more is asked for."""


class GamesPage(LoadedPage[GameList], ListPage[GameRow]):
    """The list of finished games, the newest first."""

    KEYS = KeyTable["GamesPage"](*ListPage.KEYS)

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.games = GameList()

    @override
    async def load(self) -> GameList:
        games = self.games
        await games.read_on(self.context.library)
        return games

    @override
    def items(self) -> Sequence[GameRow]:
        return self.games.rows

    @override
    def title(self) -> str:
        return self.words.t("Your games") if self.games.mine else self.words.t("All games")

    @override
    def line(self, item: GameRow, width: int) -> Span:
        return ("text", listed(item, self.context))

    @override
    def nothing(self) -> Sequence[str]:
        return (self.waiting or self.words.t("No game has been finished yet."),)

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        if self.chosen is None or not are_beside(size, self.context.look):
            return ()
        title = self.words.t("the chosen game")
        return (Pane(title, partial(_told, self.chosen, self.words)),)

    @override
    def move(self, step: int) -> None:
        super().move(step)
        near = self._at > len(self.items()) - _AHEAD
        if near and self._found is not None and not self.games.complete:
            self.fetch(self.games.read_on(self.context.library))  # the next key tries again

    @property
    def names(self) -> Sequence[str]:
        """Return the players of the chosen game, bots aside."""
        seats = self.chosen.seats if self.chosen is not None else ()
        return [seat.name for seat in seats if seat.kind != "bot"]

    @KEYS.add("enter", footer=_("replay"), shown=lambda page: not page.unread)
    def replay(self) -> None:
        """Show the game that is chosen."""
        self._open(ReplayPage)

    KEYS.include(AGAIN)

    @KEYS.add(*("tab", "m"), footer=_("all games"), shown=lambda page: page.games.mine)
    def turn(self) -> None:
        """To everybody's games, or back to one's own."""
        self.games, self._at, self._found = GameList(mine=not self.games.mine), 0, None
        self.opened()

    KEYS.include(
        Key(
            "tab",
            does=lambda page: page.turn(),
            footer=_("your games"),
            shown=lambda page: not page.games.mine,
        )
    )

    @KEYS.add("v", footer=_("review"))
    def review(self) -> None:
        """Show what the bids of the game that is chosen were worth."""
        self._open(reviewed)

    KEYS.include(
        Key("p", does=menu("puzzles"), footer=_("puzzles")),
        Key("y", does=lambda page: page.show_page(ResultsPage), footer=_("your results")),
        STATISTICS,
        Key("b", does=lambda page: page.show_page(BestPage), footer=_("best players")),
        people_key(of=lambda page: page.names, footer=_("people")),
        BACK,
    )

    def _open(self, page: Callable[[SessionContext, ReplayedGame], Page]) -> None:
        if self.chosen is not None:
            game = self.context.library.game(self.chosen.id)
            self.fetch(open_game(self.context, game, page))


def review_newest(context: SessionContext) -> None:
    """Show what the own bids of the last game were worth."""

    async def find() -> ReplayedGame | None:
        rows = await context.library.games(mine=True)
        return await context.library.game(rows[0].id) if rows else None

    context.fetch(open_game(context, find(), reviewed))


def replay_this_game(context: SessionContext) -> None:
    """Show the game that has just ended at this table, or else the list."""
    table = context.table

    async def load() -> None:
        before = [*context.overlays]
        game = await game_played(context.library, table) if table is not None else None
        if game is None:
            context.menus["games"](context)
        elif context.overlays == before:
            context.open(ReplayPage(context, game))

    context.fetch(load())


def reviewed(context: SessionContext, game: ReplayedGame) -> Page:
    """What the bids of a game were worth, through the eyes that it is shown through."""
    return ReplayPage(context, game).reviewed()


async def open_game(
    context: SessionContext,
    find: Awaitable[ReplayedGame | str | None],
    page: Callable[[SessionContext, ReplayedGame], Page] = ReplayPage,
) -> None:
    """Open a page about a game, unless another has been opened or closed meanwhile.

    Or say why there is none to see.
    """
    before = [*context.overlays]
    found = await find
    if not isinstance(found, ReplayedGame):
        context.complain(refusal(Reply(found or "no_such_game"), context.words))
    elif context.overlays == before:
        context.open(page(context, found))


class ResultsPage(LoadedPage[PlayerPage], ReadingPage):
    """What there is to tell of this player."""

    HEADING = _("your results")
    SHARES = (2, 3)
    KEYS = KeyTable["ResultsPage"](STATISTICS, *ReadingPage.KEYS)

    @override
    def title(self) -> str:
        return self.context.words.t("Results of {name}", name=self.context.player.name)

    @override
    async def load(self) -> PlayerPage | None:
        return await self.context.library.page()

    @override
    def told(self, found: PlayerPage, width: int) -> list[Row]:
        words = self.context.words
        facts = (*tally_words(found.tally, words), rating_words(found, words))
        lines = paragraphs(facts, width)
        if self.context.player.guest:
            text = words.t("You are a guest: with an SSH key you would keep your results.")
            lines += [BLANK, *paragraph(text, width, "dim")]
        return lines

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        if self._found is None or not self._found.games:
            return ()
        games, context = self._found.games, self.context
        said, glyphs = [listed(each, context) for each in games], context.look.glyphs

        def rows(width: int) -> list[Row]:
            return [row("  ", ("text", shorten(line, width - 3, glyphs))) for line in said]

        return (Pane(self.words.t("your last games"), rows, listed=True),)


def _told(game: GameRow, words: Words, width: int) -> list[Row]:
    """A game: who came where, and what there is to know of it."""
    rows: list[Row] = []
    ranked = sorted(range(len(game.seats)), key=lambda seat: -game.seats[seat].score)
    for seat in ranked:
        each = game.seats[seat]
        style = "strong" if seat == game.mine else "text"
        name = fit(each.name, max(8, min(26, width - 12)))
        rows.append(row("  ", (style, f"{name} {each.score:>4}")))
    facts = (
        moment_in_words(game.kept, words),
        words.t("edition {edition}", edition=called(game.edition)),
        *notes_in_words(game, words),
    )
    return [*rows, BLANK, *paragraphs(facts, width, "dim")]


def listed(game: GameRow, context: SessionContext) -> str:
    """A game in a list."""
    when = ago_in_words(context.clock.time() - game.kept, context.words)
    return f"{when:<11} {game_words(game, context.words)}"
