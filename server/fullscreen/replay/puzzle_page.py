"""The page of puzzles."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import ARROWS, BACK, Page
from server.fullscreen.pages.reading import SCROLL, SCROLLING, ReadingPage
from server.fullscreen.replay.page import replay_screen
from server.fullscreen.widgets.chrome import paragraph, paragraphs
from server.i18n.lookup import _
from server.playback.replayed_game import ReplayPosition
from server.session.learning import Puzzle, Puzzles
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame
from server.terminal.keys.key_table import Key, KeyTable


class PuzzlePage(Page):
    """A position of an own game, in which a card is to be chosen."""

    TITLE = _("Puzzles")
    LARGEST = None
    KEYS = KeyTable["PuzzlePage"](
        Key(
            *("right", "l"),
            does=lambda page: page.choose(1),
            when=lambda page: bool(page.hand),
            footer=_("choose"),
            label=ARROWS,
        ),
        Key("left", "h", does=lambda page: page.choose(-1), when=lambda page: bool(page.hand)),
    )

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._puzzles: Final = Puzzles(context.library)
        self._puzzle: Puzzle | None = None
        self._position: ReplayPosition | None = None
        self._card = 0
        self._said = _("Looking for your costliest bids ...")

    @override
    def opened(self) -> None:
        self.go_on()

    def go_on(self) -> None:
        """To the next one."""
        self._puzzle, self._said = None, _("Looking for your costliest bids ...")

        async def load() -> None:
            self._puzzle = puzzle = await self._puzzles.next()
            self._said = _("There are no more: play a game, and look again.")
            if puzzle is not None:
                self._position = puzzle.position(self.words)
                self._card = self.hand[len(self.hand) // 2]

        self.fetch(load())

    @property
    def hand(self) -> Sequence[int]:
        """The cards to choose from; empty while there is no puzzle."""
        own = self._position.now().own if self._puzzle and self._position else None
        return own.hand if own is not None else ()

    def choose(self, step: int) -> None:
        """Another card."""
        self._card = self.hand[(self.hand.index(self._card) + step) % len(self.hand)]

    @override
    def frame(self, size: Size) -> Frame:
        words, look = self.words, self.context.look
        if self._puzzle is None or self._position is None:
            said = paragraph(words.t(self._said), size.columns)
            return self.framed(self.title(), said, size)
        asked = words.t("Your game, your hand: which card would you bid now?")
        message = self.said if self.said[1] else ("warm", asked)
        clock, keys = ("dim", self.title()), self.footer()
        return replay_screen(self._position, 0, message, clock, keys, size, look, bid=self._card)

    @KEYS.add("enter", when=lambda page: bool(page.hand), footer=_("bid"))
    def answer(self) -> None:
        """See what the strongest bot says of the chosen card."""
        puzzle, card = self._puzzle, self._card
        assert puzzle is not None

        async def load() -> None:
            told = await self._puzzles.answered(puzzle, card, self.words)
            self.context.open(AnswerPage(self, puzzle, told))

        self.fetch(load())

    KEYS.include(BACK)


class AnswerPage(ReadingPage):
    """What the strongest bot says of a card."""

    KEYS = KeyTable["AnswerPage"](
        Key("enter", does=lambda page: page.go_on(), footer=_("next puzzle")),
        Key("c", does=lambda page: page.play_on(), footer=_("play on from here")),
        SCROLL,
        SCROLLING[0].named("down", "j"),
        BACK,
    )

    def __init__(self, page: PuzzlePage, puzzle: Puzzle, told: Sequence[str]) -> None:
        super().__init__(page.context, page.title(), partial(paragraphs, told, apart=True))
        self._page: Final = page
        self._puzzle: Final = puzzle

    def go_on(self) -> None:
        """To the next puzzle."""
        self.context.close(self)
        self._page.go_on()

    def play_on(self) -> None:
        """Play the game on from there."""
        game, seat, bid = self._puzzle
        self.context.play_on(game, seat, bid.stage, bid.round)
