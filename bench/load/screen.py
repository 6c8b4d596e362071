"""A terminal for those few players whose screen is looked at."""

from typing import Final

import pyte

COLUMNS: Final = 80
ROWS: Final = 24


class Screen:
    """What one player sees."""

    def __init__(self) -> None:
        self._screen: Final = pyte.Screen(COLUMNS, ROWS)
        self._stream: Final = pyte.ByteStream(self._screen)

    def feed(self, data: bytes) -> None:
        """Bytes came in."""
        self._stream.feed(data)

    @property
    def rows(self) -> list[str]:
        """The text on it."""
        return [row.rstrip() for row in self._screen.display]

    @property
    def text(self) -> str:
        """The text on it, in one piece."""
        return "\n".join(self.rows)

    def cells(self) -> list[list[tuple[object, ...]]]:
        """Every cell with all that can be seen of it: of a blank the background, of a full block the
        foreground, because either may stand for the other.
        """
        picture = []
        for y in range(ROWS):
            line = self._screen.buffer[y]
            picture.append([_seen(line[x]) for x in range(COLUMNS)])
        return picture


def _seen(cell: pyte.screens.Char) -> tuple[object, ...]:
    if cell.data == " " and not cell.reverse and not cell.underscore:
        return " ", cell.bg
    return (cell.data, cell.fg, cell.bg, cell.bold, cell.reverse, cell.underscore)
