"""Pages to be read: scrolling, loading, help, a text to share, and the page that replaces a broken one."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import chain
from typing import ClassVar, Final, Generic, TypeVar

from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.messages import TableOptions
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, CHAT, CHAT_LOG, HELP, SETTINGS, WAYS_OUT, Page
from server.fullscreen.widgets.boxes import Pane, are_beside, has_boxes, joined, panes
from server.fullscreen.widgets.chrome import paragraph, paragraphs, spacer
from server.fullscreen.widgets.drawing import DrawContext
from server.i18n.lookup import Words, _
from server.session import table_in_sentences
from server.session.learning import Section, Signs, rules_sections
from server.session.preferences import NEW_TABLE, filling
from server.session.sharing import Shared
from server.terminal.capabilities import Copying, Size
from server.terminal.drawing.frame import BLANK, Frame, Row, fit, row, wrap
from server.terminal.keys.bindings import AnyKey, Key, KeyTable
from server.text.history import copied_in_words, copying_in_words

SCROLL: Final["Key[ReadingPage]"] = Key(
    *("up", "k"), does=lambda page: page.scroll(-1), footer=_("scroll"), label=_("Up Down")
)
PAGING: Final["tuple[Key[ReadingPage], ...]"] = (
    Key("pageup", does=lambda page: page.scroll(1 - page.room)),
    Key("pagedown", does=lambda page: page.scroll(page.room - 1)),
    Key("home", does=lambda page: page.scroll(-page.end)),
    Key("end", does=lambda page: page.scroll(page.end)),
)
SCROLLING: Final["tuple[Key[ReadingPage], ...]"] = (
    Key("down", "j", "enter", does=lambda page: page.scroll(1)),
    *PAGING,
    Key(" ", does=lambda page: page.scroll(page.room - 1)),
)
TAB: Final[Key[Page]] = Key("tab", does=lambda page: page.go_back())
AGAIN: Final["Key[Page]"] = Key(
    "enter",
    does=lambda page: page.opened(),
    when=lambda page: bool(page.unread),
    footer=_("try again"),
)
"""Comes after what else Enter does on a ``LoadedPage``."""


class ReadingPage(Page):
    """A page that is only read: ``lines``, or what a subclass says."""

    SAYS = False
    LARGEST: ClassVar[Size | None] = Size(104, 56)
    SHARE: ClassVar[float] = 0.3
    """How far the crest below the title has come, from 0 to 1."""
    KEYS = KeyTable["ReadingPage"](SCROLL, *SCROLLING, AGAIN, BACK, TAB)
    HEADING: ClassVar[str] = ""
    """The title of the pane for what there is to read; empty where it is not in one."""
    SHARES: ClassVar[tuple[int, int]] = (3, 2)
    """How wide that pane is, and what is beside it."""

    def __init__(
        self,
        context: SessionContext,
        title: str = "",
        lines: Callable[[int], Sequence[Row]] = lambda _width: (),
    ) -> None:
        super().__init__(context)
        self._title: Final = title
        self._lines: Final = lines
        self._top = 0
        self.room: int = 20
        """Rows that fit at a time, as far as has been seen: the keys need it to stop at the end."""
        self.end: int = 0
        """The row that is the first one there."""

    @override
    def title(self) -> str:
        return self._title or super().title()

    def lines(self, width: int) -> Sequence[Row]:
        """All there is to read."""
        return self._lines(width)

    def lines_on(self, size: Size) -> Sequence[Row]:
        """Return the lines for a screen of this size."""
        return self.lines(size.columns)

    def heading(self) -> str:
        """What stands above the pane for what there is to read."""
        return self.words.t(self.HEADING)

    def beside(self, size: Size) -> Sequence[Pane]:
        """Panes beside what there is to read, where there is room; else they are read below it."""
        return ()

    def together(self, lines: Sequence[Row], side: Sequence[Pane], width: int) -> Sequence[Row]:
        """What there is to read, with what would stand beside it."""
        return [*lines, *joined(side, width)]

    @override
    def frame(self, size: Size) -> Frame:
        look, inside = self.context.look, self.body_size(size)
        if not self.HEADING or not has_boxes(inside, look):
            lines, room = self.lines_on(size), self.room_on(size)
            if self.HEADING:
                lines = self.together(lines, self.beside(size), size.columns)
            end = max(0, len(lines) - room)
            top = min(self._top, end)
            return self._with_keys(lines[top : top + room], size, room, end)
        apart, room = are_beside(inside, look), inside.rows - 2
        side, lengths = self.beside(inside), list[int]()

        def read(width: int) -> Sequence[Row]:
            lines = self.lines_on(Size(width, size.rows - 2))
            lines = lines if apart else self.together(lines, side, width)
            lengths.append(len(lines))
            return lines

        main = Pane(self.heading(), read, top=self._top, grows=True)
        body = panes([[main], side] if apart and side else [[main]], inside, look, self.SHARES)
        return self._with_keys(body, size, room, max(0, lengths[0] - room))

    def _with_keys(self, body: Sequence[Row], size: Size, room: int, end: int) -> Frame:
        """Framed; the keys that scroll are told where there is something to scroll."""
        frame = self.framed(
            *(self.title(), body, size),
            keys=self.footer() if end else self.footer(SCROLL),
            aside=self.aside(),
            share=self.SHARE,
        )
        return frame.telling(partial(self._saw, room, end))

    def _saw(self, room: int, end: int) -> None:
        self.room, self.end = room, end

    def room_on(self, size: Size) -> int:
        """Return how many rows fit at a time on a screen of this size."""
        return self.body_size(size).rows

    def scroll(self, rows: int) -> None:
        """Down by so many rows."""
        self._top = max(0, min(self._top + rows, self.end))


T = TypeVar("T")


class LoadedPage(Page, Generic[T]):
    """``opened`` begins to read what it shows; until that is there, it shows ``waiting_rows``."""

    missing: str = ""
    """Why there is nothing to read, which trying again would not change."""
    _reading: object = None

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._found: T | None = None

    @override
    def opened(self) -> None:
        """In place of whatever was to be read before."""
        reading = self._reading = object()
        self.unread = ""

        async def read() -> None:
            found = await self.load()
            if self._reading is reading:
                self._found = found

        def failed(why: str) -> None:
            if self._reading is reading:
                self.unread = why

        self.fetch(read(), failed)

    async def load(self) -> T | None:
        """What there is to read. Raises ``StoreError``."""
        raise NotImplementedError

    def told(self, found: T, width: int) -> Sequence[Row]:
        """What there is to read of it, on a ``ReadingPage``."""
        raise NotImplementedError

    def lines(self, width: int) -> Sequence[Row]:
        """All there is to read."""
        return self.waiting_rows(width) if self._found is None else self.told(self._found, width)

    @property
    def waiting(self) -> str:
        """That it is being read, or why it could not be; empty once it is there."""
        if self._found is not None:
            return ""
        return self.unread or self.missing or self.words.t("One moment...")

    def waiting_rows(self, width: int) -> list[Row]:
        """Return ``waiting`` as rows."""
        return paragraph(self.waiting, width, "dim")


Sections = Sequence[tuple[str, Sequence[str]]]
"""Headings, and the paragraphs below each."""


def rows_of(keys: Sequence[AnyKey], words: Words) -> tuple[str, ...]:
    """What help tells of these keys."""
    return tuple(map(words.t, chain.from_iterable(key.help for key in keys)))


def rules(
    options: TableOptions | None, look: DrawContext, *, facts: bool = True
) -> Sequence[Section]:
    """The rules as a table with these options plays them, with the signs that are seen there."""
    signs = Signs(look.glyphs.left, look.glyphs.lost, look.glyphs.half_printed)
    return rules_sections(options, look.words, facts=facts, signs=signs)


def help_lines(sections: Sections, width: int) -> list[Row]:
    """Help as headings and paragraphs; a paragraph with a tab is "key, tab, meaning"."""
    wide = min(width, 90)
    lines: list[Row] = []
    for heading, texts in sections:
        if lines:
            lines.append(BLANK)
        lines.append(row("  ", ("heading", heading)))
        for text in texts:
            key, tab, meaning = text.partition("\t")
            if tab:
                for number, each in enumerate(paragraph(meaning, wide - 16)):
                    lines.append(row("  ", ("key", fit(key if number == 0 else "", 14)), *each[1:]))
            else:
                lines += paragraph(text, wide)
    return lines


class SharePage(LoadedPage[Shared], ReadingPage):
    """What ``find`` finds (``session.sharing``), as lines to copy: nothing stands beside them."""

    TITLE = _("Share this game")
    KEYS = KeyTable["SharePage"](*ReadingPage.KEYS[:-2])

    def __init__(
        self, context: SessionContext, find: Callable[..., Awaitable[Shared | None]]
    ) -> None:
        super().__init__(context)
        self._find: Final = find
        self.copied = False
        """They have been sent to the terminal."""

    @override
    async def load(self) -> Shared | None:
        return await self._find(unicode=self.context.abilities.unicode)

    @property
    def copies(self) -> bool:
        """There is something to copy, and a terminal that may be able to."""
        return self._found is not None and self.context.abilities.copies is not Copying.NEVER

    @KEYS.add("c", footer=_("copy"), shown=lambda page: page.copies and not page.copied)
    def copy(self) -> None:
        """Have the terminal put the lines on the clipboard."""
        if self._found is not None and self.copies:
            self.context.copy("\n".join(self._found.lines))
            self.copied = True

    KEYS.include(BACK, TAB)

    @override
    def told(self, found: Shared, width: int) -> Sequence[Row]:
        words, copies = self.words, self.context.abilities.copies
        lines = [row(("text", part)) for line in found.lines for part in wrap(line, width - 1)]
        if self.copied:
            said = copied_in_words(copies, words)
        elif self.copies:
            said = f"{words.t('c copies these lines.')} {copying_in_words(copies, words)}"
        else:
            said = copying_in_words(copies, words)
        style = "good" if self.copied else "text"
        return [
            *lines,
            BLANK,
            *paragraph(said, width, style, ""),
            *paragraph(found.note, width, "dim", ""),
            *paragraph(found.counts, width, "dim", ""),
        ]


_LONGEST = 3
"""Characters of a card's number, and one that makes it none."""


class PlainPage(ReadingPage):
    """It leans on as little as it can of what others do."""

    SAYS = CHATS = True
    KEYS = KeyTable["PlainPage"](CHAT_LOG)

    @property
    def bids(self) -> bool:
        """A card can be bid, or bid in place of the sealed one."""
        table = self.context.table
        own = table.own if table is not None else None
        return own is not None and bool(own.hand) and own.table.offer is not None

    @property
    def starts(self) -> bool:
        """The player may begin the game."""
        table = self.context.table
        return table is not None and table.owned and table.info.status is m.Status.OPEN

    @property
    def is_over(self) -> bool:
        """The player has been in a game that is over."""
        table = self.context.table
        over = table is not None and table.info.status is m.Status.OVER
        return over and self.table.seat >= 0 and not self.table.info.event

    @KEYS.each(*"123456789", when=lambda page: page.bids, footer=_("card"), label="1-9")
    def ask_card(self, digit: str) -> None:
        """Have the rest of its number typed."""
        self._top = 0  # where it is typed
        self.ask(self.words.t("card"), self._bid, digit, longest=_LONGEST)

    KEYS.include(
        *ReadingPage.KEYS[:-2],
        Key(
            " ",
            does=lambda page: page.context.reveal.skip(),
            when=lambda page: page.context.reveal.scene is not None,
        ),
    )

    @KEYS.add("s", when=lambda page: page.starts, footer=_("start"))
    def start(self) -> None:
        """With bots where nobody sits."""
        self.context.do_all(filling(self.table))

    KEYS.include(
        Key(
            "r",
            does=lambda page: page.context.play_again(),
            when=lambda page: page.is_over,
            footer=_("another game"),
        ),
        Key(
            "g",
            does=lambda page: page.context.do(m.QuickJoin(NEW_TABLE)),
            when=lambda page: page.context.table is None,
            footer=_("any game"),
        ),
        Key("t", does=lambda page: page.context.broken.clear(), footer=_("try again")),
        HELP,
        SETTINGS,
        *WAYS_OUT,
        CHAT,
        Key("D", does=lambda page: page.context.leave()),
    )

    def _bid(self, typed: str) -> None:
        table = self.context.table
        own = table.own if table is not None else None
        if own is None or not (typed.isascii() and typed.isdecimal()) or int(typed) not in own.hand:
            said = self.words.t("You do not hold the {card}.", card=typed)
            self.context.say("error", said)
            return
        self.context.do(m.PlaceBid(int(typed), own.table.stage, own.table.round))

    # ---------------------------------------------------------------- the picture

    @override
    def title(self) -> str:
        return self.words.t("In sentences")

    @override
    def frame(self, size: Size) -> Frame:
        return self.with_prompt(super().frame(size), size.columns)

    @override
    def lines(self, width: int) -> Sequence[Row]:
        words = self.words
        typing = [BLANK, *spacer(Size(width, 20))] if self.entry is not None else []
        said = words.t(
            "Something went wrong with the picture, so here it is in sentences. t "
            "tries again, D disconnects."
        )
        rows = [*typing, *paragraph(said, width, "warm"), BLANK]
        return [*rows, *paragraphs(self._sentences(), width)]

    def _sentences(self) -> Sequence[str]:
        """Where one is; only the hand where even that goes wrong."""
        try:
            return self._place()
        except Exception as error:
            self.context.log_mistake(error, type(self).__name__)
            table = self.context.table
            return (
                tuple(table_in_sentences.hand_lines(table, self.words)) if table is not None else ()
            )

    def _place(self) -> Sequence[str]:
        lobby, table, words = self.context.lobby, self.context.table, self.words
        # What a bid needs first of all, where there is little room.
        bids = table is not None and table.info.status is m.Status.PLAYING and table.own is not None
        hand = (
            tuple(table_in_sentences.hand_lines(table, words)) if table is not None and bids else ()
        )
        place = table_in_sentences.place_lines(
            lobby, table, words, self.context.clock.time(), typed=False
        )
        return (*hand, *(line for line in place if line not in hand))
