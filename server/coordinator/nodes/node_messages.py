"""What nodes tell and ask each other of people and tables, and how anything passes between them (``peers``).
All of it may be lost; numbers show that something was.
"""

from hashlib import blake2b
from hmac import compare_digest
from math import ceil
from typing import Final

import msgspec
from msgspec import Struct

from engine.history import PastStage
from engine.state import Cards
from engine.views import OwnHand, SeatView, TableView
from server.bus.bus import ALL
from server.coordinator import messages as m
from server.coordinator.table import steps
from server.coordinator.table.facts_for_lobby_and_chat import Listing


class NodeMessage(Struct, frozen=True, tag=True, gc=False):
    """From one node to another, or to all."""


class TableAt(Struct, frozen=True, gc=False):
    """A table that the sender owns."""

    epoch: int
    listing: Listing


class Beat(NodeMessage, frozen=True):
    """Twice a second: the sender is there. To those it knows, and for others to all."""

    name: str


class Connected(Struct, frozen=True, gc=False):
    """Somebody who is connected to the sender."""

    player: m.Player
    visit: int
    """Its number: of two visits of one person the one with the higher number counts."""


class Changed(NodeMessage, frozen=True):
    """What is different on the sender."""

    came: tuple[Connected, ...] = ()
    """Who has connected there. A visit on another node is over with it."""
    left: tuple[str, ...] = ()
    """Ids of who is not connected there any more."""
    tables: tuple[TableAt, ...] = ()
    closed: tuple[str, ...] = ()
    """Codes of tables that are no more."""


class AskState(NodeMessage, frozen=True):
    """Tell everything; what was told before is forgotten."""


class State(NodeMessage, frozen=True):
    """Everything that ``Changed`` would tell, or a part of it."""

    name: str
    people: tuple[Connected, ...]
    tables: tuple[TableAt, ...]
    part: int = 0
    parts: int = 1


_PEOPLE, _TABLES = 500, 50
"""In one part: the bus carries no message of more than a megabyte."""


def state_in_parts(
    name: str, people: tuple[Connected, ...], tables: tuple[TableAt, ...]
) -> list[State]:
    """To be sent one after the other."""
    parts = max(1, ceil(len(people) / _PEOPLE), ceil(len(tables) / _TABLES))
    return [
        State(
            name,
            people[part * _PEOPLE : (part + 1) * _PEOPLE],
            tables[part * _TABLES : (part + 1) * _TABLES],
            part,
            parts,
        )
        for part in range(parts)
    ]


class ToTable(NodeMessage, frozen=True):
    """Something for a table of the receiver, who is told or asked (``m.Reply``)."""

    code: str
    given: steps.Request | steps.Note


class Picture(NodeMessage, frozen=True):
    """A table as everybody there sees it, once for all whom the receiver shows it."""

    code: str
    epoch: int
    number: int
    info: m.TableInfo
    table: TableView | None
    behind: bool
    events: tuple[m.Happening, ...]
    stages: tuple[PastStage, ...] | None
    """Of the history; ``None`` where it is the same as before."""


class Own(Struct, frozen=True, gc=False):
    """What a seat's view has besides the table."""

    seat: int
    hand: Cards
    bid: int
    dealt: Cards
    own_earlier: tuple[OwnHand, ...]


def seat_view(table: TableView | None, own: Own | None) -> SeatView | None:
    """The view of a seat again."""
    if table is None or own is None:
        return None
    return SeatView(table, own.seat, own.hand, own.bid, own.dealt, own.own_earlier)


class SeatPicture(NodeMessage, frozen=True):
    """What one player sees besides the picture with that number."""

    code: str
    epoch: int
    picture: int
    player: str
    seat: int
    own: Own | None
    word: str
    hands: tuple[Cards, ...]
    guess: int


class Back(NodeMessage, frozen=True):
    """A player is back in the lobby."""

    code: str
    epoch: int
    player: str
    why: tuple[m.Happening, ...]


class Word(NodeMessage, frozen=True):
    """The server says something to a player who is connected to the receiver."""

    player: str
    word: m.ServerMessage


class Missed(NodeMessage, frozen=True):
    """To the node to which somebody has come: why there is no seat any more."""

    player: str
    why: m.Happening


class Ordered(NodeMessage, frozen=True):
    """To all: the database has another order (``nodes.order_rows``)."""


class Bye(NodeMessage, frozen=True):
    """To all: the sender ends, and its tables are free."""


class Envelope(Struct, frozen=True, array_like=True, gc=False):
    """A message on its way."""

    sender: str
    """Empty for a command of an operator's, which is no node."""
    number: int
    """Of the messages from this sender to this receiver, from 1; 0 for one to all."""
    kind: str
    """The name of the message's class; empty for an answer."""
    message: bytes
    question: int = 0
    """It is to be answered with this number, or answers what had it; 0 for what is only told."""


_MARK_BYTES: Final = 16
encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Envelope).decode


class Forged(Exception):
    """It is of nobody who knows the key, or was for somebody else."""


def _mark(key: bytes, to: str, data: bytes) -> bytes:
    mark = blake2b(to.encode(), key=key, digest_size=_MARK_BYTES, person=b"tide bus")
    mark.update(b"\0" + data)
    return mark.digest()


def sealed(key: bytes, to: str, envelope: Envelope) -> bytes:
    """For the bus, where others may speak, too: marked as of somebody who knows the key (64 bytes at most),
    for this receiver, or for ``ALL``.
    """
    data = encode(envelope)
    return _mark(key, to, data) + data


def opened(key: bytes, own_id: str, message: bytes) -> Envelope:
    """What was sealed for this receiver, or for ``ALL``. Raises ``Forged`` and ``msgspec.MsgspecError``."""
    mark, data = message[:_MARK_BYTES], message[_MARK_BYTES:]
    if not any(compare_digest(mark, _mark(key, to, data)) for to in (own_id, ALL)):
        raise Forged
    return _decode(data)
