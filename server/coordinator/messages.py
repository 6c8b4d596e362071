"""Everything that passes between a session and the coordinator: plain, serialisable data.

A session talks to the coordinator only through ``Visit.submit(command)`` and ``Visit.feed``. Names and
texts in here have been sanitised at the edge where they entered. Times are seconds on the injected
clock (``Clock.time``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.editions import Rules
from engine.events import Event
from engine.views import SeatView, TableView

# ---------------------------------------------------------------- who and what


class Player(NamedTuple):
    """A person: ``id`` is stable (a key's fingerprint, or a guest's random word), ``name`` unique."""

    id: str
    name: str
    guest: bool


class Pace(StrEnum):
    """How long a round may take."""

    TIMED = "timed"
    UNTIMED = "untimed"
    CORRESPONDENCE = "correspondence"


DEFAULT_SECONDS: Final = 60
DAY: Final = 24 * 60 * 60
SECONDS_RANGE: Final = {
    Pace.TIMED: range(10, 60 * 60 + 1),
    Pace.CORRESPONDENCE: range(60 * 60, 14 * DAY + 1),
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


class Occupant(StrEnum):
    """Who sits on a seat."""

    NOBODY = "nobody"
    HUMAN = "human"
    BOT = "bot"


class SeatInfo(NamedTuple):
    """A seat as everybody sees it."""

    occupant: Occupant
    name: str
    """Empty when nobody sits there; the leaver's when ``left``."""
    strategy: str
    """A bot's strategy, also the substitute's while the seat is away; else empty."""
    connected: bool
    """A human with a live connection; bots always are."""
    away: bool
    """A bot bids for this human until he or she presses a key."""
    rematch: bool
    """Has asked for a rematch after the game."""
    left: bool = False
    """A bot plays on for a player who left this game for good; the result stays the player's."""
    absent_since: float = 0.0
    """Since when the line is down; 0 while it is not."""
    replaceable: bool = False
    """Absent for so long that the others may vote to let a bot bid."""
    kept: str = ""
    """Whom this empty seat is kept for; empty when anybody may take it."""
    claimed: str = ""
    """Who takes this bot's place when the next stage, or the next game, begins."""


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


class Motion(StrEnum):
    """What the connected players of a running game can vote for."""

    REPLACE = "replace"
    """A bot bids for an absent player until he or she is back. A majority decides."""
    PAUSE = "pause"
    """All must agree."""
    END = "end"
    """All must agree."""


class VoteInfo(NamedTuple):
    """A vote in progress."""

    motion: Motion
    seat: int
    """Whom it is about; -1 for nobody."""
    agreed: tuple[int, ...]
    """Seats that are for it, ascending."""
    needed: int
    """How many of them it takes as long as nobody comes or goes."""


class TableInfo(NamedTuple):
    """What is known of a table apart from the game on it."""

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
    deadline: float
    """When the bids of this round are due; 0 when nothing is due."""
    spectators: int
    pause: Pause = Pause.NONE
    ended: Ended = Ended.NO
    votes: tuple[VoteInfo, ...] = ()
    closing: float = 0.0
    """When the server goes down; 0 when it stays. No game starts any more. Infinite while operators let no
    game begin, and the server stays for now."""
    private: bool = False
    """Not in the lobby's list; who comes needs the invitation word, or a seat that is kept."""


class TableSnapshot(NamedTuple):
    """One table as one visitor sees it now."""

    info: TableInfo
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


class TableRow(NamedTuple):
    """A table in the lobby's list."""

    id: str
    title: str
    options: TableOptions
    status: Status
    names: tuple[str, ...]
    """A seat each; empty string where nobody sits."""
    bots: int
    stage: int
    """From 0."""
    spectators: int
    kept: int = 0
    """Empty seats that are kept for somebody."""
    ratings: tuple[int, int] | None = None
    """The lowest and the highest rating among the people who sit there; ``None`` when none has any."""


class LobbySnapshot(NamedTuple):
    """The lobby: tables that can be seen (no private ones), newest first, and who is here, by name."""

    tables: tuple[TableRow, ...]
    players: tuple[str, ...]
    closing: float = 0.0
    """When the server goes down; 0 when it stays. No game starts any more."""


# ---------------------------------------------------------------- chat


class Room(StrEnum):
    """Whom a chat line is for."""

    LOBBY = "lobby"
    """Everybody in the lobby, and at tables where no game is running."""
    TABLE = "table"
    """Everybody at the own table; while a rated game runs, only those who watch hear those who watch."""
    DIRECT = "direct"
    """One person, wherever he or she is."""


class Phrase(StrEnum):
    """Something often said, which each reader sees in the own language."""

    HELLO = "hello"
    GOOD_LUCK = "good_luck"
    WELL_PLAYED = "well_played"
    THANKS = "thanks"
    OUCH = "ouch"
    ONE_MOMENT = "one_moment"
    STILL_THERE = "still_there"
    SORRY = "sorry"
    AGAIN = "again"
    HAVE_TO_GO = "have_to_go"


class ChatLine(NamedTuple):
    """Something that somebody said. The text is one clean line; nothing in it means anything but itself."""

    number: int
    """Grows with every line in this house; a line that comes twice has the same one."""
    room: Room
    sender: str
    """The name."""
    text: str
    """Empty for a phrase."""
    time: float
    phrase: str = ""
    """A value of ``Phrase``; empty for a text."""
    to: str = ""
    """Of a direct one: the name of who got it."""
    place: str = ""
    """Of one at a table: the table's code."""
    watching: bool = False
    """The sender had no seat at that table."""
    old: bool = False
    """Said before the reader came."""


# ---------------------------------------------------------------- commands


class QuickGame(NamedTuple):
    """Play against bots at once: a table of one's own, filled with bots and started."""

    options: TableOptions


class CreateTable(NamedTuple):
    """Open a table and take its first seat."""

    options: TableOptions


class JoinTable(NamedTuple):
    """Sit down at a table. ``seat`` -1 takes the first free one, or the one that is kept for this player.

    In a running game that is not rated: take a bot's place when the next stage begins, and watch until
    then; at once while the stage has only just begun.
    """

    table: str
    seat: int = -1
    word: str = ""
    """The invitation word of a private table."""


class QuickJoin(NamedTuple):
    """Any game: sit down at the fullest open table with these rules and pace that takes this player,
    else at the fullest of all, else open one with these options.
    """

    options: TableOptions


class WatchTable(NamedTuple):
    """Watch a table as a spectator."""

    table: str
    word: str = ""
    """The invitation word of a private table."""


class FollowBusiest(NamedTuple):
    """Watch the busiest table, and move on when there is a busier one or the game is over: until the next
    command that leads elsewhere.
    """


class LeaveTable(NamedTuple):
    """Leave the table for the lobby. In a running game a bot takes over for good."""


class AddBot(NamedTuple):
    """Owner: seat a bot. ``seat`` -1 takes the first free one; ``strategy`` empty the house's choice."""

    seat: int = -1
    strategy: str = ""


class RemoveSeat(NamedTuple):
    """Owner: free a seat before the start; a player who sat there is back in the lobby."""

    seat: int


class ChangeOptions(NamedTuple):
    """Owner: change the options before the start."""

    options: TableOptions


class StartGame(NamedTuple):
    """Owner: begin. Every seat must be taken."""


class HandOver(NamedTuple):
    """Owner: make another player the owner."""

    seat: int


class MoveSeat(NamedTuple):
    """Owner: before the start, move whoever sits on ``seat`` to seat ``to``, and who sits there back."""

    seat: int
    to: int


class KeepSeat(NamedTuple):
    """Owner: keep an empty seat for the player of that name; with an empty ``name`` anybody may have it."""

    seat: int
    name: str


class SetWord(NamedTuple):
    """Owner: make the table private: only who knows the word comes in. An empty one makes it public again.

    The word is kept hashed only, and told to nobody but the owner.
    """

    word: str


class Rematch(NamedTuple):
    """After the game: play another at this table. It starts when every connected human has asked.

    Bots take the seats of players who are gone; where a seat is empty, the table is open again instead.
    """


class PlaceBid(NamedTuple):
    """Bid a card, or replace the bid. ``stage`` and ``round`` (from 0) say which round is meant, so that
    a bid that arrives after the reveal is refused and never lands in the next round.
    """

    card: int
    stage: int
    round: int


class Touch(NamedTuple):
    """A key was pressed: an away player is back."""


class Vote(NamedTuple):
    """Agree to a motion (the first to agree puts it), or take the agreement back.

    Motions to pause or to end lapse when the round is revealed.
    """

    motion: Motion
    seat: int = -1
    """Whom to replace."""
    agree: bool = True


class Resume(NamedTuple):
    """Go on with a game that was paused by a vote."""


class Say(NamedTuple):
    """Say something: a text, or a phrase (a value of ``Phrase``) and no text."""

    room: Room
    text: str = ""
    phrase: str = ""
    to: str = ""
    """Of a direct one: the name of who gets it."""


class Mute(NamedTuple):
    """Show nothing more that this person says, until one of the two leaves; or do so again."""

    name: str
    on: bool = True


class Block(NamedTuple):
    """The same for good, and refuse this person's direct lines.

    The details of the answer have ``person``, the id to be kept, and ``name``.
    """

    name: str
    on: bool = True


Command = (
    QuickGame
    | CreateTable
    | JoinTable
    | WatchTable
    | LeaveTable
    | AddBot
    | RemoveSeat
    | ChangeOptions
    | StartGame
    | Rematch
    | PlaceBid
    | Touch
    | HandOver
    | QuickJoin
    | FollowBusiest
    | MoveSeat
    | KeepSeat
    | SetWord
    | Vote
    | Resume
    | Say
    | Mute
    | Block
)


class Reply(NamedTuple):
    """The answer to a command: ``code`` "ok", or a locale-neutral reason for the refusal.

    Refusal codes: those of ``engine.errors`` and ``too_late`` (the round was revealed before this bid),
    ``not_seated``, ``seated_elsewhere``, ``no_such_table``, ``table_full``, ``seat_taken``,
    ``not_owner``, ``not_open``, ``already_playing``, ``seats_empty``, ``not_over``, ``too_many_tables``,
    ``too_many_opened`` and ``too_many_from_there`` (tables, by this player and from this address),
    ``no_such_strategy``, ``closing`` (the server is going down), ``wrong_round`` (a bid for a round that
    is still to come), ``not_playing`` (there is no game), ``seat_empty``, ``own_seat`` (leave instead),
    ``no_human``, ``too_many_seated`` (fewer seats than people who sit there), ``seconds`` (out of the
    range in ``details``), ``paused``, ``not_paused``, ``not_absent`` (nobody can be replaced there now),
    ``too_many_spectators``, ``rated_guests`` and ``rated_bots`` (who has no place at a rated table),
    ``nothing_said``, ``no_such_phrase``, ``no_table`` (to say anything at), ``nobody_called``,
    ``own_name``, ``not_listening`` (takes no direct lines from here), ``rated_round`` (whoever it is for
    plays a rated game), ``own_block`` (whoever it is for is not heard here), ``too_many_blocked``,
    ``chat_wait`` and ``silenced`` (for some seconds more), ``seat_kept`` (for somebody else),
    ``seat_not_empty`` (it cannot be kept), ``removed`` (by the owner, not long ago), ``word_needed``,
    ``wrong_word`` and ``word_wait`` (a private table; too many wrong words), ``word_form`` (no good as a
    word), ``no_spectators``, ``held_seat`` (in this game already), ``no_bot_seat`` (there is no bot whose
    place one could take), ``busy`` (too many commands at once), ``gone`` (this visit has ended),
    ``storage`` (it could not be written down, so it has not happened; try again), ``internal`` (our
    mistake; nothing has happened).
    """

    code: str = "ok"
    details: Mapping[str, int | str] = MappingProxyType({})

    @property
    def ok(self) -> bool:
        """Whether the command was carried out."""
        return self.code == "ok"


# ---------------------------------------------------------------- happenings


class Sat(NamedTuple):
    """Somebody (or a bot) took a seat."""

    seat: int
    name: str


class Stood(NamedTuple):
    """Somebody freed a seat before the game."""

    seat: int
    name: str


class Moved(NamedTuple):
    """The owner moved somebody to another seat; ``other`` is who changed places, empty for nobody."""

    seat: int
    name: str
    other: str


class SeatKept(NamedTuple):
    """A seat is kept for the player of this name from now on; for nobody when it is empty."""

    seat: int
    name: str


class Privacy(NamedTuple):
    """The table is private from now on, or no longer."""

    private: bool


class OpenedInstead(NamedTuple):
    """To who asked for any game: no open table was right, so this one is new."""


class SentBack(NamedTuple):
    """To who is back in the lobby without having asked for it. ``code`` is ``removed`` (by the owner) or
    ``no_spectators`` (the table takes none any more).
    """

    code: str
    title: str


class Claimed(NamedTuple):
    """Somebody will take the place of the bot on this seat when the next stage begins."""

    seat: int
    name: str


class TookOver(NamedTuple):
    """Somebody plays on from here in place of a bot."""

    seat: int
    name: str
    bot: str


class GameStarted(NamedTuple):
    """A game begins; ``commitment`` is public from here on."""

    game: int
    commitment: str


class WentAway(NamedTuple):
    """A bot bids for this seat until its player is back."""

    seat: int
    name: str


class CameBack(NamedTuple):
    """The player bids again."""

    seat: int
    name: str


class LeftForGood(NamedTuple):
    """The player left a running game; a bot plays on."""

    seat: int
    name: str


class SubstituteBidFor(NamedTuple):
    """Time was up, and a bot bid for this seat."""

    seat: int
    name: str


class Disconnected(NamedTuple):
    """A player's line dropped."""

    seat: int
    name: str


class Reconnected(NamedTuple):
    """A player is back on the line."""

    seat: int
    name: str


class NewOwner(NamedTuple):
    """The table is somebody else's now."""

    seat: int
    name: str


class OptionsChanged(NamedTuple):
    """The owner chose other options; the snapshot has them."""


class Voted(NamedTuple):
    """A player agreed to a motion, or no longer does."""

    seat: int
    name: str
    motion: Motion
    target: int
    agree: bool


class Paused(NamedTuple):
    """The game stands still."""

    pause: Pause


class Resumed(NamedTuple):
    """The game goes on. ``seat`` is the player who came back or asked for it; -1 for nobody."""

    seat: int


class GameEnded(NamedTuple):
    """The game was broken off."""

    ended: Ended


class Trouble(NamedTuple):
    """Something is wrong with the server; ``code`` is ``storage`` or ``internal``. The table tries again."""

    code: str


class TroubleOver(NamedTuple):
    """It works again."""


class Closing(NamedTuple):
    """The server goes down at ``when``; running games are kept and go on after the restart."""

    when: float


Happening = (
    Event
    | Sat
    | Stood
    | Moved
    | SeatKept
    | Privacy
    | OpenedInstead
    | SentBack
    | Claimed
    | TookOver
    | GameStarted
    | WentAway
    | CameBack
    | LeftForGood
    | SubstituteBidFor
    | Disconnected
    | Reconnected
    | NewOwner
    | OptionsChanged
    | Voted
    | Paused
    | Resumed
    | GameEnded
    | Trouble
    | TroubleOver
    | Closing
)


class HouseWord(NamedTuple):
    """Something that the house tells one visitor, or everybody."""

    kind: str
    """``broadcast``, ``kicked``, ``banned``, ``muted``, ``unmuted``, ``answer`` (to a report) or, to
    operators, ``report`` (a new one) and ``operator`` (that they are; ``text``: how many reports are open).
    """
    text: str = ""
    """What somebody wrote, clean; may be empty where ``kind`` says enough."""
    until: float = 0.0
    """When a ban or a silence ends; 0 for never."""
    about: str = ""
    """Whom the report was about."""


class Update(NamedTuple):
    """What a feed hands out: the newest snapshots, and what happened since the last one was taken."""

    lobby: LobbySnapshot | None
    """``None`` while the visitor is at a table."""
    table: TableSnapshot | None
    """``None`` while the visitor is in the lobby."""
    happenings: tuple[Happening, ...]
    """At the visitor's table, oldest first; in the lobby, why the visitor is back there."""
    resynced: bool
    """True when happenings were dropped because they were not taken in time: believe the snapshot."""
    closed: str
    """Why the feed has ended: "" while it has not, else ``taken_over``, ``shutdown``, ``left``, ``kicked``,
    ``banned``."""
    chat: tuple[ChatLine, ...] = ()
    """What has been said since the last update was taken, as far as this visitor hears it; the newest, when
    there was too much of it."""
    said: tuple[HouseWord, ...] = ()
    """What the house has told this visitor since then."""
