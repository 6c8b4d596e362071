"""Where the parts of the table go, for a size and a number of seats: arithmetic, nothing else."""

from functools import lru_cache
from typing import NamedTuple

from server.fullscreen.table.hand import DRAWN
from server.fullscreen.table.tide_gauges import Basin, basin_for
from server.fullscreen.widgets.drawing import Region
from server.terminal.capabilities import Size

_WIDEST_BASIN = 26
_PANEL_FROM = 140
"""From so many columns on the log stands beside the basins."""
_PANEL_MAIN = 118
_FIXED = 9
"""Rows of header, names, preservers, states, rule, a hand in line, a message, and footer."""
_LOG = 4
"""Rows of log that come before everything optional."""
_MORE_LOG = 3
"""Rows of log that come before higher basins."""
_LOG_WITH_CHAT = 8
"""From so many rows on the log can spare some for chat."""
_SLOW_LINE_CHAT = 4
"""Rows of chat, with a line above them, where every byte counts."""
_TICKS_FROM = 78
_DRAWN_FROM = 78
_SLIM = Size(56, 18)
"""Below this a line a seat takes the place of the basins."""


class Layout(NamedTuple):
    """How a table is laid out."""

    columns: int
    rows: int
    compact: bool
    """A line a seat instead of basins."""
    basin: Basin
    wave: bool
    offer_rows: int
    """3: drawn as cards; 1: in a line."""
    ticks: int
    """Rows for each seat's played cards; 0 for none."""
    hand: int
    """Rows of the own hand: 2, or drawn cards."""
    message: int
    """Rows of the line that speaks to the player."""
    log: int
    """Rows of the log below the hand; 0 when it stands in the panel."""
    panel: int
    """Columns of the panel at the right; 0 for none."""
    air: int
    """Blank rows that may stand between the parts."""

    @property
    def main(self) -> int:
        """Columns of the table itself."""
        return self.columns - self.panel

    @property
    def tells(self) -> bool:
        """Whether the log has room for a round with its reasons."""
        return bool(self.panel) or self.log >= _LOG

    @property
    def body(self) -> int:
        """Rows between header and footer."""
        return self.rows - 2


@lru_cache(maxsize=512)
def table_layout(size: Size, seats: int, highest_tide: int, thin: bool = False) -> Layout:
    """For at least ``SMALLEST``; on a slow line nothing is drawn that words and numbers can say."""
    if thin or size.columns < _SLIM.columns or size.rows < _SLIM.rows:
        return _compact(size, seats, thin)
    columns, rows = size
    panel = 0
    if columns >= _PANEL_FROM:  # the basins come first
        panel = min(90, columns - _PANEL_MAIN) if columns >= _PANEL_FROM + 30 else columns - 88
    main, log = columns - panel, 0 if panel else _LOG
    width = min(_WIDEST_BASIN, (main - 2) // seats - 1)
    basin = basin_for(width, highest_tide, 1)
    wave, offer = rows >= 22, 3 if rows >= 23 else 1
    # What is worth having comes first: a log that can be read, the played cards, the hand drawn as
    # cards, higher basins; the rest is more log.
    spare = rows - _FIXED - wave - offer - basin.rows - log
    ticks, hand = 0, 2
    if main >= _TICKS_FROM and spare >= seats:
        ticks = seats + (spare > seats)
        spare -= ticks
    if main >= _DRAWN_FROM and spare >= DRAWN - 2:
        hand = DRAWN
        spare -= DRAWN - 2
    for halves in (3, 2):
        taller = basin_for(width, highest_tide, halves)
        if spare - _MORE_LOG * (not panel) >= taller.rows - basin.rows:
            spare -= taller.rows - basin.rows
            basin = taller
            break
    air = spare if panel else min(3, spare // 4)
    log += spare - air
    return Layout(columns, rows, False, basin, wave, offer, ticks, hand, 1, log, panel, air)


def _compact(size: Size, seats: int, thin: bool) -> Layout:
    spare = size.rows - seats - 6  # header, offer, two of the hand, one of the message, footer
    message = 2 if spare >= 3 else 1
    log = max(0, spare - (message - 1))
    log = min(log, _LOG) if thin else log
    return Layout(*size, True, Basin(0, 0, 0), False, 1, 0, 2, message, log, 0, 0)


@lru_cache(maxsize=512)
def chat_room(layout: Layout, thin: bool) -> Region | None:
    """Where chat may stand: the lower end of a log that is long enough; ``None`` where there is none."""
    if layout.panel:
        rows = _SLOW_LINE_CHAT if thin else max(_SLOW_LINE_CHAT, layout.body // 3)
        return Region(1 + layout.body - rows, layout.main, rows, layout.panel, True)
    if layout.log < _LOG_WITH_CHAT:
        return None
    rows = _SLOW_LINE_CHAT if thin else layout.log // 3 + 1
    return Region(1 + layout.body - rows, 0, rows, layout.columns)
