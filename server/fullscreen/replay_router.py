"""A replay by itself, without a server behind it."""

from typing import Final

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding import KeyBindings
from typing_extensions import override

from server.coordinator.clock import Clock
from server.coordinator.messages import Command, Player
from server.fullscreen.context import SessionContext
from server.fullscreen.menus.opener import MenuOpener
from server.fullscreen.pages.page import Page
from server.fullscreen.replay.page import ReplayPage
from server.fullscreen.widgets.too_small import SMALLEST, small_screen
from server.playback.recorded_game import RecordedGame
from server.terminal.application import Invalidate, Screen
from server.terminal.capabilities import Capabilities, Size
from server.terminal.drawing.frame import Frame
from server.terminal.keys.key_table import Key


class ReplayRouter(Screen):
    """Shows one game until the viewer has seen enough."""

    def __init__(self, game: RecordedGame, clock: Clock, abilities: Capabilities) -> None:
        self._invalidate: Invalidate | None = None
        self.desk: Final = SessionContext(
            Player("", "", True), clock, abilities, _nothing, self._changed
        )
        self.desk.menus = _ReplayMenus(self)
        self.page: Final = ReplayPage(self.desk, game, self.desk.leave)

    def _changed(self) -> None:
        if self._invalidate is not None:
            self._invalidate()

    @property
    def focus(self) -> Page:
        """What is seen: the replay, or what has been opened over it."""
        top = self.desk.overlays[-1] if self.desk.overlays else None
        return top if isinstance(top, Page) else self.page

    @property
    @override
    def key_bindings(self) -> KeyBindings:
        return self.focus.key_bindings

    @property
    @override
    def done(self) -> bool:
        return self.desk.done

    @property
    @override
    def entry(self) -> Buffer | None:
        return self.focus.entry

    @override
    def attach(self, invalidate: Invalidate) -> None:
        self._invalidate = invalidate

    @override
    def frame(self, size: Size) -> Frame:
        if size.columns < SMALLEST.columns or size.rows < SMALLEST.rows:
            return small_screen(size, self.desk.words)
        return self.focus.frame(size)

    @override
    def press(self, key: Key | None, name: str) -> None:
        self.focus.press(key, name)

    @override
    def text(self, text: str) -> None:
        """Nothing is pasted here."""


class _ReplayMenus(MenuOpener):
    """There is nothing to leave but what is seen, and nobody to talk to."""

    __slots__ = ("_screen",)

    def __init__(self, screen: ReplayRouter) -> None:
        super().__init__(screen.desk)
        self._screen: Final = screen

    @override
    def leave(self) -> None:
        page = self._screen.focus
        if page.entry is None:
            page.go_back()
        page.entry = None

    @override
    def operators(self) -> None:
        """There are none."""


def _nothing(_command: Command, *_answers: object) -> None:
    """There is no table to tell anything."""
