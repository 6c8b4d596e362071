"""Pages about games that are over: a list of them, one's own results."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from engine.editions import called
from server.coordinator.messages import Reply
from server.fullscreen.context import SessionContext
from server.fullscreen.leaderboard.pages import BestPage
from server.fullscreen.pages.loaded_page import AGAIN, Fetched, LoadedPage
from server.fullscreen.pages.page import BACK, LISTED, STATISTICS, ListPage, Page
from server.fullscreen.people.page import people_key
from server.fullscreen.replay.page import ReplayPage
from server.fullscreen.widgets.boxes import Pane, are_beside, panes
from server.fullscreen.widgets.chrome import paragraph, paragraphs
from server.fullscreen.widgets.drawing import shorten
from server.i18n.lookup import Words, _
from server.playback.replayed_game import ReplayedGame
from server.session.account_protocol import game_played
from server.session.game_list import GameList
from server.storage.history import GameRow, PlayerPage
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, fit, row
from server.terminal.keys.key_table import Key, KeyTable
from server.text.history import ago_in_words, game_words, notes_in_words, rating_words, tally_words
from server.text.refusals import refusal
from server.text.times import moment_in_words

_AHEAD: Final = 5
"""So close to the end of the list, more is asked for."""


class GamesPage(LoadedPage[GameList], ListPage[GameRow]):
    """The list of finished games, the newest first."""

    KEYS = KeyTable["GamesPage"](*LISTED)

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
    def frame(self, size: Size) -> Frame:
        context, words = self.context, self.context.words
        title = words.t("Your games") if self.games.mine else words.t("All games")
        chosen, inside = self.chosen, self.body_size(size)
        if self._found is None:
            return self.framed(title, self.waiting_rows(size.columns), size)
        if chosen is None:
            said = paragraph(words.t("No game has been finished yet."), size.columns)
            return self.framed(title, said, size)
        columns = [[self.list_pane(lambda game, _: ("text", listed(game, context)))]]
        if are_beside(inside, context.look):
            columns.append([Pane(words.t("the chosen game"), partial(_told, chosen, words))])
        return self.framed(title, panes(columns, inside, context.look, (3, 2)), size)

    @override
    def move(self, step: int) -> None:
        count = len(self.items())
        self._at = max(0, min(self._at + step, count - 1))
        if self._at > count - _AHEAD and self._found is not None and not self.games.complete:
            self.fetch(self.games.read_on(self.context.library))  # the next key tries again

    @property
    def names(self) -> Sequence[str]:
        """Who played the game that is chosen, bots aside."""
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
    """Open a page about a game, unless another has been opened or closed meanwhile; or say why there is none
    to see.
    """
    before = [*context.overlays]
    found = await find
    if not isinstance(found, ReplayedGame):
        context.complain(refusal(Reply(found or "no_such_game"), context.words))
    elif context.overlays == before:
        context.open(page(context, found))


class ResultsPage(Fetched[PlayerPage]):
    """What there is to tell of this player."""

    HEADING = _("your results")
    SHARES = (2, 3)
    KEYS = KeyTable["ResultsPage"](STATISTICS, *Fetched.KEYS)

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
