"""Rows cut, padded, laid over each other: always exactly as wide as asked."""

from hypothesis import given
from hypothesis import strategies as st

from server.terminal.drawing.frame import (
    Row,
    cell_width,
    fit,
    overlay,
    pad_row,
    row,
    row_width,
    slice_row,
    text_width,
    wrap,
)
from server.terminal.keys.lines import LONGEST, UNDONE, line_entry, visible

TEXT = st.text(st.sampled_from("ab漢字é\u0301█ \x1b🇩"), max_size=12)
ROW = st.lists(st.tuples(st.sampled_from(["", "dim"]), TEXT), max_size=5).map(tuple)


def test_what_has_no_cell_has_no_width() -> None:
    for char in "\x1b\r\u0301\u200b\u202e\ufeff\u00ad\ud800🇩🏽":
        assert cell_width(char) == 0, ascii(char)
    assert [cell_width(char) for char in "a漢█é"] == [1, 2, 1, 1]
    assert text_width("a\x1bb") == 2


@given(TEXT, st.integers(0, 15), st.sampled_from("<^>"))
def test_fitted_text_is_that_wide(text: str, width: int, align: str) -> None:
    assert text_width(fit(text, width, align)) == width


@given(ROW, st.integers(0, 30), st.integers(0, 30))
def test_a_slice_is_as_wide_as_what_it_covers(line: Row, start: int, stop: int) -> None:
    wide = row_width(line)
    assert row_width(slice_row(line, start, stop)) == max(
        0, min(stop, wide) - min(start, wide, stop)
    )


@given(ROW, st.integers(0, 20), ROW)
def test_laid_over(under: Row, column: int, top: Row) -> None:
    both = overlay(under, column, top)
    end = column + row_width(top)
    assert row_width(both) == max(row_width(under), end)
    assert slice_row(both, end, 99) == slice_row(under, end, 99) or row_width(top) == 0


@given(ROW, st.integers(0, 40))
def test_padding(line: Row, width: int) -> None:
    assert row_width(pad_row(line, width)) == max(width, row_width(line))


def test_rows_are_put_together() -> None:
    assert row("a", ("dim", "b"), "", ("dim", "")) == (("", "a"), ("dim", "b"))
    assert overlay(row("abcdef"), 2, row(("warm", "X"))) == (("", "ab"), ("warm", "X"), ("", "def"))


def test_a_line_does_not_break_at_a_no_break_space() -> None:
    assert wrap("Risiko 40\xa0%  je", 8) == ("Risiko", "40\xa0% je")


@given(st.text("ab漢", max_size=40), st.integers(2, 12), st.data())
def test_the_part_of_an_entry_around_its_cursor(text: str, width: int, data: st.DataObject) -> None:
    entry = line_entry(text)
    entry.cursor_position = data.draw(st.integers(0, len(text)))
    shown, column = visible(entry, width)
    assert shown in text
    assert text_width(shown) <= width
    assert 0 <= column < width
    if text_width(text) < width:
        assert shown == text


def test_entries_are_bounded() -> None:
    entry = line_entry("x" * (LONGEST + 100))
    assert len(entry.text) == LONGEST
    entry.insert_text("y" * 100)
    assert len(entry.text) == LONGEST
    short = line_entry(longest=3)
    short.insert_text("abcdef")
    assert (short.text, short.cursor_position) == ("abc", 3)


def test_whoever_types_and_takes_back_all_night_is_not_kept_every_line_of_it() -> None:
    entry = line_entry()
    for number in range(3 * UNDONE):
        entry.save_to_undo_stack()
        entry.text = str(number)
    for _ in range(4 * UNDONE):
        entry.undo()
    assert entry.text == str(2 * UNDONE - 1)
