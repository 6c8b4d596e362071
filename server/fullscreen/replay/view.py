"""What a moment of a finished game looks like from a viewpoint."""

from collections.abc import Iterator
from typing import Final

from engine.events import GameOver, StageScored
from engine.records.replay import Moment
from engine.state import Cards
from server.coordinator.messages import TablePublic
from server.fullscreen.standings.stage import stage_screen
from server.fullscreen.standings.view import final_lines
from server.fullscreen.table.focus import TableFocus
from server.fullscreen.table.view import table_screen
from server.fullscreen.widgets.chrome import Keys, page
from server.fullscreen.widgets.drawing import DrawContext
from server.playback.replayed_game import OPEN, ReplayPosition
from server.playback.reveal_player import SummaryScene, pictures_of
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, Span, fit, row, text_width
from server.viewmodels.reveal_timing import present_reveal, reveal_steps, round_scene
from server.viewmodels.standings import title_of
from server.viewmodels.table import present_table

_SHORT_NAME: Final = 8
"""Columns that a name beside an open hand gets at least, before the cards move closer together."""


def replay_screen(
    position: ReplayPosition,
    picture: int,
    message: Span,
    clock: Span,
    keys: Keys,
    size: Size,
    look: DrawContext,
    scroll: int = 0,
) -> Frame:
    """What a moment looks like; ``picture`` counts from 0, and anything too high is the last. ``clock``
    stands at the right of the first row, and ``scroll`` rows of the standings are out of sight.
    """
    moment, viewpoint, info = position.moment, position.viewpoint, position.info
    now = position.now()
    view = now.table
    assert view is not None
    if isinstance(event := moment.event, StageScored):
        scene = SummaryScene(view, event.stage, event.result)
        return stage_screen(info, scene, viewpoint, message, keys, size, look)
    if isinstance(event, GameOver):
        lines = final_lines(info, view, viewpoint, size, look)
        top = max(0, min(scroll, len(lines) - (size.rows - 4)))
        title, shown = title_of(view, look.words), lines[top:]
        return page(title, shown, keys, message, size, look, share=1.0)
    hands = _hands(info, moment, size, look) if viewpoint == OPEN else []
    if moment.result is not None and moment.reveals:
        step = reveal_steps(moment.result)[min(picture, pictures_of(moment) - 1)]
        table = present_reveal(info, round_scene(view, moment.result), look.words, step)
    else:
        table = present_table(info, view, look.words)
    whole = moment.reveals and picture >= pictures_of(moment) - 1
    climax, brief = table.climax
    news = (climax, *table.log[0].why[1:]) if whole else ()
    # Before the reveal, the card that will be bid; in it, it lies there sealed.
    chosen = 0 if moment.reveals else moment.bid_of(viewpoint)
    seen = TableFocus(clock, keys, viewpoint, chosen, message, ("", ""), news, brief, log=table.log)
    drawn = table_screen(table, now.own, seen, Size(size.columns, size.rows - len(hands)), look)
    return drawn._replace(rows=(*drawn.rows[:-1], *hands, drawn.rows[-1]))


def _hands(info: TablePublic, moment: Moment, size: Size, look: DrawContext) -> list[Row]:
    """All hands, a row each, as far as there is room."""
    stage, most = moment.state.stage, moment.state.rules.hand_size
    names = [seat.name for seat in info.seats]
    cell = 4 if size.columns >= 4 * most + _SHORT_NAME else 3
    width = min(max(map(text_width, names)), size.columns - cell * most - 3)
    rows: list[Row] = [BLANK] if size.rows >= 24 else []
    for seat, name in enumerate(names):
        label = fit(name, width, ellipsis=look.glyphs.more if width > 2 else "")
        spans: list[Span] = [("dim", f" {label}")]
        if stage.eliminated[seat]:
            spans.append(("dim", f"  {look.words.t('out')}"))
        else:
            spans += _cards(stage.hands[seat], moment.bid_of(seat), cell - 3)
        rows.append(row(*spans))
    return rows


def _cards(hand: Cards, bid: int, gap: int) -> Iterator[Span]:
    """A hand in which the card that is bid stands out, ``gap`` blanks after each card."""
    closing = " "
    for card in hand:
        # Brackets stand where the blanks between the cards are.
        opening = "[" if card == bid else closing
        closing = "]" if card == bid else " "
        yield "card.chosen" if card == bid else "card", f"{opening}{card:2}"
        if gap:
            yield "card.chosen" if card == bid else "card", fit(closing, gap)
            closing = " "
    if closing == "]":
        yield "card.chosen", closing
