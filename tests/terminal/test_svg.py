"""Screens as pictures: what stands where, in which colour."""

from xml.etree import ElementTree

from server.terminal.capabilities import Capabilities, Colours
from server.terminal.drawing.frame import Frame, row
from server.terminal.drawing.svg import (
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
