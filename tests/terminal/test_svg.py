"""Screens as pictures: what stands where, in which colour."""

from xml.etree import ElementTree

from server.terminal.capabilities import Capabilities, Colours
from server.terminal.drawing.frame import Frame, row
from server.terminal.drawing.svg import (
    FOREGROUND,
    HEIGHT,
    MARGIN,
    WIDTH,
    cells_of,
    svg,
)
from server.terminal.drawing.theme import theme_for

SVG = "{http://www.w3.org/2000/svg}"
THEME = theme_for(Capabilities(colours=Colours.TRUE))


def drawn(frame: Frame, columns: int = 20) -> ElementTree.Element:
    return ElementTree.fromstring(svg(cells_of(frame, THEME, columns), "A <game> & more"))


def test_text_stays_text_in_its_place_and_colour() -> None:
    picture = drawn(Frame((row("  ", ("title", "You <win>"), " ", ("bad", "-1")),)))
    assert picture.findtext(f"{SVG}title") == "A <game> & more"
    texts = {text.text: text.attrib for text in picture.iter(f"{SVG}text")}
    first = texts["You\N{NO-BREAK SPACE}<win>"]
    assert float(first["x"]) == round(MARGIN + 2 * WIDTH, 2)
    assert (first["fill"], first["font-weight"]) == ("#8fe3f2", "bold")
    assert float(first["textLength"]) == round(9 * WIDTH, 2)
    assert texts["-1"]["fill"] == "#bda4ec"
    assert len(texts) == 2, "blanks are not drawn"


def test_a_wide_character_has_two_columns() -> None:
    picture = drawn(Frame((row("王x", ("strong", "y")),)))
    first, second = picture.iter(f"{SVG}text")
    assert (first.text, float(first.attrib["textLength"])) == ("王x", round(3 * WIDTH, 2))
    assert float(second.attrib["x"]) == round(MARGIN + 3 * WIDTH, 2)


def test_water_is_one_block_and_lines_are_paths() -> None:
    picture = drawn(Frame((row(("water.2", "██████")), row(("rule", "└─┐")))))
    _, water, *others = picture.iter(f"{SVG}rect")
    assert not others
    assert float(water.attrib["width"]) > 6 * WIDTH
    assert float(water.attrib["y"]) == MARGIN
    assert len(list(picture.iter(f"{SVG}path"))) == 3
    assert not list(picture.iter(f"{SVG}text"))


def test_a_bar_of_colour_lies_below_its_text_and_reversed_cells_change_places() -> None:
    mono = theme_for(Capabilities(colours=Colours.NONE))
    frame = Frame((row(("selected", "> here ")),))
    picture = ElementTree.fromstring(svg(cells_of(frame, mono, 10), "x"))
    _, bar = picture.iter(f"{SVG}rect")
    assert bar.attrib["fill"] == FOREGROUND
    (text,) = picture.iter(f"{SVG}text")
    assert text.attrib["fill"] != FOREGROUND


def test_it_is_as_large_as_its_rows_and_columns() -> None:
    picture = drawn(Frame((row("a"), row("b"), ())), columns=30)
    assert picture.attrib["width"] == f"{2 * MARGIN + 30 * WIDTH:.0f}"
    assert picture.attrib["height"] == f"{2 * MARGIN + 3 * HEIGHT:.0f}"
