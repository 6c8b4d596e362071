"""What a player could have written down in the earlier stages of a game, built field by field, by
allow-list.

A view (``engine.views``) shows the stage in progress. A history adds what is over: every finished stage as
all saw it, and the hands that the seat has held itself. It does not depend on the option *assistance*, which
is about what the table shows. Changing what a seat cannot know leaves its history equal.
"""

from typing import NamedTuple

from engine.results import RoundResult
from engine.rules import dealt_hand_of
from engine.state import Cards, GameState


class PastStage(NamedTuple):
    """A stage that is over, as everybody saw it. Tuples a seat are indexed by seat."""

    start: tuple[int, ...]
    """Life preservers a seat at the start."""
    rounds: tuple[RoundResult, ...]
    """Every round: the tides, the bids, and what followed from them."""
    points: tuple[int, ...]
    """Points of the stage a seat."""


class History(NamedTuple):
    """What the player at one seat remembers, a value for each finished stage; who watches has no hands."""

    stages: tuple[PastStage, ...] = ()
    """In the order in which they were played."""
    hands: tuple[Cards, ...] = ()
    """The hand that the seat held in each of them, as it was dealt, ascending."""


NOTHING = History()
"""The history of a game in its first stage."""


def history_of(state: GameState, seat: int) -> History:
    """What ``seat`` remembers of the stages before the one on the table."""
    players, now = state.rules.players, state.stage.number
    if not now:
        return NOTHING
    hands = tuple([state.deal[dealt_hand_of(seat, number, players)] for number in range(now)])
    return History(_stages(state), hands)


def public_history_of(state: GameState) -> History:
    """The same without any hands: what everybody remembers who has watched."""
    return History(_stages(state))


def _stages(state: GameState) -> tuple[PastStage, ...]:
    # When the game is over, the last finished stage is the one on the table.
    finished = state.finished[: state.stage.number]
    return tuple([PastStage(result.start, result.rounds, result.points) for result in finished])
