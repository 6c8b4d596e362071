"""The standings of a tournament as a table, which uses the width there is."""

from collections.abc import Sequence
from typing import Final

from server.coordinator import messages as m
from server.fullscreen.standings.podium import ALL, announced_rows, podium_rows, steps_of
from server.fullscreen.widgets.chrome import menu_row, paragraph, paragraphs
from server.fullscreen.widgets.drawing import DrawContext, between, indented, side_by_side
from server.i18n.lookup import Words
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, text_width
from server.text.tournaments import (
    cross_table,
    deal_lines,
    legend_in_words,
    progress_of,
    score_in_words,
    won_in_words,
)

_NAME: Final = range(10, 25)
_SCORE: Final = 8
_BAR: Final = range(10, 33)
"""Columns of a total drawn as a bar, each way."""
_BESIDE: Final = 130
"""Columns from which those who play stand beside the standings ..."""
_SEATS: Final = 46
"""... in so many of them."""
_PODIUM: Final = 84
"""Columns of the podium."""
_TALL: Final = 36
"""Rows of a screen from which it is twice as high."""


def standings_page(
    view: m.TournamentView, width: int, rows: int, look: DrawContext, now: float
) -> list[Row]:
    """The standings, and beside them, where there is room, who sits where.

    A blank row between two players where all fit within ``rows`` like that, for who looks from afar.
    """
    beside = width >= _BESIDE and bool(view.tables)
    main = width - _SEATS if beside else width
    lines, legend = [*standing_rows(view, main, look)], legend_rows(view, main, look)
    if 2 * len(lines) + len(legend) + 1 <= rows:
        lines = [line for each in lines for line in (each, BLANK)][:-1]
    lines += legend
    if not beside:
        return lines
    seats = [
        row("  ", ("heading", look.words.p("tournament", "round {round}", round=view.info.round)))
    ]
    seats += tables_rows(view, _SEATS, look, now)
    return side_by_side(lines, seats, main)


def ended_rows(
    view: m.TournamentView,
    size: Size,
    rows: int,
    look: DrawContext,
    now: float,
    standing: int = ALL,
) -> list[Row]:
    """A tournament that is over: who has won, the three best on their steps, and the standings.

    So many are ``standing`` on the podium by now.
    """
    words, yours = look.words, next((row for row in view.rows if row.you), None)
    won, said = won_in_words(view.info, words), list[Row]()
    if yours is not None and yours.place == 1:
        won = words.t("You win {cup}!", cup=view.info.plan.name)
        if len(view.info.winners) > 1:
            won = words.t("You share first place in {cup}!", cup=view.info.plan.name)
    elif yours is not None and won:
        place = words.t("Your place: {place} of {count}.", place=yours.place, count=len(view.rows))
        said = paragraph(place, size.columns, "warm")
    ranked = ((row.place - 1, score_in_words(row.total, words), row.name) for row in view.rows)
    width = min(size.columns, _PODIUM)
    scale = 2 if size.rows >= _TALL else 1
    podium = (
        podium_rows(steps_of(ranked), width, look, scale, standing) if won and not look.thin else []
    )
    head = announced_rows(won, size, look, shown=standing == ALL) if won else []
    head += [*said, *([BLANK] if head and podium else [])]
    head += [indented(each, (size.columns - width) // 2) for each in podium]
    head += [BLANK] if head else []
    return [*head, *standings_page(view, size.columns, rows - len(head), look, now)]


def standing_rows(view: m.TournamentView, width: int, look: DrawContext) -> Sequence[Row]:
    """A heading and a row for each player.

    Place, name, total, the score of each round, the tie-break, and the total as a bar.
    """
    words, rounds, (name, room) = look.words, _rounds(view), _columns(view, width)
    # Where there is not room for all, the last ones are told: the total has the others.
    shown = range(max(0, rounds - room), rounds)
    heads = [words.t("total"), *(str(number + 1) for number in shown)]
    if tie := has_met(view, width):
        heads.append(words.t("met"))
    head: list[Span] = [("dim", fit("", 5 + name))]
    head += [("dim", fit(text, _SCORE, ">")) for text in heads]
    left = width - 9 - name - _SCORE * len(heads)
    most = max(abs(each.total) for each in view.rows)
    rows: list[Row] = [row("  ", *head)]
    for each in view.rows:
        cells: list[Span] = [
            ("dim", fit(f"{each.place}.", 4, ">") + " "),
            ("strong" if each.you else "text", fit(_called(each), name, ellipsis=look.glyphs.more)),
            ("strong", fit(score_in_words(each.total, words), _SCORE, ">")),
        ]
        cells += [("text", fit(_score(each.rounds, at, words), _SCORE, ">")) for at in shown]
        if tie:
            cells.append(("dim", fit(score_in_words(each.opponents, words), _SCORE, ">")))
        if left >= 2 * _BAR[0] and most and not look.thin:
            cells += _bar(each.total / most, min(left // 2, _BAR[-1]), look)
        rows.append(menu_row(each.you, cells, width))
    return rows


def _bar(share: float, most: int, look: DrawContext) -> list[Span]:
    """From the middle to the right for what is above the mean, to the left for what is below."""
    full, half, _empty = look.glyphs.bar
    halves = round(2 * most * abs(share))
    if share < 0:
        return [("", "  "), ("water.1", fit(full * ((halves + 1) // 2), most, ">"))]
    drawn = full * (halves // 2) + half * (halves % 2)
    return [("", " " * (2 + most)), ("water.2", drawn)]


def _rounds(view: m.TournamentView) -> int:
    return max((len(each.rounds) for each in view.rows), default=0)


def has_met(view: m.TournamentView, width: int) -> bool:
    """Whether there is room for the tie-break beside all rounds."""
    _name, room = _columns(view, width)
    return room > _rounds(view) > 0


def _columns(view: m.TournamentView, width: int) -> tuple[int, int]:
    """Return how wide names are, and for how many rounds there is room beside them and the totals."""
    longest = max(text_width(each.name) for each in view.rows)
    name = max(_NAME[0], min(_NAME[-1], longest + 2, width - 6 - 2 * _SCORE))
    return name, max(0, (width - 8 - name - _SCORE) // _SCORE)


def legend_rows(view: m.TournamentView, width: int, look: DrawContext) -> list[Row]:
    """What the signs in the standings mean; empty where there is none."""
    legend = legend_in_words(view, look.words, met=has_met(view, width))
    return [BLANK, *paragraph(between(legend, look.glyphs), width, "dim")] if legend else []


def tables_rows(view: m.TournamentView, width: int, look: DrawContext, now: float) -> Sequence[Row]:
    """Return rows with the seating and progress of the round."""
    rows, words = list[Row](), look.words
    for table in view.tables:
        facts = between(progress_of(table, now, words), look.glyphs)
        title = words.t("table {number}", number=table.number)
        rows.append(row("  ", ("heading", title), ("dim" if table.done else "warm", f"  {facts}")))
        names = ", ".join(name or words.t("bot") for name in table.names)
        rows += paragraph(names, width, "dim" if table.done else "text", "    ")
    return rows


def registered_rows(view: m.TournamentView, width: int, words: Words) -> list[Row]:
    """Before the first round nobody has a place: who has registered, yourself first."""
    names = [row.name for row in view.rows if not row.withdrawn and not row.you]
    if any(row.you and not row.withdrawn for row in view.rows):
        names.insert(0, words.t("you"))
    if not names:
        return paragraph(words.t("Nobody has registered yet. Press r to register."), width)
    return paragraph(words.t("Registered: {names}.", names=", ".join(names)), width)


def cross_table_rows(view: m.TournamentView, width: int, words: Words) -> Sequence[Row]:
    """Everybody with all rounds, and below them the deals."""
    rows: list[Row] = []
    for each, (who, rounds) in zip(view.rows, cross_table(view, words), strict=True):
        rows += paragraph(who, width, "strong" if each.you else "text")
        for said in rounds:
            rows += paragraph(said, width, "dim", indent="     ")
        rows.append(BLANK)
    return [*rows, *paragraphs(deal_lines(view, words), width, "dim")]


def _called(standing: m.TournamentRow) -> str:
    """Return the name, in brackets for a player who has withdrawn."""
    return f"({standing.name})" if standing.withdrawn else standing.name


def _score(rounds: Sequence[m.TournamentCell | None], at: int, words: Words) -> str:
    cell = rounds[at] if at < len(rounds) else None
    return "-" if cell is None else score_in_words(cell.score, words)
