"""Tables and their seats as they are shown, and votes."""

from enum import StrEnum

from engine.views import NOTHING, History, SeatView, TableView
from server.coordinator.messages.message import Message
from server.coordinator.messages.options import TableOptions


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
    """Whom it is about; -1 for nobody."""
    agreed: tuple[int, ...]
    """Seats that are for it, ascending."""
    needed: int
    """How many of them it takes as long as nobody comes or goes."""


class Occupant(StrEnum):
    """Who sits on a seat."""

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
    """Whom this empty seat is kept for; empty when anybody may take it."""
    claimed: str = ""
    """Who takes this bot's place when the next stage, or the next game, begins."""
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
    """How many it takes as long as nobody comes or goes."""

    @property
    def agreed_on(self) -> bool:
        """Whether there are no more pauses."""
        return len(self.agreed) >= self.needed


class TablePublic(Message, frozen=True):
    """A table as everybody may know it, apart from the game on it: what its pages, the lobby's row, sentences
    and JSON are made from.
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
    """How many games were started at this table, this one included."""
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
    """Not in the lobby's list; who comes needs the invitation word, or a seat that is kept."""
    played_by: tuple[str, ...] = ()
    """Names of those who played the game that is over, a seat each, whoever sits there now; empty while none
    is over."""
    wins: tuple[tuple[str, int], ...] = ()
    """Names of winners at this table and their numbers of games won, the most first."""
    begins: float = 0.0
    """When another game begins, with those who want it by then; 0 as long as more than half do not."""
    kept_for: float = 0.0
    """So many seconds the running game is kept when nobody is connected any more; 0 without one."""
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
    """The seat's view; ``None`` for a spectator. ``own.table is table``."""
    word: str = ""
    """The invitation word of a private table, for its owner only; empty also when the server was
    restarted since it was chosen, for it is kept nowhere."""
    behind: bool = False
    """A spectator's view of a delayed table: nothing of the round that goes on is in it."""
    history: History = NOTHING
    """The stages before the one on the table; a seat's also with the hands that it has held in them."""
    guess: int = -1
    """Who the visitor guesses takes the high tide in this round; -1 for nobody."""

    @property
    def owned(self) -> bool:
        """Whether the table is the visitor's."""
        return self.seat >= 0 and self.seat == self.info.owner
