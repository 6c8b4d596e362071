"""What a table is at one moment: immutable, so that a change which could not be written never was."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.bots import SUBSTITUTE_STRATEGY
from engine.state import GameState, Phase
from server.coordinator.agenda import Moment
from server.coordinator.messages import (
    Ended,
    Motion,
    Occupant,
    Pause,
    Player,
    Status,
    TableOptions,
)


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat; the default is an empty one."""

    occupant: Occupant = Occupant.NOBODY
    name: str = ""
    player: Player | None = None
    """Who sits here, or left this game to a bot: whose result it is."""
    strategy: str = ""
    """A bot's."""
    away: bool = False
    missed: int = 0
    """Rounds in a row that a bot had to bid because time was up."""
    rematch: bool = False
    left: bool = False

    @property
    def human(self) -> bool:
        """Whether a person sits here, connected or not."""
        return self.occupant is Occupant.HUMAN

    @property
    def plays(self) -> str:
        """The strategy that bids for this seat when a bot has to."""
        return self.strategy or SUBSTITUTE_STRATEGY


EMPTY = Seat()


def human(player: Player) -> Seat:
    """A seat with a person on it."""
    return Seat(Occupant.HUMAN, player.name, player)


def bot(name: str, strategy: str) -> Seat:
    """A seat with a bot on it."""
    return Seat(Occupant.BOT, name, None, strategy)


class Ballot(NamedTuple):
    """One seat's agreement to a motion; ``target`` is -1 where it is about nobody."""

    motion: Motion
    target: int
    seat: int


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything about a table but who is connected and what is planned."""

    id: str
    title: str
    options: TableOptions
    created: float
    seats: tuple[Seat, ...]
    owner: int = -1
    status: Status = Status.OPEN
    number: int = 0
    """How many games were started here."""
    seed: bytes = field(default=b"", repr=False)
    commitment: str = ""
    """To ``seed`` and the rules."""
    game: GameState | None = field(default=None, repr=False)
    pause: Pause = Pause.NONE
    ended: Ended = Ended.NO
    deserted: float = 0.0
    """Since when nobody has been connected to a running game; 0 while somebody is. Written with the next
    change of something else."""
    # From here on: not kept in the store.
    pauses: int = 0
    """How often the clock was stopped or started anew."""
    opened: float = 0.0
    """When the tides of this round were turned up."""
    deadline: float = 0.0
    remaining: float = 0.0
    """What was left of the deadline when the game was paused."""
    ballots: frozenset[Ballot] = frozenset()

    @property
    def running(self) -> bool:
        """Whether bids are waited for and the clock may run."""
        return self.status is Status.PLAYING and not self.pause

    @property
    def moment(self) -> Moment:
        """Which round this is, for plans to name."""
        if self.game is None:
            return Moment(self.number, 0, 0, self.pauses)
        stage = self.game.stage
        return Moment(self.number, stage.number, len(stage.rounds), self.pauses)

    def owes_bid(self, seat: int) -> bool:
        """Whether the round waits for this seat."""
        game = self.game
        return (
            self.status is Status.PLAYING
            and game is not None
            and game.phase is Phase.BIDDING
            and not game.stage.eliminated[seat]
            and not game.bids[seat]
        )

    def seat_of(self, player: str) -> int:
        """The seat of the player with this id; -1 when there is none."""
        for number, seat in enumerate(self.seats):
            if seat.human and seat.player is not None and seat.player.id == player:
                return number
        return -1

    def with_seat(self, number: int, seat: Seat) -> "TableState":
        """The same with another seat ``number``."""
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def free_seat(self) -> int:
        """The first empty seat; -1 when there is none."""
        return next(
            (n for n, seat in enumerate(self.seats) if seat.occupant is Occupant.NOBODY), -1
        )
