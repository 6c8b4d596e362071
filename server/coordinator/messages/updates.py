"""What a feed hands out."""

from server.coordinator.messages.base import Message
from server.coordinator.messages.chat import ChatLine
from server.coordinator.messages.events import Happening
from server.coordinator.messages.tables import LobbySnapshot, TableSnapshot


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
