"""A table before its game: who sits where, and how others come."""

from server.coordinator.messages import TableSnapshot
from server.fullscreen.widgets.chrome import Keys, menu_row, paragraph, spacer
from server.fullscreen.widgets.drawing import DrawContext, between, shorten, wrap_facts
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, text_width
from server.viewmodels.lobby import WaitingModel


def seat_rows(model: WaitingModel, chosen: int, size: Size, look: DrawContext) -> list[Row]:
    """What will be played, and who sits where; no seat is ``chosen`` when that is -1."""
    words, width = look.words, size.columns
    body = [*paragraph(between(model.facts, look.glyphs), width), *spacer(size)]
    for seat in model.seats:
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
            name = fit(seat.name, 18, ellipsis=look.glyphs.more)
        text = f"{seat.seat + 1}  {name}"
        said = shorten(", ".join(marks), max(0, width - text_width(text) - 6), look.glyphs)
        cells: tuple[Span, ...] = ((style, text), ("dim", f"  {said}"))
        body.append(menu_row(seat.seat == chosen, cells, min(width, 72)))
    return [*body, *spacer(size)]


def told_rows(
    model: WaitingModel,
    table: TableSnapshot,
    keys: Keys,
    invite: str,
    size: Size,
    look: DrawContext,
) -> list[Row]:
    """What there is to know, and how friends come; ``keys`` are for what an owner can do about who comes and
    who sits where, ``invite`` is a line to copy, empty when it is not known how others get here.
    """
    width = size.columns
    told: list[Row] = []
    for line in model.lines:
        told += paragraph(line, width, "warm" if table.owned else "text")
    invitation = _invitation(table, invite, width, look)
    if not spacer(size):
        # Where there is no room for all, the line to copy comes before advice.
        return [*invitation, *told]
    if table.owned and not look.thin:
        # The footer has not room for all of these.
        able = tuple(f"{key} {label}" for key, label in keys)
        told += [row("  ", ("dim", line)) for line in wrap_facts(able, width - 4, look)]
    return [*told, BLANK, *invitation]


def _invitation(table: TableSnapshot, invite: str, width: int, look: DrawContext) -> list[Row]:
    """How friends come: a line to copy, not broken within a word, and whether they need more."""
    words = look.words
    rows: list[Row] = []
    if invite:
        rows += paragraph(words.t("To invite somebody, copy:"), width, "dim")
        rows += paragraph(invite, width, "strong")
    said = words.t("Private: friends need the invitation word, too.")
    if table.word:
        said = words.t("Private; the invitation word is {word}.", word=table.word)
    elif table.owned:
        said = words.t("Private; i chooses another invitation word.")
    return [*rows, *paragraph(said, width, "dim")] if table.info.private else rows
