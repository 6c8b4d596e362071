"""Every style looks like something everywhere, and pens change in the fewest bytes."""

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyte.graphics import FG_BG_256

from server.terminal.capabilities import Background, Capabilities, Colours
from server.terminal.drawing.theme import (
    DEPTHS,
    PALETTES,
    PLAIN,
    SEA,
    CellStyle,
    Theme,
    change,
    contrast,
    theme_for,
)
from tests.support.glass import as_seen, seen

THEMES = [
    Theme(name, colours, light)
    for name in PALETTES
    for colours in Colours
    for light in (False, True, None)
]
COLOUR = st.sampled_from(["31", "34", "38;5;24", "38;2;9;8;7", ""])
LOOK = st.builds(
    CellStyle,
    COLOUR,
    COLOUR.map(lambda fg: f"{int(fg[:2]) + 10}{fg[2:]}" if fg else ""),
    *[st.booleans()] * 5,
)


@pytest.mark.parametrize("theme", THEMES)
def test_every_style_has_a_look(theme: Theme) -> None:
    for style in SEA:
        assert theme.cell_styles[theme.number(style)] == theme.cell_style(style)
    assert theme.cell_style("") == theme.cell_styles[0] == PLAIN
    assert len(theme.cell_styles) <= 256
    assert len(theme.blank) == len(theme.cell_styles)
    for number, blank in enumerate(theme.blank):
        assert theme.cell_styles[blank] == theme.cell_styles[number].of_blank
        assert theme.blank[blank] == blank


def test_without_colours_there_are_none() -> None:
    for theme in THEMES:
        if theme.cell_style("warm").fg == "":
            assert not any(look.fg or look.bg for look in theme.cell_styles)
    assert not any(look.fg or look.bg for look in Theme("sea", Colours.NONE).cell_styles)
    assert not any(look.fg or look.bg for look in Theme("mono", Colours.TRUE).cell_styles)


def test_sixteen_colours_are_the_eight_that_every_terminal_has() -> None:
    for theme in (
        Theme(name, Colours.SIXTEEN, light) for name in PALETTES for light in (True, False)
    ):
        for look in theme.cell_styles:
            assert look.fg in {"", *map(str, range(30, 38))}
            assert look.bg in {"", *map(str, range(40, 48))}


@pytest.mark.parametrize("colours", [Colours.SIXTEEN, Colours.INDEXED, Colours.TRUE])
@pytest.mark.parametrize("light", [False, True])
def test_words_in_the_water_stand_in_that_water(colours: Colours, light: bool) -> None:
    theme = Theme("sea", colours, light)
    for depth in range(1, DEPTHS + 1):
        water, under = theme.cell_style(f"water.{depth}"), theme.cell_style(f"under.{depth}")
        assert water.fg.replace("3", "4", 1) == under.bg
        assert under.fg not in {"", water.fg}
    depths = {theme.cell_style(f"water.{depth}").fg for depth in range(1, DEPTHS + 1)}
    assert len(depths) == {Colours.SIXTEEN: 2, Colours.TRUE: DEPTHS}.get(colours, len(depths))
    assert len(depths) >= (2 if colours == Colours.SIXTEEN else 4)


XTERM = (
    *("#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5"),
    *("#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"),
)
"""Its sixteen colours, the bright ones last."""
BLACK, WHITE = (XTERM[0], XTERM[7]), (XTERM[15], XTERM[0])
"""A background, and what is written on it."""


def mixed(colour: str, *, bold: bool = False) -> str:
    """A colour of the terminal's protocol as a painter's; empty for none."""
    parts = colour.split(";")
    if parts[1:2] == ["5"]:
        return "#" + FG_BG_256[int(parts[2])]
    if parts[1:2] == ["2"]:
        return "#{:02x}{:02x}{:02x}".format(*map(int, parts[2:]))
    return XTERM[int(colour) % 10 + 8 * bold] if colour else ""


def as_painted(look: CellStyle, paper: tuple[str, str]) -> tuple[str, str]:
    """The colours of a character and of what is behind it."""
    fore = mixed(look.fg, bold=look.bold) or paper[1]
    back = mixed(look.bg) or paper[0]
    return (back, fore) if look.reverse else (fore, back)


PICTURES = ("water", "crest", "light", "sheep", "foam", "rule")
"""Drawn, not read."""


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("colours", Colours)
@pytest.mark.parametrize(("light", "paper"), [(False, BLACK), (True, WHITE)])
def test_what_is_to_be_read_can_be_read(
    name: str, colours: Colours, light: bool, paper: tuple[str, str]
) -> None:
    theme = Theme(name, colours, light)
    for style in SEA:
        if not style.startswith(PICTURES):
            assert contrast(*as_painted(theme.cell_style(style), paper)) >= 4.5, style
    for style in ("sheep.wool", "seat", "seat.bot", "score", "card"):
        assert contrast(*as_painted(theme.cell_style(style), paper)) >= 3, style


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("colours", Colours)
@pytest.mark.parametrize("paper", [BLACK, WHITE])
def test_until_the_background_is_known_all_can_be_seen_on_either(
    name: str, colours: Colours, paper: tuple[str, str]
) -> None:
    theme = Theme(name, colours, None)
    for style in SEA:
        look = theme.cell_style(style)
        fore, back = as_painted(look, paper)
        if not style.startswith(PICTURES) or not look.bg:
            assert contrast(fore, back) >= 3, style
        else:  # two colours that meet in a picture
            assert min(contrast(fore, paper[0]), contrast(back, paper[0])) >= 3, style
    for style in ("", "text", "strong", "seat", "score", "card"):
        assert not theme.cell_style(style).fg


def test_what_the_player_says_of_the_background_counts() -> None:
    unknown = Capabilities(light=None)
    assert theme_for(unknown) is theme_for(Capabilities(light=None, theme="sea"))
    for light, said in (
        (True, Background.DARK),
        (False, Background.LIGHT),
        (None, Background.DARK),
    ):
        able = Capabilities(light=light, background=said)
        assert theme_for(able) is theme_for(Capabilities(light=said is Background.LIGHT))


@pytest.mark.parametrize("theme", THEMES)
def test_water_can_be_drawn_as_blanks_where_it_has_a_colour(theme: Theme) -> None:
    for style in SEA:
        look = theme.cell_style(style)
        solid = theme.solid.get(style)
        if style.startswith("water.") and look.fg:
            assert solid is not None
            assert theme.cell_styles[solid] == CellStyle(bg=f"{int(look.fg[:2]) + 10}{look.fg[2:]}")
        else:
            assert solid is None


@given(LOOK, LOOK)
def test_pens_change(old: CellStyle, new: CellStyle) -> None:
    screen = pyte.Screen(4, 1)
    stream = pyte.Stream(screen)
    stream.feed(change(PLAIN, old) + "a" + change(old, new) + "b")
    assert seen(screen.buffer[0][0]) == as_seen(old)
    assert seen(screen.buffer[0][1]) == as_seen(new)
    afresh = "\x1b[m" + change(PLAIN, new)
    assert len(change(old, new)) < len(afresh) or PLAIN in {new, old}
    assert (change(old, new) == "") == (old == new)


def test_faint_text_is_ended() -> None:
    # pyte does not know it.
    assert change(CellStyle(dim=True), CellStyle(bold=True)) in {"\x1b[22;1m", "\x1b[0;1m"}
    assert change(CellStyle("31", dim=True), CellStyle("31")) == "\x1b[22m"
    assert change(CellStyle("31", bold=True, dim=True), CellStyle("31", dim=True)) in {
        "\x1b[22;2m",
        "\x1b[0;2;31m",
    }
