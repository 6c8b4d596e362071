"""A game driven by its deal: what follows from an action without anybody choosing is done at once.

The tides are turned up whenever the rules wait for them, and the last card of every hand is bid.
"""

from collections.abc import Iterable
from typing import NamedTuple

from engine.actions import Action, TurnTides
from engine.deal import GameDeal
from engine.editions import Rules
from engine.rules import apply, forced_bids, new_game
from engine.state import GameState, Phase
from server.coordinator.messages import GameEvent, game_event


class Played(NamedTuple):
    """Where a game has got to, and how."""

    state: GameState
    actions: tuple[Action, ...]
    """What was done, in order; applying it to the state before gives ``state``."""
    events: tuple[GameEvent, ...]


def start(rules: Rules, deal: GameDeal) -> Played:
    """A new game; nothing has been done in it yet, not even the first tides turned up."""
    state, events = new_game(rules, deal.hands)
    return Played(state, (), tuple(map(game_event, events)))


def play(state: GameState, deal: GameDeal, actions: Iterable[Action]) -> Played:
    """Do ``actions`` and everything that follows. Raises ``IllegalAction``; then nothing was done."""
    done: list[Action] = []
    events: list[GameEvent] = []
    for action in actions:
        state, happened = apply(state, action)
        done.append(action)
        events += map(game_event, happened)
    while next_ := following(state, deal):
        for action in next_:
            state, happened = apply(state, action)
            done.append(action)
            events += map(game_event, happened)
    return Played(state, tuple(done), tuple(events))


def before_tides(state: GameState) -> GameState:
    """The state in which the last round left the game: before the tides of the open one were turned up."""
    if state.phase is not Phase.BIDDING:
        return state
    nobody = ((),) * len(state.bids)
    return state._replace(
        phase=Phase.TIDES,
        turned=state.turned[:-2],
        offer=None,
        choices=nobody,
        bids=(0,) * len(state.bids),
        missing=state.stage.eliminated.count(False),
    )


def following(state: GameState, deal: GameDeal) -> tuple[Action, ...]:
    """What comes next without anybody choosing; empty when somebody has to, or the game is over."""
    if state.phase is Phase.TIDES:
        stage = state.stage
        return (TurnTides(*deal.offer(stage.number, len(stage.rounds))),)
    return forced_bids(state)
