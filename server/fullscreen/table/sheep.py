"""The sheep that floats on a player's water: it stands on dry sand, rides on low water, ducks in high water;
of the highest tide only its head looks out.
"""

from collections.abc import Sequence
from typing import Final

TEXT_ROWS: Final = 2
"""Of a sheep made of characters, at most."""
_RIDES: Final = (" ,@@@@.", '(")@@@@')
_DUCKS: Final = ('(")@@@,',)
_SINKS: Final = ('(")~',)
_DUCKS_FROM: Final = 3 / 4
_SINKS_FROM: Final = 11 / 12
"""Of the highest tide in the deck."""

SKY, WOOL, FACE = "", "sheep.wool", "sheep.face"
_COLOURS: Final = {".": SKY, "w": WOOL, "f": FACE}
_PICTURE: Final = (
    "....wwwwwww...",
    ".fffwwwwwwwww.",
    "fwffwwwwwwwwww",
    "ffffwwwwwwwwww",
    "....wwwwwwwww.",
    "....f.f...f.f.",
)
"""Half rows of a sheep made of blocks; the lowest are its legs."""
_LEGS: Final = 1
_DEEPEST: Final = 4
"""So many half rows of it are under water at the highest tide."""
MARGIN: Final = 3
"""Columns free at both sides of a large one."""


def text_sheep(level: int, highest: int) -> tuple[str, ...]:
    """Rows of a sheep made of characters, from the top down; ``highest`` is the highest tide in the deck."""
    if level >= highest * _SINKS_FROM:
        return _SINKS
    return _DUCKS if level > highest * _DUCKS_FROM else _RIDES


def scale_for(width: int, halves: int) -> int:
    """How large one made of blocks is in basins of ``width`` columns with so many half rows a tide level;
    0 where there is no room for it.
    """
    return min((width - 2 * MARGIN) // len(_PICTURE[0]), halves // 2)


def rows_above(scale: int) -> int:
    """Rows that it takes above the highest water."""
    return ((len(_PICTURE) - _DEEPEST) * scale + 1) // 2


def block_sheep(level: int, highest: int, scale: int) -> Sequence[Sequence[str]]:
    """Half rows of a sheep made of blocks, from the surface up: what is seen of it, as the colours `SKY`,
    `WOOL` and `FACE`.
    """
    hidden = 0
    if level:
        hidden = _LEGS + round((_DEEPEST - _LEGS) * level / highest)
    seen = _PICTURE[: len(_PICTURE) - hidden]
    return [
        [_COLOURS[sign] for sign in line for _ in range(scale)]
        for line in reversed(seen)
        for _ in range(scale)
    ]
