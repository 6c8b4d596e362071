"""How a cell looks, and the shortest way to tell a terminal (SGR, ECMA-48 8.3.117)."""

import re
from typing import NamedTuple

NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
FLAGS = {"bold": "1", "dim": "2", "italic": "3", "underline": "4", "reverse": "7"}
_OFF = {"italic": "23", "underline": "24", "reverse": "27", "fg": "39", "bg": "49"}
_HEX = re.compile(r"#[0-9a-f]{6}")


class CellStyle(NamedTuple):
    """One way a cell can look; colours are SGR parameters, ``""`` is the terminal's own."""

    fg: str = ""
    bg: str = ""
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    reverse: bool = False

    @property
    def of_blank(self) -> "CellStyle":
        """What is left to see of it where there is no character."""
        return self if self.underline or self.reverse else CellStyle(bg=self.bg)


PLAIN = CellStyle()


def parse_style(text: str, indexed: bool = False) -> CellStyle:
    """A style from words like ``"bold #8fe0f0 on blue"``: colours are ``#rrggbb`` (with ``indexed`` the
    nearest of the 256), or one of `NAMES`. Raises ValueError for anything else.
    """
    fg = bg = ""
    flags: dict[str, bool] = {}
    ground = False
    for word in text.split():
        if word == "on":
            ground = True
        elif word in FLAGS:
            flags[word] = True
        elif ground:
            bg = _colour(word, 40, indexed)
        else:
            fg = _colour(word, 30, indexed)
    return CellStyle(fg, bg, **flags)


def _colour(word: str, base: int, indexed: bool) -> str:
    if word in NAMES:
        return str(base + NAMES.index(word))
    if not _HEX.fullmatch(word):
        raise ValueError(f"not a colour: {word!r}")
    red, green, blue = (int(word[i : i + 2], 16) for i in (1, 3, 5))
    if indexed:
        return f"{base + 8};5;{nearest(red, green, blue)}"
    return f"{base + 8};2;{red};{green};{blue}"


CUBE = (0, 95, 135, 175, 215, 255)
"""The levels of the 6 x 6 x 6 cube, colours 16 to 231 of xterm's 256."""


def nearest(red: int, green: int, blue: int) -> int:
    """The closest of xterm's colours 16 to 255 (the first sixteen differ from terminal to terminal)."""

    def far(r: int, g: int, b: int) -> int:
        # Weighted as the eye does, roughly: green counts most.
        return 3 * (r - red) ** 2 + 5 * (g - green) ** 2 + 2 * (b - blue) ** 2

    steps = [min(range(6), key=lambda i, v=v: abs(CUBE[i] - v)) for v in (red, green, blue)]  # type: ignore[misc]
    cube = 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
    grey = max(0, min(23, round(((red + green + blue) / 3 - 8) / 10)))
    value = 8 + 10 * grey
    return cube if far(*(CUBE[s] for s in steps)) <= far(value, value, value) else 232 + grey


def change(old: CellStyle, new: CellStyle) -> str:
    """The shortest escape sequence that turns the pen from ``old`` to ``new``; empty when equal."""
    if old == new:
        return ""
    if new == PLAIN:
        return "\x1b[m"
    afresh = ";".join(["0", *_on(PLAIN, new)])
    # Bold and dim share one code for "off": dropping either takes the other along.
    kept = old
    off: list[str] = []
    if old.bold > new.bold or old.dim > new.dim:
        off.append("22")
        kept = kept._replace(bold=False, dim=False)
    off += [code for part, code in _OFF.items() if getattr(old, part) and not getattr(new, part)]
    onward = ";".join([*off, *_on(kept, new)])
    return f"\x1b[{onward if len(onward) < len(afresh) else afresh}m"


def _on(old: CellStyle, new: CellStyle) -> list[str]:
    codes = [code for flag, code in FLAGS.items() if getattr(new, flag) and not getattr(old, flag)]
    codes += [new.fg] if new.fg and new.fg != old.fg else []
    codes += [new.bg] if new.bg and new.bg != old.bg else []
    return codes
