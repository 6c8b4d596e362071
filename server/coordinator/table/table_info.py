"""What everybody may know of a table, built field by field from its state."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.bots import SUBSTITUTE_STRATEGY
from engine.state import Phase
from server.coordinator.messages import (
    Motion,
    Occupant,
    SeatInfo,
    Status,
    TableInfo,
    TableRow,
    VoteInfo,
)
from server.coordinator.table.model import Seat, TableState


class TableContext(NamedTuple):
    """What a table knows besides its state."""

    absent: tuple[float, ...]
    """A seat each: since when the player's line is down; 0 while it is not."""
    replaceable: tuple[bool, ...]
    """A seat each: whether the others may vote to replace the player."""
    votes: tuple[VoteInfo, ...]
    spectators: int
    closing: float
    claimed: tuple[str, ...]
    """A seat each: who will take the bot's place; empty for nobody."""
    kept_for: float
    """See ``TableInfo``."""


def table_info(state: TableState, around: TableContext) -> TableInfo:
    """See ``TableInfo``. The seed is shown only when nothing can follow from it any more."""
    over = state.status is Status.OVER
    return TableInfo(
        id=state.id,
        title=state.title,
        options=state.options,
        status=state.status,
        owner=state.owner,
        seats=tuple(_seat_info(seat, n, around) for n, seat in enumerate(state.seats)),
        game=state.number,
        commitment=state.commitment,
        seed=state.seed.hex() if over else "",
        deadline=state.deadline if state.running else 0.0,
        spectators=around.spectators,
        pause=state.pause,
        ended=state.ended,
        votes=around.votes,
        closing=around.closing,
        private=bool(state.word),
        played_by=state.played_by,
        kept_for=around.kept_for,
    )


def _seat_info(seat: Seat, number: int, around: TableContext) -> SeatInfo:
    return SeatInfo(
        occupant=seat.occupant,
        name=seat.name,
        strategy=seat.strategy or (SUBSTITUTE_STRATEGY if seat.away else ""),
        connected=seat.occupant is Occupant.BOT or (seat.human and not around.absent[number]),
        away=seat.away,
        rematch=seat.rematch,
        left=seat.left,
        absent_since=around.absent[number],
        replaceable=around.replaceable[number],
        kept=seat.kept,
        claimed=around.claimed[number],
    )


def table_row(
    state: TableState, spectators: int, present: int, ratings: Sequence[int] = ()
) -> TableRow:
    """See ``TableRow``. ``ratings`` are those of the people who sit there, as far as they have any."""
    game = state.game
    return TableRow(
        id=state.id,
        title=state.title,
        options=state.options,
        status=state.status,
        names=tuple(seat.name for seat in state.seats),
        bots=sum(seat.occupant is Occupant.BOT for seat in state.seats),
        stage=game.stage.number if game and game.phase is not Phase.OVER else 0,
        spectators=spectators,
        kept=sum(bool(seat.kept) for seat in state.seats),
        ratings=(min(ratings), max(ratings)) if ratings else None,
        present=present,
    )


def vote_infos(
    state: TableState, connected: frozenset[int], awaited: frozenset[int]
) -> tuple[VoteInfo, ...]:
    """The votes in progress, in a fixed order. ``connected`` are the seats of connected people, ``awaited``
    those and the seats of who has only just been lost.
    """
    subjects = sorted({(ballot.motion, ballot.target) for ballot in state.ballots})
    return tuple(
        VoteInfo(
            motion,
            target,
            tuple(
                sorted(
                    ballot.seat
                    for ballot in state.ballots
                    if (ballot.motion, ballot.target) == (motion, target)
                )
            ),
            needed(motion, target, awaited if motion is Motion.END else connected),
        )
        for motion, target in subjects
    )


def needed(motion: Motion, target: int, people: frozenset[int]) -> int:
    """How many must agree: more than half of the people who count to replace somebody, else all."""
    voters = len(people - {target})
    return voters // 2 + 1 if motion is Motion.REPLACE else voters
