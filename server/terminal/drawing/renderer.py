"""prompt_toolkit's Renderer and Output, drawing our frames (why: docs/prompt-toolkit.md)."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from prompt_toolkit.application import Application
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.renderer import Renderer
from prompt_toolkit.styles import DummyStyle
from typing_extensions import override

from server.terminal.capabilities import Capabilities, Size, Terminal
from server.terminal.drawing.frame import Frame
from server.terminal.drawing.frame_encoder import FrameEncoder
from server.terminal.drawing.questions import questions
from server.terminal.drawing.theme import theme_for


class ChannelOutput(DummyOutput):
    """What is sent leaves as one piece, with bells that have been rung. Nothing is asked of the terminal."""

    def __init__(self, terminal: Terminal, written: Callable[[str], None]) -> None:
        """``written`` is told what leaves."""
        self._terminal: Final = terminal
        self._written: Final = written
        self._bells = ""

    def send(self, text: str) -> None:
        """Send ``text``, if there is any."""
        text, self._bells = self._bells + text, ""
        if text:
            self._written(text)
            self._terminal.write(text)

    @override
    def bell(self) -> None:
        self._bells += "\a"


class FrameSource(Protocol):
    """What is drawn: see ``application.Screen``."""

    __slots__ = ()

    @property
    def abilities(self) -> Capabilities:
        """How the player wants the terminal to be used."""

    def frame(self, size: Size) -> Frame:
        """What there is to see now.

        Changes nothing: what has been seen is told to ``Frame.seen`` once it is sent. Rows that are
        as before should be the same objects, or equal. At most ``size.rows`` rows of
        ``size.columns`` columns are shown.
        """

    def failed(self, error: Exception, *, drawing: bool) -> bool:
        """Whether there is something else to show now.

        This was raised when a frame was asked for, or when that was drawn; or else by a key.
        """


class FrameRenderer(Renderer):
    """Sends what differs between the frame that was drawn last and the one that ``source`` makes now."""

    output: ChannelOutput

    def __init__(self, source: FrameSource, terminal: Terminal, output: ChannelOutput) -> None:
        self._source: Final = source
        self._terminal: Final = terminal
        self.abilities = source.abilities
        self._encoder: Final = FrameEncoder(theme_for(self.abilities))
        self._encoder.synchronized = self.abilities.synchronized
        self._size = terminal.size
        self.painted = False
        """The terminal is taken over, and shows something."""
        super().__init__(DummyStyle(), output, full_screen=True)

    @override
    def render(self, app: Application[Any], layout: Layout, is_done: bool = False) -> None:
        if app.is_done:
            return
        if (abilities := self._source.abilities) is not self.abilities:
            self._adapt(abilities)
        before = after = ""
        if not self.painted:
            self._size = self._terminal.size
            before, after = questions(self.abilities)
            before = self._encoder.enter() + before
        while True:
            try:
                frame = self._source.frame(self._size)
                update = self._encoder.update(frame, self._size)
            except Exception as error:
                self._encoder.forget()  # it may have come halfway
                if not self._source.failed(error, drawing=True):
                    raise
                continue
            break
        self.painted = True
        self.output.send(before + update + after)
        for tell in frame.seen:
            tell()

    def _adapt(self, abilities: Capabilities) -> None:
        """To what the player wants the terminal to be used like by now."""
        self.abilities = abilities
        self._encoder.synchronized = abilities.synchronized
        if (theme := theme_for(abilities)) is not self._encoder.theme:
            self._encoder.theme = theme
            self._encoder.forget()

    def resize(self) -> None:
        """The next frame has the size that the terminal has now."""
        self._size = self._terminal.size
        self.clear()  # terminals differ in what they make of the old content

    @override
    def clear(self) -> None:
        self._encoder.forget()

    @override
    def reset(self, _scroll: bool = False, leave_alternate_screen: bool = True) -> None:
        """What an application begins with is nothing that the terminal has to be told."""

    @override
    def request_absolute_cursor_position(self) -> None:
        """A full screen begins at its upper left corner."""

    @override
    def erase(self, leave_alternate_screen: bool = True) -> None:
        if self.painted:
            self.painted = False
            self.output.send(self._encoder.leave())
