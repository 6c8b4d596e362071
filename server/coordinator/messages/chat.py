"""What people say to each other."""

from enum import StrEnum

from server.coordinator.messages.message import Message


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
