"""What happens at a table, beside the events of the rules."""

from typing import NamedTuple

from engine.events import Event
from server.coordinator.messages.tables import Ended, Motion, Pause


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
