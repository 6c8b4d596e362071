"""Where the parts of the table go, for a size and a number of seats: arithmetic, nothing else."""

from functools import lru_cache
from typing import Final, NamedTuple

from engine.cards import LARGEST_HAND, WEATHER_CARDS
from server.fullscreen.table.hand import DRAWN, HUGE, LABEL, LARGE, NARROW
from server.fullscreen.table.tide_gauges import Basin, basin_for
from server.fullscreen.widgets.regions import Region
from server.terminal.capabilities import Size

_WIDEST_BASIN: Final = 46
_PANEL_FROM: Final = 140
"""From so many columns on the log stands beside the basins, in a share of them."""
_PANEL_SHARE: Final = 0.27
_LEAST_PANEL: Final = 50
_MOST_PANEL: Final = 84
_CENTRED_FROM: Final = 100
"""From so many columns on hand, tides on offer and prompt stand in the middle."""
_FIXED: Final = 9
"""Rows of header, names, preservers, states, rule, a hand in line, a message, and footer."""
_LOG: Final = 4
"""Rows of log that come before everything optional."""
_MORE_LOG: Final = 3
"""Rows of log that come before what is only larger."""
_LOG_WITH_CHAT: Final = 8
"""From so many rows on the log can spare some for chat."""
_SLOW_LINE_CHAT: Final = 4
"""Rows of chat, with a line above them, where every byte counts."""
_TICKS_FROM: Final = 78
_DRAWN_FROM: Final = 78
_TICKS: Final = len(WEATHER_CARDS)
_TICK_NAMES: Final = 12
_WIDEST_CARD: Final = {DRAWN: 8, LARGE: 11, HUGE: 15}
_LARGE_FROM: Final = {LARGE: 8, HUGE: 11}
"""Columns that cards of so many rows need."""
_LESSON: Final = 2
_LESSON_FROM: Final = 34
"""From so many rows on there is room for the guide beside the prompt, and a panel."""
_SLIM: Final = Size(56, 18)
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
    """3, 5 or 7: drawn as cards; 1: in a line."""
    ticks: int
    """Rows for each seat's played cards; 0 for none."""
    tick: int
    """Columns a card there."""
    hand: int
    """Rows of the own hand: 2, or drawn cards."""
    pitch: int
    """Columns from one drawn card to the next."""
    message: int
    """Rows of the line that speaks to the player."""
    log: int
    """Rows of the log below the hand; 0 when it stands in the panel."""
    panel: int
    """Columns of the panel at the right; 0 for none."""
    lesson: int
    """Rows for what the guide says, where there is no log below the hand; 0 when it stands in the panel."""
    spacing: tuple[int, ...]
    """Blank rows in each of the four places where some may stand between the parts."""
    left: int
    """Blank columns before the basins."""

    @property
    def main(self) -> int:
        """Columns of the table itself."""
        return self.columns - self.panel

    @property
    def centred(self) -> bool:
        """Whether what is narrower than the basins stands in the middle."""
        return self.main >= _CENTRED_FROM and not self.compact

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
        panel = max(_LEAST_PANEL, min(_MOST_PANEL, round(columns * _PANEL_SHARE)))
    main, log = columns - panel, 0 if panel else _LOG
    width = min(_WIDEST_BASIN, (main - 2) // seats - 1)
    basin = basin_for(width, highest_tide, 1)
    wave, offer = rows >= 22, 3 if rows >= 23 else 1
    widest_card = (main - LABEL - 6) // LARGEST_HAND
    # What is worth having comes first: a log that can be read, higher basins with a hand drawn as cards, the
    # played cards; then everything gets larger, as far as there is room; the rest is more log.
    lesson = _LESSON if panel and rows >= _LESSON_FROM else 0
    spare = rows - _FIXED - wave - offer - basin.rows - log - lesson
    more_log = _MORE_LOG * (not panel)
    ticks, hand = 0, 2
    taller = basin_for(width, highest_tide, 2)
    if main >= _DRAWN_FROM and spare >= taller.rows - basin.rows + DRAWN - hand:
        spare -= taller.rows - basin.rows
        basin = taller
    if main >= _TICKS_FROM and spare >= seats:
        ticks = seats + (spare > seats)
        spare -= ticks
    if main >= _DRAWN_FROM and spare >= DRAWN - hand:
        spare -= DRAWN - hand
        hand = DRAWN
    spare -= more_log
    for halves in range(basin.halves + 1, 8):
        taller = basin_for(width, highest_tide, halves)
        if spare >= taller.rows - basin.rows:
            spare -= taller.rows - basin.rows
            basin = taller
        larger = LARGE if hand == DRAWN else HUGE
        if DRAWN <= hand < larger <= hand + spare and widest_card >= _LARGE_FROM[larger]:
            spare -= larger - hand
            hand = larger
        if 3 <= offer < 7 and hand > DRAWN and spare >= 2:
            spare -= 2
            offer += 2
    spare += more_log
    spacing = spare if panel else min(3, max(0, spare) // 4)
    log += spare - spacing
    return Layout(
        *(columns, rows, False, basin, wave, offer, ticks),
        tick=max(1, min(3, (main - _TICK_NAMES - 4) // _TICKS)),
        hand=hand,
        pitch=max(NARROW, min(widest_card, _WIDEST_CARD.get(hand, NARROW))),
        message=1,
        log=log,
        panel=panel,
        lesson=lesson,
        spacing=tuple([spacing // 4 + (spacing % 4 > place) for place in range(4)]),
        left=max(0, (main - 2 - seats * (width + 1)) // 2) if main >= _CENTRED_FROM else 0,
    )


def _compact(size: Size, seats: int, thin: bool) -> Layout:
    spare = size.rows - seats - 6  # header, offer, two of the hand, one of the message, footer
    message = 2 if spare >= 3 else 1
    log = max(0, spare - (message - 1))
    log = min(log, _LOG) if thin else log
    basin = Basin(0, 0, 0, 0)
    return Layout(*size, True, basin, False, 1, 0, 1, 2, NARROW, message, log, 0, 0, (0,) * 4, 0)


def chat_room(layout: Layout, thin: bool) -> Region | None:
    """Where chat may stand: the lower end of a log that is long enough; ``None`` where there is none."""
    if layout.panel:
        rows = _SLOW_LINE_CHAT if thin else max(_SLOW_LINE_CHAT, layout.body // 3)
        return Region(1 + layout.body - rows, layout.main, rows, layout.panel, True)
    if layout.log < _LOG_WITH_CHAT:
        return None
    rows = _SLOW_LINE_CHAT if thin else layout.log // 3 + 1
    return Region(1 + layout.body - rows, 0, rows, layout.columns)
