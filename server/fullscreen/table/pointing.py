"""What the guide speaks of stands out: in the warm colour, between two arrows."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from server.fullscreen.table.layout import Layout
from server.fullscreen.widgets.drawing import Glyphs
from server.fullscreen.widgets.regions import Region
from server.session.tutorial import ScreenPart
from server.terminal.drawing.frame import Row, overlay, pad_row, row_width, slice_row, text_width

_DRAWN: Final = ("water", "crest", "light", "sheep", "beach", "sand", "card.chosen")
"""Styles, by their beginnings, that stay as they are."""


class PointedAt(NamedTuple):
    """What stands out on the table."""

    part: ScreenPart = ScreenPart.NOTHING
    seats: tuple[int, ...] = ()
    """Whose; all of them for what is not theirs."""


class Places(NamedTuple):
    """Where the parts are: rows, counted from the one below the header."""

    offer: range
    names: int
    levels: range
    """The water, or a line a seat."""
    hand: range


def pointed(
    rows: Sequence[Row], at: PointedAt, places: Places, layout: Layout, glyphs: Glyphs
) -> list[Row]:
    """``rows`` with what is pointed at standing out."""
    shown = list(rows)
    for region in _regions(shown, at, places, layout):
        last = region.top + region.rows - 1
        middle = region.top + region.rows // 2
        for number in range(region.top, min(last + 1, len(shown))):
            before, behind = glyphs.points if number == middle else ("", "")
            # Before a line a seat there is a sign already.
            arrows = ("" if layout.compact else before, behind)
            shown[number] = _warm(shown[number], region.left, region.columns, arrows)
    return shown


def _regions(
    rows: Sequence[Row], at: PointedAt, places: Places, layout: Layout
) -> Iterable[Region]:
    pitch = layout.basin.width + 1
    if at.part is ScreenPart.OFFER:
        yield _inked(rows, places.offer)
    elif at.part is ScreenPart.HAND and places.hand:
        yield _inked(rows, places.hand)
    elif layout.compact:
        for seat in at.seats:
            yield _inked(rows, range(places.levels[seat], places.levels[seat] + 1))
    elif at.part in (ScreenPart.LEVELS, ScreenPart.PRESERVERS, ScreenPart.STATES):
        for seat in at.seats:
            left = layout.left + 1 + seat * pitch
            below = places.levels.stop
            line = {ScreenPart.PRESERVERS: below, ScreenPart.STATES: below + 1}.get(
                at.part, below - 1
            )
            yield Region(places.names, left, 1, pitch)
            yield Region(line, left, 1, pitch)


def _inked(rows: Sequence[Row], where: range) -> Region:
    """From the first column there that is not blank to the last."""
    texts = ["".join(text for _, text in rows[at]) for at in where]
    left = min((len(each) - len(each.lstrip()) for each in texts if each.strip()), default=0)
    right = max(text_width(each.rstrip()) for each in texts)
    return Region(where.start, max(0, left - 1), len(where), right - left + 2)


def _warm(line: Row, left: int, width: int, arrows: tuple[str, str]) -> Row:
    line = pad_row(line, left + width)
    inside = slice_row(line, left, left + width)
    warm: Row = tuple([(_lit(style), text) for style, text in inside])
    for arrow, column in zip(arrows, (0, width - 1), strict=True):
        if arrow and not "".join(text for _, text in slice_row(warm, column, column + 1)).strip():
            warm = overlay(warm, column, (("warm", arrow),))
    have = row_width(line)
    return (*slice_row(line, 0, left), *warm, *slice_row(line, left + width, have))


def _lit(style: str) -> str:
    if style.startswith("under"):
        return "card.chosen"
    return style if style.startswith(_DRAWN) else "warm"
