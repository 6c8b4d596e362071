"""Screens to be read and scrolled: the log, the played cards, help."""

from collections.abc import Iterable, Sequence
from typing import Final

from server.fullscreen.table.log import round_blocks, tick_rows, wrap_facts
from server.fullscreen.widgets.chrome import page, paragraph
from server.fullscreen.widgets.drawing import DrawContext, between
from server.terminal.capabilities import Size
from server.terminal.frame import BLANK, Frame, Row, Span, fit, row
from server.viewmodels.table import TableModel


def reading_room(size: Size) -> int:
    """Rows of text that fit at a time."""
    return size.rows - 3 - (size.rows >= 20)


def reading_screen(
    title: str, lines: Sequence[Row], top: int, aside: str, size: Size, look: DrawContext
) -> Frame:
    """``lines`` from ``top`` on, and how to see the rest."""
    words = look.words
    room = reading_room(size)
    top = max(0, min(top, len(lines) - room))
    keys: list[tuple[str, str]] = []
    if len(lines) > room:
        keys.append((words.t("Up Down"), words.t("scroll")))
    keys.append(("Esc", words.t("back")))
    return page(title, lines[top : top + room], tuple(keys), ("", ""), size, look, aside)


def log_lines(
    model: TableModel, notices: Sequence[tuple[int, str]], width: int, look: DrawContext
) -> list[Row]:
    """The whole log of the stage, newest round first; ``notices`` are (round from 1, text)."""
    lines: list[Row] = []
    for number in range(model.round + 1, 0, -1):
        # A round is in the log when its bids are revealed: after whatever else happened in it.
        for entry in model.log:
            if entry.number == number:
                for block in round_blocks(entry, False, width, look):
                    lines += block
        for text in [text for at, text in reversed(notices) if at == number]:
            lines += paragraph(text, width, "dim", " ")
    if not lines:
        lines = paragraph(look.words.t("Nothing has been revealed in this stage yet."), width)
    return lines


def played_lines(
    model: TableModel, own_earlier: Sequence[tuple[str, str]], width: int, look: DrawContext
) -> list[Row]:
    """Every seat's cards of this stage in order of play; with assistance those of earlier stages.

    ``own_earlier`` are (who holds it now, its cards) of hands that the viewer has played before.
    """
    words = look.words
    lines: list[Row] = []
    for seat in model.seats:
        cards = _in_columns(seat.played) or (words.t("none yet"),)
        lines += _facts(seat.name, cards, "text", width, look)
        if seat.earlier:
            head = words.t("before")
            lines += _facts(f"  {head}", _in_columns(seat.earlier), "dim", width, look)
    if width >= 78:
        lines += [BLANK, *tick_rows(model, len(model.seats) + 1, width, look)]
    if own_earlier:
        lines.append(BLANK)
        lines += paragraph(words.t("Hands that you have played, and who holds them now:"), width)
        for name, held in own_earlier:
            lines += _facts(name, _in_columns(map(int, held.split())), "text", width, look)
    return lines


_LABEL: Final = 15
"""Columns of a name before cards: they begin where the marks of the played cards do."""
_CARDS: Final = 12
"""In a hand."""


def _in_columns(cards: Iterable[int]) -> tuple[str, ...]:
    return tuple([f"{card:2}" for card in cards])


def _facts(
    name: str, facts: tuple[str, ...], style: str, width: int, look: DrawContext
) -> list[Row]:
    room = width - _LABEL - 4
    gap = "  " if room >= 4 * _CARDS - 2 else " "
    rows: list[Row] = []
    for number, line in enumerate(wrap_facts(facts, room, look, gap)):
        head = fit(name if number == 0 else "", _LABEL, ellipsis=look.glyphs.more)
        spans: tuple[Span, ...] = (("seat", head), ("", " "), (style, line))
        rows.append(row("  ", *spans))
    return rows


def help_lines(sections: Sequence[tuple[str, Sequence[str]]], width: int) -> list[Row]:
    """Help as headings and paragraphs; a paragraph that begins with a tab is "key, tab, meaning"."""
    wide = min(width, 90)
    lines: list[Row] = []
    for heading, texts in sections:
        if lines:
            lines.append(BLANK)
        lines.append(row("  ", ("heading", heading)))
        for text in texts:
            key, tab, meaning = text.partition("\t")
            if tab:
                told = paragraph(meaning, wide - 16)
                for number, each in enumerate(told):
                    head = fit(key if number == 0 else "", 14)
                    lines.append(row("  ", ("key", head), *each[1:]))
            else:
                lines += paragraph(text, wide)
    return lines


def facts_line(facts: Sequence[str], look: DrawContext) -> str:
    """Short facts in one line."""
    return between(facts, look.glyphs)
