"""The small parts: the countdown, what is shared, the options form, wrapping, typing."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.editions import Edition, Rules
from server.coordinator.messages import Pace, TableOptions
from server.fullscreen.table.tide_gauges import preservers
from server.fullscreen.widgets.chrome import window
from server.fullscreen.widgets.drawing import (
    ASCII,
    UNICODE,
    Glyphs,
    footer,
    justified,
    rule_row,
    wave_row,
)
from server.i18n.lookup import words_for
from server.terminal.drawing.caches import cached_by_identity
from server.terminal.drawing.frame import row_width, text_width, wrap
from server.text.times import clock_span, next_change, shown_seconds
from server.viewmodels.table_options import OPTIONS, TableOption
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


def test_the_last_ten_seconds_count() -> None:
    assert [shown_seconds(left, False) for left in (10, 9.5, 1.2, 0.4, 0)] == [10, 10, 2, 1, 0]
    assert next_change(0, False) == 0
    words = words_for("en")
    assert clock_span(9.5, words, False) == ("warm", "10 s")
    assert clock_span(300, words, False) == ("text", "5 min")
    assert clock_span(86_400, words, False) == ("text", "24 h")


def test_a_round_begins_with_the_time_it_has() -> None:
    # Its clock waits while the last reveal is read; nobody is shown that.
    for thin in (False, True):
        assert shown_seconds(64, thin) == shown_seconds(60, thin) == 60
    assert [shown_seconds(left, False) for left in (50, 49, 20, 19, 11, 10)] == [
        60,
        45,
        30,
        15,
        15,
        10,
    ]


def test_a_minute_costs_few_changes() -> None:
    left, changes = 60.0, 0
    while left > 0:
        left -= next_change(left, False)
        changes += 1
    assert changes <= 16


# ---------------------------------------------------------------- sharing


def test_what_is_shared_is_made_once_for_an_identity() -> None:
    made: list[object] = []

    @cached_by_identity(1, keep=2)
    def make(source: list[int], extra: int) -> list[int]:
        made.append(source)
        return [*source, extra]

    first, second = [1], [1]
    assert make(first, 2) is make(first, 2)
    assert make(first, 2) is not make(second, 2)
    assert make(first, 3) == [1, 3]
    assert len(made) == 3
    make(second, 9)
    assert make(first, 2) == [1, 2]
    assert len(made) == 5


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


@given(options, st.sampled_from(OPTIONS))
def test_there_and_back_again(start: TableOptions, field: TableOption) -> None:
    assert field.stepped(field.stepped(start, 1), -1).rules.players <= 6


def test_a_full_game_stays_full_with_more_players() -> None:
    _, players, stages, *_ = OPTIONS
    start = TableOptions(Rules(players=4))
    assert players.stepped(start, 1).rules.stages == 5
    short = stages.stepped(start, -1)
    assert players.stepped(short, 1).rules.stages == 3


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


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_lines_are_as_wide_as_the_screen(glyphs: Glyphs, share: float) -> None:
    assert row_width(wave_row(glyphs, 80, share)) == 79
    assert row_width(rule_row(UNICODE, 80, ("notice", "x" * 200), ("dim", "house"))) <= 80


def test_a_footer_uses_all_columns_but_the_last() -> None:
    keys = (("a", "first"), ("b", "second"), ("q", "leave"))
    everything = " a first   b second   q leave"
    for width in (len(everything), len(everything) + 1):
        shown = "".join(text for _, text in footer(keys, width))
        assert (shown == everything) is (width > len(everything))


def test_the_way_out_is_in_every_footer() -> None:
    keys = (("Enter", "bid"), ("L", "log"), ("p", "played cards"), ("Esc", "leave"))
    for width in range(12, 80):
        shown = "".join(text for _, text in footer(keys, width))
        assert shown.endswith("Esc leave")
        assert text_width(shown) <= width


def test_right_gives_way_to_left() -> None:
    left, right = (("", "abcdef"),), (("", "xyz"),)
    assert row_width(justified(left, right, 20)) == 20
    assert justified(left, right, 8) == left


@pytest.mark.parametrize(
    ("left", "lost", "room", "shown"),
    [
        (3, 2, 12, "○ ○ ○ · ·"),
        (3, 2, 6, "○○○··"),
        (7, 3, 7, "7○ 3·"),
        (0, 3, 12, "· · ·"),
        (2, 0, 12, "○ ○"),
    ],
)
def test_preservers_fit_their_room(left: int, lost: int, room: int, shown: str) -> None:
    assert "".join(text for _, text in preservers(left, lost, room, UNICODE)) == shown


@given(st.integers(1, 60), st.integers(1, 30), st.data())
def test_the_chosen_line_is_in_the_window(count: int, room: int, data: st.DataObject) -> None:
    chosen = data.draw(st.integers(0, count - 1))
    seen = window(count, chosen, room)
    assert chosen in seen
    assert len(seen) == min(count, room)


# ---------------------------------------------------------------- the clock of a session


async def test_a_table_without_a_clock_wakes_nobody() -> None:
    player = Player1()
    await player.table()
    assert isinstance(player.clock, FakeClock)
    assert player.clock.due is None
