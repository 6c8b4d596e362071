"""A terminal in memory: what a player would see, as text and as styles."""

import unicodedata

import pyte
from pyte.screens import Char
from wcwidth import wcwidth

from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, cell_width, is_mark, is_spacing
from server.terminal.drawing.theme import CellStyle, Theme

NAMES = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")


class _Screen(pyte.Screen):
    """pyte's, with faint text (which it does not know) and counting of scrolling (which must not be)."""

    def __init__(self, columns: int, lines: int) -> None:
        self.scrolled = 0
        super().__init__(columns, lines)

    def index(self) -> None:
        bottom = self.margins.bottom if self.margins else self.lines - 1
        self.scrolled += self.cursor.y == bottom
        super().index()

    def draw(self, data: str) -> None:
        """pyte's, which does not know marks without a class, and drops what follows them."""
        text = ""
        for char in data:
            if is_spacing(char):  # a column of its own
                super().draw(text)
                at, text = min(self.cursor.x, self.columns - 1), ""
                self.buffer[self.cursor.y][at] = self.cursor.attrs._replace(data=char)
                self.cursor.x = at + 1
            elif is_mark(char) and not unicodedata.combining(char):
                super().draw(text)
                line, at, text = self.buffer[self.cursor.y], self.cursor.x - 1, ""
                line[at] = line[at]._replace(data=line[at].data + char)
            else:
                text += char
        super().draw(text)


class Glass:
    """Write escape text to it and look at it."""

    def __init__(self, size: Size):
        self.screen = _Screen(size.columns, size.rows)
        self._stream = pyte.Stream(self.screen)
        self.written = 0
        """Bytes so far."""
        self.writes = 0
        self.log: list[str] = []
        """What was written, piece by piece."""

    def write(self, text: str) -> None:
        self.writes += 1
        self.written += len(text.encode())
        self.log.append(text)
        self._stream.feed(text)

    def resize(self, size: Size) -> None:
        self.screen.resize(size.rows, size.columns)

    @property
    def lines(self) -> list[str]:
        """The rows without blanks at their ends."""
        return [line.rstrip() for line in self.full_lines]

    @property
    def full_lines(self) -> list[str]:
        """The rows, as wide as the screen; a wide character is followed by nothing."""
        return [
            _composed("".join(self.screen.buffer[y][x].data for x in range(self.screen.columns)))
            for y in range(self.screen.lines)
        ]

    @property
    def text(self) -> str:
        """The whole screen in one piece."""
        return "\n".join(self.lines)

    @property
    def cursor(self) -> tuple[int, int] | None:
        """(column, row) of the cursor; None when it is hidden."""
        cursor = self.screen.cursor
        return None if cursor.hidden else (cursor.x, cursor.y)

    def mode(self, number: int) -> bool:
        """Is this DEC private mode set?"""
        return number << 5 in self.screen.mode

    def cell(self, x: int, y: int) -> Char:
        return self.screen.buffer[y][x]


def expected_lines(frame: Frame, size: Size, theme: Theme | None = None) -> list[str]:
    """The text that a screen of this size should show, from the frame alone, without blanks at ends."""
    lines = []
    for y in range(size.rows):
        room = size.columns - (y == size.rows - 1)
        line = ""
        width = 0
        row = frame.rows[y] if y < len(frame.rows) else ()
        for style, text in row:
            for drawn, wide in _drawn(_sent(style, text, theme)):
                if width + wide > room:
                    width = room + 1
                    break
                line += drawn
                width += wide
        lines.append(_composed(line.rstrip(" ")))
    return lines


def _drawn(text: str) -> list[tuple[str, int]]:
    """Characters with the marks that belong to them, and the columns that these take."""
    found, base = list[tuple[str, int]](), False
    for char in text:
        wide = cell_width(char)
        if wide and not is_spacing(char):
            found.append((char, wide))
            base = char != " "
        elif is_spacing(char) and not base:
            found.append((" ", 1))
        elif is_spacing(char) or (base and is_mark(char)):
            found[-1] = (found[-1][0] + char, found[-1][1] + wide)
    return found


def _composed(text: str) -> str:
    """pyte composes what it can of what is in one cell."""
    return unicodedata.normalize("NFC", text)


def _sent(style: str, text: str, theme: Theme | None) -> str:
    """``text`` as it is sent: where water has a colour, it is blanks in it."""
    water = theme is not None and style in theme.solid and set(text) == {"█"}
    return " " * len(text) if water else text


def expected_looks(frame: Frame, size: Size, theme: Theme) -> list[list[CellStyle]]:
    """The look of every cell of such a screen; of blanks only what can be seen of it."""
    looks = []
    for y in range(size.rows):
        room = size.columns - (y == size.rows - 1)
        line: list[CellStyle] = []
        full = False
        for style, text in frame.rows[y] if y < len(frame.rows) else ():
            shown = _sent(style, text, theme)
            look = (
                theme.cell_style(style) if shown == text else theme.cell_styles[theme.solid[style]]
            )
            for drawn, wide in _drawn(shown):
                if full or len(line) >= room:
                    full = True
                elif len(line) + wide > room:
                    line += [look.of_blank] * (room - len(line))
                    full = True
                else:
                    line += [look.of_blank if drawn == " " else look] * wide
        looks.append(line + [CellStyle()] * (size.columns - len(line)))
    return looks


def seen(cell: Char) -> CellStyle:
    """The look of a cell on the glass, as far as pyte knows it (not faint)."""
    look = CellStyle(
        _colour(cell.fg, 30),
        _colour(cell.bg, 40),
        bold=cell.bold,
        italic=cell.italics,
        underline=cell.underscore,
        reverse=cell.reverse,
    )
    return look.of_blank if cell.data == " " else look


def as_seen(look: CellStyle) -> CellStyle:
    """``look`` in the terms of `seen`: indexed colours by what they are mixed of."""
    return look._replace(fg=_mixed(look.fg), bg=_mixed(look.bg), dim=False)


def _colour(name: str, base: int) -> str:
    if name == "default":
        return ""
    if name in NAMES:
        return str(base + NAMES.index(name))
    red, green, blue = (int(name[i : i + 2], 16) for i in (0, 2, 4))
    return f"{base + 8};2;{red};{green};{blue}"


def _mixed(colour: str) -> str:
    parts = colour.split(";")
    if parts[1:2] != ["5"]:
        return colour
    mixed = pyte.graphics.FG_BG_256[int(parts[2])]
    return _colour(mixed, int(parts[0]) - 8)


def width_in_pyte(char: str) -> int:
    """pyte measures by itself; characters on which it disagrees with us cannot be compared."""
    return int(wcwidth(char))
