"""prompt_toolkit's own renderer with our frames, measured beside ours in `bench.rounds`."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Final

from prompt_toolkit.data_structures import Size as PtkSize
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import Renderer
from prompt_toolkit.styles import Style

from server.terminal.application import PlayerApplication
from server.terminal.application import Screen as Shown
from server.terminal.capabilities import Capabilities, Colours, Terminal
from server.terminal.drawing.frame import Row
from server.terminal.drawing.theme import NAMES, CellStyle, theme_for
from server.timers import Timers

THEME: Final = theme_for(Capabilities(colours=Colours.SIXTEEN))


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
def _cells(line: Row) -> defaultdict[int, Char]:
    found: defaultdict[int, Char] = defaultdict(lambda: Char(" ", ""))
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
    return " ".join([*words, *(it for it in ("bold", "reverse", "underline") if getattr(look, it))])


def _named(colour: str) -> str:
    name = NAMES[int(colour) % 10]
    return "gray" if name == "white" else name


class _Renderer(Renderer):
    """The original, asked as ours is."""

    @property
    def painted(self) -> bool:
        return self.last_rendered_screen is not None

    def resize(self) -> None:
        self.clear()


class OwnContainer(PlayerApplication):
    """A session drawn by prompt_toolkit's Renderer, Output and Style."""

    def __init__(self, terminal: Terminal, screen: Shown, timers: Timers | None = None) -> None:
        super().__init__(terminal, screen, timers)

        def size() -> PtkSize:
            return PtkSize(rows=terminal.size.rows, columns=terminal.size.columns)

        depth = ColorDepth.DEPTH_4_BIT
        line: Any = SimpleNamespace(write=terminal.write, flush=lambda: None, encoding="utf-8")
        self.output = Vt100_Output(
            line, size, term="xterm", default_color_depth=depth, enable_cpr=False
        )
        self.layout = Layout(Rows(lambda: screen.frame(terminal.size).rows))
        self.renderer = _Renderer(  # type: ignore[assignment]
            Style([]), self.output, full_screen=True
        )
