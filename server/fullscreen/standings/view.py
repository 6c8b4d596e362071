"""The summary of a stage and the standings of a game."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from engine.standings import Standing, standings
from engine.views import TableView
from server.coordinator.messages import TableInfo
from server.fullscreen.table.tide_gauges import preservers
from server.fullscreen.widgets.chrome import Keys, page, paragraph
from server.fullscreen.widgets.drawing import DrawContext, labelled, wrap_facts, wrap_to
from server.playback.reveal_player import SummaryScene
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import (
    BLANK,
    Frame,
    Row,
    Span,
    fit,
    pad_row,
    row,
    row_width,
    text_width,
    wrap,
)
from server.text.rounds import bids_in_words, losses_in_words, signed, stage_end_in_words
from server.viewmodels.standings import HandLine, hand_results, rematch_in_words, verdict
from server.viewmodels.table import level_words, seat_names

_CURVE_ROWS: Final = 8
_ROOMY: Final = 7
"""Columns a number from which whole words stand above them."""
_STAGE: Final = 5
"""Columns of a stage in the table of points; the others are ``_FIXED``."""
_FIXED: Final = 12
_NARROW: Final = 1
"""So many columns narrower is each number where there is no room."""
_POINT: Final = 5
"""Columns of a stage in the curve, beside its axis."""
_AXIS: Final = 7
_WIDE: Final = 80
_LEAST_NAME: Final = 6
_SHORT_NAME: Final = 9
_LONG_NAME: Final = 18


def _style(points: int) -> str:
    return "good" if points > 0 else "bad" if points < 0 else "text"


def stage_screen(
    info: TableInfo,
    scene: SummaryScene,
    you: int,
    message: Span,
    keys: Keys,
    size: Size,
    look: DrawContext,
) -> Frame:
    """Who saved what in this stage, and the totals."""
    words, width = look.words, size.columns
    names, rules, result = seat_names(info), scene.view.rules, scene.result
    final, lowest, best = result.rounds[-1], min(result.scores), max(result.scores)
    # One column a number, as wide as its heading and the terminal allow.
    pres, cell = (15, 8) if width >= 66 else (12, 7) if width >= 54 else (6, 5)
    name_width = min(18, width - pres - 4 * cell - 4)
    titles = (words.t("tide"), words.t("bonus"), words.t("points"), words.t("total"))
    saved = words.t("saved")
    if cell < _ROOMY:
        titles = (
            words.p("four letters", "tide"),
            words.p("four letters", "bon."),
            words.p("four letters", "pts"),
            words.p("four letters", "sum"),
        )
        saved = words.p("five letters", "saved")
    heads = "".join(fit(f" {title}", cell, ">", "") for title in titles)
    heads = fit("", name_width + 1) + fit(saved, pres, ellipsis="") + heads
    table = [row("  ", ("heading", heads))]
    for seat, name in enumerate(names):
        mine, out, points = seat == you, result.eliminated[seat], result.points[seat]
        left, total = final.life_preservers[seat], result.scores[seat]
        tide, leader = level_words(final.levels[seat] or 0, out, words), lowest < best == total
        table.append(
            row(
                "> " if mine else "  ",
                ("seat.you" if mine else "seat", fit(name, name_width, "<", look.glyphs.more)),
                " ",
                *pad_row(preservers(left, result.start[seat] - left, pres - 1, look.glyphs), pres),
                ("seat.out" if out else "text", fit(tide, cell, ">", "")),
                ("good", fit("+1" if seat in result.bonus else "", cell, ">")),
                (_style(points), fit(signed(points), cell, ">")),
                ("seat.leader" if leader else "score", fit(f"{total}", cell - 1, ">")),
                ("seat.leader", "*" if leader else " "),
            )
        )
    over = paragraph(stage_end_in_words(final, len(result.rounds), rules, words), width, "dim")
    last = [row("  ", ("heading", words.t("the last round")))]
    bids = wrap_facts(bids_in_words(final, names, words), width - 4, look)
    last += [row("  ", ("text", line)) for line in bids]
    losses = losses_in_words(final, names, rules, words)
    why = [row("  ", ("text", line)) for each in losses for line in wrap(each, width - 4, "  ")]
    if scene.last:
        coming = words.t("That was the last stage. Space shows the standings.")
    else:
        coming = words.t("Every hand now passes to the left, with all its life preservers.")
    then = paragraph(coming, width, "warm")
    # The log has the last round as well; what the stage has brought is only told here.
    room = size.rows - 3 - (size.rows >= 20) - len(wrap_to(message[1], width - 2, 2, look.glyphs))
    ways = (
        [*over, BLANK, *table, BLANK, *last, *why, BLANK, *then],
        [*over, *table, *last, *why, *then],
        [*over, *table, *why, *then],
    )
    body = next((way for way in ways if len(way) <= room), [*table, *why, *then])
    title = words.t("Stage {stage} of {stages} is over", stage=scene.stage + 1, stages=rules.stages)
    return page(title, body, keys, message, size, look)


# ---------------------------------------------------------------- standings


def final_lines(
    info: TableInfo, view: TableView, you: int, width: int, look: DrawContext
) -> list[Row]:
    """Everything about a finished game, as lines to scroll."""
    words, seats, stages = look.words, standings(view), len(view.points)
    lines = [*paragraph(verdict(info, view, words), width, "strong"), BLANK]
    curve = _curve(seats, look)
    widest = max(map(row_width, curve), default=0)
    room = width - _FIXED - stages * _STAGE
    beside = bool(curve) and room - widest >= _SHORT_NAME
    room -= widest * beside
    tight = _NARROW if room < _LEAST_NAME else 0
    name_width = max(_LEAST_NAME, min(_LONG_NAME, room + tight * (stages + 2)))
    points = _points(seats, seat_names(info), you, name_width, tight, bool(curve), look)
    if beside:
        left = name_width + _FIXED + stages * _STAGE
        pairs = zip_longest(points, curve, fillvalue=BLANK)
        points = [(*pad_row(first, left), *second) for first, second in pairs]
    lines += points
    if rematch := rematch_in_words(info, words):
        lines += [BLANK, *paragraph(rematch, width, "notice")]
    if hands := hand_results(info, view, words):
        head = words.t("What each player made of the same hand")
        best = f"   {words.t('* best result')}"
        lines.append(BLANK)
        if text_width(head) + text_width(best) <= width - 4:
            lines.append(row("  ", ("heading", head), ("dim", best)))
        else:
            lines += paragraph(head, width, "heading")
        lines += _hands(hands, width, look)
    if curve and not beside:
        lines += [BLANK, *curve]
    if info.seed:
        lines.append(BLANK)
        told = words.t("The deal can be checked: this seed makes every card and tide of the game.")
        lines += paragraph(told, width, "dim")
        lines += _long(words.t("seed"), info.seed, width, look)
        lines += _long(words.t("commitment"), info.commitment, width, look)
    return lines


def _long(label: str, text: str, width: int, look: DrawContext) -> list[Row]:
    """A long word without blanks, broken where the line ends."""
    room = max(8, width - 16)
    parts = [text[at : at + room] for at in range(0, len(text), room)]
    return labelled(("dim", label), 12, parts, "text", look)


def _points(
    seats: Sequence[Standing],
    names: Sequence[str],
    you: int,
    name_width: int,
    tight: int,
    numbered: bool,
    look: DrawContext,
) -> list[Row]:
    """The table of points, its numbers ``tight`` columns closer together than usual; seats are ``numbered``
    for the curve, without which a number would look like a rank.
    """
    words, more = look.words, look.glyphs.more
    cell, last = 4 - tight, 6 - 2 * tight
    title = words.t("total")
    if text_width(title) > last + 1:
        title = words.p("four letters", "sum")
    numbers = "".join(f"{number:>{cell}} " for number, _ in enumerate(seats[0].points, 1))
    head = fit(words.t("stage"), name_width + 2, "<", more) + numbers
    rows = [row("  ", ("heading", head + fit(title, last + 1, ">", "")))]
    for seat in seats:
        cells: list[Span] = []
        for points, bonus in zip(seat.points, seat.bonus, strict=True):
            cells.append((_style(points), f"{signed(points):>{cell}}"))
            cells.append(("good", "'" if bonus else " "))
        mine, crown = seat.seat == you, "*" if seat.winner else " "
        number = f"{seat.seat + 1} " if numbered else ""
        name = fit(names[seat.seat], name_width + 2 - len(number), "<", more)
        rows.append(
            row(
                "> " if mine else "  ",
                ("dim", number),
                ("seat.you" if mine else "seat", name),
                *cells,
                ("seat.leader" if seat.winner else "score", f"{seat.total:>{last}}{crown}"),
            )
        )
    return [*rows, row("  ", ("dim", words.t("' with the bonus   * winner")))]


def _curve(seats: Sequence[Standing], look: DrawContext) -> list[Row]:
    """Totals after each stage: seat numbers where they stood."""
    stages, glyphs = len(seats[0].totals), look.glyphs
    if stages < 2:
        return []
    seats = sorted(seats, key=lambda seat: seat.seat)
    values = [total for seat in seats for total in (0, *seat.totals)]
    low, high = min(values), max(values)
    step = -(-(high - low + 1) // min(_CURVE_ROWS, high - low + 1))
    rows = [row("  ", ("heading", look.words.t("totals, by number")))]
    for floor in reversed(range(low, high + 1, step)):
        spans: list[Span] = [("dim", f"{floor:>5} {glyphs.wall}")]
        for stage in range(stages):
            there = [each for each in seats if floor <= each.totals[stage] < floor + step]
            here = "".join(str(seat.seat + 1) for seat in there)
            shown = fit(here or glyphs.dot, _POINT, "^", glyphs.more)
            spans.append(("text" if here else "rule", shown))
        rows.append(row(*spans))
    base = "".join(fit(str(stage + 1), _POINT, "^") for stage in range(stages))
    return [*rows, row(("dim", " " * _AXIS + base))]


def _hands(hands: Sequence[HandLine], width: int, look: DrawContext) -> list[Row]:
    rows: list[Row] = []
    widest = max((text_width(hand.label) for hand in hands), default=0) + 2
    label = min(widest, 32 if width >= _WIDE else 20) if width >= 60 else 0
    for hand in hands:
        facts = tuple(
            f"{name} {signed(points)}{'*' if best else ''}" for name, points, best in hand.results
        )
        if label:
            told = wrap_facts(facts, width - label - 4, look)
            rows += labelled(("dim", hand.label), label, told, "text", look)
        else:
            rows.append(row("  ", ("dim", hand.label)))
            rows += [row("    ", ("text", text)) for text in wrap_facts(facts, width - 6, look)]
    return rows
