"""The notice that the server is about to go down: on top of every screen, and as a sentence."""

import math
from typing import Final

from server.coordinator.messages import LobbySnapshot, TableSnapshot
from server.i18n.catalogues import Words
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Row, overlay, row_width, says_nothing
from server.text.countdown import clock_span

_HIGH: Final = 4
"""Rows from the top in which there may be one that says nothing."""


def closing_time(lobby: LobbySnapshot | None, table: TableSnapshot | None) -> float:
    """When the server goes down; 0 while it stays."""
    if table is not None:
        return table.info.closing
    return lobby.closing if lobby is not None else 0.0


def closing_in_words(left: float, words: Words, thin: bool) -> str:
    """``left`` seconds before the server goes down; infinite while it only lets no game begin."""
    if math.isinf(left):
        return words.t("No new game begins here for now. Games in progress go on.")
    if left <= 0:
        return words.t("The server closes now. Games are kept.")
    time = clock_span(left, words, thin)[1]
    return words.t("The server closes in {time}. Games are kept.", time=time)


def with_notice(frame: Frame, text: str, size: Size) -> Frame:
    """``frame`` with ``text`` where it hides nothing that is needed: on the water, a rule or a blank row
    at the top, otherwise on the keys at the bottom.
    """
    notice: Row = (("warm", f" {text} "[: size.columns]),)
    rows = list(frame.rows)
    silent = (number for number, row in enumerate(rows[:_HIGH]) if says_nothing(row))
    number = next(silent, len(rows) - 1)
    rows[number] = overlay(rows[number], max(0, (size.columns - row_width(notice)) // 2), notice)
    return frame._replace(rows=tuple(rows))
