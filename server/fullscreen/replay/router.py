"""A replay by itself, without a server behind it. Fits ``terminal.application.Screen``."""

from typing import Final

from prompt_toolkit.buffer import Buffer

from server.coordinator.clock import Clock
from server.coordinator.messages import Command, Player
from server.fullscreen.context import Page, SessionContext
from server.fullscreen.replay.page import ReplayPage
from server.fullscreen.widgets.too_small import SMALLEST, small_screen
from server.playback.recorded_game import RecordedGame
from server.terminal.application import Invalidate
from server.terminal.capabilities import Capabilities, Size
from server.terminal.frame import Frame
from server.terminal.key_bindings import LEGACY
from server.terminal.key_table import Key


class ReplayRouter:
    """Shows one game until the viewer has seen enough."""

    def __init__(self, game: RecordedGame, clock: Clock, abilities: Capabilities) -> None:
        self._invalidate: Invalidate | None = None
        self.desk: Final = SessionContext(
            Player("", "", True), clock, abilities, _nothing, self._changed
        )
        self.page: Final = ReplayPage(self.desk, game, self.desk.leave)

    def _changed(self) -> None:
        if self._invalidate is not None:
            self._invalidate()

    key_bindings = LEGACY

    @property
    def focus(self) -> object:
        """See ``Screen``."""
        return self

    def press(self, key: Key | None, name: str) -> None:
        """See ``Screen``."""
        self.key(name)

    @property
    def _top(self) -> Page:
        """What is seen: the replay, or what has been opened over it."""
        return self.desk.overlays[-1] if self.desk.overlays else self.page

    @property
    def done(self) -> bool:
        """See ``Screen``."""
        return self.desk.done

    @property
    def entry(self) -> Buffer | None:
        """See ``Screen``."""
        return self.page.entry

    def attach(self, invalidate: Invalidate) -> None:
        """See ``Screen``."""
        self._invalidate = invalidate

    def frame(self, size: Size) -> Frame:
        """See ``Screen``."""
        if size.columns < SMALLEST.columns or size.rows < SMALLEST.rows:
            return small_screen(size, self.desk.words)
        return self._top.frame(size)

    def key(self, name: str) -> None:
        """See ``Screen``."""
        meant = {"c-c": "escape", "c-d": "escape"}
        self._top.key(meant.get(name, name))

    def text(self, text: str) -> None:
        """See ``Screen``."""


def _nothing(_command: Command, *_answers: object) -> None:
    """There is no table to tell anything."""
