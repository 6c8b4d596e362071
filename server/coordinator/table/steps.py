"""What can come to a table, and what that leads to: a new table, what is to be written, told and done."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import Struct

from server.coordinator import messages as m
from server.coordinator.messages import Command, Happening, Player, Reply
from server.coordinator.table.play import Action
from server.coordinator.table.state import Member, Table, Thought
from server.coordinator.table.timers import TableTimer
from server.settings.settings import TableLimits, Timing


class GoAway(Struct, frozen=True):
    """Stop watching, or get up after a game, because the player goes somewhere else.

    Refused if he or she plays here by now. ``soon``: only keep a seat, and begin no other game with the
    player; refused also if that is a seat at a table that has not begun, but not where it is by
    correspondence.
    """

    soon: bool = False


class Asked(Struct, frozen=True):
    """Somebody has given a command; first of all, the one with which the table was opened."""

    who: Member
    command: Command | GoAway


class Arranged(Struct, frozen=True):
    """Arrange the players of an event's game at this table, which has just been opened for it.

    People, connected or not, and bots by their strategies, a seat each. A bot has the seat of a ``Player``
    until he or she comes.
    """

    seats: tuple[Member | Player | str, ...]


class Came(Struct, frozen=True):
    """Somebody who sits or watches here is connected, perhaps anew or under another name.

    Or, playing by correspondence, looks at something else (``who.absent``).
    """

    who: Member


class Gone(Struct, frozen=True):
    """The connection of somebody who sits or watches here is down."""

    player: str


class Rated(Struct, frozen=True):
    """How strong somebody is who sits here is known by now, as ``Member`` has it."""

    player: str
    rating: int | None
    level: int


class Alone(Struct, frozen=True):
    """The bots bid, at a table where nobody plays or watches any more: one such game goes on at a time."""


class BotsChose(Struct, frozen=True):
    """The answer to ``AskBots``: a card for each seat that was asked about."""

    asked: TableTimer | Alone
    cards: Mapping[int, int]


class Announced(Struct, frozen=True):
    """The server goes down at ``when``; 0: it stays after all."""

    when: float


class Close(Struct, frozen=True):
    """The table has to go; ``code`` is why (see ``SentBack``). ``deserted``: unless somebody plays there."""

    code: str
    deserted: bool = False


class Restarted(Struct, frozen=True):
    """The table has just been read from the store, and nobody is connected."""


Request = Asked | Close | Arranged | Alone
"""What is answered when its turn has come."""
Input = Request | Came | Gone | Rated | Announced | Restarted | BotsChose | Thought | TableTimer
"""A timer that is due is ignored unless the table still waits for it."""


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
    """Have bots choose cards for these seats, or take those that they have; answered by ``BotsChose``."""

    asked: TableTimer | Alone
    seats: tuple[int, ...]


class CountGuess(Struct, frozen=True):
    """Somebody has given a wrong invitation word."""

    who: Member


class Invite(Struct, frozen=True):
    """A seat is kept for whoever is called that, by this player: tell him or her."""

    name: str
    by: Player


class Shut(Struct, frozen=True):
    """The table is no more; whoever is there is told ``why``."""

    why: Happening | None = None


Effect = Release | Show | CountGame | AskBots | CountGuess | Invite | Shut


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
    apart: bool = False
    """What happened has nothing to do with the round: spectators who are a round behind hear it at once."""


class Env(Struct, frozen=True):
    """What a decision depends on besides the table and the input, as it is at that moment."""

    now: float
    timing: Timing
    limits: TableLimits
    rng: Random
    """For delays and the names of bots; has nothing to do with any seed."""
    seed: bytes
    """32 secret random bytes for a game that begins; empty while one goes on."""
    too_many: Mapping[str, Reply]
    """Refusals for those with a seat who may not begin another game now, by player id."""
    unreachable: frozenset[str]
    """Ids of those who claim a seat and cannot be reached: the table may not know of that yet."""
    guessed_too_often: bool = False
    """Too many wrong invitation words were given lately by who asks, from there, or in all."""

    def __repr__(self) -> str:
        """Without the seed."""
        return f"Env({self.now!r})"

    def check_may_begin(self, player: str) -> None:
        """Whether the player with this id may begin another game. Raises ``Refused``."""
        self.too_many.get(player, Reply()).raise_if_refused()


C = TypeVar("C", bound=m.TableCommand)


class By(NamedTuple):
    """A command and the seat it comes from."""

    seat: int
    asked: Asked


class Handler(NamedTuple):
    """The function that carries out a command, and where it is allowed."""

    carry_out: Callable[[Table, By, Any, Env], Step]
    """Raises ``Refused`` and ``IllegalAction``."""
    owner: bool
    """Only for who owns the table."""
    before_game: bool
    """Only before a game."""
    in_events: bool
    """Also in games of events."""


HANDLERS: Final[dict[type, Handler]] = {}
"""By the command."""


def command(
    kind: type[C], *, owner: bool = False, before_game: bool = False, in_events: bool = True
) -> Callable[[Callable[[Table, By, C, Env], Step]], Callable[[Table, By, C, Env], Step]]:
    """The function below carries out commands of this kind."""

    def declared(
        carry_out: Callable[[Table, By, C, Env], Step],
    ) -> Callable[[Table, By, C, Env], Step]:
        HANDLERS[kind] = Handler(carry_out, owner, before_game, in_events)
        return carry_out

    return declared


def check_round(table: Table, meant: m.PlaceBid | m.Guess) -> None:
    """Whether the round that is meant goes on. Raises ``Refused``."""
    m.refuse_if(table.game is None or table.status is m.Status.OPEN, m.Refusal.NOT_PLAYING)
    asked, now = (meant.stage, meant.round), (table.epoch.stage, table.epoch.round)
    m.refuse_if(asked < now, m.Refusal.TOO_LATE)
    m.refuse_if(table.status is m.Status.OVER, m.Refusal.GAME_OVER)
    m.refuse_if(asked > now, m.Refusal.WRONG_ROUND)
    m.refuse_if(table.pause, m.Refusal.PAUSED)


def carried_out(table: Table, by: By, env: Env) -> Step:
    """What the command leads to. Raises ``Refused`` and ``IllegalAction``."""
    given = by.asked.command
    handler = HANDLERS.get(type(given))
    if handler is None:
        raise m.Refused(m.Refusal.SEATED_ELSEWHERE)
    m.refuse_if(table.event and not handler.in_events, m.Refusal.EVENT_GAME)
    m.refuse_if(handler.owner and by.seat != table.owner, m.Refusal.NOT_OWNER)
    m.refuse_if(handler.before_game and table.status is not m.Status.OPEN, m.Refusal.NOT_OPEN)
    return handler.carry_out(table, by, given, env)
