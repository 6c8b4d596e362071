"""What is chosen for a tournament, and within which bounds (docs/tournaments.md)."""

from collections.abc import Mapping
from typing import Final

from engine.tournament_bounds import LEAST_PLAYERS, MOST_PLAYERS, ROUNDS
from server.coordinator.messages.message import Message
from server.coordinator.messages.options import TableOptions


class TournamentPlan(Message, frozen=True):
    """What whoever opens a tournament chooses."""

    name: str
    options: TableOptions
    """Of all tables; ``options.rules.players`` is the number of seats."""
    rounds: int = 5
    call: int = 60
    """Seconds for everybody to come to the table before a round begins without them."""
    pause: int = 120
    """Seconds between two rounds; 0: the director begins each."""
    places: int = MOST_PLAYERS
    """So many can be registered at a time; of one address half as many, unless the director allows more."""


PLAN_RANGES: Final[Mapping[str, range]] = {
    "rounds": ROUNDS,
    "seconds": range(10, 601),
    "call": range(601),
    "pause": range(3601),
    "places": range(LEAST_PLAYERS, MOST_PLAYERS + 1),
}
"""What the numbers of a plan may be; ``seconds`` are those of its options."""
