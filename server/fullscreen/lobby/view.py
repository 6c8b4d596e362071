"""The lobby: tables, people, and what goes on."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.editions import HIGHEST_TIDE
from server.fullscreen.table.tide_gauges import basin_for, kept_row, name_row, water_rows
from server.fullscreen.widgets.boxes import WHOLE, Pane, are_beside, has_boxes, panes
from server.fullscreen.widgets.chrome import menu_row, paragraph, window
from server.fullscreen.widgets.drawing import DrawContext, between, merged, shorten, wrap_to
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span, fit, pad_row, row, text_width, wrap
from server.viewmodels.lobby import GameLine, LobbyModel, TableLine

_TITLE: Final = 12
_WIDE: Final = 100
"""From so many columns on titles are whole: a tournament's tables have long ones."""
_SEATS: Final = 8
_STATE: Final = 14
"""Columns of the longest words there, in any language, and a blank."""
_LEAST: Final = 12
"""With fewer columns, unless they are enough, facts or names are left out."""
_BROAD: Final = 110
"""Columns from which what stands beside the tables has two fifths."""
_NARROW: Final = 60
"""With fewer columns, what there is to know of a table takes three lines."""
_TALL: Final = 30
"""Rows of a body that has room for everything."""
_FEW: Final = 3
"""News where there is less."""
_EACH: Final = 10
"""The number of people listed one below the other; more are in one line."""
_TILE: Final = Size(23, 6)
"""A picture of a game, and a blank row below."""
_BASIN: Final = 18
"""Columns of a seat in the large picture of the game that is chosen, or of the busiest one."""
_LEAST_TABLES: Final = 4
"""Rows."""
_AHEAD: Final = 26
"""Columns for who leads."""
_NAME: Final = 12
_ROOMY: Final = 50
"""From so many columns on names have a third of them, if they need it."""


class Lately(NamedTuple):
    """What stands beside the tables, in words."""

    news: tuple[tuple[str, str], ...]
    """The newest first, each with what was remarkable about it."""
    today: tuple[str, ...]
    chat: Pane
    menu: tuple[tuple[str, str], ...]
    """Keys that lead elsewhere, and where."""
    chosen: int = -1
    """Which of the news is chosen, in place of a table; -1 for none."""
    join: Callable[[int], Sequence[Row]] = lambda _width: ()
    """How others come here."""


def lobby_rows(
    model: LobbyModel,
    chosen: int,
    wanted: str,
    typing: bool,
    lately: Lately,
    size: Size,
    look: DrawContext,
) -> tuple[list[Row], range]:
    """Tables that fit what is ``wanted``, people and news; while a line is typed, with room for it.

    And which tables there is room for.
    """
    above: list[Row] = [BLANK, BLANK] if typing else []
    if wanted and not typing:
        above += _filter_rows(model, wanted, size.columns, look)
    room = size._replace(rows=size.rows - len(above))
    if not has_boxes(room, look):
        rows, shown = _plain(model, chosen, lately, room, look)
        return [*above, *rows], shown
    # Where there is no pane for it, the menu is one row.
    below = [] if room.rows >= _TALL else _menu(lately.menu, size.columns, look)[:1]
    room = room._replace(rows=room.rows - len(below))
    rows, shown = _boxed(model, chosen, lately, room, look)
    return [*above, *rows, *below], shown


def _filter_rows(model: LobbyModel, wanted: str, width: int, look: DrawContext) -> list[Row]:
    shown = look.words.n(
        "Only tables that fit: {wanted} ({count} does not; f changes it)",
        "Only tables that fit: {wanted} ({count} do not; f changes it)",
        model.hidden,
        wanted=wanted,
    )
    return [row("  ", ("warm", line)) for line in wrap_to(shown, width - 3, 2, look.glyphs)]


def _folded(model: LobbyModel, look: DrawContext) -> list[Row]:
    """Draw the number of tables that are only counted; nothing where none is."""
    said = look.words.n(
        "{count} game is over (s shows it)", "{count} games are over (s shows them)", model.folded
    )
    return [row("  ", ("dim", said))] if model.folded else []


def _none(model: LobbyModel, width: int, look: DrawContext) -> list[Row]:
    """Where no table is shown."""
    words = look.words
    if model.hidden:
        return paragraph(words.t("There is no such table just now. Press g for any game."), width)
    none = words.t("There is no table to join. Press n to open one.")
    there_is_none = words.t("There is no table yet. Press n to open one.")
    return [
        *paragraph(none if model.folded else there_is_none, width),
        *paragraph(words.t("Or press b to play against bots while you wait."), width, "dim"),
    ]


def _plain(
    model: LobbyModel, chosen: int, lately: Lately, size: Size, look: DrawContext
) -> tuple[list[Row], range]:
    """Lines one below the other, the least that is of use."""
    width, body = size.columns, list[Row]()
    brief = width < _NARROW or look.thin
    here = ", ".join(name for name, _ in model.here) if brief else model.here_in_words
    people = wrap_to(f"{model.people}: {here}", width - 4, 2, look.glyphs)
    folded, shown = _folded(model, look), range(0)
    room = size.rows - 4 - (width < _NARROW) - len(people) - len(folded)
    if model.tables:
        shown = window(len(model.tables), chosen, max(1, room - 3))
        body += _listed(model, shown, chosen, width, look)
    else:
        body += _none(model, width, look)
    body += folded if model.tables or not folded else [BLANK, *folded]
    if lately.chosen >= 0:
        told = ": ".join(filter(None, lately.news[lately.chosen]))
        lines, style = tuple(wrap_to(told, width - 3, 3, look.glyphs)), "strong"
    else:
        lines, style = _details(model.tables[chosen], width, look) if model.tables else (), "dim"
    body += [BLANK, *[row("  ", (style, line)) for line in lines]] if lines else ()
    most = min(len(people), size.rows - len(body) - 1)
    people = wrap_to(f"{model.people}: {here}", width - 4, most, look.glyphs)
    body += [BLANK, *[row("  ", ("seat", line)) for line in people]]
    if len(body) < size.rows:
        newest = next((news for news, _ in lately.news if text_width(news) < width - 3), "")
        body.append(row("  ", ("text", newest)))
    return body, shown


def _boxed(
    model: LobbyModel, chosen: int, lately: Lately, size: Size, look: DrawContext
) -> tuple[list[Row], range]:
    """In boxes: tables, who is here, today's tide, news, chat.

    The table that is chosen has one of its own where there is room.
    """
    words, glyphs = look.words, look.glyphs
    beside = are_beside(size, look)
    shares = ((3, 2) if size.columns >= _BROAD else (2, 1)) if beside else (1,)
    wide = size.columns * shares[0] // sum(shares)
    chosen_table = model.tables[chosen] if 0 <= chosen < len(model.tables) else None
    tall = size.rows >= _TALL

    def people(width: int) -> list[Row]:
        if not beside or len(model.here) > _EACH:
            lines = wrap_to(model.here_in_words, width - 2, 4 if beside else 1, glyphs)
            return [row(" ", ("seat", line)) for line in lines]
        return [
            row(" ", ("seat", fit(name, _NAME, ellipsis=glyphs.more)), " ", ("dim", doing))
            for name, doing in model.here
        ]

    here = Pane(words.t("who is here"), people, aside=model.people, key="i", least=WHOLE)
    today = Pane(words.t("today's tide"), _lines(lately.today), key="d", least=WHOLE)

    def news_in(width: int, *, grows: bool = False) -> Pane:
        told, at = _news(lately, width - 2, look, tall=tall)
        return Pane(words.t("news"), lambda _: told, chosen=at, grows=grows)

    news = news_in(size.columns - (wide if beside else 0))
    menu = _menu(lately.menu, size.columns - (wide if beside else 0) - 2, look)
    elsewhere = Pane(words.t("elsewhere"), lambda _: menu, least=WHOLE)
    folded = _folded(model, look)

    def listed(model: LobbyModel, width: int, room: int) -> tuple[list[Row], range]:
        if not model.tables:
            rows, shown = _none(model, width, look), range(0)
        else:
            shown = window(len(model.tables), chosen, max(1, room - 1 - len(folded)))
            rows = _listed(model, shown, chosen, width, look)
        return [*rows, *folded], shown

    detail: list[Row] = []
    if chosen_table is not None:
        detail = _table_detail(model, chosen_table, wide - 2, look, tall=tall and not beside)
    others = [here, today, news, elsewhere, lately.chat] if tall else [news, lately.chat]
    # What the others leave, and no less than they need.
    taken = len(detail) + 2 if detail else 0
    if not beside:
        taken += sum(2 + len(pane.rows(size.columns - 2)) for pane in others[:-1])
        taken += 2 + lately.chat.least
    rows, shown = listed(model, wide - 2, max(_LEAST_TABLES, size.rows - 2 - taken))
    who = f"{model.people}: {model.here_in_words}"
    count = words.n("{count} table", "{count} tables", len(model.tables))
    tables = Pane(
        words.t("tables"),
        lambda _: rows,
        chosen=min(chosen, 0),
        aside=count if here in others else shorten(who, size.columns - 20, glyphs),
        grows=True,
        least=len(rows),
    )
    left = [tables]
    free = size.rows - len(rows) - taken - 4
    first = next((it for it in model.tables if it.id in model.games), None)
    shown_large = chosen_table if chosen_table and chosen_table.id in model.games else first
    large: Sequence[Row] = ()
    if beside and shown_large is not None:
        large = _featured(shown_large, model.games[shown_large.id], wide - 2, look)
        large = large if len(large) <= free else ()
    but = shown_large.id if large and shown_large else ""
    tiled = _tiled(model, Size(wide - 2, free - len(large)), but) if beside else ()
    if large or tiled:
        # What a picture tells is not told in the list as well.
        seen = {*tiled, but}
        games = {code: game for code, game in model.games.items() if code not in seen}
        rows, shown = listed(model._replace(games=games), wide - 2, len(rows))
        pictures = [*large, *_tiles(model, tiled, wide - 2, look)]
        left = [
            tables._replace(grows=False),
            Pane(words.t("games"), lambda _: pictures, grows=True),
        ]
    elif beside and tall:
        # Nothing is played: what was, and how others can come.
        others.remove(news)
        join = Pane(words.t("how to join"), lately.join, least=WHOLE)
        left = [tables._replace(grows=False), news_in(wide, grows=True), join]
    if chosen_table is not None:
        left.append(Pane(chosen_table.title, lambda _: detail, aside=chosen_table.id, least=WHOLE))
    columns = [left, others] if beside else [[*left, *others]]
    return panes(columns, size, look, shares), shown


def _tiled(model: LobbyModel, room: Size, but: str) -> Sequence[str]:
    """Ids of the tables that there is room for a small picture of, ``but`` one."""
    most = (room.columns // _TILE.columns) * (room.rows // _TILE.rows)
    here = [table.id for table in model.tables if table.id in model.games and table.id != but]
    return here[: max(0, most)]


def _tiles(model: LobbyModel, tiled: Sequence[str], width: int, look: DrawContext) -> list[Row]:
    """Pictures of these tables, side by side."""
    tables, rows = {table.id: table for table in model.tables}, list[Row]()
    a_row = width // _TILE.columns
    for first in range(0, len(tiled), a_row):
        side = [_tile(tables[it], model.games[it], look) for it in tiled[first : first + a_row]]
        rows += [tuple(span for part in line for span in part) for line in zip(*side, strict=True)]
    return rows


def _featured(table: TableLine, game: GameLine, width: int, look: DrawContext) -> Sequence[Row]:
    """A game as large as at its table: the water, the sheep, and what there is to say."""
    told = between((table.state, game.round, game.ahead), look.glyphs)
    told = shorten(told, width - text_width(table.title) - 6, look.glyphs)
    most, highest = max(game.points), max(game.levels)
    columns = min(_BASIN, width // len(game.names) - 1)
    basin = basin_for(columns, HIGHEST_TIDE, 1)
    t, levels = look.words.t, game.levels
    said = [t("out") if level < 0 else str(level or t("dry")) for level in levels]
    water = tuple(
        (max(0, level), words, level < 0, level == highest > 0, None)
        for level, words in zip(levels, said, strict=True)
    )
    kept = tuple(
        (left, 0, False, level < 0, points, points == most > 0)
        for left, level, points in zip(game.life_preservers, game.levels, game.points, strict=True)
    )
    tags = tuple(
        (name, "", level < 0, True) for name, level in zip(game.names, game.levels, strict=True)
    )
    return [
        row(" ", ("heading", table.title), ("dim", f" {look.glyphs.dot} {told}")),
        name_row(tags, -1, basin.width, look),
        *water_rows(water, basin, look),
        kept_row(kept, basin.width, look),
        BLANK,
    ]


def _tile(table: TableLine, game: GameLine, look: DrawContext) -> tuple[Row, ...]:
    """How a game goes: its stage, the water at each seat, who sits there, who leads."""
    wide = min(4, (_TILE.columns - 2) // len(game.names))
    heights, most = look.glyphs.heights, max(game.points)
    bars: tuple[list[Span], list[Span]] = [], []
    names = list[Span]()
    for name, level, points in zip(game.names, game.levels, game.points, strict=True):
        style = "seat.leader" if points == most else "seat.out" if level < 0 else "seat"
        water = -(-max(0, level) * 2 * len(heights) // HIGHEST_TIDE)
        upper, lower = max(0, water - len(heights)), min(water, len(heights))
        low = heights[lower - 1] * 2 if lower else "x " if level < 0 else f"{look.glyphs.dot} "
        for bar, cell in zip(bars, (heights[upper - 1] * 2 if upper else "", low), strict=True):
            bar.append(("seat.leader" if points == most else "tide", fit(cell, wide)))
        names.append((style, fit(name[: wide - 1], wide)))
    totals = ", ".join(map(str, game.points))
    lines: list[Row] = [
        row(("heading", table.title), ("dim", f" {look.glyphs.dot} {table.state}")),
        *[merged(bar) for bar in bars],
        tuple(names),
        # Two long names have no room: who leads is bright anyway.
        row(("dim", game.ahead if text_width(game.ahead) < _TILE.columns - 1 else totals)),
        BLANK,
    ]
    return tuple(pad_row(row(" ", *line), _TILE.columns) for line in lines)


def _news(lately: Lately, width: int, look: DrawContext, *, tall: bool) -> tuple[list[Row], int]:
    """What has happened lately, the chosen one marked, and the row where that is."""
    rows, at = list[Row](), -1
    if not lately.news:
        return [row(" ", look.words.t("Nothing yet."))], at
    count = len(lately.news)
    for number in range(count) if tall else window(count, lately.chosen, _FEW):
        (said, remarkable), chosen = lately.news[number], number == lately.chosen
        lines = wrap(said, width - 3) if tall else [shorten(said, width - 3, look.glyphs)]
        rows += [menu_row(chosen, [("text", line)], width) for line in lines]
        at = len(rows) - 1 if chosen else at
        if remarkable and (tall or chosen):
            rows += paragraph(remarkable, width, "dim", "    ")
    return rows, at


def _menu(menu: Sequence[tuple[str, str]], width: int, look: DrawContext) -> list[Row]:
    """Keys that lead elsewhere, in as few rows as there is room for."""
    rows, used = [list[Span]([("", " ")])], 0
    for key, where in menu:
        if used and used + len(key) + text_width(where) + 1 > width - 2:
            rows.append([("", " ")])
            used = 0
        rows[-1] += [("key", key), ("text", f" {where}"), ("", "   ")]
        used += len(key) + text_width(where) + 4
    return [tuple(spans[:-1]) for spans in rows]


def _lines(texts: Sequence[str]) -> Callable[[int], Sequence[Row]]:
    """One below the other, none of them cut."""
    return lambda width: [row(" ", line) for text in texts for line in wrap(text, width - 2)]


def _table_detail(
    model: LobbyModel, table: TableLine, width: int, look: DrawContext, *, tall: bool
) -> list[Row]:
    """What there is to know of the chosen table; of a game that one could watch, how each seat stands."""
    game = model.games.get(table.id)
    if game is None or not tall:
        told = (game.ahead, game.tides) if game is not None else (table.names,)
        facts = (*table.facts, *filter(None, told))
        lines = wrap_to(between(facts, look.glyphs), width - 2, 2 if not tall else 3, look.glyphs)
        return [row(" ", ("text" if table.joinable else "dim", line)) for line in lines]
    head = between((table.state, game.round, *table.facts), look.glyphs)
    rows = [row(" ", ("dim", shorten(head, width - 2, look.glyphs)))]
    return [*rows, *_seat_rows(game, width, look)]


def _seat_rows(game: GameLine, width: int, look: DrawContext) -> tuple[Row, ...]:
    """A bar for each tide, the number, and what the seat would have."""
    words, (full, _half, empty) = look.words, look.glyphs.bar
    most = max(game.points)
    bar = min(2, max(1, (width - 34) // HIGHEST_TIDE))
    rows = []
    for name, level, points in zip(game.names, game.levels, game.points, strict=True):
        leads, out = points == most, level < 0
        style = "seat.out" if out else "seat.leader" if leads else "seat"
        water = full * (bar * max(0, level)) + empty * (bar * (HIGHEST_TIDE - max(0, level)))
        said = words.t("out") if out else str(level or words.t("dry"))
        rows.append(
            row(
                " ",
                (style, fit(name, _NAME, ellipsis=look.glyphs.more)),
                " ",
                ("seat.out" if out else "tide", water),
                " ",
                ("tide", fit(said, 8)),
                (style, words.n("{count} point", "{count} points", points)),
            )
        )
    return tuple(rows)


def water_bars(game: GameLine, look: DrawContext) -> list[Span]:
    """The tide of each seat as a bar of one cell, who leads brighter."""
    heights, cells = look.glyphs.heights, list[Span]()
    for level, points in zip(game.levels, game.points, strict=True):
        if level > 0:
            cell = heights[(level * len(heights) - 1) // HIGHEST_TIDE]
        else:
            cell = look.glyphs.dot if level == 0 else "x"
        cells.append(("seat.leader" if points == max(game.points) else "tide", cell))
    return list(merged(cells))


def _listed(
    model: LobbyModel, shown: range, chosen: int, width: int, look: DrawContext
) -> list[Row]:
    """The heading of the list, and these of the tables."""
    columns = _columns(model.tables, width - 3, look)
    rows = [row("  ", ("dim", " ".join(_fitted(_heads(look), columns, look))))]
    for number in shown:
        table = model.tables[number]
        cells = _row(table, model.games.get(table.id), columns, look)
        rows.append(menu_row(number == chosen, cells, width))
    return rows


def _row(
    table: TableLine, game: GameLine | None, columns: tuple[int, int, int], look: DrawContext
) -> Row:
    """A table in the list: one that one could watch with a picture of its tides, and who leads."""
    style = "text" if table.joinable else "dim"
    if game is None:
        return ((style, " ".join(_cells(table, columns, look))),)
    picture = water_bars(game, look)
    gap = " " * (_SEATS - len(game.levels) - 1)
    told = table._replace(facts=(*filter(None, (game.ahead,)), *table.facts))
    title, _seats, *others = _cells(told, columns, look)
    return row(("seat", title), " ", *picture, gap, (style, f" {' '.join(others)}"))


def _details(table: TableLine, width: int, look: DrawContext) -> tuple[str, ...]:
    """What there is to know of a table, in few lines: of the facts none is cut, but names may be."""
    facts, most = (
        (look.words.t("code {code}", code=table.id), *table.facts),
        2 if width >= _NARROW else 3,
    )
    rest = table.names
    while len(wrap(between((*facts, rest[:1]), look.glyphs), width - 3)) > most:
        facts, rest = facts[:-1], look.glyphs.more
    return wrap_to(between((*facts, rest), look.glyphs), width - 3, most, look.glyphs)


# Each keeps a line for every table there was: few are kept.
def _columns(tables: tuple[TableLine, ...], width: int, look: DrawContext) -> tuple[int, int, int]:
    """How wide titles, facts and names are, 0 where there is no room for them.

    What they need, as far as there is room, and facts come first.
    """
    *_others, edition, players = _heads(look)
    title = _TITLE
    if width >= _WIDE:
        title = max(_TITLE, *(text_width(line.title) for line in tables))
    rest = width - title - 1 - _SEATS - _STATE
    if rest < _LEAST:
        return title, 0, 0
    facts = max(text_width(edition), *(text_width(", ".join(line.facts)) for line in tables))
    facts = max(facts, _AHEAD * any(line.begun for line in tables))
    names = max(text_width(players), *(text_width(line.names) for line in tables))
    least = min(names, _LEAST)
    names = min(names, max(rest - facts - 2, rest // 3 if rest >= _ROOMY else 0))
    if names < least:
        return title, rest, 0
    return title, min(facts, rest - names - 2), names


def _heads(look: DrawContext) -> tuple[str, ...]:
    t = look.words.t
    return (t("table"), t("seats"), t("state"), t("game"), t("players"))


def _cells(line: TableLine, columns: tuple[int, int, int], look: DrawContext) -> tuple[str, ...]:
    """Return the cells of a line: as many facts as fit, none of them cut, and a sign for the others."""
    facts, said = line.facts, ", ".join(line.facts)
    for count in range(len(facts) - 1, 0, -1):
        if text_width(said) <= columns[1]:
            break
        said = ", ".join((*facts[:count], look.glyphs.more))
    title, (name, _, number) = line.title, line.title.rpartition(" ")
    if text_width(title) > columns[0] and name:  # of a tournament: what its tables differ in stays
        name = fit(name, columns[0] - text_width(number) - 1, ellipsis=look.glyphs.more)
        title = f"{name} {number}"
    return _fitted((title, line.seats, line.state, said, line.names), columns, look)


def _fitted(
    cells: tuple[str, ...], columns: tuple[int, int, int], look: DrawContext
) -> tuple[str, ...]:
    """As wide as the columns that there are."""
    title, *others = columns
    widths = (title, _SEATS - 1, _STATE - 1, *others)
    more = look.glyphs.more
    shown = [
        fit(cell, wide, ellipsis=more) for cell, wide in zip(cells, widths, strict=True) if wide
    ]
    # The names stand a little apart: facts have blanks in them as well.
    return (*shown[:4], *(f" {names}" for names in shown[4:]))
