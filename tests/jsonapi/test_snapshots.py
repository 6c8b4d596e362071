"""A program is told what its seat may know, and nothing else."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings

from engine.state import GameState
from server.coordinator.messages import Update
from server.jsonapi.fields import update_data
from server.jsonapi.session import line_of
from tests.support.engine import (
    SPECTATOR,
    games_under_way,
    otherwise_hidden,
)
from tests.support.snapshots import snapshot_of


def told(state: GameState, viewer: int) -> str:
    """What is sent to who sits on that seat."""
    update = Update(None, snapshot_of(state, viewer), (), False, "")
    return line_of({"update": update_data(update, 0.0)})


@settings(max_examples=60, deadline=None)
@given(games_under_way())
def test_what_a_program_cannot_know_does_not_change_a_byte(game: tuple[GameState, Random]) -> None:
    state, rng = game
    # Earlier stages are told without assistance as well: hidden is what nobody could have written down.
    remembered = state._replace(rules=replace(state.rules, assistance=True))
    for viewer in (SPECTATOR, *range(state.rules.players)):
        other = otherwise_hidden(remembered, viewer, rng)._replace(rules=state.rules)
        assert told(other, viewer) == told(state, viewer)
