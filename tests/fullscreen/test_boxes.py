"""Panes: what they show in how much room, and that nothing else draws boxes."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from server.fullscreen.widgets.boxes import Pane, pane_region, panes
from server.fullscreen.widgets.chrome import menu_row
from server.fullscreen.widgets.drawing import DrawContext, look_for
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Row, row, row_width, wrap

_LOOK = look_for("en", unicode=True, thin=False)


def _text(rows: Sequence[Row]) -> list[str]:
    return ["".join(text for _, text in each).rstrip() for each in rows]


def _list(count: int, chosen: int = -1) -> Pane:
    def rows(width: int) -> list[Row]:
        return [
            menu_row(number == chosen, (("text", f"item {number}"),), width)
            for number in range(count)
        ]

    return Pane("list", rows, chosen=chosen, listed=True, grows=True, aside="of all")


def _prose(text: str, title: str = "prose") -> Pane:
    return Pane(title, lambda width: [row(("text", line)) for line in wrap(text, width)], key="p")


def test_panes_stand_side_by_side_in_boxes_where_there_is_room() -> None:
    shown = _text(panes([[_list(9, 7)], [_prose("a word"), _prose("")]], Size(100, 14), _LOOK))
    assert len(shown) == 14
    assert shown[0] == f"┌─ list {'─' * 32} of all ─┐┌─ p prose {'─' * 38}┐"
    assert shown[8] == f"│{'> item 7':48}││{'':48}│"
    assert shown[1] == f"│{'  item 0':48}││{'a word':48}│"
    assert shown[13] == f"└{'─' * 48}┘└{'─' * 48}┘"


def test_small_terminals_get_lines_below_titles() -> None:
    pages = [[_list(3, 1)], [_prose("a word")]]
    lines = ["  item 0", "> item 1", "  item 2"]
    titled = [" list  of all", *lines, " p prose", "a word"]
    assert _text(panes(pages, Size(40, 6), _LOOK)) == titled
    assert _text(panes(pages, Size(40, 5), _LOOK)) == [*lines, "a word"]
    assert _text(panes(pages, Size(40, 3), _LOOK)) == [*lines[:2], "a word"]
    slow = look_for("en", unicode=True, thin=True)
    assert _text(panes(pages, Size(100, 20), slow)) == [*lines, "a word"]


def test_the_inside_of_a_pane_is_found() -> None:
    chat = Pane("chat", lambda _: (), grows=True)
    frame = Frame(tuple(panes([[_list(3, 1)], [_prose("a word"), chat]], Size(100, 20), _LOOK)))
    region = pane_region(frame, "chat", _LOOK)
    assert region is not None
    assert region[:4] == (4, 51, 15, 48)
    assert pane_region(frame, "list", _LOOK) == region._replace(top=1, left=1, rows=18)
    assert pane_region(frame, "item 1", _LOOK) is None


_LOOKS = st.builds(
    look_for, st.sampled_from(["en", "de", "pt"]), unicode=st.booleans(), thin=st.booleans()
)
_PROSE = st.text(st.sampled_from("ab 漢é´"), max_size=400).map(_prose)
_LISTS = st.builds(_list, st.integers(0, 60), st.integers(-1, 0))


@given(
    st.lists(st.lists(_PROSE | _LISTS, min_size=1, max_size=4), min_size=1, max_size=3),
    st.builds(Size, st.integers(20, 220), st.integers(1, 70)),
    _LOOKS,
)
def test_panes_never_take_more_room_than_there_is(
    columns: list[list[Pane]], size: Size, look: DrawContext
) -> None:
    shown = panes(columns, size, look)
    assert len(shown) <= size.rows
    widths = {row_width(each) for each in shown}
    if any(each[0][1][0] == look.glyphs.corner[0] for each in shown if each and not look.thin):
        assert widths == {size.columns}
