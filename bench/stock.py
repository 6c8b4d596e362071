"""prompt_toolkit's own parts with the frames and keys of ours, which are measured beside them."""

import io
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size as PtkSize
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import DummyInput
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.layout import Container, Dimension, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import Renderer
from prompt_toolkit.styles import Style

from server.terminal.application import PlayerApplication
from server.terminal.application import Screen as Shown
from server.terminal.capabilities import Capabilities, Colours, Size, Terminal
from server.terminal.drawing.frame import Row
from server.terminal.drawing.sgr import NAMES, CellStyle
from server.terminal.drawing.theme import theme_for
from server.terminal.keys.key_decoder import KeyDecoder
from server.terminal.timers import EventLoopTimers

THEME: Final = theme_for(Capabilities(colours=Colours.SIXTEEN))
_STYLE: Final = Style([])

Cells = defaultdict[int, Char]


# ------------------------------------------------------------------------------------------ drawing


class Rows(Container):
    """Puts rows into the screen. So nothing is laid out; what differs is found, and sent, as always."""

    def __init__(self, rows: Callable[[], Sequence[Row]]) -> None:
        self._rows: Final = rows
        self._focus: Final = Window()  # a layout needs one

    def reset(self) -> None:
        """There is nothing to reset."""

    def preferred_width(self, max_available_width: int) -> Dimension:
        return Dimension()

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:
        return Dimension()

    def get_children(self) -> list[Container]:
        return [self._focus]

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        screen.width, screen.height = write_position.width, write_position.height
        for y, line in enumerate(self._rows()[: write_position.height]):
            screen.data_buffer[y] = _cells(line)


@lru_cache(maxsize=4096)
def _cells(line: Row) -> Cells:
    found: Cells = defaultdict(lambda: Char(" ", ""))
    column = 0
    for style, text, *_ in fragments(line):
        for char in text:
            found[column] = Char(char, style)
            column += max(1, found[column].width)
    return found


@lru_cache(maxsize=1024)
def fragments(line: Row) -> StyleAndTextTuples:
    """A row as prompt_toolkit takes formatted text."""
    return [(_style(THEME.look(style)), text) for style, text in line]


def _style(look: CellStyle) -> str:
    words = [f"ansi{_named(look.fg)}"] if look.fg else []
    words += [f"bg:ansi{_named(look.bg)}"] if look.bg else []
    return " ".join(
        [*words, *(flag for flag in ("bold", "reverse", "underline") if getattr(look, flag))]
    )


def _named(colour: str) -> str:
    name = NAMES[int(colour) % 10]
    return "gray" if name == "white" else name


def _output(stream: io.StringIO, size: Size) -> Vt100_Output:
    return Vt100_Output(
        stream,
        lambda: PtkSize(rows=size.rows, columns=size.columns),
        term="xterm",
        default_color_depth=ColorDepth.DEPTH_4_BIT,
        enable_cpr=False,
    )


class Stock:
    """Layout and renderer with the rows of ``frame``: a window a row, one in all, or ``Rows``."""

    def __init__(self, windows: int, size: Size):
        self.written = io.StringIO()
        self.rows: Sequence[Row] = ()
        body: Container
        if windows > 1:
            body = HSplit(
                [Window(FormattedTextControl(self._row(y)), height=1) for y in range(size.rows)]
            )
        else:
            body = (
                HSplit([Window(FormattedTextControl(self._all))])
                if windows
                else Rows(lambda: self.rows)
            )
        self.app: Application[None] = Application(
            Layout(body), full_screen=True, input=DummyInput(), output=_output(self.written, size)
        )

    def _row(self, y: int) -> Callable[[], StyleAndTextTuples]:
        return lambda: fragments(self.rows[y]) if y < len(self.rows) else []

    def _all(self) -> StyleAndTextTuples:
        return [part for line in self.rows for part in (*fragments(line), ("", "\n"))]

    def draw(self, rows: Sequence[Row]) -> str:
        """What is sent for them."""
        self.rows = rows
        with set_app(self.app):
            self.app.render_counter += 1
            self.app.renderer.render(self.app, self.app.layout)
        sent = self.written.getvalue()
        self.written.seek(0)
        self.written.truncate()
        return sent


# ----------------------------------------------------------------------------------------- sessions


class _Line(io.StringIO):
    def __init__(self, terminal: Terminal) -> None:
        super().__init__()
        self._terminal: Final = terminal

    def write(self, text: str) -> int:
        self._terminal.write(text)
        return len(text)


class _Renderer(Renderer):
    """The original, asked as ours is."""

    @property
    def painted(self) -> bool:
        return self.last_rendered_screen is not None

    def resize(self) -> None:
        self.clear()


class OwnContainer(PlayerApplication):
    """A session drawn by prompt_toolkit's Renderer, Output and Style."""

    def __init__(
        self, terminal: Terminal, screen: Shown, timers: EventLoopTimers | None = None
    ) -> None:
        super().__init__(terminal, screen, timers)
        self.output = _output(_Line(terminal), terminal.size)
        self.layout = Layout(Rows(lambda: screen.frame(terminal.size).rows))
        self.renderer = _Renderer(  # type: ignore[assignment]
            _STYLE, self.output, full_screen=True
        )


class OwnRun(PlayerApplication):
    """A session that runs as prompt_toolkit runs it, and keeps nothing of what was typed ahead."""

    _redraw = Application._redraw

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.erase_when_done = True
        self.terminal_size_polling_interval = None
        self.input.typeahead_hash = lambda: ""  # type: ignore[method-assign]

    def _request_absolute_cursor_position(self) -> None:
        """It takes the whole screen."""

    async def run_async(self, *_args: Any, **_kwargs: Any) -> None:
        with suppress(EOFError), create_app_session(self.input, self.output):
            try:
                await Application.run_async(self, set_exception_handler=False, handle_sigint=False)
            finally:
                clear_typeahead(self.input)


# --------------------------------------------------------------------------------------------- keys


def milliseconds_for(sequence: str) -> tuple[float, float]:
    """CPU time to take a sequence apart: ours, prompt_toolkit's."""
    decoder, parser = KeyDecoder(), Vt100Parser(lambda _key: None)

    def taken(feed: Callable[[str], object]) -> float:
        begin = time.process_time_ns()
        feed(sequence)
        return (time.process_time_ns() - begin) / 1e6

    return taken(decoder.feed), taken(parser.feed)
