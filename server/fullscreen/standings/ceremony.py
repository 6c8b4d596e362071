"""A page with a podium, whose steps are taken one after the other."""

from typing import Final

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.reading_page import ReadingPage
from server.fullscreen.standings.podium import ALL
from server.terminal.keys.key_table import AnyKey
from server.timers import OneTimer
from server.viewmodels.motion_setting import motion_on

_SECONDS: Final = 0.6
"""After which the next of the three stands there."""


class CeremonyPage(ReadingPage):
    """The best one comes last; so many are ``standing`` there by now. Any key brings them all."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.standing = ALL
        self._rises: Final = OneTimer(context.clock)

    def begin(self) -> None:
        """From the first to come, at the top; at once all of them unless everything may move."""
        self._top = 0
        if motion_on(self.context.abilities).flows:
            self.standing = 0
            self._rises.after(_SECONDS, self._next)

    def _next(self) -> None:
        self.standing += 1
        if self.standing < ALL:
            self._rises.after(_SECONDS, self._next)
        self.context.changed()

    def _end(self) -> None:
        self._rises.cancel()
        self.standing = ALL

    @override
    def press(self, key: AnyKey | None, name: str) -> None:
        self._end()
        super().press(key, name)

    @override
    def closed(self) -> None:
        super().closed()
        self._end()
