"""A table before its game: who sits where, and how others come."""

from typing import Final

from server.coordinator.messages import TableSnapshot
from server.fullscreen.widgets.boxes import WHOLE, Pane, are_beside, facts_pane, has_boxes, panes
from server.fullscreen.widgets.chrome import Keys, menu_row, paragraph, paragraphs
from server.fullscreen.widgets.drawing import DrawContext, shorten, wrap_facts
from server.fullscreen.widgets.qr import invitation_qr
from server.session.invite import invite_line
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, text_width
from server.viewmodels.lobby import SeatLine, WaitingModel

_ROOMY: Final = 24
"""Rows from which there is a blank one between seats and advice."""
_WIDE: Final = 60
"""Columns from which names have room to spare."""


def waiting_rows(
    model: WaitingModel,
    table: TableSnapshot,
    chosen: int,
    keys: Keys,
    way_in: str,
    chat: Pane,
    size: Size,
    look: DrawContext,
) -> list[Row]:
    """Who sits where, what will be played and how friends come; no seat is ``chosen`` when that is -1.

    ``keys`` are for what an owner can do about who comes and who sits where; ``way_in`` is a host, with the
    options that ssh needs, empty when it is not known.
    """
    words, boxed = look.words, has_boxes(size, look)

    def advice(width: int) -> list[Row]:
        style = "warm" if table.owned else "text"
        rows = paragraphs(model.lines, width, style)
        if table.owned and not look.thin:
            # The footer has not room for all of these.
            able = tuple(f"{key} {label}" for key, label in keys)
            rows += [row("  ", ("dim", line)) for line in wrap_facts(able, width - 4, look)]
        return rows

    def seats(width: int) -> list[Row]:
        rows = [_seat_row(seat, seat.seat == chosen, width, look) for seat in model.seats]
        manners = [
            f"{seat.name}: {seat.manner}"
            for seat in model.seats
            if seat.manner and seat.manner not in "".join(text for _, text in rows[seat.seat])
        ]
        gap = [BLANK] if size.rows >= _ROOMY else []
        if gap and manners:
            rows += [BLANK, *paragraphs(manners, width, "dim")]
        return [*rows, *gap, *advice(width)] if boxed else rows

    said = sum(len(paragraph(line, size.columns - 2)) for line in model.lines)
    least = len(model.seats) + (said if boxed else 0)
    seating = Pane(words.t("seats"), seats, chosen=chosen, least=least)
    options = facts_pane(
        words.t("options"),
        model.facts if boxed else model.brief,
        size,
        look,
        "e" if table.owned else "",
    )
    invitation = Pane(
        words.t("invitation"),
        lambda width: [
            *_to_copy(table, way_in, width),
            *(_privacy(table, width, look) if boxed else ()),
        ],
        aside=words.t("private") if table.info.private else "",
        least=len(_to_copy(table, way_in, size.columns)) or 1,
    )
    if not boxed:
        # Where there is no room for all, the line to copy comes before advice.
        privacy = Pane("", lambda width: _privacy(table, width, look), least=WHOLE)
        others = [options, privacy, Pane("", advice, least=WHOLE)]
        return panes([[seating, invitation, *others]], size, look)
    code = [row("  ", *each) for each in invitation_qr(way_in, look, table)]
    telephone = Pane(words.t("for a phone"), lambda _: code, least=WHOLE)
    if are_beside(size, look):
        return panes([[seating, options], [invitation, telephone, chat]], size, look)
    return panes([[seating, invitation, options, telephone, chat]], size, look)


def _seat_row(seat: SeatLine, chosen: bool, width: int, look: DrawContext) -> Row:
    words = look.words
    style = "seat.you" if seat.you else "seat" if seat.taken else "dim"
    marks = [seat.tag] if seat.tag else []
    if seat.you:
        marks.append(words.t("you"))
    if seat.owner:
        marks.append(words.t("owner"))
    if seat.tag and not seat.taken:
        # Whom it is kept for is to be read on the smallest screen, too.
        name, marks = shorten(seat.tag, width - 8, look.glyphs), []
    else:
        name = fit(seat.name, 18 if width >= _WIDE else 13, ellipsis=look.glyphs.more)
    text = f"{seat.seat + 1}  {name}"
    room = max(0, width - text_width(text) - 6)
    said = ", ".join(marks)
    if seat.manner and text_width(f"{said}, {seat.manner}") <= room:
        said = f"{said}, {seat.manner}"
    said = shorten(said, room, look.glyphs)
    cells: tuple[Span, ...] = ((style, text), ("dim", f"  {said}"))
    return menu_row(chosen, cells, width)


def _to_copy(table: TableSnapshot, way_in: str, width: int) -> list[Row]:
    """How friends come: a line to copy, not broken within a word."""
    return paragraph(invite_line(table, way_in), width, "strong")


def _privacy(table: TableSnapshot, width: int, look: DrawContext) -> list[Row]:
    """Whether they need more, and what."""
    words = look.words
    if not table.info.private:
        return []
    said = words.t("Private: friends need the invitation word, too.")
    if table.word:
        said = words.t("Private; the invitation word is {word}.", word=table.word)
    elif table.owned:
        said = words.t("Private; i chooses another invitation word.")
    return paragraph(said, width, "dim")
