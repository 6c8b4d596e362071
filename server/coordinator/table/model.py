"""What a table is at one moment: immutable, so that a change which could not be written never was."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.bots import SUBSTITUTE_STRATEGY
from engine.rules import legal_actions
from engine.state import GameState
from server.coordinator.messages import (
    Ended,
    Motion,
    Occupant,
    Pause,
    Player,
    Status,
    TableOptions,
)
from server.coordinator.people.names import skeleton
from server.coordinator.table.play import Bids
from server.coordinator.table.timers import RoundEpoch


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
    kept: str = ""
    """An empty seat: the name of whom it is kept for."""
    since: int = 0
    """The stage (from 0) from which this person plays; before it a bot did."""

    @property
    def human(self) -> bool:
        """Whether a person sits here, connected or not."""
        return self.occupant is Occupant.HUMAN

    @property
    def empty(self) -> bool:
        """Whether nobody sits here; it may be kept for somebody."""
        return self.occupant is Occupant.NOBODY

    def is_kept_from(self, name: str) -> bool:
        """Whether this seat is kept for somebody who is not called that, nor like that."""
        return bool(self.kept) and skeleton(self.kept) != skeleton(name)

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
    bids: Bids = field(default=(), repr=False)
    """The sealed bids of the round that is open."""
    pause: Pause = Pause.NONE
    ended: Ended = Ended.NO
    played_by: tuple[str, ...] = ()
    """Who played the game that is over, a name a seat, whoever sits there now; empty while none is over."""
    deserted: float = 0.0
    """Since when nobody has been connected to a running game; 0 while somebody is. Written with the next
    change of something else."""
    word: str = field(default="", repr=False)
    """What is kept of a private table's invitation word (see ``invitation``); empty for a public table."""
    opened_by: str = ""
    """The id of who opened it; empty where an earlier release did not keep it."""
    opened_from: str = ""
    """From where it was opened, as far as counting needs it (see ``quotas.mark``); empty when that does not
    count."""
    # From here on: not kept in the store.
    pauses: int = 0
    """How often the clock was stopped or started anew."""
    opened: float = 0.0
    """When the tides of this round were turned up."""
    deadline: float = 0.0
    remaining: float = 0.0
    """What was left of the deadline when the game was paused."""
    ballots: frozenset[Ballot] = frozenset()
    told_word: str = field(default="", repr=False)
    """The invitation word itself, for the owner's eyes."""

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits there, a name a seat."""
        return tuple([seat.name for seat in self.seats])

    @property
    def running(self) -> bool:
        """Whether bids are waited for and the clock may run."""
        return self.status is Status.PLAYING and not self.pause

    @property
    def moment(self) -> RoundEpoch:
        """Which round this is, for plans to name."""
        if self.game is None:
            return RoundEpoch(self.number, 0, 0, self.pauses)
        stage = self.game.stage
        return RoundEpoch(self.number, stage.number, len(stage.rounds), self.pauses)

    @property
    def has_result(self) -> bool:
        """Whether a stage of the game is finished: of one broken off before, nothing is kept."""
        return self.game is not None and bool(self.game.finished)

    @property
    def guests_only(self) -> bool:
        """Whether nobody who has an account sits here."""
        return not any(seat.human and seat.player and not seat.player.guest for seat in self.seats)

    @property
    def has_people(self) -> bool:
        """Whether a person sits here, connected or not."""
        return any(seat.human for seat in self.seats)

    @property
    def bidders(self) -> tuple[int, ...]:
        """The seats whose bid is sealed."""
        return tuple([seat for seat, card in enumerate(self.bids) if card is not None])

    def owes_bid(self, seat: int) -> bool:
        """Whether the round waits for this seat."""
        game = self.game
        return (
            self.status is Status.PLAYING
            and game is not None
            and self.bids[seat] is None
            and bool(legal_actions(game, seat))
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

    def free_seat(self, name: str = "") -> int:
        """The first empty seat for the player of this name (a bot has none): one that is kept for exactly
        that player before others. -1 when there is none.
        """
        free = [
            n for n, seat in enumerate(self.seats) if seat.empty and not seat.is_kept_from(name)
        ]
        return min(free, key=lambda number: not self.seats[number].kept, default=-1)

    @property
    def has_empty_seat(self) -> bool:
        """Whether there is any, kept or not."""
        return any(seat.empty for seat in self.seats)

    def has_held(self, player: str) -> bool:
        """Whether the player with this id has, or had, a seat in the game that is on."""
        return any(seat.player is not None and seat.player.id == player for seat in self.seats)
