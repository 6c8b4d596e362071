"""The change between line mode and the full screen."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from server.coordinator.ports import Visit
from server.terminal.capabilities import ByteStream, Capabilities, Size, Terminal
from server.transport.session.ports import Frontend


class Changing(Frontend, Protocol):
    """A face that may end because its player wants the other kind."""

    @property
    def wants_other(self) -> bool:
        """It has ended for that."""

    @property
    def abilities(self) -> Capabilities:
        """How the player wants the terminal used by now."""


class SwitchingFrontend:
    """Lines or the full screen, and from one to the other as often as the player likes.

    ``make(terminal, lines, first)`` makes the one or the other; ``first`` of this visit, or later.
    """

    __slots__ = ("_face", "_make", "_terminal", "_visit", "lines")

    def __init__(
        self,
        terminal: ByteStream,
        visit: Visit,
        lines: bool,
        make: Callable[[Terminal, bool, bool], Changing],
    ) -> None:
        self._terminal: Final = terminal
        self._visit: Final = visit
        self._make: Final = make
        self.lines = lines
        terminal.expect(lines=lines)
        self._face: Changing = make(_Switched(terminal, lines), lines, True)

    async def run(self) -> None:
        """See ``house.Face``."""
        await self._face.run()
        while self._face.wants_other:
            self.lines = not self.lines
            self._terminal.expect(lines=self.lines)
            self._visit.feed.rewind()
            # What the player has chosen in the one goes for the other.
            terminal = _Switched(self._terminal, self.lines, self._face.abilities)
            self._face = self._make(terminal, self.lines, False)
            await self._face.run()

    def feed(self, text: str) -> None:
        """See ``house.Face``."""
        self._face.feed(text)

    def resized(self) -> None:
        """See ``house.Face``."""
        self._face.resized()

    def drained(self) -> None:
        """See ``house.Face``."""
        self._face.drained()

    def slow(self) -> None:
        """See ``house.Face``."""
        self._face.slow()


class _Switched:
    """The terminal, with the face that is shown on it now. See ``server.terminal.capabilities.Terminal``."""

    __slots__ = ("_lines", "_terminal", "_wanted")

    def __init__(self, terminal: Terminal, lines: bool, wanted: Capabilities | None = None) -> None:
        self._terminal: Final = terminal
        self._lines: Final = lines
        self._wanted: Final = wanted

    @property
    def size(self) -> Size:
        return self._terminal.size

    @property
    def abilities(self) -> Capabilities:
        return replace(self._wanted or self._terminal.abilities, lines=self._lines)

    @property
    def writable(self) -> bool:
        return self._terminal.writable

    def write(self, text: str) -> None:
        self._terminal.write(text)

    def close(self) -> None:
        self._terminal.close()
