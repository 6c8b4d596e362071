"""Screens to be read and scrolled."""

from collections.abc import Sequence

from server.fullscreen.widgets.chrome import page, paragraph
from server.fullscreen.widgets.drawing import DrawContext
from server.terminal.capabilities import Size
from server.terminal.frame import BLANK, Frame, Row, fit, row


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
