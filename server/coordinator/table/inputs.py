"""What can lie in a table's inbox."""

import asyncio
from typing import NamedTuple

from server.coordinator.messages import Command, Reply
from server.coordinator.people.presence import Presence


class Fill(NamedTuple):
    """First of all: seat the player who opened the table; ``quick``: and bots, and begin. ``instead``: the
    player asked for any game, and there was none.
    """

    quick: bool
    instead: bool = False


class StopWatching(NamedTuple):
    """Go, to be somewhere else: for whoever only watches. Who has been given a seat meanwhile keeps it."""


class Ask(NamedTuple):
    """A command, and where its answer goes."""

    presence: Presence
    command: Command | Fill | StopWatching
    answer: asyncio.Future[Reply]


class ConnectionChanged(NamedTuple):
    """A player came, or is gone; the presence says which it is by now."""

    presence: Presence


class Announce(NamedTuple):
    """The server goes down at ``when``; 0: it stays after all."""

    when: float


class Turn(NamedTuple):
    """It is this table's turn among those where nobody plays or watches (see ``background``)."""


class Close(NamedTuple):
    """The table has to go; ``code`` is why (see ``SentBack``). ``deserted``: unless somebody plays there."""

    code: str
    deserted: bool
    answer: asyncio.Future[Reply]


class Wake(NamedTuple):
    """Something on the agenda is due."""


class Begin(NamedTuple):
    """The table has just been read from the store, and nobody is connected."""


class Rated(NamedTuple):
    """More is known of how strong somebody here is."""


Message = Ask | Close | Turn | ConnectionChanged | Announce | Wake | Begin | Rated
