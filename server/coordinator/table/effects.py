"""What an input leads to: a new table, what is to be written and told, and what the actor has to do."""

from collections.abc import Callable
from random import Random

from msgspec import Struct

from server.coordinator.messages import Happening, Reply
from server.coordinator.table.inputs import Asked, Turn
from server.coordinator.table.model import Table
from server.coordinator.table.play import Action
from server.coordinator.table.timers import TableTimer
from server.coordinator.timing import TableLimits, Timing


class Release(Struct, frozen=True):
    """Somebody is in the lobby again, and told ``why`` unless it was his or her own wish."""

    player: str
    why: Happening | None = None


class Show(Struct, frozen=True):
    """Show the table to somebody who has just come."""

    player: str


class CountGame(Struct, frozen=True):
    """A game has begun that counts for this player, and for where he or she comes from."""

    player: str
    source: str


class AskBots(Struct, frozen=True):
    """Have bots choose cards for these seats; answered by ``BotsChose``."""

    asked: TableTimer | Turn
    seats: tuple[int, ...]


class CheckWord(Struct, frozen=True):
    """Check an invitation word, which takes a while; answered by ``WordChecked``."""

    asked: Asked
    word: str


class HashWord(Struct, frozen=True):
    """Hash an invitation word, which takes a while; answered by ``WordHashed``."""

    word: str


class Shut(Struct, frozen=True):
    """The table is no more; whoever is there is told ``why``."""

    why: Happening | None = None


Effect = Release | Show | CountGame | AskBots | CheckWord | HashWord | Shut


class Step(Struct, frozen=True):
    """What an input has led to. ``table`` is the very same when nothing has changed."""

    table: Table
    events: tuple[Happening, ...] = ()
    """To be told to everybody here."""
    actions: tuple[Action, ...] = ()
    """Done in the game: to be written with the table."""
    effects: tuple[Effect, ...] = ()
    """To be done when the table has been written."""
    reply: Reply = Reply()
    only: int | None = None
    """The one seat that sees a difference; ``None`` for everybody."""
    apart: bool = False
    """What happened has nothing to do with the round: spectators who are a round behind hear it at once."""


class Env(Struct, frozen=True):
    """What a decision depends on besides the table and the input."""

    now: float
    timing: Timing
    limits: TableLimits
    rng: Random
    """For delays and the names of bots; has nothing to do with any seed."""
    new_seed: Callable[[], bytes]
    """32 secret random bytes."""
    may_begin: Callable[[str, str], Reply]
    """Whether the player with this id, who comes from there, may begin another game."""
    is_connected: Callable[[str], bool]
    """Whether a player can be reached: the table may not know yet of a connection that has ended."""
