"""What can come to a table."""

from collections.abc import Mapping
from dataclasses import dataclass

from server.coordinator.messages import Command, Reply
from server.coordinator.table.model import Member
from server.coordinator.table.timers import Timer


@dataclass(frozen=True, slots=True)
class Fill:
    """First of all: seat the player who opened the table; ``quick``: and bots, and begin. ``instead``: the
    player asked for any game, and there was none.
    """

    quick: bool
    instead: bool = False


@dataclass(frozen=True, slots=True)
class StopWatching:
    """Stop watching because the player goes elsewhere; ignored if seated meanwhile."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody has given a command."""

    who: Member
    command: Command | Fill | StopWatching


@dataclass(frozen=True, slots=True)
class Came:
    """Somebody who sits or watches here is connected, perhaps anew or under another name."""

    who: Member


@dataclass(frozen=True, slots=True)
class Gone:
    """The connection of somebody who sits or watches here is down."""

    player: str


@dataclass(frozen=True, slots=True)
class Rated:
    """The rating of somebody who sits here is known by now."""

    player: str
    rating: int | None


@dataclass(frozen=True, slots=True)
class Due:
    """A timer is due; ignored unless it is among those that the table still waits for."""

    timer: Timer


@dataclass(frozen=True, slots=True)
class Turn:
    """It is this table's turn among those where nobody plays or watches (see ``background``)."""


@dataclass(frozen=True, slots=True)
class BotsChose:
    """The answer to ``AskBots``: a card for each seat that was asked about."""

    asked: Timer | Turn
    cards: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class WordChecked:
    """The answer to ``CheckWord``: whether the invitation word was right, or that there were too many."""

    asked: Asked
    word: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class WordHashed:
    """The answer to ``HashWord``: what is kept of a new invitation word."""

    word: str
    kept: str


@dataclass(frozen=True, slots=True)
class Announced:
    """The server goes down at ``when``; 0: it stays after all."""

    when: float


@dataclass(frozen=True, slots=True)
class Close:
    """The table has to go; ``code`` is why (see ``SentBack``). ``deserted``: unless somebody plays there."""

    code: str
    deserted: bool = False


@dataclass(frozen=True, slots=True)
class Restarted:
    """The table has just been read from the store, and nobody is connected."""


Input = (
    Asked
    | Came
    | Gone
    | Rated
    | Due
    | Turn
    | BotsChose
    | WordChecked
    | WordHashed
    | Announced
    | Close
    | Restarted
)
