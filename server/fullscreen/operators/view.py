"""The operators' page: tabs, a list, the chosen row in full; and a line being typed."""

from typing import NamedTuple

from server.fullscreen.widgets.chrome import Keys, menu_row, page, paragraph, typed, window
from server.fullscreen.widgets.drawing import DrawContext, shorten
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, Span, row, text_width

_DETAIL_ROWS = 5


class OperatorsView(NamedTuple):
    """What there is to show."""

    title: str
    tabs: tuple[str, ...]
    tab: int
    rows: tuple[str, ...]
    chosen: int
    detail: str
    """The chosen row in full, or what is said where there is none."""
    message: Span
    keys: Keys
    prompt: tuple[str, str, int] | None = None
    """What is asked for, what of it has been typed, and the cursor's column."""


def operators_screen(view: OperatorsView, size: Size, look: DrawContext) -> Frame:
    """What the operators' page shows."""
    width, air = size.columns, size.rows >= 20
    body: list[Row] = []
    if view.tabs:
        body.append(_tabs(view, width))
    cursor = None
    if view.prompt is not None:
        label, text, column = view.prompt
        # On a row of its own: what is typed may be long.
        body += paragraph(label, width, "warm")
        line, cursor = typed("", text, column, 2 + air + len(body), width - 5)
        body.append(line)
    detail = paragraph(_in_pieces(view.detail, width - 3), width, "dim")[:_DETAIL_ROWS]
    room = size.rows - 3 - air - len(body) - len(detail) - 1 - 2 * bool(view.message[1])
    for number in window(len(view.rows), view.chosen, max(1, room)):
        text = shorten(view.rows[number], width - 3, look.glyphs)
        body.append(menu_row(number == view.chosen, (("text", text),), width))
    if view.rows:
        body.append(BLANK)
    body += detail
    frame = page(view.title, body, view.keys, view.message, size, look)
    return frame._replace(cursor=cursor)


def prompt_room(size: Size) -> int:
    """Columns in which one sees what one types."""
    return size.columns - 5


def _in_pieces(text: str, room: int) -> str:
    """The text with words that are too long for a row, such as fingerprints, taken apart."""
    return " ".join(
        word[start : start + room] for word in text.split() for start in range(0, len(word), room)
    )


def _tabs(view: OperatorsView, width: int) -> Row:
    texts = [f"[{name}]" if at == view.tab else f" {name} " for at, name in enumerate(view.tabs)]
    if 2 + sum(map(text_width, texts)) > width:
        here = f"[{view.tabs[view.tab]}]"
        return row("  ", ("strong", here), ("dim", f"  {view.tab + 1}/{len(view.tabs)}"))
    styles = ["strong" if at == view.tab else "dim" for at in range(len(texts))]
    return row(" ", *zip(styles, texts, strict=True))
