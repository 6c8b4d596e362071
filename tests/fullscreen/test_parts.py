"""The small parts: the countdown, what is shared, the options form, wrapping, typing."""

from hypothesis import example, given
from hypothesis import strategies as st

from engine.editions import Edition, Rules
from server.coordinator.messages import Pace, TableOptions
from server.fullscreen.widgets.drawing import footer
from server.terminal.drawing.caches import cached_by_identity
from server.terminal.drawing.frame import text_width, wrap
from server.text.times import next_change, shown_seconds
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
