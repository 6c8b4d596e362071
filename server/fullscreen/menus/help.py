"""The pages of help, of the keys at the table, and of puzzles."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from server.coordinator.messages import Status
from server.fullscreen.chat.overlay import ChatOverlay
from server.fullscreen.context import (
    ACTIONS,
    SessionContext,
    action_on,
    by_action,
    fixed_names,
    is_bindable,
    to_keep,
    usual_label,
)
from server.fullscreen.lobby.page import LobbyPage
from server.fullscreen.lobby.waiting_page import WaitingPage
from server.fullscreen.pages.lists import FormPage, ListPage
from server.fullscreen.pages.page import ARROWS, BACK, CHAT, CHAT_LOG, MEETING, Page
from server.fullscreen.pages.reading import (
    SCROLL,
    SCROLLING,
    ReadingPage,
    help_lines,
    rows_of,
    rules,
)
from server.fullscreen.replay.page import replay_screen
from server.fullscreen.standings.pages import FinalPage
from server.fullscreen.table.page import TablePage
from server.fullscreen.widgets.chrome import paragraph, paragraphs
from server.i18n.lookup import _
from server.playback import ReplayPosition
from server.session.learning import Puzzle, Puzzles, Section
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Row, Span
from server.terminal.keys.bindings import AnyKey, Key, KeyTable
from server.viewmodels.table_options import OptionLine

TABLE_KEYS = (*TablePage.COMMON, *TablePage.KEYS)
_BY_ACTION = by_action(TABLE_KEYS)


class KeysPage(FormPage):
    """The keys at the table, each of which can be changed."""

    TITLE = _("Keys at the table")
    KEYS = KeyTable["KeysPage"](
        *ListPage.KEYS,
        Key("enter", "right", "l", " ", does=lambda page: page.change(1), footer=_("another key")),
    )

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._waiting = False
        """The next key is the one for what is chosen."""

    @override
    def items(self) -> Sequence[OptionLine]:
        words, own = self.words, self.context.own_keys
        lines = []
        for action in ACTIONS:
            usual = usual_label(_BY_ACTION[action], words)
            instead = (
                words.t("instead of {key}", key=usual)
                if action in own
                else words.t("the usual key")
            )
            shown = own.get(action, usual)
            lines.append(OptionLine(self._what(action), shown, instead, self._wait))
        none, how = words.t("Reset all keys"), words.t("Enter: reset")
        return [*lines, OptionLine(none, "", how, lambda _: self._keep({}), fixed=True)]

    @property
    @override
    def said(self) -> Span:
        if not self._waiting:
            return super().said
        what = self._what(ACTIONS[self._at])
        text = self.words.t("Press the key for: {what}. Esc keeps it as it is.", what=what)
        return ("warm", text)

    @override
    def press(self, key: AnyKey | None, name: str) -> None:
        if not self._waiting:
            super().press(key, name)
            return
        self._waiting = False
        if name not in ("escape", "enter"):
            self._assign(name)

    def _wait(self, _step: int) -> None:
        """Have another key pressed for what is chosen."""
        self._waiting = True

    @KEYS.add("d", "delete", "backspace", footer=_("as usual"))
    def reset(self) -> None:
        """The usual key for what is chosen."""
        own = dict(self.context.own_keys)
        if self._at < len(ACTIONS):
            own.pop(ACTIONS[self._at], None)
            self._keep(own)

    KEYS.include(BACK)

    def _what(self, action: str) -> str:
        return self.words.t(_BY_ACTION[action].what)

    def _say_used(self, key: str, action: str) -> None:
        text = self.words.t("{key} is already used for: {what}.", key=key, what=self._what(action))
        self.context.say("error", text)

    def _assign(self, key: str) -> None:
        own, action = self.context.own_keys, ACTIONS[self._at]
        other = action_on(key, _BY_ACTION, own)
        if other == action:
            return
        if other:
            self._say_used(key, other)
        elif not is_bindable(key) or key in fixed_names(TABLE_KEYS):
            self.context.say("error", self.words.t("That key is fixed; choose another one."))
        else:
            self._keep({**own, action: key})

    def _keep(self, own: dict[str, str]) -> None:
        """Keep these, unless the usual key of one is what another has been given."""
        for action in ACTIONS:
            usual = _BY_ACTION[action].names[0]
            other = "" if action in own else action_on(usual, _BY_ACTION, own)
            if other and other != action:
                self._say_used(usual, other)
                return
        self.context.prefer(keys=to_keep(own))


_CHAT: Final = (CHAT, *ChatOverlay.KEYS, CHAT_LOG)
_OF_THE_TABLE: Final = tuple(key for key in TABLE_KEYS if key not in _CHAT)
_MEETING: Final = tuple(
    dict.fromkeys(
        key
        for key in (
            *LobbyPage.KEYS,
            *WaitingPage.KEYS,
            *(each for each in _OF_THE_TABLE if each.section == MEETING),
            *FinalPage.KEYS,
        )
        if key not in _CHAT
    )
)
_REDRAW: Final = _("Ctrl-L\tredraw the screen")


class HelpPage(ReadingPage):
    """The rules as this table plays them, and the keys."""

    TITLE = _("How to play")

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        table = context.table
        self._meeting = context.greeted if table is None else table.info.status is Status.OPEN
        """Asked for where people meet, not where they play."""

    @override
    def lines(self, width: int) -> Sequence[Row]:
        words, own, table = self.words, self.context.own_keys, self.context.table
        kept = [
            key
            for key in _OF_THE_TABLE
            if not (key.action in own and len(key.names[0]) == 1) and not key.section
        ]
        meeting = (words.t(MEETING), rows_of(_MEETING, words))
        sections: list[Section] = [
            *rules(table.info.options if table is not None else None, self.context.look),
            (words.t("Keys"), (*rows_of(kept, words), words.t(_REDRAW))),
            (words.t("Chat"), rows_of(_CHAT, words)),
        ]
        sections.insert(0 if self._meeting else len(sections), meeting)
        if own:
            what = {key.action: key.what for key in reversed(TABLE_KEYS)}
            mine = [f"{own[each]}\t{words.t(what[each])}" for each in ACTIONS if each in own]
            sections.append((words.t("Your own keys"), tuple(mine)))
        return help_lines(sections, width)


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
