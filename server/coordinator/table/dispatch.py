"""Which function carries out what somebody with a seat asks of a table: it stands below ``@command``."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from server.coordinator import messages as m
from server.coordinator.table.state import Table
from server.coordinator.table.steps import Asked, Env, Step

C = TypeVar("C", bound=m.TableCommand)


class By(NamedTuple):
    """Whose command it is."""

    seat: int
    asked: Asked


class Handler(NamedTuple):
    """How a command is carried out, and where."""

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
