"""What a seat remembers of earlier stages: what it saw, and nothing else."""

from dataclasses import replace

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.editions import Rules
from engine.state import Phase
from engine.views import NOTHING, History, history_of, public_history_of, seat_view
from tests.support.engine import ALL_RULES, RandomGame, otherwise_hidden, random_generator


@settings(max_examples=200)
@given(rules=st.sampled_from(ALL_RULES), seed=st.integers(0, 1 << 20), steps=st.integers(0, 120))
def test_what_a_seat_cannot_know_does_not_change_its_view_and_history(
    rules: Rules, seed: int, steps: int
) -> None:
    rng = random_generator(seed)
    # With assistance the hidden part is what nobody could have written down either.
    state = RandomGame(replace(rules, assistance=True), rng).play(steps).state
    if state.phase is Phase.OVER:
        return
    for seat in range(rules.players):
        other = otherwise_hidden(state, seat, rng)
        assert seat_view(other, seat) == seat_view(state, seat)
        assert history_of(other, seat) == history_of(state, seat)


def test_a_game_begins_without_a_history() -> None:
    game = RandomGame(Rules(), random_generator()).play(2 * 5)
    assert all(history_of(game.state, seat) == NOTHING for seat in range(4))


def test_what_is_remembered() -> None:
    game = RandomGame(Rules(players=3), random_generator())
    while game.state.stage.number < 2:
        game.step()
    state = game.state
    deal = state.deal
    remembered = history_of(state, 1)
    assert remembered.hands == (deal[1], deal[0])
    assert len(remembered.stages) == 2
    for past, result in zip(remembered.stages, state.finished, strict=True):
        assert past == (result.start, result.rounds, result.points)
    assert history_of(state, 0).stages == remembered.stages
    assert public_history_of(state) == (remembered.stages, ())


def test_assistance_changes_nothing() -> None:
    plain = RandomGame(Rules(players=3), random_generator(7)).play(70).state
    assisted = RandomGame(Rules(players=3, assistance=True), random_generator(7)).play(70).state
    assert plain.stage.number > 0
    assert history_of(plain, 2) == history_of(assisted, 2)


def test_a_history_is_plain_data() -> None:
    state = RandomGame(Rules(players=3), random_generator(3)).play(60).state
    history = history_of(state, 0)
    assert history.stages
    assert msgspec.json.decode(msgspec.json.encode(history), type=History) == history
