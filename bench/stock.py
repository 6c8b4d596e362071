"""prompt_toolkit's own renderer and layout with our frames, measured beside ours in `bench.rounds`."""

import io
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Final

from prompt_toolkit.data_structures import Size as PtkSize
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import Container, FormattedTextControl, HSplit, Layout, Window
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
from server.timers import Timers

THEME: Final = theme_for(Capabilities(colours=Colours.SIXTEEN))
_STYLE: Final = Style([])

Cells = defaultdict[int, Char]


class Rows(Window):
    """Puts rows into the screen. So nothing is laid out; what differs is found, and sent, as always."""

    def __init__(self, rows: Callable[[], Sequence[Row]]) -> None:
        super().__init__()
        self._rows: Final = rows

    def write_to_screen(
        self, screen: Screen, mouse_handlers: Any, write_position: WritePosition, *_: Any, **__: Any
    ) -> None:
        """See ``Window``."""
        screen.width, screen.height = write_position.width, write_position.height
        for y, line in enumerate(self._rows()[: write_position.height]):
            screen.data_buffer[y] = _cells(line)


@lru_cache(maxsize=4096)
def _cells(line: Row) -> Cells:
    found: Cells = defaultdict(lambda: Char(" ", ""))
    column = 0
    for name, text in line:
        style = _style(THEME.cell_style(name))
        for char in text:
            found[column] = Char(char, style)
            column += max(1, found[column].width)
    return found


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

    container: Callable[[Callable[[], Sequence[Row]]], Container] = Rows

    def __init__(self, terminal: Terminal, screen: Shown, timers: Timers | None = None) -> None:
        super().__init__(terminal, screen, timers)
        self.output = _output(_Line(terminal), terminal.size)
        self.layout = Layout(self.container(lambda: screen.frame(terminal.size).rows))
        self.renderer = _Renderer(  # type: ignore[assignment]
            _STYLE, self.output, full_screen=True
        )


class Windows(OwnContainer):
    """The same with prompt_toolkit's layout, as its manual has it: a window for each row."""

    @staticmethod
    def container(rows: Callable[[], Sequence[Row]]) -> Container:
        def row(y: int) -> StyleAndTextTuples:
            found = rows()
            return (
                [(_style(THEME.cell_style(name)), text) for name, text in found[y]]
                if y < len(found)
                else []
            )

        windows = [Window(FormattedTextControl(partial(row, y)), height=1) for y in range(24)]
        return HSplit(windows)
