"""The game in one row, for pages that show something else meanwhile: nobody misses a bid by reading."""

from typing import Final

from server.fullscreen.widgets.drawing import DrawContext, between, spread
from server.terminal.drawing.frame import Cursor, Frame, Row, Span, row, row_width, says_nothing

_ROOMY: Final = 60
"""Columns from which there is room for blanks."""


def game_header(
    facts: tuple[str, ...], alert: str, clock: Span, width: int, look: DrawContext
) -> Row:
    """Where the game is, that all wait (``alert``), and how much time there is. Where there is too little
    room, the first ``facts`` are left out.
    """
    ends = [clock] if clock[1] else []
    if alert:
        ends.insert(0, ("warm", alert))
    gap = "  " if width >= _ROOMY else " "
    right: Row = ()
    for span in ends:
        right = row(*right, gap if right else "", span)
    if width >= _ROOMY:
        right = row(*right, " ")
    while True:
        left = row(" ", ("text", between(facts, look.glyphs)))
        if not facts or row_width(left) + row_width(right) < width:
            return spread(left, right, width)
        facts = facts[1:]


def in_place_of_the_sea(frame: Frame, game: Row) -> Frame | None:
    """``frame`` with the game below its title, where there is only the sea; ``None`` where there is more."""
    if len(frame.rows) < 2 or not says_nothing(frame.rows[1]):
        return None
    return frame._replace(rows=(frame.rows[0], game, *frame.rows[2:]))


def below(game: Row, frame: Frame) -> Frame:
    """``frame`` a row lower, with the game above it."""
    cursor = frame.cursor
    if cursor is not None:
        cursor = Cursor(cursor.column, cursor.row + 1)
    return Frame((game, *frame.rows), cursor)
