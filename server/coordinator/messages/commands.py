"""What a visitor can ask for."""

from server.coordinator.messages.base import Message
from server.coordinator.messages.chat import Room
from server.coordinator.messages.tables import Motion, TableOptions


class _WithOptions(Message, frozen=True):
    options: TableOptions


class QuickGame(_WithOptions, frozen=True):
    """Play against bots at once: a table of one's own, filled with bots and started."""


class CreateTable(_WithOptions, frozen=True):
    """Open a table and take its first seat."""


class JoinTable(Message, frozen=True):
    """Sit down at a table. ``seat`` -1 takes the first free one, or the one that is kept for this player.

    In a running game that is not rated: take a bot's place when the next stage begins, and watch until
    then; at once while the stage has only just begun.
    """

    table: str
    seat: int = -1
    word: str = ""
    """The invitation word of a private table."""


class QuickJoin(_WithOptions, frozen=True):
    """Any game: sit down at the fullest open table with these rules and pace that takes this player,
    else at the fullest of all, else open one with these options.
    """


class WatchTable(Message, frozen=True):
    """Watch a table as a spectator."""

    table: str
    word: str = ""
    """The invitation word of a private table."""


class FollowBusiest(Message, frozen=True):
    """Watch the busiest table, and move on when there is a busier one or the game is over: until the next
    command that leads elsewhere.
    """


class LeaveTable(Message, frozen=True):
    """Leave the table for the lobby. In a running game a bot takes over for good."""


class AddBot(Message, frozen=True):
    """Owner: seat a bot. ``seat`` -1 takes the first free one; ``strategy`` empty the server's choice."""

    seat: int = -1
    strategy: str = ""


class RemoveSeat(Message, frozen=True):
    """Owner: free a seat before the start; a player who sat there is back in the lobby."""

    seat: int


class ChangeOptions(_WithOptions, frozen=True):
    """Owner: change the options before the start."""


class StartGame(Message, frozen=True):
    """Owner: begin. Every seat must be taken."""


class HandOver(Message, frozen=True):
    """Owner: make another player the owner."""

    seat: int


class MoveSeat(Message, frozen=True):
    """Owner: before the start, move whoever sits on ``seat`` to seat ``to``, and who sits there back."""

    seat: int
    to: int


class KeepSeat(Message, frozen=True):
    """Owner: keep an empty seat for the player of that name; with an empty ``name`` anybody may have it."""

    seat: int
    name: str = ""


class SetWord(Message, frozen=True):
    """Owner: make the table private: only who knows the word comes in. An empty one makes it public again.

    The word is kept hashed only, and told to nobody but the owner.
    """

    word: str


class Rematch(Message, frozen=True):
    """After the game: play another at this table. It starts when every connected human has asked.

    Bots take the seats of players who are gone; where a seat is empty, the table is open again instead.
    """


class PlaceBid(Message, frozen=True):
    """Bid a card, or replace the bid. ``stage`` and ``round`` (from 0) say which round is meant, so that
    a bid that arrives after the reveal is refused and never lands in the next round.
    """

    card: int
    stage: int
    round: int


class Touch(Message, frozen=True):
    """A key was pressed: an away player is back."""


class Vote(Message, frozen=True):
    """Agree to a motion (the first to agree puts it), or take the agreement back.

    Motions to pause or to end lapse when the round is revealed.
    """

    motion: Motion
    seat: int = -1
    """Whom to replace."""
    agree: bool = True


class Resume(Message, frozen=True):
    """Go on with a game that was paused by a vote."""


class Say(Message, frozen=True):
    """Say something: a text, or a phrase (a value of ``Phrase``) and no text."""

    room: Room
    text: str = ""
    phrase: str = ""
    to: str = ""
    """Of a direct one: the name of who gets it."""


class Mute(Message, frozen=True):
    """Show nothing more that this person says, until one of the two leaves; or do so again."""

    name: str
    on: bool = True


class Block(Message, frozen=True):
    """The same for good, and refuse this person's direct lines.

    The details of the answer have ``person``, the id to be kept, and ``name``.
    """

    name: str
    on: bool = True


EntryCommand = QuickGame | CreateTable | QuickJoin | JoinTable | WatchTable | LeaveTable
"""What leads to another place."""
OwnerCommand = (
    AddBot | RemoveSeat | MoveSeat | KeepSeat | HandOver | ChangeOptions | SetWord | StartGame
)
PlayerCommand = PlaceBid | Touch | Vote | Resume | Rematch
ChatCommand = Say | Mute | Block
Command = EntryCommand | FollowBusiest | OwnerCommand | PlayerCommand | ChatCommand
