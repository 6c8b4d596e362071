"""What people say to each other, and what a feed hands out."""

from enum import StrEnum

from server.coordinator.messages.events import Happening
from server.coordinator.messages.tables import LobbySnapshot, Message, TableSnapshot


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


class ChatLine(Message, frozen=True):
    """Something that somebody said. The text is one clean line; nothing in it means anything but itself."""

    number: int
    """Grows with every line on this server; a line that comes twice has the same one."""
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


class ServerMessage(Message, frozen=True):
    """Something that the server tells one visitor, or everybody."""

    kind: str
    """``broadcast``, ``kicked``, ``banned``, ``muted``, ``unmuted``, ``answer`` (to a report), ``not_kept``
    (settings hold for this visit alone) or, to operators, ``report`` (a new one) and ``operator`` (that they
    are; ``text``: how many reports are open).
    """
    text: str = ""
    """What somebody wrote, clean; may be empty where ``kind`` says enough."""
    until: float = 0.0
    """When a ban or a silence ends; 0 for never."""
    about: str = ""
    """Whom the report was about."""


class Update(Message, frozen=True):
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
    said: tuple[ServerMessage, ...] = ()
    """What the server has told this visitor since then."""
