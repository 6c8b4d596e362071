"""The standings of a tournament as a table, which uses the width there is."""

from collections.abc import Sequence
from typing import Final

from server.coordinator import messages as m
from server.fullscreen.widgets.chrome import menu_row, paragraph
from server.fullscreen.widgets.drawing import DrawContext
from server.i18n.catalogues import Words
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, text_width
from server.text.tournaments import (
    cell_score,
    cross_table,
    deal_lines,
    legend_in_words,
    score_in_words,
)

_NAME: Final = range(10, 25)
_SCORE: Final = 8
_SPACIOUS: Final = 110
"""Columns from which there is a blank row between two players, for who looks from afar."""


def standing_rows(view: m.TournamentView, width: int, look: DrawContext) -> list[Row]:
    """A heading and a row for each player: place, name, total, the score of each round, the tie-break."""
    words = look.words
    rounds = max((len(each.rounds) for each in view.rows), default=0)
    longest = max(text_width(each.name) for each in view.rows)
    name = max(_NAME[0], min(_NAME[-1], longest + 2, width - 6 - 2 * _SCORE))
    room = max(0, (width - 8 - name - _SCORE) // _SCORE)
    # Where there is not room for all, the last ones are told: the total has the others.
    shown = range(max(0, rounds - room), rounds)
    tie = room > rounds > 0
    heads = [words.t("total"), *(str(number + 1) for number in shown)]
    if tie:
        heads.append(words.t("met"))
    head: list[Span] = [("dim", fit("", 5 + name))]
    head += [("dim", fit(text, _SCORE, ">")) for text in heads]
    rows: list[Row] = [row("  ", *head)]
    for each in view.rows:
        cells: list[Span] = [
            ("dim", fit(f"{each.place}.", 4, ">") + " "),
            ("strong" if each.you else "text", fit(_called(each), name, ellipsis=look.glyphs.more)),
            ("strong", fit(score_in_words(each.total), _SCORE, ">")),
        ]
        cells += [("text", fit(_score(each.rounds, at), _SCORE, ">")) for at in shown]
        if tie:
            cells.append(("dim", fit(score_in_words(each.opponents), _SCORE, ">")))
        rows.append(menu_row(each.you, cells, width))
        if width >= _SPACIOUS:
            rows.append(BLANK)
    if legend := legend_in_words(view, words, met=tie):
        rows += [BLANK, *paragraph(" · ".join(legend), width, "dim")]
    return rows


def registered_rows(view: m.TournamentView, width: int, words: Words) -> list[Row]:
    """Before the first round nobody has a place: who has registered, yourself first."""
    names = [row.name for row in view.rows if not row.withdrawn and not row.you]
    if any(row.you and not row.withdrawn for row in view.rows):
        names.insert(0, words.t("you"))
    if not names:
        return paragraph(words.t("Nobody has registered yet. Press r to register."), width)
    return paragraph(words.t("Registered: {names}.", names=", ".join(names)), width)


def cross_table_rows(view: m.TournamentView, width: int, words: Words) -> list[Row]:
    """Everybody with all rounds, and below them the deals."""
    rows: list[Row] = []
    for each, (who, rounds) in zip(view.rows, cross_table(view, words), strict=True):
        rows += paragraph(who, width, "strong" if each.you else "text")
        for said in rounds:
            rows += paragraph(said, width, "dim", indent="     ")
        rows.append(BLANK)
    for said in deal_lines(view, words):
        rows += paragraph(said, width, "dim")
    return rows


def _called(standing: m.TournamentRow) -> str:
    """Who has withdrawn is in brackets."""
    return f"({standing.name})" if standing.withdrawn else standing.name


def _score(rounds: Sequence[m.TournamentCell | None], at: int) -> str:
    cell = rounds[at] if at < len(rounds) else None
    return "-" if cell is None else cell_score(cell)
