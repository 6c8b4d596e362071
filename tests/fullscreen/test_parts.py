"""The small parts: the countdown, wrapping, panes, the options of a table in every face."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.editions import Edition, Rules
from engine.errors import BadRules
from server.coordinator.messages import DAY, Pace, TableOptions
from server.fullscreen.widgets.boxes import Pane, pane_region, panes
from server.fullscreen.widgets.chrome import menu_row
from server.fullscreen.widgets.drawing import DrawContext, footer, look_for
from server.i18n.lookup import words_for
from server.jsonapi.fields import OptionsRequest, chosen
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Row, row, row_width, text_width, wrap
from server.text.times import next_change, shown_seconds
from server.viewmodels.table_options import OPTIONS, TableOption, parse_options
from tests.support.fake_clock import FakeClock
from tests.support.fakes import Player1

# ---------------------------------------------------------------- the countdown


@example(left=121.0, thin=False)
@given(st.floats(0.01, 200_000), st.booleans())
def test_the_countdown_changes_when_it_says(left: float, thin: bool) -> None:
    shown, wait = shown_seconds(left, thin), next_change(left, thin)
    assert shown >= left - 4 - 1e-6
    assert wait > 0
    later = shown_seconds(max(0.0, left - wait), thin)
    assert later < shown
    almost = left - wait + 0.002
    if almost < left:
        assert shown_seconds(almost, thin) == shown


# ---------------------------------------------------------------- the form

options = st.builds(
    lambda edition, players, pace: TableOptions(Rules(edition, players), pace),
    st.sampled_from(Edition),
    st.integers(3, 5),
    st.sampled_from(Pace),
)


@given(options, st.lists(st.tuples(st.sampled_from(OPTIONS), st.sampled_from((-1, 1)))))
def test_every_path_through_the_form_makes_a_game_that_exists(
    start: TableOptions, steps: list[tuple[TableOption, int]]
) -> None:
    now = start
    for field, step in steps:
        now = field.stepped(now, step)  # Rules would refuse a combination that does not exist
        assert now.rules.modified_drowning <= (now.rules.edition is Edition.BGA)


# ---------------------------------------------------------------- rows


@given(st.text("abc äß·漢", max_size=200), st.integers(4, 60))
def test_wrapped_lines_fit_and_only_words_longer_than_a_line_are_broken(
    text: str, width: int
) -> None:
    lines = wrap(text, width)
    assert "".join(lines).replace(" ", "") == "".join(text.split())
    assert all(text_width(line) <= width for line in lines)
    if all(text_width(word) <= width for word in text.split()):
        assert " ".join(lines).split() == text.split()


def test_the_way_out_is_in_every_footer() -> None:
    keys = (("Enter", "bid"), ("L", "log"), ("p", "played cards"), ("Esc", "leave"))
    for width in range(12, 80):
        shown = "".join(text for _, text in footer(keys, width))
        assert shown.endswith("Esc leave")
        assert text_width(shown) <= width


# ---------------------------------------------------------------- the clock of a session


async def test_a_table_without_a_clock_wakes_nobody() -> None:
    player = Player1()
    await player.table()
    assert isinstance(player.clock, FakeClock)
    assert player.clock.due is None


# ---------------------------------------------------------------- panes


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


# ---------------------------------------------------------------- options in every face


BY_NAME = {option.name: option for option in OPTIONS}

MODIFIED = TableOptions(Rules(Edition.BGA, 6, modified_drowning=True))
SHORT = TableOptions(Rules(players=5, stages=4))
SLOW = TableOptions(pace=Pace.CORRESPONDENCE, seconds=7200)
BY_THE_DAY = TableOptions(pace=Pace.CORRESPONDENCE, seconds=DAY)


@pytest.mark.parametrize(
    ("start", "typed", "wanted", "step", "expected"),
    [
        (MODIFIED, "amigo", {"edition": Edition.AMIGO}, 1, TableOptions(Rules(Edition.AMIGO, 5))),
        (SHORT, "3 players", {"players": 3}, 1, TableOptions(Rules(players=3, stages=3))),
        (SLOW, "untimed", {"pace": Pace.UNTIMED}, -1, TableOptions(pace=Pace.UNTIMED)),
        (SLOW, "60 seconds", {"pace": Pace.TIMED}, 1, TableOptions(pace=Pace.TIMED)),
        (TableOptions(), "correspondence", {"pace": Pace.CORRESPONDENCE}, -1, BY_THE_DAY),
        (TableOptions(), "5 players", {"players": 5}, 1, TableOptions(Rules(players=5, stages=5))),
    ],
)
def test_every_face_changes_options_alike(
    start: TableOptions, typed: str, wanted: dict[str, Any], step: int, expected: TableOptions
) -> None:
    ((name, _),) = wanted.items()
    assert parse_options(typed, start, words_for("en")) == expected
    assert chosen(start, OptionsRequest(**wanted)) == expected
    assert BY_NAME[name].stepped(start, step) == expected


def test_the_order_of_the_words_means_nothing() -> None:
    words = words_for("en")
    expected = TableOptions(Rules(Edition.BGA, 6, 2, modified_drowning=True))
    for typed in ("bga 6 players 2 stages modified", "2 stages modified 6 players bga"):
        assert parse_options(typed, TableOptions(), words) == expected


@pytest.mark.parametrize("typed", ["6 players", "modified", "5 stages", "bga 7 players"])
def test_what_is_asked_for_and_does_not_exist_is_refused(typed: str) -> None:
    with pytest.raises(BadRules):
        parse_options(typed, TableOptions(), words_for("en"))
    with pytest.raises(BadRules):
        chosen(MODIFIED, OptionsRequest(edition=Edition.AMIGO, modified_drowning=True))


def test_a_time_for_correspondence_stays_when_it_is_chosen_again() -> None:
    assert parse_options("correspondence rated", SLOW, words_for("en")).seconds == 7200
    assert chosen(SLOW, OptionsRequest(pace=Pace.CORRESPONDENCE)).seconds == 7200


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("en", "5 players untimed"),
        ("de", "5 spieler, ohne uhr"),
        ("de", "5 mitspieler zeitlos"),
        ("pt", "5 jogadores sem relógio"),
        ("pt", "5 jogadores livre"),
        ("pt", "5 jogadores sem relogio"),
    ],
)
def test_untimed_is_typed_as_it_is_told_and_as_it_once_was(language: str, typed: str) -> None:
    expected = TableOptions(Rules(players=5), Pace.UNTIMED)
    assert parse_options(typed, TableOptions(), words_for(language)) == expected
