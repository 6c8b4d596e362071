"""What somebody is shown who watches whatever goes on, and what the next table is for who looks around."""

from collections.abc import Iterable, Sequence
from math import inf
from typing import Final, NamedTuple

from server.coordinator.messages import Pace, Status, TableRow, TournamentInfo, TournamentPhase

RESULT_SECONDS: Final = 120.0
"""How long the result of a tournament stays, and, while nothing is played, that of a game."""

_RUNNING: Final = (TournamentPhase.PLAYING, TournamentPhase.BREAK)


class Following(NamedTuple):
    """What somebody is shown now."""

    standings: bool = False
    """Standings of tournaments come before tables."""
    table: str = ""
    """The code of a table; empty in the lobby."""
    rank: int = 0
    """How lively it is (``rank``) ..."""
    since: float = 0.0
    """... and since when."""


class Decision(NamedTuple):
    """What to show: a table, the standings of a tournament, or, without either, how to join."""

    table: str = ""
    tournament: str = ""
    until: float = inf
    """When to decide again, in seconds since 1970, if nothing changes before."""


def rank(row: TableRow) -> int:
    """How lively a table is: a game in progress, people who wait for others, a game by correspondence; 0 for
    what is over, and where nobody is connected.
    """
    if not row.present or row.status is Status.OVER:
        return 0
    if row.options.pace is Pace.CORRESPONDENCE:
        return 1
    return 3 if row.status is Status.PLAYING else 2


def what_to_show(
    rows: Sequence[TableRow],
    tournaments: Iterable[TournamentInfo],
    now: Following,
    time: float,
    *,
    most: int,
    stay: float,
) -> Decision:
    """For who is shown ``now``: the newest tournament that runs, or has just ended; then the liveliest table
    that fewer than ``most`` watch, but for ``stay`` seconds the one that is shown; then how to join.
    """
    if now.standings:
        shown = tuple(tournaments)
        for each in shown:
            if each.phase in _RUNNING:
                return Decision(tournament=each.id)
        ended = max(shown, key=lambda each: each.ended, default=None)
        if ended is not None and time < ended.ended + RESULT_SECONDS:
            return Decision(tournament=ended.id, until=ended.ended + RESULT_SECONDS)
    lively = [row for row in _watchable(rows, most) if rank(row)]
    best = max(lively, key=lambda row: (*_busy(row), row.spectators), default=None)
    # A table that has become private is nothing for a screen that anybody sees.
    here = next((row for row in rows if row.id == now.table), None)
    if here is None:
        return Decision(best.id if best is not None else "")
    if best is None:
        until = inf if rank(here) else now.since + RESULT_SECONDS
    else:
        until = now.since + stay if _busy(best) > _busy(here) else inf
    if until <= time:
        return Decision(best.id if best is not None else "")
    return Decision(here.id, until=until)


def next_busiest(rows: Sequence[TableRow], here: str, most: int) -> TableRow | None:
    """The table after the one with the code ``here``, from the busiest to the quietest, and after the last
    one the first; ``None`` where there is no other.
    """
    others = [row for row in _watchable(rows, most) if row.id != here]
    current = next((row for row in rows if row.id == here), None)
    if current is None:
        return max(others, key=_busy, default=None)
    place = _busy(current), current.id
    quieter = [row for row in others if (_busy(row), row.id) < place]
    return max(quieter or others, key=lambda row: (_busy(row), row.id), default=None)


def _busy(row: TableRow) -> tuple[int, int]:
    """The higher, the busier. Who watches does not count: that changes as somebody looks around."""
    return rank(row), row.present


def _watchable(rows: Iterable[TableRow], most: int) -> list[TableRow]:
    return [row for row in rows if row.options.spectators.allowed and row.spectators < most]
