"""The base of all pages, and the keys that many of them have."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar, Final, Protocol

from prompt_toolkit.buffer import Buffer
from typing_extensions import override

from server.coordinator.messages import GoToLobby, Status, TableSnapshot, Update
from server.fullscreen.context import Menu, SessionContext
from server.fullscreen.widgets.boxes import Pane, pane_region
from server.fullscreen.widgets.chrome import (
    SMALLEST,
    Keys,
    Region,
    area,
    blank_region,
    body_size,
    game_header,
    page,
    placed,
    small_screen,
)
from server.fullscreen.widgets.drawing import DrawContext, shorten
from server.i18n.lookup import Words, _
from server.session.attention import owes_answer, table_clock, waits_for
from server.session.commands import TABLE_ACTIONS, TableAction, Where
from server.terminal.application import Invalidate, Screen
from server.terminal.capabilities import Capabilities, Size
from server.terminal.drawing.frame import Cursor, Frame, Row, Span, fit, row, text_width
from server.terminal.keys.bindings import NEWLINE, AnyKey, Key, KeysByName, by_name
from server.terminal.keys.lines import LONGEST, line_entry, visible
from server.viewmodels.table import present_table, rematch_in_words

ARROWS: Final = "arrows"
"""The label of left and right in a footer."""
_LABELS: Final = {"enter": "Enter", "escape": "Esc", "tab": "Tab"}
_SPACE: Final = _("Space")


ENTER_RESTS: Final = 0.7
"""Seconds after the screen has moved on by itself in which Enter, meant for what was there, does nothing."""


def menu(name: Menu) -> Callable[["Focusable"], None]:
    """Open what many pages lead to."""
    return lambda page: page.context.menus[name](page.context)


class Movable(Protocol):
    """A page with something to choose from."""

    def move(self, step: int) -> None:
        """Choose what comes so many lines later, or before; at most the first or the last, as in a pager."""


LEAVE: Final = Key("c-c", "c-d", does=menu("leave"))
LEAVE_TYPING: Final = Key("c-c", "c-d", does=menu("leave"), typing=True)
OPERATORS: Final["Key[Focusable]"] = Key(
    "!",
    does=menu("operators"),
    when=lambda page: not page.context.overlays,
    help=_("!\treport somebody to the operators of this server"),
)
HELP: Final = Key("?", "f1", does=menu("help"), footer=_("help"))
SETTINGS: Final = Key("o", does=menu("settings"), footer=_("settings"))
ACCOUNT: Final = Key("a", does=menu("account"))
STATISTICS: Final["Key[Focusable]"] = Key(
    "s", does=menu("statistics"), when=lambda page: page.has_library, footer=_("statistics")
)
GAMES: Final["Key[Focusable]"] = Key("r", does=menu("games"), when=lambda page: page.has_library)
TODAY: Final["Key[Focusable]"] = Key(
    "d",
    does=menu("today"),
    when=lambda page: page.has_library,
    help=_("d\ttoday's tide: one deal a day for everybody"),
)
TOURNAMENTS: Final["Key[Focusable]"] = Key(
    "e",
    does=menu("tournaments"),
    footer=_("tournaments"),
    shown=lambda page: bool(page.context.tournaments),
    help=_("e\tin the lobby and after a game: tournaments, their standings; register"),
)
TO_LEAVE: Final["Key[Focusable]"] = Key(
    *("escape", "q"),
    does=menu("leave"),
    footer=_("leave"),
    shown=lambda page: not page.context.corresponds,
)
TO_LOBBY: Final["Key[Focusable]"] = Key(
    "escape",
    does=lambda page: page.context.do(GoToLobby()),
    when=lambda page: page.context.corresponds,
    footer=_("lobby"),
    help=_("Esc	from a game by correspondence: to the lobby, and your seat is kept"),
)
"""After keys that ask where to."""
NEXT_GAME: Final["Key[Focusable]"] = Key(
    "y",
    does=lambda page: page.context.go_to_next_game(),
    footer=_("next game"),
    when=lambda page: bool(page.context.correspondence and page.context.own_games.next),
    help=_("y	the next of your games by correspondence: one that waits for you, if any does"),
)
CORRESPONDENCE: Final["Key[Focusable]"] = Key(
    "Y",
    does=menu("correspondence"),
    footer=_("correspondence"),
    shown=lambda page: len(page.context.correspondence) > 1,
    help=_(
        "Y\tall your games by correspondence: whose turn it is, since when, how much time is left"
    ),
)
BACK: Final["Key[Page]"] = Key("escape", "q", does=lambda page: page.go_back(), footer=_("back"))
CHAT: Final["Key[Focusable]"] = Key(
    "/",
    does=lambda page: page.context.open_chat(),
    help=_("/\twrite a message: Enter sends it, Esc cancels"),
)
CHAT_LOG: Final["Key[Focusable]"] = Key(
    "m", does=lambda page: page.context.open_chat_log(), help=_("m\teverything that has been said")
)
UP: Final[Key[Movable]] = Key("up", "k", does=lambda page: page.move(-1))
DOWN: Final[Key[Movable]] = Key("down", "j", does=lambda page: page.move(1))
_ALL: Final = 1_000_000
NEXT: Final[Key[Movable]] = Key("tab", does=lambda page: page.move(1))
FAR: Final[tuple[Key[Movable], ...]] = (
    Key("pageup", does=lambda page: page.move(-10)),
    Key("pagedown", " ", does=lambda page: page.move(10)),
    Key("home", does=lambda page: page.move(-_ALL)),
    Key("end", does=lambda page: page.move(_ALL)),
)
"""Further up and down, to the first and to the last."""
TALK: Final = (CHAT, CHAT_LOG)
OTHER_GAMES: Final = (NEXT_GAME, CORRESPONDENCE)
WAYS_OUT: Final = (*OTHER_GAMES, TO_LEAVE, TO_LOBBY)
OWN_PAGES: Final = (TODAY, ACCOUNT, GAMES)
"""What the player has, besides a table."""
STOP_TYPING: Final["Key[Page]"] = Key(
    *("escape", "tab"), does=lambda page: page.stop_typing(), typing=True, footer=_("back")
)


def submits(footer: str) -> tuple["Key[Page]", "Key[Page]"]:
    """The keys below a line that is typed, the first of which takes it and is called so."""
    return (
        Key("enter", does=lambda page: page.submit(), typing=True, footer=footer),
        STOP_TYPING,
    )


@lru_cache(maxsize=512)
def labelled(
    keys: tuple[AnyKey, ...], look: DrawContext
) -> Sequence[tuple[AnyKey, tuple[str, str]]]:
    """The keys that are told in footers, what they are called there, and what they do."""
    told, t = list[tuple[AnyKey, tuple[str, str]]](), look.words.t
    for key in keys:
        if key.footer:
            if key.label == ARROWS and look.glyphs.arrows:
                label = look.glyphs.arrows
            elif key.label:
                label = t(key.label)
            else:
                name = key.names[0]
                label = t(_SPACE) if name == " " else _LABELS.get(name, name)
            told.append((key, (label, t(key.footer))))
    return told


class Focusable:
    """What keys are for: ``KEYS`` says what they do."""

    COMMON: ClassVar[Sequence[AnyKey]] = (LEAVE, LEAVE_TYPING, OPERATORS)
    """Keys that mean the same on nearly every page."""
    TYPED: ClassVar[Sequence[AnyKey]] = ()
    """Keys while a line is typed, besides the ones in ``KEYS``."""
    KEYS: ClassVar[Sequence[AnyKey]] = ()
    KEYS_BY_NAME: ClassVar[KeysByName]
    CHATS: ClassVar[bool] = False
    """What is said is shown here, too."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.KEYS = tuple(cls.KEYS)
        cls.KEYS_BY_NAME = by_name((*cls.COMMON, *cls.TYPED, *cls.KEYS))

    def __init__(self, context: SessionContext) -> None:
        self.context: Final[SessionContext] = context
        self.entry: Buffer | None = None
        """The line being typed, if any."""

    @property
    def keys(self) -> tuple[AnyKey, ...]:
        """As they are for this player."""
        return tuple(self.KEYS)

    @property
    def keys_by_name(self) -> KeysByName:
        """What keys do here and on every page, by their names."""
        return self.KEYS_BY_NAME

    def key(self, name: str, *, typing: bool) -> AnyKey | None:
        """Return what the key of this name does now, while a line is typed or none is."""
        for key in self.keys_by_name.get((name, typing), ()):
            if key.when is None or key.when(self):
                return key
        return None

    @property
    def words(self) -> Words:
        """The player's language."""
        return self.context.look.words

    @property
    def has_library(self) -> bool:
        """Games are kept here."""
        return bool(self.context.account.library)

    def show_page(self, page: Callable[[SessionContext], "Page"]) -> None:
        """Lay another page over this one."""
        self.context.open(page(self.context))

    def press(self, key: AnyKey | None, name: str) -> None:
        """This key was pressed; None for one that is not in the table."""
        self.context.pressed = key
        if key is not None:
            key.do(self, name)
        else:
            self.other(name)

    def other(self, name: str) -> None:
        """A key was pressed that is not in the table."""

    def text(self, text: str) -> None:
        """Text was pasted while no line was open."""

    def footer(self, *without: AnyKey) -> Keys:
        """The keys that can be pressed now, and what they do."""
        typing, told = self.entry is not None, []
        keys = (*self.TYPED, *self.keys) if typing else self.keys
        for key, said in labelled(keys, self.context.look):
            shown = key.typing is typing and (key.shown is None or key.shown(self))
            if shown and key not in without:
                told.append(said)
        return tuple(told)


class Page(Focusable):
    """One screen and its keys.

    The router calls ``opened`` and ``closed``, for pages laid over others and for those below them, which
    change with where the player is. A page can be opened again after it was closed.
    """

    TYPED: ClassVar[Sequence[AnyKey]] = submits(_("done"))
    TITLE: ClassVar[str] = ""
    SAYS: ClassVar[bool] = True
    """Whether messages are shown here."""
    LARGEST: ClassVar[Size | None] = Size(112, 40)
    """The most that it takes of a large terminal, in whose middle it stands; ``None`` for all of it."""
    CHAT_ROWS: ClassVar[int] = 3
    """Blank rows that are needed to show chat there."""
    READS_CHAT: ClassVar[bool] = False
    """All that was said stands on it."""
    which: str = ""
    opened_by: AnyKey | None = None
    COUNTS: ClassVar[bool] = False
    """Whether the page shows of the lobby only how many people are there."""
    LEFT_BY_SPACE: ClassVar[bool] = False
    """Space leads on from it, also one that was meant for what was shown before."""
    WAY_OUT: ClassVar[bool] = False
    """It leads out of the server: its keys work also where a terminal is too small to show it."""
    unread: str = ""
    """Why what it shows could not be read; empty while nothing has gone wrong."""
    _under_way: frozenset[asyncio.Task[object]] = frozenset()
    _label: str = ""
    _typed: Callable[[str], None]

    def opened(self) -> None:
        """It is on the screen, or below what is: begin what takes time here, not when it is made."""

    def closed(self) -> None:
        """It has gone, or the session is over.

        Its tasks end, and the line typed on it; subclasses stop their timers.
        """
        self.entry = None
        for task in self._under_way:
            task.cancel()

    def updated(self, update: Update) -> None:
        """While it is open, something has happened; the context knows it already."""

    @property
    def is_on_top(self) -> bool:
        """It is laid over all others."""
        return self.context.overlays[-1:] == [self]

    def nobody_came(self) -> None:
        """The player has been alone at a table for a while."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[object]:
        """Do something that takes time, as long as the page is open; a mistake in it closes the page."""
        task = self.context.spawn(work, lambda error: self.context.failed(error, self))
        self._under_way |= {task}
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[object]) -> None:
        self._under_way -= {task}

    def fetch(
        self, load: Coroutine[Any, Any, object], failed: Callable[[str], None] | None = None
    ) -> None:
        """Fetch what asks the database, without waiting; a failure is shown, or passed to ``failed``."""
        # If it has not begun when the page closes, it never does.
        self.spawn(self.context.reading(load, failed)).add_done_callback(lambda _: load.close())

    @property
    def table(self) -> TableSnapshot:
        """Where the player is, on a page about that."""
        assert self.context.table is not None
        return self.context.table

    def title(self) -> str:
        """What stands above, where that is all."""
        return self.words.t(self.TITLE)

    def aside(self) -> str:
        """What stands at the right of the title."""
        return ""

    def frame(self, size: Size) -> Frame:
        """What it shows. Changes nothing."""
        raise NotImplementedError

    def small_frame(self, size: Size) -> Frame:
        """What is shown on a terminal that is too small for the page."""
        return small_screen(size, self.words)

    def state(self) -> tuple[object, ...]:
        """What Enter depends on: when that changes by itself, the player has to have time to see it."""
        return (self, self.entry)

    @property
    def enter_is_meant(self) -> bool:
        """Enter means what is there now, however short that has been there."""
        return False

    def chat_region(self, frame: Frame, size: Size) -> Region | None:
        """Where in ``frame``, its own, there is room for what is said."""
        look = self.context.look
        pane = pane_region(frame, look.words.t("chat"), look)
        return pane or blank_region(frame, size, look, self.CHAT_ROWS)

    def chat_pane(self) -> Pane:
        """A pane for what is said: what lies over the page draws it there."""
        how = self.words.t("/ writes")
        return Pane(self.words.t("chat"), lambda _: (), aside=how, grows=True)

    def body_size(self, size: Size) -> Size:
        """What there is for the body of what is framed."""
        return body_size(size, self.said, self.context.look)

    def game_row(self, width: int) -> Row | None:
        """How the game goes over which this page is laid, or that another one is waited for, if any."""
        table, look = self.context.table, self.context.look
        if table is None or table.table is None or self not in self.context.overlays:
            return None
        if owes_answer(table):
            now = self.context.clock.time()
            asked = rematch_in_words(table.info, now, look.words, thin=look.thin)
            return row(" ", ("warm", shorten(asked, width - 2, look.glyphs)))
        if table.info.status is not Status.PLAYING:
            return None
        model = present_table(table.info, table.table, look.words)
        alert = look.words.t("Waiting for you.") if waits_for(table) else ""
        clock = table_clock(table, self.context.clock.time(), look.words, look.thin)
        return game_header((model.stage_words, model.round_words), alert, clock, width, look)

    @property
    def said(self) -> Span:
        """What there is to say, above the keys."""
        return self.context.said if self.SAYS else ("", "")

    def framed(
        self,
        title: str,
        body: Sequence[Row],
        size: Size,
        *,
        keys: Keys | None = None,
        aside: str = "",
        share: float = 0.3,
    ) -> Frame:
        """``body`` between the title and the ``keys``: those of the footer, unless said otherwise."""
        keys, look, game = keys or self.footer(), self.context.look, self.game_row(size.columns)
        return page(title, body, keys, self.said, size, look, aside, share, game)

    def ask(
        self, label: str, typed: Callable[[str], None], text: str = "", *, longest: int = LONGEST
    ) -> None:
        """Have a line typed, which ``typed`` is called with."""
        self._label, self._typed = label, typed
        self.entry = line_entry(text, longest=longest)
        self.entry.cursor_position = len(text)

    def submit(self) -> None:
        """The line has been typed."""
        entry, self.entry = self.entry, None
        if entry is not None:
            self._typed(entry.text.strip())

    def stop_typing(self) -> None:
        """Forget the line."""
        self.entry = None

    def with_prompt(self, frame: Frame, width: int, at: int = 0, label: str | None = None) -> Frame:
        """``frame`` with the line that is being typed, if any, in row ``at`` of what is framed."""
        if self.entry is None:
            return frame
        before = f"  {self._label if label is None else label} "
        room = max(1, width - text_width(before) - 1)
        text, column = visible(self.entry, room)
        at += 2 + (len(frame.rows) >= 20)
        rows = (*frame.rows[:at], row(before, ("input", fit(text, room))), *frame.rows[at + 1 :])
        return frame._replace(rows=rows, cursor=Cursor(text_width(before) + column, at))

    def go_back(self) -> None:
        """To what lies below."""
        self.context.close(self)

    @override
    def other(self, name: str) -> None:
        if self.opened_by is not None and name in self.opened_by.names:
            self.go_back()


class PageScreen(Screen):
    """Shows the pages of one session, unless the terminal is too small."""

    def __init__(self, context: SessionContext) -> None:
        self.context: Final = context
        self._invalidate: Invalidate = _not_yet
        self._unseen = False
        """Nothing is shown: keys must not do what cannot be seen."""

    @property
    def page(self) -> Page:
        """The page that is seen: the one laid over all others."""
        page = self.context.overlays[-1]
        assert isinstance(page, Page)
        return page

    @property
    def focus(self) -> Focusable:
        """What keys are for."""
        return self.page

    def picture(self, size: Size) -> Frame:
        """What there is to see on a terminal that is large enough."""
        return self.page.frame(size)

    @override
    def frame(self, size: Size) -> Frame:
        small = size.columns < SMALLEST.columns or size.rows < SMALLEST.rows
        if small:
            frame = self.page.small_frame(size)
        else:
            largest = self.page.LARGEST
            taken = area(largest, size) if largest is not None else size
            frame = self.picture(taken)
            if taken != size:
                frame = placed(frame, taken, size, self.context.look)
        return frame if small == self._unseen else frame.telling(partial(self._seen, small))

    def _seen(self, small: bool) -> None:
        self._unseen = small

    @property
    @override
    def entry(self) -> Buffer | None:
        return None if self._unseen else self.focus.entry

    @property
    @override
    def done(self) -> bool:
        return self.context.done

    @override
    def shown_with_answer(self) -> bool:
        due, self.context.answer_is_due = self.context.answer_is_due, False
        return due

    @override
    def attach(self, invalidate: Invalidate) -> None:
        self._invalidate = invalidate

    @property
    @override
    def abilities(self) -> Capabilities:
        return self.context.abilities

    @override
    def found(self, **abilities: object) -> None:
        # On a slow line, what is on its way is not painted anew.
        if self.context.found(**abilities) and not self.abilities.thin:
            self.changed()

    def changed(self) -> None:
        """The picture has changed: ask for a frame."""
        self._invalidate()

    @override
    def failed(self, error: Exception, *, drawing: bool) -> bool:
        return False

    @override
    def press(self, name: str, *, at_once: bool = False) -> bool:
        typing = self.entry is not None
        key = self.focus.key("enter" if name == NEWLINE else name, typing=typing)
        if key is None and typing:
            return False
        # An unknown key may be any other page's, but for those that edit a line.
        if key is not None or len(name) == 1 or not name.startswith("c-"):
            self.context.at_once = at_once
            self.do(key, name)
        return True

    def do(self, key: AnyKey | None, name: str) -> None:
        """Have the page in focus do what ``key`` does, or None, one that it does not know."""
        self.focus.press(key, name)

    @override
    def text(self, text: str) -> None:
        """Most have no use for what is pasted."""


def _not_yet(*, in_background: bool = False, now: bool = False) -> None:
    """Nobody draws yet."""


MEETING: Final = _("Meeting people")
"""Where the help page tells of keys with which people meet."""


def action_keys(where: Where) -> tuple[Key[Page], ...]:
    """Return the keys for actions on the page of a table before its game, or with one."""
    return tuple(_key(each) for each in TABLE_ACTIONS if each.where is where and each.key)


def _key(action: TableAction) -> Key[Page]:
    return Key(
        action.key,
        does=lambda page: page.context.do(action.given()),
        when=lambda page: action.key_when(page.table),
        footer=action.footer,
        help=action.key_help or (),
        action=action.word,
        what=action.key_in_words,
    )
