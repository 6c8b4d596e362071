"""Numbers in large figures, made of half blocks."""

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


def big_number(number: int) -> tuple[str, ...]:
    """`ROWS` rows of text, all equally wide: three columns a figure, and one between two."""
    figures = [_FIGURES[int(figure)] for figure in str(number)]
    return tuple([" ".join(rows) for rows in zip(*figures, strict=True)])
