"""What the style names of frames look like, on a terminal of a given colour depth.

Screens say what a thing *is* (``"tide.high"``); a theme says how that looks. No fact may hang on a
style alone: a monochrome terminal shows most of them alike.
"""

from functools import lru_cache

from server.terminal.capabilities import Capabilities, Colours
from server.terminal.drawing.palettes import PALETTES
from server.terminal.drawing.sgr import PLAIN, CellStyle, parse_look


class Theme:
    """The looks of all styles on one kind of terminal. Shared between sessions; never changes."""

    def __init__(self, name: str, colours: Colours, light: bool = False):
        """``name`` is one of `palettes.PALETTES` (else KeyError)."""
        table = PALETTES[name][light]
        depth = {Colours.NONE: 2, Colours.SIXTEEN: 1}.get(colours, 0)
        looks = [PLAIN]
        self._index: dict[str, int] = {}
        for style, texts in table.items():
            look = parse_look(texts[depth], indexed=colours == Colours.INDEXED)
            self._index[style] = _number(look, looks)
        self.blank = tuple(_number(look.of_blank, looks) for look in tuple(looks))
        """Number of a look -> number of what it is on a blank."""
        self.solid: dict[str, int] = {}
        """Style of water -> number of the blank that looks like a full block of it: the same to see, at
        a third of the bytes. Only of water, because it is gone when a screen is copied as text."""
        for style, number in self._index.items():
            look = looks[number]
            if style.startswith("water.") and look.fg:
                self.solid[style] = _number(CellStyle(bg=_as_background(look.fg)), looks)
        self.blank += tuple(range(len(self.blank), len(looks)))
        self.looks = tuple(looks)
        """By number; 0 is `sgr.PLAIN`. A byte holds the number."""

    def number(self, style: str) -> int:
        """Number of the look of ``style``; raises KeyError for one that is not in `palettes.SEA`."""
        return self._index[style]

    def look(self, style: str) -> CellStyle:
        """The look of ``style``; raises KeyError as well."""
        return self.looks[self.number(style)]


def _number(look: CellStyle, looks: list[CellStyle]) -> int:
    if look not in looks:
        looks.append(look)
    return looks.index(look)


def _as_background(fg: str) -> str:
    first, *rest = fg.split(";")
    return ";".join([str(int(first) + 10), *rest])


@lru_cache(maxsize=64)
def _theme(name: str, colours: Colours, light: bool) -> Theme:
    return Theme(name, colours, light)


def theme_for(abilities: Capabilities) -> Theme:
    """The theme for a terminal and its player's wishes; the same object for equal ones."""
    name = abilities.theme if abilities.theme in PALETTES else "sea"
    # Colours by number take a few bytes, mixed ones up to twenty: every time.
    colours = min(abilities.colours, Colours.SIXTEEN) if abilities.thin else abilities.colours
    return _theme(name, colours, abilities.light)
