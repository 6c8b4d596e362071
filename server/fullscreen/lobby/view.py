"""The lobby: tables and people."""

from typing import Final

from server.fullscreen.widgets.chrome import menu_row, paragraph, window
from server.fullscreen.widgets.drawing import DrawContext, between, shortest, wrap_to
from server.terminal.capabilities import Size
from server.terminal.drawing.caches import cached_by_identity
from server.terminal.drawing.frame import BLANK, Row, fit, row, text_width, wrap
from server.viewmodels.lobby import LobbyModel, TableLine

_TITLE: Final = 12
_WIDE: Final = 100
"""From so many columns on titles are whole: a tournament's tables have long ones."""
_SEATS: Final = 8
_STATE: Final = 14
"""Columns of the longest words there, in any language, and a blank."""
_LEAST: Final = 12
"""With fewer columns, unless they are enough, facts or names are left out."""
_ROOMY: Final = 50
"""From so many columns on names have a third of them, if they need it."""


def lobby_rows(
    model: LobbyModel, chosen: int, wanted: str, typing: bool, size: Size, look: DrawContext
) -> list[Row]:
    """Tables that fit what is ``wanted``, and people below; while a line is typed, with room for it."""
    words, width = look.words, size.columns
    body: list[Row] = [BLANK, BLANK] if typing else []
    if wanted and not typing:
        shown = words.n(
            "Only tables that fit: {wanted} ({count} does not; f changes it)",
            "Only tables that fit: {wanted} ({count} do not; f changes it)",
            model.hidden,
            wanted=wanted,
        )
        body += [row("  ", ("warm", line)) for line in wrap_to(shown, width - 3, 2, look.glyphs)]
    folded = model.folded and shortest(
        [
            words.n(
                "{count} more table: against bots, or over (s shows it)",
                "{count} more tables: against bots, or over (s shows them)",
                model.folded,
            ),
            words.t("s: {count} more (bots, over)", count=model.folded),
        ],
        width - 3,
        look.glyphs,
    )
    people = wrap_to(f"{model.people}: {model.here}", width - 4, 2, look.glyphs)
    room = size.rows - 8 - (width < 60) - len(people) - len(body) - bool(folded)
    if model.tables:
        columns = _columns(model.tables, width - 2, look)
        body.append(row("  ", ("dim", _cells_text(_heads(look), columns, look))))
        detail = model.tables[min(chosen, len(model.tables) - 1)]
        for number in window(len(model.tables), chosen, max(1, room - 3)):
            table = model.tables[number]
            cells = _cells(table, columns, look)
            style = "text" if table.joinable else "dim"
            body.append(menu_row(number == chosen, ((style, cells),), width))
        if folded:
            body.append(row("  ", ("dim", folded)))
        body.append(BLANK)
        body += [row("  ", ("dim", line)) for line in _details(detail, width, look)]
    elif model.hidden:
        body += paragraph(words.t("There is no such table just now. Press g for any game."), width)
    else:
        none = words.t("There is no table to join. Press n to open one.")
        body += paragraph(
            none if folded else words.t("There is no table yet. Press n to open one."), width
        )
        body += paragraph(words.t("Or press b to play against bots while you wait."), width, "dim")
        if folded:
            body += [BLANK, row("  ", ("dim", folded))]
    body.append(BLANK)
    body += [row("  ", ("seat", line)) for line in people]
    return body


def _details(table: TableLine, width: int, look: DrawContext) -> tuple[str, ...]:
    """What there is to know of a table, in few lines: of the facts none is cut, but names may be."""
    facts, most = (
        (look.words.t("code {code}", code=table.id), *table.facts),
        2 if width >= 60 else 3,
    )
    rest = table.names
    while len(wrap(between((*facts, rest[:1]), look.glyphs), width - 3)) > most:
        facts, rest = facts[:-1], look.glyphs.more
    return wrap_to(between((*facts, rest), look.glyphs), width - 3, most, look.glyphs)


# Each keeps a line for every table there was: few are kept.
@cached_by_identity(1, 16)
def _columns(tables: tuple[TableLine, ...], width: int, look: DrawContext) -> tuple[int, int, int]:
    """How wide titles, facts and names are, 0 where there is no room for them: what they need, as far as
    there is room, and facts come first.
    """
    *_others, edition, players = _heads(look)
    title = _TITLE
    if width >= _WIDE:
        title = max(_TITLE, *(text_width(line.title) for line in tables))
    rest = width - title - 1 - _SEATS - _STATE
    if rest < _LEAST:
        return title, 0, 0
    facts = max(text_width(edition), *(text_width(", ".join(line.facts)) for line in tables))
    names = max(text_width(players), *(text_width(line.names) for line in tables))
    least = min(names, _LEAST)
    names = min(names, max(rest - facts - 2, rest // 3 if rest >= _ROOMY else 0))
    if names < least:
        return title, rest, 0
    return title, min(facts, rest - names - 2), names


def _heads(look: DrawContext) -> tuple[str, ...]:
    t = look.words.t
    return (t("table"), t("seats"), t("state"), t("edition"), t("players"))


def _cells(line: TableLine, columns: tuple[int, int, int], look: DrawContext) -> str:
    """Of the facts as many as fit, none of them cut; a sign for the others."""
    facts, said = line.facts, ", ".join(line.facts)
    for count in range(len(facts) - 1, 0, -1):
        if text_width(said) <= columns[1]:
            break
        said = ", ".join((*facts[:count], look.glyphs.more))
    return _cells_text((line.title, line.seats, line.state, said, line.names), columns, look)


def _cells_text(cells: tuple[str, ...], columns: tuple[int, int, int], look: DrawContext) -> str:
    title, *others = columns
    widths = (title, _SEATS - 1, _STATE - 1, *others)
    more = look.glyphs.more
    shown = [
        fit(cell, wide, ellipsis=more) for cell, wide in zip(cells, widths, strict=True) if wide
    ]
    # The names stand a little apart: facts have blanks in them as well.
    return " ".join((*shown[:4], *(f" {names}" for names in shown[4:])))
