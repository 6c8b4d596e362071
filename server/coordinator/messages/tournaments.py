"""Messages about tournaments: their plan, standings and tables."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from engine.tournament import LEAST_PLAYERS, MOST_PLAYERS, ROUNDS
from server.coordinator.messages.tables import Message, TableOptions


class TournamentPlan(Message, frozen=True):
    """What whoever opens a tournament chooses."""

    name: str
    options: TableOptions
    """Options of all tables; ``options.rules.players`` is the number of seats."""
    rounds: int = 5
    call: int = 60
    """Seconds for everybody to come to the table before a round begins without them."""
    pause: int = 120
    """Seconds between two rounds; 0: the director begins each."""
    places: int = MOST_PLAYERS
    """Most players registered at a time; half as many from one address, unless the director allows more."""


PLAN_RANGES: Final[Mapping[str, range]] = {
    "rounds": ROUNDS,
    "seconds": range(10, 601),
    "call": range(601),
    "pause": range(3601),
    "places": range(LEAST_PLAYERS, MOST_PLAYERS + 1),
}
"""What the numbers of a plan may be; ``seconds`` are those of its options."""


class TournamentPhase(StrEnum):
    """What a tournament is doing."""

    OPEN = "open"
    """The first round has not begun; people register."""
    BREAK = "break"
    """Between two rounds."""
    PLAYING = "playing"
    """A round goes on."""
    OVER = "over"


class TournamentInfo(Message, frozen=True):
    """A tournament as one visitor sees it, in a list."""

    id: str
    """Short and speakable."""
    plan: TournamentPlan
    phase: TournamentPhase
    round: int
    """Number of rounds that have begun."""
    players: int
    """Number of players who have registered and not withdrawn."""
    director: str
    """The name of who opened it; empty for the operators of the server."""
    guests: bool
    """Guests may register as well."""
    tables: int = 0
    """Tables of the running round ..."""
    playing: int = 0
    """... and how many of them are not over."""
    begins: float = 0.0
    """When the next round begins by itself; 0 when it does not."""
    entered: bool = False
    """The visitor is registered, and has not withdrawn."""
    directs: bool = False
    """The visitor has opened it."""
    table: str = ""
    """The code of the table where the visitor's seat is; empty for none, and when its game is over."""
    longest: int = 0
    """Most seconds that a round takes."""
    place: int = 0
    """The visitor's in the standings; 0 for who has not registered."""
    ended: float = 0.0
    """When it ended; 0 while it has not."""
    winners: tuple[str, ...] = ()
    """The names of those in the first place, once it is over and a round of it counts."""
    lifted: bool = False
    """Any number of players of one address may register."""
    stuck: bool = False
    """The server has failed to go on with it several times, and tries again now and then."""


class TournamentCell(Message, frozen=True):
    """What one player has made of one round that is closed."""

    table: int
    """From 1."""
    seat: int
    """From 1."""
    opponents: tuple[int, ...]
    """Their places in ``TournamentView.rows``, from 0."""
    points: int | None
    """``None`` where the game was broken off."""
    score: float
    """Points less the mean of that seat."""
    stayed: bool


class TournamentRow(Message, frozen=True):
    """A line of the standings."""

    place: int
    name: str
    total: float
    opponents: float
    """The first tie-break."""
    best: float
    """The second one."""
    exact: str
    """The total as a fraction, such as ``13/4``."""
    withdrawn: bool
    you: bool
    rounds: tuple[TournamentCell | None, ...]
    """Rounds that are closed; ``None`` for one without a seat."""


class TournamentSeats(Message, frozen=True):
    """A table of the round that goes on."""

    number: int
    names: tuple[str, ...]
    """Empty for bots."""
    done: bool
    stage: int = -1
    """From 0, of the game that goes on; -1 for none ..."""
    round: int = 0
    """... and its round, from 0."""
    awaited: tuple[str, ...] = ()
    """Names of players who have to bid, or before the game to arrive."""
    due: float = 0.0
    """When the bids are due, or the game begins whoever is there; 0 when neither is."""


class TournamentView(Message, frozen=True):
    """Everything about a tournament that everybody may know."""

    info: TournamentInfo
    rows: tuple[TournamentRow, ...]
    """The standings after the rounds that are closed, with the cross-table."""
    tables: tuple[TournamentSeats, ...]
    """Tables of the running round; without points until it is over."""
    commitments: tuple[str, ...]
    """To the deals of the rounds that have begun."""
    seeds: tuple[str, ...]
    """Seeds of the rounds that are closed."""
