"""Messages about tables: options, seats and votes, as they are shown."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from engine.bots import DEFAULT_STRATEGY
from engine.editions import Edition, Rules, player_range
from engine.views import NOTHING, History, SeatView, TableView


class Message(Struct, frozen=True, tag=True):
    """Plain data that encodes and decodes, without cycles. Equal only to its own kind."""


class Player(Message, frozen=True):
    """A person: ``id`` is stable (a key's fingerprint, or a guest's random word), ``name`` unique."""

    id: str
    name: str
    guest: bool
    program: bool = False
    """What came last was a program that nobody steers."""


class Pace(StrEnum):
    """How long a round may take."""

    TIMED = "timed"
    UNTIMED = "untimed"
    CORRESPONDENCE = "correspondence"
    FAST = "fast"
    """Timed, for programs and bots only: nobody waits for anybody to read."""


DEFAULT_SECONDS: Final = 60
DAY: Final = 24 * 60 * 60
SECONDS_RANGE: Final = {
    Pace.TIMED: range(10, 60 * 60 + 1),
    Pace.CORRESPONDENCE: range(60 * 60, 14 * DAY + 1),
    Pace.FAST: range(1, 60 * 60 + 1),
}
"""How long a round may be given; a correspondence game usually gives a day."""


class Spectating(StrEnum):
    """What people who have no seat may see of a running game. When it is over, everybody sees all of it."""

    OPEN = "open"
    """The public view, at once."""
    DELAYED = "delayed"
    """The public view as it was when the last round was over: nothing of the round that goes on."""
    NONE = "none"
    """Nobody watches."""

    @property
    def allowed(self) -> bool:
        """Whether anybody may watch at all."""
        return self is not Spectating.NONE


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the table's owner chooses before the start; always shown at the table."""

    rules: Rules = field(default_factory=Rules)
    pace: Pace = Pace.TIMED
    seconds: int = DEFAULT_SECONDS
    """For bidding in a round; meaningless when untimed."""
    rated: bool = False
    """The result counts for the players' ratings: only accounts sit here, no guests and no bots."""
    spectators: Spectating = Spectating.OPEN
    bots: str = DEFAULT_STRATEGY
    """Which bots sit down unless others are asked for: a strategy of ``engine.bots``."""
    hints: bool = True
    """Players may ask what the strongest bot would bid, unless the game is ``rated``."""

    @property
    def gives_hints(self) -> bool:
        """Whether players get hints."""
        return self.hints and not self.rated

    @property
    def kind(self) -> tuple[Edition, Pace, bool]:
        """What people look for who would join any game."""
        return self.rules.edition, self.pace, self.rated

    def changed(
        self,
        *,
        edition: Edition | None = None,
        players: int | None = None,
        stages: int | None = None,
        modified_drowning: bool | None = None,
        assistance: bool | None = None,
        pace: Pace | None = None,
        seconds: int | None = None,
        **others: Any,
    ) -> "TableOptions":
        """These options with some of them chosen anew; ``others`` go with any.

        What is not chosen, or is ``None``, stays as far as that makes a game that exists;
        ``stages`` of 0 is the printed length. Raises ``BadRules`` for a choice that does not.
        """
        before = self.rules
        edition = before.edition if edition is None else edition
        if players is None:
            # An edition with fewer seats takes as many as it has.
            players = min(before.players, player_range(edition)[-1])
        if stages is None:
            # The printed length remains the printed length.
            stages = 0 if before.stages == before.players else min(before.stages, players)
        if modified_drowning is None:
            modified_drowning = before.modified_drowning and edition.modified_drowning
        if assistance is None:
            assistance = before.assistance
        pace = self.pace if pace is None else pace
        if seconds is None:
            usual = DAY if pace is Pace.CORRESPONDENCE else DEFAULT_SECONDS
            seconds = self.seconds if pace is self.pace else usual
        return replace(
            self,
            rules=Rules(edition, players, stages, modified_drowning, assistance),
            pace=pace,
            seconds=seconds,
            **{name: value for name, value in others.items() if value is not None},
        )


class Motion(StrEnum):
    """What the connected players of a running game can vote for."""

    REPLACE = "replace"
    """A bot bids for an absent player until he or she is back. A majority decides."""
    PAUSE = "pause"
    """All must agree."""
    END = "end"
    """All must agree, also those whose line has only just dropped."""


class VoteInfo(Message, frozen=True):
    """A vote in progress."""

    motion: Motion
    seat: int
    """Seat that the vote is about; -1 for none."""
    agreed: tuple[int, ...]
    """Seats that are for it, ascending."""
    needed: int
    """Votes needed as long as nobody comes or goes."""


class Occupant(StrEnum):
    """Kind of occupant of a seat."""

    NOBODY = "nobody"
    HUMAN = "human"
    BOT = "bot"


class SeatInfo(Message, frozen=True):
    """A seat as everybody sees it."""

    occupant: Occupant
    name: str
    """Empty when nobody sits there; the leaver's when ``left``."""
    strategy: str = ""
    """A bot's strategy, also the substitute's while the seat is away; else empty."""
    connected: bool = True
    """A human with a live connection; bots always are, and whoever plays by correspondence."""
    away: bool = False
    """A bot bids for this human until he or she presses a key."""
    rematch: bool = False
    """Has asked for a rematch after the game."""
    left: bool = False
    """A bot plays on for a player who left this game for good; the result stays the player's."""
    absent_since: float = 0.0
    """Since when the line is down, or who plays by correspondence looks at something else; 0 for neither."""
    replaceable: bool = False
    """Absent for so long that the others may vote to let a bot bid."""
    kept: str = ""
    """Name of the person for whom this empty seat is kept; empty when anybody may take it."""
    claimed: str = ""
    """Name of the person who replaces this bot when the next stage, or the next game, begins."""
    program: bool = False
    """A program plays here that nobody steers."""
    guesses: tuple[int, int] | None = None
    """While out in this game: how often it has guessed right who takes the high tide, and how often it has
    guessed, in rounds that are over; ``None`` before the first.
    """
    bot_bids: tuple[tuple[int, int], ...] = ()
    """The stages and rounds (from 0) of this game that are over and in which a bot bid for this person."""
    manner: str = ""
    """Which cards this bot likes to bid (``engine.bots.manners.MANNERS``); empty for none."""


class Status(StrEnum):
    """What a table is doing."""

    OPEN = "open"
    """Waiting for players."""
    PLAYING = "playing"
    OVER = "over"
    """The game is finished; a rematch may be asked for."""


class Pause(StrEnum):
    """Why a running game stands still."""

    NONE = ""
    """It does not."""
    VOTED = "voted"
    """Everybody agreed. Any seated player may resume."""
    SUSPENDED = "suspended"
    """Nobody is here, or the server was restarted. It goes on when a seated player returns."""


class Ended(StrEnum):
    """Why a game is over before its last stage."""

    NO = ""
    """It is not, or it was played to the end."""
    VOTED = "voted"
    """Everybody agreed."""
    ABANDONED = "abandoned"
    """Nobody came back for it."""


class SkipInfo(Message, frozen=True):
    """Only bots are left in the stage, and who is out of it can have it go on without pauses."""

    agreed: tuple[int, ...]
    """Seats that want that, ascending."""
    needed: int
    """Votes needed as long as nobody comes or goes."""

    @property
    def agreed_on(self) -> bool:
        """Whether there are no more pauses."""
        return len(self.agreed) >= self.needed


class TablePublic(Message, frozen=True):
    """A table as everybody may know it, apart from the game on it.

    What its pages, the lobby's row, sentences and JSON are made from.
    """

    id: str
    """Short and speakable: the code that invites."""
    title: str
    options: TableOptions
    status: Status
    owner: int
    """The seat whose player may change options, add bots and start; -1 for none."""
    seats: tuple[SeatInfo, ...]
    game: int
    """Number of games started at this table, this one included."""
    commitment: str
    """SHA-256 commitment of the running game's seed, hex; empty before the first."""
    seed: str
    """The seed in hex once the game is over; empty before."""
    deadline: float = 0.0
    """When the bids of this round are due; 0 when nothing is due."""
    spectators: int = 0
    watching: tuple[str, ...] = ()
    """The names of the first of them."""
    pause: Pause = Pause.NONE
    ended: Ended = Ended.NO
    votes: tuple[VoteInfo, ...] = ()
    closing: float = 0.0
    """When the server goes down; 0 when it stays. No game starts any more. Infinite while operators let no
    game begin, and the server stays for now."""
    private: bool = False
    """Not in the lobby's list; who comes needs the invitation code, or a seat that is kept."""
    played_by: tuple[str, ...] = ()
    """Players of the game that is over, a name a seat, whoever sits there now; empty while none is over."""
    wins: tuple[tuple[str, int], ...] = ()
    """Names of winners at this table and their numbers of games won, the most first."""
    begins: float = 0.0
    """When another game begins, with those who want it by then; 0 as long as more than half do not."""
    kept_for: float = 0.0
    """Seconds for which the running game is kept when nobody is connected any more; 0 without one."""
    event: str = ""
    """The event that this game belongs to, whose tables all play the same deal; empty for none. Its seed and
    its deal are told when the event is closed."""
    known: bool = False
    """The deal was chosen: somebody may know all of it."""
    skip: SkipInfo | None = None
    """``None`` unless only bots are left in a stage, and somebody is out of it."""
    stage: int = 0
    """The one that is played, from 0."""
    ratings: tuple[int, int] | None = None
    """The lowest and the highest rating among the people who sit there; ``None`` when none has any."""


class TableSnapshot(Message, frozen=True):
    """One table as one visitor sees it now."""

    info: TablePublic
    seat: int
    """The visitor's seat; -1 for a spectator."""
    table: TableView | None
    """The public view; ``None`` before the first game. Shared by everybody at the table."""
    own: SeatView | None
    """The seat's view; ``None`` for a spectator."""
    word: str = ""
    """The invitation code of a private table, for its owner only; empty also when the server was
    restarted since it was chosen, for it is kept nowhere."""
    behind: bool = False
    """A spectator's view of a delayed table: nothing of the round that goes on is in it."""
    history: History = NOTHING
    """The stages before the one on the table; a seat's also with the hands that it has held in them."""
    guess: int = -1
    """Seat that the visitor guesses takes the high tide in this round; -1 for none."""

    @property
    def owned(self) -> bool:
        """Whether the table is the visitor's."""
        return self.seat >= 0 and self.seat == self.info.owner
