"""What a terminal is asked, and that its answers change the picture and press no keys."""

import pytest
from msgspec.structs import replace

from server.terminal.capabilities import Background, Capabilities, Colours
from server.terminal.drawing.questions import found, questions
from server.terminal.drawing.theme import theme_for
from tests.support.at_a_screen import sitting
from tests.support.tables import world

UNKNOWN = Capabilities(light=None)


@pytest.mark.parametrize(
    ("answer", "light"),
    [
        ("11;rgb:ffff/ffff/ffff", True),
        ("11;rgb:0000/0000/0000", False),
        ("11;rgb:00/2b/36", False),
        ("11;rgb:fd/f6/e3", True),
        ("11;rgb:f/f/f", True),
        ("11;rgba:ffff/ffff/dddd/ffff", True),
        ("11;RGB:1E1E/1E1E/1E1E", False),
        ("11;?", None),
        ("11;rgb:fffff/0/0", None),
        ("10;rgb:ffff/ffff/ffff", None),
        ("11;white", None),
        ("", None),
    ],
)
def test_what_the_answers_mean(answer: str, light: bool | None) -> None:
    assert found(answer, UNKNOWN).get("light") is light
    assert not found(answer, replace(UNKNOWN, light=False))  # it was told before


def test_who_is_asked_what() -> None:
    assert all(questions(UNKNOWN))
    assert questions(replace(UNKNOWN, light=True))[1] == ""
    assert questions(replace(UNKNOWN, colours=Colours.NONE))[1] == ""
    assert questions(replace(UNKNOWN, unicode=False))[0] == ""
    assert questions(replace(UNKNOWN, wraps=True)) == ("", "")


ANSWERS = ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b]11;rgb:ffff/ffff/ffff\x07")


@pytest.mark.parametrize("answer", ANSWERS)
async def test_an_answer_that_comes_late_in_any_pieces_changes_the_colours_once(
    answer: str,
) -> None:
    for cut in range(1, len(answer)):
        async with world() as server, sitting(server, light=None) as ada:
            terminal, before = ada.pilot.terminal, ada.text
            assert "\x1b]11;?" in terminal.glass.log[0]
            ada.pilot.timers.advance(5)
            for part in (answer[:cut], answer[cut:]):
                ada.pilot.session.feed(part)
                ada.pilot.timers.advance(0.1)
            assert ada.controller.abilities.light
            assert ada.text == before
            light = theme_for(ada.controller.abilities)
            assert light is theme_for(Capabilities(light=True))
            writes = terminal.glass.writes
            ada.pilot.session.feed(answer.replace("f", "0"))
            ada.pilot.timers.advance(1)
            assert terminal.glass.writes == writes
            assert sum(text.count("]11;?") for text in terminal.glass.log) == 1


async def test_an_answer_typed_at_1200_baud_presses_no_key() -> None:
    async with world() as server, sitting(server, light=None) as ada:
        before = ada.text
        for char in f"\x1b[2;2R{ANSWERS[0]}":
            ada.pilot.session.feed(char)
            ada.pilot.timers.advance(1 / 120)
        ada.pilot.timers.advance(1)
        assert ada.text == before
        assert ada.controller.abilities.light
        assert ada.controller.abilities.unicode


async def test_a_slow_line_is_not_painted_anew_for_an_answer() -> None:
    async with world() as server, sitting(server, light=None, thin=True) as ada:
        writes = ada.pilot.terminal.glass.writes
        ada.pilot.session.feed(ANSWERS[0])
        ada.pilot.timers.advance(1)
        assert ada.pilot.terminal.glass.writes == writes
        assert ada.controller.abilities.light


async def test_where_boxes_are_two_columns_wide_they_are_drawn_in_ascii() -> None:
    async with world() as server, sitting(server) as ada:
        assert "\u2500" in ada.text
        ada.pilot.session.feed("\x1b[2;3R")
        ada.pilot.timers.advance(1)
        assert ada.text.isascii()


async def test_what_the_player_has_chosen_stays() -> None:
    async with world() as server, sitting(server, light=None) as ada:
        ada.controller.context.set_abilities(unicode=True, background=Background.DARK)
        ada.pilot.session.feed(f"\x1b[2;3R{ANSWERS[0]}")
        ada.pilot.timers.advance(1)
        assert ada.controller.abilities.unicode
        assert theme_for(ada.controller.abilities) is theme_for(Capabilities())
