"""prompt_toolkit's Output onto the channel of one player."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import DummyOutput
from typing_extensions import override

from server.terminal.capabilities import Terminal


class ChannelOutput(DummyOutput):
    """What is written leaves as one piece with ``flush``. Nothing is asked of the terminal."""

    def __init__(self, terminal: Terminal, written: Callable[[str], None]) -> None:
        """``written`` is told what leaves."""
        self._terminal: Final = terminal
        self._written: Final = written
        self._waiting = ""

    @override
    def write_raw(self, data: str) -> None:
        self._waiting += data

    @override
    def flush(self) -> None:
        text, self._waiting = self._waiting, ""
        if text:
            self._written(text)
            with suppress(OSError):  # the line went away: whoever reads it will say so
                self._terminal.write(text)

    @override
    def get_size(self) -> Size:
        columns, rows = self._terminal.size
        return Size(rows, columns)

    @override
    def bell(self) -> None:
        self.write_raw("\a")
