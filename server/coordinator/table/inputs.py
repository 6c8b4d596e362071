"""What can come to a table."""

from collections.abc import Mapping

from msgspec import Struct

from server.coordinator.messages import Command, Reply
from server.coordinator.table.model import Member
from server.coordinator.table.timers import TableTimer


class Fill(Struct, frozen=True):
    """First of all: seat the player who opened the table; ``quick``: and bots, and begin. ``instead``: the
    player asked for any game, and there was none.
    """

    quick: bool
    instead: bool = False


class StopWatching(Struct, frozen=True):
    """Stop watching because the player goes elsewhere; ignored if seated meanwhile."""


class Asked(Struct, frozen=True):
    """Somebody has given a command."""

    who: Member
    command: Command | Fill | StopWatching


class Came(Struct, frozen=True):
    """Somebody who sits or watches here is connected, perhaps anew or under another name."""

    who: Member


class Gone(Struct, frozen=True):
    """The connection of somebody who sits or watches here is down."""

    player: str


class Rated(Struct, frozen=True):
    """The rating of somebody who sits here is known by now."""

    player: str
    rating: int | None


class Due(Struct, frozen=True):
    """A timer is due; ignored unless it is among those that the table still waits for."""

    timer: TableTimer


class Turn(Struct, frozen=True):
    """It is this table's turn among those where nobody plays or watches (see ``background``)."""


class BotsChose(Struct, frozen=True):
    """The answer to ``AskBots``: a card for each seat that was asked about."""

    asked: TableTimer | Turn
    cards: Mapping[int, int]


class WordChecked(Struct, frozen=True):
    """The answer to ``CheckWord``: whether the invitation word was right, or that there were too many."""

    asked: Asked
    word: str
    reply: Reply


class WordHashed(Struct, frozen=True):
    """The answer to ``HashWord``: what is kept of a new invitation word."""

    word: str
    kept: str


class Announced(Struct, frozen=True):
    """The server goes down at ``when``; 0: it stays after all."""

    when: float


class Close(Struct, frozen=True):
    """The table has to go; ``code`` is why (see ``SentBack``). ``deserted``: unless somebody plays there."""

    code: str
    deserted: bool = False


class Restarted(Struct, frozen=True):
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
