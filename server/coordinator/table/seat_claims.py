"""People who take a bot's place while a game goes on: between two stages, in games that are not rated; or
after a game, for the next one at that table.

Nobody who has held a seat in a game gets another one in it. Where a bot plays on for somebody who left,
the result is still the leaver's: that place is nobody else's.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from server.coordinator.messages import (
    Claimed,
    Happening,
    JoinTable,
    NewOwner,
    Occupant,
    Reply,
    Spectating,
    Status,
    TookOver,
)
from server.coordinator.people.presence import Presence
from server.coordinator.table.model import TableState, human
from server.coordinator.table.timers import TimerKind
from server.storage.store import StoreError

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table


async def claim(table: "Table", presence: Presence, command: JoinTable) -> Reply:
    """A player would like to play on for a bot. Until that is possible, he or she watches."""
    state, player = table.state, presence.player
    refusal = _may_claim(table, presence)
    if not refusal.ok:
        return refusal
    others = {seat for who, seat in table.claims.items() if who != player.id}
    free = [n for n, seat in enumerate(state.seats) if _is_bots(state, n) and n not in others]
    wanted = command.seat if command.seat >= 0 else table.claims.get(player.id, -1)
    if not free or (command.seat >= 0 and command.seat not in free):
        return Reply("no_bot_seat")
    seat = wanted if wanted in free else _first_to_free(state, free)
    if player.id not in table.spectators:
        if len(table.spectators) >= table.house.limits.spectators:
            return Reply("too_many_spectators")
        table.take_in(presence, seated=False)
    table.claims[player.id] = seat
    if _stage_has_just_begun(state, seat):
        after, happenings = with_claims(table, state, only=player.id)
        with taken_in(table, after):
            await table.commit(after, happenings)
        if table.state.seat_of(player.id) == seat:
            # Nobody else bids for this seat any more.
            table.agenda.drop(TimerKind.BID, seat)
    else:
        table.tell([Claimed(seat, player.name)], apart=True)
        table.show(presence)
    return Reply()


def _may_claim(table: "Table", presence: Presence) -> Reply:
    options = table.state.options
    if options.rated:
        playing = table.state.status is Status.PLAYING
        return Reply("already_playing" if playing else "not_open")
    if table.state.status is Status.PLAYING and table.state.has_held(presence.player.id):
        return Reply("held_seat")
    if table.state.status is Status.OVER and not any(seat.human for seat in table.state.seats):
        # Nobody is left who could ask for another game.
        return Reply("no_bot_seat")
    if options.spectators is Spectating.NONE:
        # There is nowhere to wait.
        return Reply("no_spectators")
    return Reply()


def _is_bots(state: TableState, number: int) -> bool:
    """Whether somebody could play on for a bot there. When the game is over, whoever has left it keeps
    nothing but the result.
    """
    seat = state.seats[number]
    return seat.occupant is Occupant.BOT and (not seat.left or state.status is Status.OVER)


def _first_to_free(state: TableState, free: list[int]) -> int:
    """A seat where one can begin at once, if there is any."""
    return next((number for number in free if _stage_has_just_begun(state, number)), free[0])


def _stage_has_just_begun(state: TableState, seat: int) -> bool:
    """A stage but the first has begun, and the bot on this seat has not bid in it: nothing is lost."""
    game = state.game
    return (
        game is not None
        and state.running
        and game.stage.number > 0
        and not game.stage.rounds
        and state.owes_bid(seat)
    )


def with_claims(
    table: "Table", state: TableState, only: str = ""
) -> tuple[TableState, list[Happening]]:
    """``state`` with everybody on the seat they have claimed, or only one player; and what to tell."""
    happenings: list[Happening] = []
    stage = state.game.stage.number if state.game else 0
    for player, number in table.claims.items():
        presence = table.spectators.get(player)
        seat = state.seats[number] if number < len(state.seats) else None
        if (only and player != only) or presence is None or seat is None:
            continue
        if presence.feed is None or presence.feed.closed:
            # The line has dropped, or is about to be cut.
            continue
        held = stage > 0 and state.has_held(player)
        if not _is_bots(state, number) or held or state.seat_of(player) >= 0:
            continue
        sitting = replace(human(presence.player), since=stage)
        state = replace(state.with_seat(number, sitting), deserted=0.0)
        happenings.append(TookOver(number, sitting.name, seat.name))
        if state.owner < 0:
            state = replace(state, owner=number)
            happenings.append(NewOwner(number, sitting.name))
    return state, happenings


@contextmanager
def taken_in(table: "Table", state: TableState) -> Iterator[None]:
    """While ``state`` is being written, who takes a bot's place in it belongs to the seated."""
    new = [
        presence
        for player, presence in list(table.spectators.items())
        if player in table.claims and state.seat_of(player) >= 0
    ]
    claims = dict(table.claims)
    for presence in new:
        table.spectators.pop(presence.player.id)
        table.claims.pop(presence.player.id)
        table.take_in(presence, seated=True)
    try:
        yield
    except StoreError:
        for presence in new:
            table.people.pop(presence.player.id)
            table.take_in(presence, seated=False)
        table.claims = claims
        raise
    if new:
        table.agenda.drop(TimerKind.NOBODY)
