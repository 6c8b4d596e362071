"""Numbers in large figures, made of half blocks."""

from functools import lru_cache
from typing import Final

ROWS: Final = 3
_FIGURES: Final = (
    ("█▀█", "█ █", "▀▀▀"),
    ("▄█ ", " █ ", "▀▀▀"),
    ("▀▀█", "█▀▀", "▀▀▀"),
    ("▀▀█", " ▀█", "▀▀▀"),
    ("█ █", "▀▀█", "  ▀"),
    ("█▀▀", "▀▀█", "▀▀▀"),
    ("█▀▀", "█▀█", "▀▀▀"),
    ("▀▀█", "  █", "  ▀"),
    ("█▀█", "█▀█", "▀▀▀"),
    ("█▀█", "▀▀█", "▀▀▀"),
)


@lru_cache(maxsize=128)
def big_number(number: int) -> tuple[str, ...]:
    """`ROWS` rows of text, all equally wide: three columns a figure, and one between two."""
    figures = [_FIGURES[int(figure)] for figure in str(number)]
    return tuple([" ".join(rows) for rows in zip(*figures, strict=True)])
