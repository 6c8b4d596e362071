"""What stands in place of a page that cannot be drawn: where one is, in sentences, and a card can be bid."""

from collections.abc import Sequence

from typing_extensions import override

from server.coordinator import messages as m
from server.fullscreen.pages.page import CHAT, CHAT_LOG, HELP, SETTINGS, WAYS_OUT
from server.fullscreen.pages.reading import ReadingPage
from server.fullscreen.widgets.chrome import paragraph, paragraphs, spacer
from server.i18n.lookup import _
from server.session import table_in_sentences
from server.session.preferences import NEW_TABLE, filling
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row
from server.terminal.keys.key_table import Key, KeyTable

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
