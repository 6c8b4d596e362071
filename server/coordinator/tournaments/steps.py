"""What can come to a tournament, and what that leads to: what it is then, and what is to be done."""

from msgspec import Struct

from server.coordinator import messages as m
from server.coordinator.tournaments.state import Held
from server.settings.settings import Timing
from server.storage.events import Event, EventGame


class Asked(Struct, frozen=True):
    """A player, who comes from there (``source``), wants this; or, without one, the operators."""

    player: m.Player | None
    command: m.DirectedCommand
    source: str = ""


class Look(Struct, frozen=True):
    """Something may have to be done by now: the time has come, or something has happened at a table."""


class Seen(Struct, frozen=True):
    """The answer to ``See``. Tables are counted from 0."""

    asked: "See"
    over: frozenset[int]
    """The tables where no game goes on any more."""
    listed: frozenset[int]
    """The tables that the lobby knows of."""
    there: frozenset[int]
    """And those besides that the store has: they may be read back just now."""
    games: tuple[EventGame, ...]
    """The games that are over."""
    entered: frozenset[str]
    """Ids of the people who have begun to play."""


class Stuck(Struct, frozen=True):
    """Our own code fails here again and again; or does not any more."""

    stuck: bool


Input = Asked | Look | Seen | Stuck


class See(Struct, frozen=True):
    """Find out what has become of the tables of the round with this event; answered by ``Seen``."""

    event: str
    close: bool = False
    """The round is closed then."""


class OpenTables(Struct, frozen=True):
    """Open these tables (from 0) of the round that goes on."""

    tables: tuple[int, ...]


class Settle(Struct, frozen=True):
    """Break off what still goes on of rounds that do not, and make their deals and games public."""


class LookAgain(Struct, frozen=True):
    """Look again in a moment."""


class Tell(Struct, frozen=True):
    """Tell these players, by their ids."""

    players: tuple[str, ...]
    word: m.ServerMessage


Effect = See | OpenTables | Settle | LookAgain | Tell


class Step(Struct, frozen=True):
    """What an input has led to. ``held`` is the very same when nothing has changed."""

    held: Held
    effects: tuple[Effect, ...] = ()
    """To be done when the tournament has been written."""
    event: Event | None = None
    """That of a round that begins: to be written with the tournament."""
    reply: m.Reply = m.Reply()


class Env(Struct, frozen=True):
    """What a decision depends on besides the tournament and the input, as it is at that moment."""

    now: float
    timing: Timing
    connected: frozenset[str]
    """Ids of the people who are."""
    seed: bytes
    """32 secret random bytes for a round that begins."""

    def __repr__(self) -> str:
        """Without the seed."""
        return f"Env({self.now!r})"
