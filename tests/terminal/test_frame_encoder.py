"""Frames on a terminal in memory: after every update it shows what the frame says, in few bytes."""

import gc
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame import CursorPosition, Frame, Row, fit, text_width
from server.terminal.drawing.frame_encoder import FrameEncoder, move
from server.terminal.drawing.theme import PLAIN, SEA, Theme, change, theme_for
from tests.support.glass import Glass, as_seen, expected_lines, expected_looks, seen, width_in_pyte

NORMAL = Size(80, 24)
SIXTEEN = theme_for(Capabilities(colours=Colours.SIXTEEN))

# Letters, blanks in plenty, wide characters, blocks; and what must never be drawn.
TEXT = st.text(
    st.sampled_from(" ab0~█▄│漢字ｗ한é\u0301\u0e35\u093f\u202e\u200b\ufe0f\x1b\r\n\x07\x9b"),
    max_size=24,
)
STYLE = st.sampled_from(sorted(SEA))
WATER = st.tuples(st.sampled_from(["water.1", "water.3"]), st.integers(1, 16).map("█".__mul__))
ROW = st.lists(st.tuples(STYLE, TEXT) | WATER, max_size=5).map(tuple)
SIZE = st.builds(Size, st.integers(1, 40), st.integers(1, 9))
CURSOR = st.none() | st.builds(CursorPosition, st.integers(0, 50), st.integers(0, 12))


@st.composite
def frames(draw: st.DrawFn) -> list[tuple[Frame, Size]]:
    """Some frames in a row, each a little or a lot different from the one before."""
    size = draw(SIZE)
    rows: list[Row] = draw(st.lists(ROW, max_size=10))
    shown = []
    for _ in range(draw(st.integers(1, 5))):
        shown.append((Frame(tuple(rows), draw(CURSOR)), size))
        match draw(st.integers(0, 7)):
            case 0:
                rows = draw(st.lists(ROW, max_size=10))
            case 1:
                size = draw(SIZE)
            case 2:
                rows = [*draw(st.lists(ROW, max_size=3)), *rows[: draw(st.integers(0, 9))]]
            case 3:
                rows = [*rows[draw(st.integers(0, 3)) :], *draw(st.lists(ROW, max_size=2))]
            case 4:
                moved = [tuple((draw(STYLE), text) for _, text in each) for each in rows]
                rows = [*draw(st.lists(ROW, max_size=3)), *moved[:1], *rows[1:]]
            case _ if rows:
                rows = list(rows)
                rows[draw(st.integers(0, len(rows) - 1))] = draw(ROW)
    return shown


def check(glass: Glass, frame: Frame, size: Size, theme: Theme) -> None:
    assert [line.rstrip(" ") for line in glass.full_lines] == expected_lines(frame, size, theme)
    for y, looks in enumerate(expected_looks(frame, size, theme)):
        shown = [seen(glass.cell(x, y)) for x in range(size.columns)]
        assert shown == [as_seen(look).of_blank if glass.cell(x, y).data == " " else as_seen(look)
                         for x, look in enumerate(looks)], f"row {y}"  # fmt: skip
    if frame.cursor is None:
        assert glass.cursor is None
    else:
        at = min(frame.cursor.column, size.columns - 1), min(frame.cursor.row, size.rows - 1)
        assert glass.cursor == at
    assert glass.screen.scrolled == 0


@pytest.mark.parametrize("colours", list(Colours))
@given(shown=frames(), synchronized=st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_screen_shows_the_frame(
    colours: Colours, shown: list[tuple[Frame, Size]], synchronized: bool
) -> None:
    theme = theme_for(Capabilities(colours=colours))
    renderer, neighbour = FrameEncoder(theme, synchronized), FrameEncoder(theme)
    glass, other_glass = Glass(shown[0][1]), Glass(shown[0][1])
    glass.write(renderer.enter())
    other_glass.write(neighbour.enter())
    for frame, size in shown:
        glass.resize(size)
        other_glass.resize(size)
        glass.write(renderer.update(frame, size))
        check(glass, frame, size, theme)
        again = Frame(tuple(tuple(row) for row in frame.rows), frame.cursor)
        assert renderer.update(again, size) == ""
        beside = frame._replace(cursor=None)
        other_glass.write(neighbour.update(beside, size))
        check(other_glass, beside, size, theme)


@given(shown=frames())
@settings(max_examples=30, deadline=None)
def test_forgetting_repaints_whatever_was_there(shown: list[tuple[Frame, Size]]) -> None:
    renderer = FrameEncoder(SIXTEEN)
    for frame, size in shown:
        renderer.update(frame, size)
        renderer.forget()
        glass = Glass(size)
        glass.write("\x1b[?7l\x1b[7;31mrubbish\x1b[3;3Hmore" if size.columns > 9 else "\x1b[?7l")
        glass.screen.scrolled = 0
        glass.write(renderer.update(frame, size))
        check(glass, frame, size, SIXTEEN)


@given(shown=frames())
@settings(max_examples=30, deadline=None)
def test_nothing_but_ours_is_sent(shown: list[tuple[Frame, Size]]) -> None:
    renderer = FrameEncoder(SIXTEEN)
    for frame, size in shown:
        text = renderer.update(frame, size)
        for control in text.split("\x1b[")[1:]:
            assert control.lstrip("0123456789;?")[:1] in set("HABCDGKJLMrmhl")
        rest = set(text.replace("\x1b[", "")) - set("\r\n\b")
        assert not {char for char in rest if char < " " or "\x7f" <= char < "\xa0"}
        assert not rest & set("\u202e\u200b\ufe0f")


def test_the_alphabet_of_these_tests_is_as_wide_for_the_terminal() -> None:
    for char in " ab0~█▄│漢字ｗ한é":
        assert text_width(char) == width_in_pyte(char)


def test_unknown_styles_are_mistakes() -> None:
    with pytest.raises(KeyError, match="watr"):
        FrameEncoder(SIXTEEN).update(Frame(((("watr.1", "x"),),)), NORMAL)


# ------------------------------------------------------------------------------------ how many bytes


def seat(status: str, level: int = 5) -> Row:
    return (
        ("rule", "│"),
        ("seat.you", fit("ada", 8)),
        ("water.1", "█" * level),
        ("", " " * (20 - level)),
        ("dim", fit(status, 14)),
        ("rule", "│"),
    )


def table(status: str, level: int = 5) -> Frame:
    """Thirteen rows of words around one seat."""
    words = [(("dim", f"  row {y} of something to read"),) for y in range(12)]
    return Frame((*words[:6], seat(status, level), *words[6:]))


def change_of(before: Frame, after: Frame, theme: Theme = SIXTEEN) -> str:
    renderer = FrameEncoder(theme)
    renderer.update(before, NORMAL)
    return renderer.update(after, NORMAL)


@pytest.mark.parametrize("colours", list(Colours))
def test_a_changed_status_costs_few_bytes(colours: Colours) -> None:
    theme = theme_for(Capabilities(colours=colours))
    sent = change_of(table("thinking..."), table("bid is sealed"), theme)
    assert "bid is sealed" in sent
    limit = {Colours.NONE: 24, Colours.SIXTEEN: 28, Colours.INDEXED: 36, Colours.TRUE: 44}
    assert len(sent.encode()) <= limit[colours]


def test_only_what_differs_is_sent() -> None:
    sent = change_of(table("x", level=5), table("x", level=6))
    assert sent.count(" ") == 1
    assert len(sent.encode()) <= 8 + 6 + 1


def test_a_blank_tail_is_erased() -> None:
    long = Frame(((("text", "a line, of words that goes on for quite a while"),),))
    short = Frame(((("text", "a line"),),))
    assert change_of(long, short) == "\x1b[;7H\x1b[K"
    # Nearer than that, blanks are as short.
    assert change_of(Frame(((("text", "a line!!"),),)), short) == "\b\b  "


def test_erasing_does_not_spread_a_background() -> None:
    before = Frame(((("text", "x" * 60),),))
    after = Frame(((("selected", "yes "), ("", "")),))
    sent = change_of(before, after)
    assert sent.endswith("\x1b[m\x1b[K")


def test_short_gaps_are_written_over() -> None:
    sent = change_of(Frame(((("text", "a_b_c_d"),),)), Frame(((("text", "A_B_C_D"),),)))
    assert sent == "\rA_B_C_D"


def test_an_emptier_screen_is_begun_afresh() -> None:
    full = Frame(tuple((("text", f"{y} " + "words " * 10),) for y in range(23)))
    sent = change_of(full, Frame(((("title", "Turn the Tide"),),)))
    assert "\x1b[2J" in sent
    assert len(sent.encode()) < 40


def test_blanks_need_no_colour() -> None:
    sent = change_of(Frame(()), Frame(((("good", "a"), ("dim", "   "), ("good", "b")),)))
    assert sent == f"{change(PLAIN, SIXTEEN.cell_style('good'))}a   b"


def test_the_last_cell_is_left_alone_and_margins_never_scroll() -> None:
    size = Size(10, 3)
    frame = Frame(((("selected", "x" * 10),),) * 3)
    glass = Glass(size)
    glass.write(FrameEncoder(SIXTEEN).update(frame, size))  # without turning wrapping off
    assert glass.lines == ["x" * 10, "x" * 10, "x" * 9]
    assert glass.screen.scrolled == 0


def test_what_changes_behind_another_wide_character_is_in_its_column() -> None:
    renderer, glass = FrameEncoder(SIXTEEN), Glass(NORMAL)
    glass.write(renderer.enter())
    for text in ("漢" + "a" * 20 + "b", "字" + "a" * 20 + "c", "漢ac" + "a" * 18 + "b"):
        glass.write(renderer.update(Frame(((("", text),),)), NORMAL))
        assert glass.lines[0] == text


@given(st.none() | st.integers(0, 79), st.integers(0, 23), st.integers(0, 79), st.integers(0, 23))
def test_every_way_of_moving_arrives(x: int | None, y: int, to_x: int, to_y: int) -> None:
    glass = Glass(NORMAL)
    glass.write(f"\x1b[{y + 1};{(x or 0) + 1}H")
    way = move(x, y, to_x, to_y)
    glass.write(way)
    assert (glass.screen.cursor.x, glass.screen.cursor.y) == (to_x, to_y)
    assert len(way) <= len(f"\x1b[{to_y + 1};{to_x + 1}H")
    assert glass.screen.scrolled == 0


# ----------------------------------------------------------------------------------- taking and giving


def test_leaving_gives_everything_back() -> None:
    glass = Glass(NORMAL)
    before = set(glass.screen.mode)
    renderer = FrameEncoder(SIXTEEN)
    glass.write(renderer.enter())
    assert glass.mode(1049)
    assert glass.mode(2004)
    assert not glass.mode(7)
    glass.write(renderer.update(table("x")._replace(cursor=None), NORMAL))
    hidden = glass.cursor
    glass.write(renderer.leave())
    assert glass.screen.mode == before
    assert hidden is None
    assert glass.cursor == (0, 0)
    assert glass.mode(7)
    assert glass.screen.cursor.attrs == glass.screen.default_char
    assert glass.screen.title == ""
    # The modes once more after the alternate screen, for terminals that keep one set for each.
    after = renderer.leave().split("\x1b[?1049l")[1]
    for restored in ("\x1b[m", "\x1b[?25h", "\x1b[?7h", "\x1b[?2004l", "\x1b[?1000l"):
        assert restored in after
    assert "\x1b]" not in renderer.enter() + renderer.leave()


def test_after_leaving_no_picture_is_kept() -> None:
    """A session that is over may be referred to for a while; what it showed is large."""
    renderer = FrameEncoder(SIXTEEN)
    renderer.enter()
    frame = table("x")
    renderer.update(frame, NORMAL)
    assert frame.rows in gc.get_referents(renderer)
    renderer.leave()
    assert frame.rows not in gc.get_referents(renderer)


def test_large_frames_are_synchronized_where_the_terminal_can() -> None:
    plain, wrapped = FrameEncoder(SIXTEEN), FrameEncoder(SIXTEEN, synchronized=True)
    frame = table("thinking...")
    assert wrapped.update(frame, NORMAL) == f"\x1b[?2026h{plain.update(frame, NORMAL)}\x1b[?2026l"
    small = table("bid")
    assert wrapped.update(small, NORMAL) == plain.update(small, NORMAL)
    assert wrapped.update(small, NORMAL) == ""


def test_water_is_sent_as_blanks_in_its_colour() -> None:
    frame = Frame(((("water.12", "█" * 30),),))
    assert change_of(Frame(()), frame) == "\x1b[44m" + " " * 30
    bare = theme_for(Capabilities(colours=Colours.NONE))
    assert change_of(Frame(()), frame, bare) == "█" * 30
    # What is to be seen in a copy of the screen stays a character.
    assert change_of(Frame(()), Frame(((("card.sealed", "█"),),))).endswith("█")


# ------------------------------------------------------------------------------------ combining marks

THAI, HINDI, VIETNAMESE = "สวัสดี", "शक्ति", "kie\u0302\u0301m"


def row_of(*texts: str) -> Frame:
    return Frame((tuple(("text", text) for text in texts),))


@pytest.mark.parametrize("text", [THAI, HINDI, VIETNAMESE, "e\u0301e\u0302\u0323", "漢\u0301字"])
def test_marks_are_drawn_with_their_character(text: str) -> None:
    size, theme = Size(20, 2), theme_for(Capabilities())
    glass, encoder = Glass(size), FrameEncoder(theme)
    glass.write(encoder.enter())
    for frame in (row_of("> ", text, " <"), row_of("x", text), row_of("> ", text, " <")):
        glass.write(encoder.update(frame, size))
        whole = "".join(part for _, part in frame.rows[0])
        assert glass.lines[0] == unicodedata.normalize("NFC", whole)


def test_all_marks_of_a_character_and_none_of_a_blank_are_drawn() -> None:
    size, glass = Size(20, 2), Glass(Size(20, 2))
    encoder = FrameEncoder(theme_for(Capabilities()))
    glass.write(encoder.enter())
    frame = row_of("x" + 5 * "\u0302" + " \u0301y\ufe0f", "\u0301z")
    glass.write(encoder.update(frame, size))
    assert glass.lines[0] == "x" + 5 * "\u0302" + " yz"


def test_a_mark_that_comes_or_goes_is_sent() -> None:
    size, glass = Size(20, 2), Glass(Size(20, 2))
    encoder = FrameEncoder(theme_for(Capabilities()))
    glass.write(encoder.enter() + encoder.update(row_of("ab=c"), size))
    for text in ("ab=\u0338c", "ab=c", "a\u0301b=\u0338c"):
        sent = encoder.update(row_of(text), size)
        assert 0 < len(sent) <= 12
        glass.write(sent)
        assert glass.lines[0] == unicodedata.normalize("NFC", text)


def test_what_follows_a_vowel_sign_is_in_its_column_where_signs_have_none_of_their_own() -> None:
    class Narrow(Glass):
        """Draws U+093F into the cell of its character."""

        def write(self, text: str) -> None:
            super().write(text.replace("\u093f", ""))

    size = Size(20, 2)
    glass, encoder = Narrow(size), FrameEncoder(theme_for(Capabilities()))
    glass.write(encoder.enter())
    glass.write(encoder.update(row_of("ab\u093fcd", "|"), size))
    assert glass.lines[0] == "ab cd|"
    glass.write(encoder.update(row_of("axycd", "|"), size))
    glass.write(encoder.update(row_of("ab\u093fcd", "|"), size))
    assert glass.lines[0] == "ab cd|", "nothing stays behind beside the character"


@pytest.mark.parametrize(
    ("text", "width"),
    [
        (HINDI, 4),
        ("\u0939\u093f\u0928\u094d\u0926\u0940", 5),
        ("\u0ba4\u0bae\u0bbf\u0bb4\u0bcd", 4),
        ("\u1019\u103c\u1014\u103a", 3),
        ("\u0e19\u0e49\u0e33", 2),
        (THAI, 4),
        ("\u2764\ufe0f", 1),
        ("\U0001f44d\U0001f3fd", 2),
    ],
)
def test_texts_are_as_wide_as_terminals_draw_what_is_sent_of_them(text: str, width: int) -> None:
    size, glass = Size(20, 2), Glass(Size(20, 2))
    encoder = FrameEncoder(theme_for(Capabilities()))
    glass.write(encoder.enter() + encoder.update(row_of(text, "|"), size))
    assert text_width(text) == width
    assert glass.cell(width, 0).data == "|"
