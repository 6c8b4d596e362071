"""The leaderboard, and that of a season, which is a month."""

from collections.abc import Sequence
from functools import partial

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.loaded_page import Fetched
from server.fullscreen.people.page import people_key
from server.fullscreen.widgets.boxes import Pane
from server.fullscreen.widgets.chrome import menu_row, paragraph, paragraphs
from server.i18n.lookup import _
from server.session.account_protocol import MOST_MONTHS
from server.storage.leaderboard import LeaderboardRow, SeasonTable
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Row, row
from server.terminal.keys.key_table import Key, KeyTable
from server.text.leaderboard import bots_in_words, season_lines, season_words, standing_words
from server.text.times import month_in_words


class BestPage(Fetched[tuple[LeaderboardRow, ...]]):
    """The leaderboard."""

    TITLE = _("Best players")
    HEADING = _("rated games")
    KEYS = KeyTable["BestPage"](
        Key("m", does=lambda page: page.show_page(SeasonPage), footer=_("this month")),
        people_key(of=lambda page: page.names, footer=_("people")),
        *Fetched.KEYS,
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


class SeasonPage(Fetched[SeasonTable]):
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
        *Fetched.KEYS,
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
            self.unread = self.words.t("No games are kept here.")
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
