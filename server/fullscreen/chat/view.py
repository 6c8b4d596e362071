"""Chat on the screen: what was said last, the line being typed, and how many lines wait to be read."""

from collections.abc import Sequence
from typing import NamedTuple

from server.coordinator.messages import ChatLine
from server.fullscreen.widgets.chrome import Region
from server.fullscreen.widgets.drawing import DrawContext, noted_footer, rule_row, shorten
from server.i18n.lookup import Words
from server.session.attention import ChatHistory
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import (
    BLANK,
    Frame,
    Row,
    Span,
    overlay,
    pad_row,
    row,
    row_width,
    text_width,
    wrap,
)
from server.text.chat import age_in_words, said_in_words, who_in_words


class ChatRow(NamedTuple):
    """Something that was said."""

    who: str
    said: str
    mine: bool
    called: bool
    """It was said to the reader alone, or has the reader's name in it."""
    old: bool
    """Said before the reader came."""


def present_chat(
    lines: Sequence[ChatLine], history: ChatHistory, now: float, words: Words
) -> tuple[ChatRow, ...]:
    """The rows of these ``lines`` of the ``history``, as they are to be read ``now``."""
    rows = []
    for line in lines:
        who = who_in_words(line, history.me, history.place, words)
        age = age_in_words(line, now, words)
        rows.append(
            ChatRow(
                f"{who} ({age})" if age else who,
                said_in_words(line, words),
                line.sender == history.me,
                history.is_for_me(line),
                line.old,
            )
        )
    return tuple(rows)


def chat_rows(lines: Sequence[ChatRow], width: int, look: DrawContext) -> list[Row]:
    """Every line, in as many rows as it takes, the oldest first."""
    rows: list[Row] = []
    for line in lines:
        head, style = f"{line.who}: ", "dim" if line.old else "strong" if line.called else "text"
        name = "seat.you" if line.mine else "warm" if line.called else "heading"
        # A word as wide stands in for the head: behind it is room for what is said, or below.
        before = min(text_width(head), width - 3)
        first, *others = wrap(f"{'x' * (before - 1)} {line.said}", width - 2, "  ")
        head = shorten(head, width - 2, look.glyphs)
        rows.append(row(" ", (name, head), (style, first[before:])))
        rows += [row("   ", (style, part[2:])) for part in others]
    return rows


# ---------------------------------------------------------------- the panel


def fitting(lines: Sequence[ChatRow], region: Region, look: DrawContext) -> int:
    """Return how many of the newest ``lines`` a region without heading has room for, each in whole."""
    used = count = 0
    for line in reversed(lines[-region.rows :]):
        used += len(chat_rows((line,), region.columns, look))
        if used > region.rows:
            break
        count += 1
    return count


def with_panel(
    frame: Frame, lines: tuple[ChatRow, ...], region: Region, look: DrawContext
) -> Frame:
    """``frame`` with the newest of ``lines`` in this region."""
    rows, drawn = list(frame.rows), _bare if region.headless else _panel
    for number, each in enumerate(drawn(lines, region, look), region.top):
        rows[number] = overlay(rows[number], region.left, each) if region.left else each
    return frame._replace(rows=tuple(rows))


def _bare(lines: tuple[ChatRow, ...], region: Region, look: DrawContext) -> tuple[Row, ...]:
    """The newest lines that fit, at the lower end; of one that is too long its beginning."""
    count = fitting(lines, region, look)
    rows = chat_rows(lines[len(lines) - max(count, 1) :], region.columns, look)
    if len(rows) > region.rows:
        rows = rows[: region.rows]
        *others, (style, text) = rows[-1]
        cut = shorten(
            f"{text} {look.glyphs.more}", region.columns - 1 - row_width(tuple(others)), look.glyphs
        )
        rows[-1] = row(*others, (style, cut))
    return (*([BLANK] * (region.rows - len(rows))), *rows)


def _panel(lines: tuple[ChatRow, ...], region: Region, look: DrawContext) -> tuple[Row, ...]:
    inner = region.columns - 3 if region.boxed else region.columns
    shown = chat_rows(lines[-region.rows :], inner, look)[-(region.rows - 1) :]
    said: Span = ("dim", look.words.t("chat"))
    how: Span = ("dim", look.words.t("/ writes"))
    blank = [BLANK] * (region.rows - 1 - len(shown))
    rows = [rule_row(look.glyphs, inner, said, how), *shown, *blank]
    if not region.boxed:
        return tuple(rows)
    side = ("rule", look.glyphs.wall)
    boxed = [rows[0], *(row(" ", *each) for each in rows[1:])]
    return tuple([pad_row(row(" ", side, *each), region.columns) for each in boxed])


def with_mark(frame: Frame, unread: int, size: Size, look: DrawContext) -> Frame:
    """``frame`` with the key that opens the chat among its keys, and how many lines wait to be read."""
    if not frame.rows:
        return frame
    words = look.words
    label = words.n("{count} new", "{count} new", unread) if unread else words.t("chat")
    keys = noted_footer(frame.rows[-1], "/", label, size.columns, first=bool(unread))
    if unread and keys is not frame.rows[-1]:
        keys = (*keys[:2], ("warm", keys[2][1]), *keys[3:])
    return Frame((*frame.rows[:-1], keys), *frame[1:])


def at_the_bottom(frame: Frame, block: Sequence[Row], size: Size) -> tuple[Row, ...]:
    """The rows of ``frame`` with ``block`` in place of the last ones."""
    rows = [*frame.rows, *([BLANK] * (size.rows - len(frame.rows)))]
    return (*rows[: size.rows - len(block)], *block)
