"""The title page: one key away from a game. The sea, and who looks out over it."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from typing_extensions import override

from engine.editions import HIGHEST_TIDE
from server import StoreError
from server.cleaning import NAME_WIDTH, clean_name
from server.coordinator.messages import News, QuickGame, Update
from server.fullscreen.context import SessionContext
from server.fullscreen.lobby.view import water_bars
from server.fullscreen.pages.page import HELP, OTHER_GAMES, OWN_PAGES, SETTINGS, TO_LEAVE, Page
from server.fullscreen.table.tide_gauges import text_sheep
from server.fullscreen.widgets.chrome import sea_rows, sheep_rows
from server.fullscreen.widgets.drawing import (
    DrawContext,
    footer,
    indented,
    shorten,
    shortest,
    wrap_to,
)
from server.i18n.lookup import _
from server.playback import motion_on
from server.session.account import GameLibrary
from server.session.preferences import SOLO
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, row, text_width
from server.terminal.keys.bindings import AnyKey, Key, KeyTable
from server.text.events import news_in_words
from server.text.tournaments import cup_forms
from server.timers import OneTimer
from server.viewmodels.lobby import present_games

_KEY: Final = 5
_SMALL: Final = 24
"""Rows."""
_NEWS: Final = 2
"""The newest so many, and on a large screen ..."""
_PART: Final = 4
"""... one in so many of the rows that are left."""
_MOST_SAID: Final = 4
"""Rows of what there is to say."""
_SWELLS: Final = 2
"""The number of times that the sheep drifts by itself ..."""
_SWELL_SECONDS: Final = 1.5
"""... after so many seconds each."""


class TitleKey(NamedTuple):
    """A key and what it does."""

    key: str
    label: str
    style: str = "text"


class TitlePage(Page):
    """The first page: a game, the tutorial, the lobby, settings."""

    KEYS = KeyTable["TitlePage"](
        Key(
            "enter",
            does=lambda page: page.context.learn(),
            when=lambda page: page.is_new,
            footer=_("learn"),
        ),
        Key("t", does=lambda page: page.context.learn()),
        Key(
            "enter",
            does=lambda page: page.context.do(QuickGame(SOLO)),
            when=lambda page: not page.is_new,
            footer=_("play"),
        ),
        Key("b", does=lambda page: page.context.do(QuickGame(SOLO))),
    )

    LARGEST = None
    COUNTS = True

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._phase = 0
        """How far the swell has come: it moves with every key."""
        self._news: tuple[News, ...] = ()
        self._last = ""
        """What is told of the day before, if this player has played today's tide then."""
        self._waits = False
        """Today's tide has not been played yet."""
        self._swell: Final = OneTimer(context.clock)

    @override
    def opened(self) -> None:
        library = self.context.account.library
        self._waits = library is not None and not library.played_today
        if library is not None and library.played_yesterday:
            self.spawn(self._read_yesterday(library))
        if motion_on(self.context.abilities).moves:
            self._swell.after(_SWELL_SECONDS, partial(self._move, _SWELLS))

    @override
    def closed(self) -> None:
        super().closed()
        self._swell.cancel()

    def _move(self, times: int) -> None:
        """The sheep drifts so many times, and then rests: nothing is sent to who only looks."""
        self._phase += 1
        if times > 1:
            self._swell.after(_SWELL_SECONDS, partial(self._move, times - 1))
        self.context.changed()

    async def _read_yesterday(self, library: GameLibrary) -> None:
        with suppress(StoreError):
            self._last = await self.context.told_of_yesterday(library)
            self.context.changed()

    @property
    def is_new(self) -> bool:
        """Whether this player has never played a game to its end."""
        return not self.context.games_played

    @override
    def press(self, key: AnyKey | None, name: str) -> None:
        self._phase += 1
        super().press(key, name)

    @KEYS.add("l", footer=_("lobby"))
    def enter_lobby(self) -> None:
        self.context.greeted = True

    @KEYS.add(
        "n",
        when=lambda page: page.context.account.renames,
        footer=_("name"),
    )
    def ask_name(self) -> None:
        """Have another name typed."""
        label = self.words.t("name")
        self.ask(label, self._rename, self.context.player.name, longest=NAME_WIDTH)

    def _rename(self, typed: str) -> None:
        name = clean_name(typed)
        if name and name != self.context.player.name:
            self.context.rename(name)

    KEYS.include(*OTHER_GAMES, HELP, SETTINGS, *OWN_PAGES, TO_LEAVE)

    @override
    def frame(self, size: Size) -> Frame:
        width, height = size
        context, words = self.context, self.words
        look = context.look
        head = _head(width, look)
        # On small screens, what the footer says as well makes room for the sheep.
        choices = _rows(self._choices(width, small=height <= _SMALL), width, look)
        you = words.t("You are {name}.", name=context.player.name)
        told = f"{you} {self._last}" if self._last else you
        said = [_centre("strong", shortest([told, you], width - 2, look.glyphs), width)]
        said.append(_centre("dim", shorten(self._who_is_here(), width - 2, look.glyphs), width))
        deep = 1 if height < 20 else 2 if height < 30 else height // 8
        sea = () if look.thin else sea_rows(self._phase, width, deep, look)
        sheep = () if look.thin else sheep_rows(width, look)
        # Where there is no room for both, what there is to say comes in place of who is here.
        room = height - 1 - len(head) - len(choices) - 2
        below = self._message(_MOST_SAID, width)
        if below and room < len(said) + len(below) + 1:
            said, below = self._message(max(1, room), width), []
        body = [*head, BLANK, *said, BLANK, *choices, *([BLANK] if below else []), *below]
        lately = self._lately(height - len(body) - len(sea) - 2, width)
        body += [BLANK, *lately] if lately else []
        if height < len(body) + len(sheep) + len(sea) + 2 and sheep:
            sheep = _drifting_sheep(self._phase, width)
        if height < len(body) + len(sheep) + len(sea) + 2:
            sheep = ()
        free = height - 1 - len(body) - len(sheep) - len(sea)
        above = max(0, min(free, (free + 1) // 2))
        rows = [*([BLANK] * above), *body, *([BLANK] * max(0, free - above)), *sheep, *sea]
        frame = Frame((*rows[: height - 1], footer(self.footer(), width)))
        framed = 2 + (height >= 20)
        return self.with_prompt(frame, width, above + len(head) + 1 - framed)

    def _choices(self, width: int, *, small: bool) -> Sequence[TitleKey]:
        """Keys and what they do, most wanted first.

        On a ``small`` screen, without help, which the footer has.
        """
        context, words, games = self.context, self.words, self.context.own_games.forms
        learn = TitleKey("t", words.t("learn by playing: a first stage, three minutes"))
        today = TitleKey("d", words.t("today's tide: the ranking"))
        if self._waits:
            label = words.t("today's tide: three minutes, one hand for everybody")
            today = TitleKey("d", label, "strong")
        told = shortest(games, width - _KEY - 3, context.look.glyphs) if games else ""
        choices = [TitleKey("y", told)] if games else []
        choices += [learn._replace(style="strong")] if self.is_new else []
        choices += [today] if self._waits else []
        choices.append(
            TitleKey("b" if self.is_new else "Enter", words.t("play at once, against bots"))
        )
        choices += [] if self.is_new else [learn]
        choices.append(TitleKey("l", words.t("lobby: play with people, or watch")))
        choices += [today] if self.has_library and not self._waits and not context.look.thin else []
        choices += [] if small and self.has_library else [TitleKey("?", words.t("how to play"))]
        choices.append(TitleKey("o", words.t("settings, language")))
        if self.has_library:
            choices.append(TitleKey("r", words.t("games played: replays, results")))
        if back := context.way_back:
            choices.append(
                TitleKey("a", words.t("{login}: log in as this to come back", login=back))
            )
        elif not context.player.guest:
            choices.append(TitleKey("a", words.t("your account, other devices")))
        return choices

    def _running(self) -> Iterator[tuple[str, ...]]:
        """A game that goes on, in small, in fewer and fewer words."""
        lobby = self.context.lobby
        titles = {table.id: table.title for table in lobby.tables} if lobby is not None else {}
        for code, game in present_games(lobby, self.words).items() if lobby is not None else ():
            bars = "".join(text for _, text in water_bars(game, self.context.look))
            yield (
                f"{titles[code]} {bars} {game.round}: {game.tides}",
                f"{titles[code]} {bars} {game.round}",
            )
            return

    def _lately(self, most: int, width: int) -> list[Row]:
        """The next tournament, who has won, today's tide: so many rows at most, and none of them cut."""
        context, words = self.context, self.words
        told = [
            ("warm", forms) for forms in cup_forms(context.tournaments, context.clock.time(), words)
        ]
        told += [("tide", forms) for forms in self._running()]
        # On a thin line, who wants the news goes to the lobby for them.
        lately = () if context.look.thin else context.news[: max(_NEWS, most // _PART)]
        told += [("dim", (news_in_words(news, words),)) for news in lately]
        for number, text in enumerate(context.today_lines):
            line = text if number else words.t("today's tide: {told}", told=text)
            told.append(("dim", (line,)))
        rows = []
        for style, forms in told:
            text = next((each for each in forms if text_width(each) <= width - 2), "")
            rows += [_centre(style, text, width)] if text else []
        return rows[: max(0, most)]

    @override
    def updated(self, update: Update) -> None:
        """The sea moves with what happens, too: seldom enough for any line."""
        news = update.lobby.news if update.lobby is not None else self._news
        if news != self._news and motion_on(self.context.abilities).moves:
            self._phase += 1
        self._news = news

    def _message(self, most: int, width: int) -> list[Row]:
        """What there is to say, in so many rows; none when it is nothing."""
        style, text = self.said
        lines = wrap_to(text, width - 4, most, self.context.look.glyphs)
        return [_centre(style, line, width) for line in lines]

    def _who_is_here(self) -> str:
        lobby, words = self.context.lobby, self.words
        # Whoever looks is in the list; with a crowd here, nobody looks through all of it for that.
        others = max(0, len(lobby.players) - 1) if lobby else 0
        tables = len(lobby.tables) if lobby else 0
        here = words.n("{count} other player is here", "{count} other players are here", others)
        if not others:
            here = words.t("nobody else is here just now")
        if tables:
            here += self.context.look.glyphs.between
            here += words.n("{count} table", "{count} tables", tables)
        return here


def _head(width: int, look: DrawContext) -> tuple[Row, Row]:
    """What this is."""
    words = look.words
    title = words.t("Turn the Tide")
    wide = " ".join(title.upper())
    subtitle = shortest(
        [
            words.t("An unofficial version of Stefan Dorra's game of sheep and high water"),
            words.t("Stefan Dorra's game, unofficial"),
        ],
        width - 2,
        look.glyphs,
    )
    return (
        _centre("title", wide if text_width(wide) + 4 <= width else title, width),
        _centre("dim", subtitle, width),
    )


def _rows(choices: Sequence[TitleKey], width: int, look: DrawContext) -> list[Row]:
    """One below the other in the middle."""
    widest = max(text_width(each.label) for each in choices) + _KEY + 2
    left = max(1, (width - widest) // 2)
    rows = []
    for key, label, style in choices:
        text = label if widest < width else _clauses(label, width - left - _KEY - 2, look)
        rows.append(row(" " * left, ("key", f"{key:>{_KEY}}"), "  ", (style, text)))
    return rows


def _drifting_sheep(phase: int, width: int) -> Sequence[Row]:
    """A small one that has come ``phase`` columns, where there is no room for the large one."""
    lines = text_sheep(0, HIGHEST_TIDE)
    left = (width // 3 + phase) % max(1, width - text_width(lines[0]))
    return [indented((("sheep", line),), left) for line in lines]


def _clauses(label: str, room: int, look: DrawContext) -> str:
    """``label``, or as many of its clauses as fit: half of one would say nothing."""
    text = label
    while text_width(text) > room and (ends := max(text.rfind(", "), text.rfind(": "))) > 0:
        text = text[:ends]
    return shorten(text, room, look.glyphs)


def _centre(style: str, text: str, width: int) -> Row:
    return row(" " * max(0, (width - text_width(text)) // 2), (style, text))
