"""A player's statistics, as small charts."""

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from engine.records.statistics import Statistics, Streak
from server.fullscreen.pages.loaded_page import Fetched
from server.fullscreen.widgets.chrome import paragraph, paragraphs
from server.fullscreen.widgets.drawing import DrawContext, between, side_by_side, wrap_facts
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, fit, row, text_width
from server.text.statistics import Bar, Chart, charts

_TWO: Final = 130
"""Columns from which charts stand in two columns ..."""
_THREE: Final = 210
"""... and in three."""
_MOST_BAR: Final = 40
_LEAST_BAR: Final = 6


class StatisticsPage(Fetched[tuple[Statistics, Streak]]):
    """How one plays, over the newest games."""

    TITLE = _("Your statistics")
    LARGEST = Size(252, 60)

    @override
    async def load(self) -> tuple[Statistics, Streak]:
        return await self.context.library.statistics(), await self.context.library.streak()

    @override
    def told(self, found: tuple[Statistics, Streak], width: int) -> list[Row]:
        look, (played, days) = self.context.look, found
        drawn = charts(played, look.words, days)
        if not drawn:
            return paragraph(look.words.t("You have not finished a game yet."), width)
        columns = 3 if width >= _THREE else 2 if width >= _TWO else 1
        room = width // columns
        parts = [chart_lines(chart, room - 2, look) for chart in drawn]
        return in_columns(parts, columns, room)


def in_columns(parts: Sequence[list[Row]], columns: int, room: int) -> list[Row]:
    """Parts in columns about as long as each other, in their order from the top left."""
    height = sum(len(part) + 1 for part in parts) / columns
    stacks, at = [list[Row]() for _ in range(columns)], 0
    for part in parts:
        # A column begins with the first part whose middle would be below the mean height.
        if at + 1 < columns and stacks[at] and len(stacks[at]) + len(part) / 2 > height:
            at += 1
        stacks[at] += [*([BLANK] if stacks[at] else []), *part]
    rows, *others = stacks
    for place, stack in enumerate(others, 1):
        rows = side_by_side(rows, stack, place * room)
    return rows


def chart_lines(chart: Chart, width: int, look: DrawContext) -> list[Row]:
    """A heading, the bars, and what there is to read."""
    lines = [row("  ", ("heading", chart.title)), *paragraphs(chart.sentences, width)]
    if not chart.bars:
        return lines
    label = min(max(text_width(bar.label) for bar in chart.bars) + 1, width // 2)
    facts = max(text_width(between(bar.facts, look.glyphs)) for bar in chart.bars)
    room = width - label - 5
    bar_width = min(_MOST_BAR, room - facts) if room - facts >= _LEAST_BAR else min(12, room // 3)
    longest = max((text_width(fact) for bar in chart.bars for fact in bar.facts), default=0)
    below = longest > room - bar_width
    indent = 4 if below else label + bar_width + 4
    for bar in chart.bars:
        told = wrap_facts(bar.facts, width - indent, look)
        first, *more = ["", *told] if below else told or [""]
        name = fit(bar.label, label, "<", look.glyphs.more)
        lines.append(row("  ", ("text", name), *_bar(bar, bar_width, look), "  ", ("text", first)))
        lines += [row(" " * indent, ("text", each)) for each in more]
    return lines


def _bar(bar: Bar, width: int, look: DrawContext) -> Row:
    full, half, empty = look.glyphs.bar
    halves = round(2 * width * min(1.0, max(0.0, bar.share)))
    drawn = full * (halves // 2) + half * (halves % 2)
    rest = "" if look.thin else empty * (width - len(drawn))
    return row(("water.2", drawn), ("rule", fit(rest, width - len(drawn))))
