"""A program is told what its seat may know, and nothing else."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.editions import Rules
from engine.state import GameState, Phase
from server.coordinator.messages import Update
from server.jsonapi.fields import update_data
from server.jsonapi.session import line_of
from tests.support.engine import (
    ALL_RULES,
    SPECTATOR,
    RandomGame,
    otherwise_hidden,
    random_generator,
)
from tests.support.snapshots import snapshot_of


def told(state: GameState, viewer: int) -> str:
    """What is sent to who sits on that seat."""
    update = Update(None, snapshot_of(state, viewer), (), False, "")
    return line_of({"update": update_data(update, 0.0)})


@settings(max_examples=60, deadline=None)
@given(
    rules=st.sampled_from(ALL_RULES),
    assistance=st.booleans(),
    seed=st.integers(0, 1 << 20),
    actions=st.integers(0, 300),
)
def test_what_a_program_cannot_know_does_not_change_a_byte(
    rules: Rules, assistance: bool, seed: int, actions: int
) -> None:
    rng = random_generator(seed)
    state = RandomGame(replace(rules, assistance=assistance), rng).play(actions).state
    if state.phase is Phase.OVER:
        return
    # Earlier stages are told without assistance as well: hidden is what nobody could have written down.
    remembered = state._replace(rules=replace(state.rules, assistance=True))
    for viewer in (SPECTATOR, *range(rules.players)):
        other = otherwise_hidden(remembered, viewer, rng)._replace(rules=state.rules)
        assert told(other, viewer) == told(state, viewer)
