"""Where the parts of the table go, for a size and a number of seats: arithmetic, nothing else."""

from functools import lru_cache
from typing import NamedTuple

from server.ui.screens.basins import Basin, basin_for
from server.ui.terminal import Size

SMALLEST = Size(40, 15)
"""Below this nothing sensible can be shown."""

_WIDEST_BASIN = 26
_PANEL_FROM = 140
"""From so many columns on the log stands beside the basins."""
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
    log: int
    """Rows of the log below the hand; 0 when it stands in the panel."""
    panel: int
    """Columns of the panel at the right; 0 for none."""
    message: int
    """Rows of the line that speaks to the player."""

    @property
    def main(self) -> int:
        """Columns of the table itself."""
        return self.columns - self.panel


@lru_cache(maxsize=512)
def table_layout(size: Size, seats: int, highest_tide: int) -> Layout:
    """The layout for a terminal of at least ``SMALLEST``."""
    columns, rows = size
    if columns < _SLIM.columns or rows < _SLIM.rows:
        fixed = 1 + 1 + seats + 2 + 1 + 1  # header, offer, seats, hand, message, footer
        message = 2 if rows - fixed > 3 else 1
        log = max(0, rows - fixed - (message - 1))
        none = Basin(0, 0, 0)
        return Layout(columns, rows, True, none, False, 1, 0, log, 0, message)
    panel = min(columns - 118, 90) if columns >= _PANEL_FROM + 20 else 0
    if not panel and columns >= _PANEL_FROM:
        panel = columns - 88
    main = columns - panel
    width = min(_WIDEST_BASIN, (main - 2) // seats - 1)
    basin = basin_for(width, highest_tide, tall=False)
    # header, names, preservers, states, rule, two of the hand, footer
    fixed = 8
    wave = rows >= 20
    offer = 3 if rows >= 23 else 1
    message = 2 if rows >= 26 else 1
    left = rows - fixed - wave - offer - message - basin.rows
    least_log = 0 if panel else 4
    ticks = 0
    if main >= 78 and left - least_log >= seats:
        ticks = seats + (left - least_log > seats)
        left -= ticks
    tall = basin_for(width, highest_tide, tall=True)
    if left - least_log - (0 if panel else 2) >= tall.rows - basin.rows:
        left -= tall.rows - basin.rows
        basin = tall
    return Layout(columns, rows, False, basin, wave, offer, ticks, max(0, left), panel, message)
