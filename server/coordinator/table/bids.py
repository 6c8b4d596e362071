"""During a game: bids of players and bots, the clock, and what follows from the last bid."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import structlog

from engine.errors import IllegalAction
from server.coordinator.messages import (
    CameBack,
    Happening,
    Motion,
    Occupant,
    Pace,
    PlaceBid,
    Reply,
    StageScored,
    StageStarted,
    Status,
    SubstituteBidFor,
    WentAway,
)
from server.coordinator.table import idle_timers, seat_claims
from server.coordinator.table.model import TableState
from server.coordinator.table.play import Bid, play
from server.coordinator.table.timers import Task, TimerKind
from server.storage.store import StoreError

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table

_log = structlog.get_logger("table")

_MISSES_TO_BE_AWAY = 2


async def place_bid(table: "Table", number: int, command: PlaceBid) -> Reply:
    """A player bids a card, or replaces it."""
    state = table.state
    if state.game is None or state.status is Status.OPEN:
        return Reply("not_playing")
    here = state.moment
    asked, now = (command.stage, command.round), (here.stage, here.round)
    if asked < now:
        return Reply("too_late")
    if state.status is Status.OVER:
        return Reply("game_over")
    if asked > now:
        return Reply("wrong_round")
    if state.pause:
        return Reply("paused")
    seat = state.seats[number]
    happenings: list[Happening] = [CameBack(number, seat.name)] if seat.away else []
    if seat.away or seat.missed:
        state = state.with_seat(number, replace(seat, away=False, missed=0))
    try:
        await act(table, state, [Bid(number, command.card)], happenings, bidder=number)
    except IllegalAction as error:
        return Reply(error.code, error.details)
    return Reply()


async def bot_bids(table: "Table", task: Task) -> None:
    """The time has come for a bot to bid for a seat."""
    state = table.state
    if task.moment != state.moment or not state.running or not state.owes_bid(task.seat):
        return
    seat = state.seats[task.seat]
    if seat.human and not (seat.away and table.connected):
        # Somebody is back; or nobody is here to wait for it, and the round has its time.
        return
    await act(table, state, [_bots_choice(table, task.seat)])


def _is_left_to_bots(table: "Table") -> bool:
    """Whether no person plays or watches here any more."""
    return not table.spectators and not table.state.has_people


async def take_turn(table: "Table") -> None:
    """Among the games that are left to their bots it is this one's turn: a round is bid at once."""
    background = table.house.background
    if not _is_left_to_bots(table):
        background.leave(table)
        plan_round(table, 0.0)
        return
    rest = 0.0
    try:
        if table.state.running:
            bids = []
            for number in range(len(table.state.seats)):
                if table.state.owes_bid(number):
                    bids.append(_bots_choice(table, number))
                    # Somebody elsewhere may have bid meanwhile.
                    await asyncio.sleep(0)
            if bids:
                await act(table, table.state, bids)
    except StoreError as error:
        table.storage_failed(error)
        background.join(table)
        rest = table.house.timing.retry
    finally:
        background.done(table, rest)


async def time_up(table: "Table", task: Task) -> None:
    """The round's bids were due: bots bid for whoever has not."""
    state = table.state
    if task.moment != state.moment or not state.running:
        return
    bids: list[Bid] = []
    happenings: list[Happening] = []
    for number, seat in enumerate(table.state.seats):
        if not table.state.owes_bid(number):
            continue
        bids.append(_bots_choice(table, number))
        if not seat.human:
            continue
        happenings.append(SubstituteBidFor(number, seat.name))
        missed = seat.missed + 1
        away = seat.away or missed >= _MISSES_TO_BE_AWAY or table.absent_since(number) > 0
        if away and not seat.away:
            happenings.append(WentAway(number, seat.name))
        state = state.with_seat(number, replace(seat, away=away, missed=missed))
    await act(table, state, bids, happenings)


async def act(
    table: "Table",
    state: TableState,
    bids: Sequence[Bid],
    happenings: Sequence[Happening] = (),
    *,
    bidder: int = -1,
) -> None:
    """Seal ``bids`` in ``state`` and do everything that follows; write it, and tell it.

    ``bidder`` is the seat of a player who bids. Raises ``IllegalAction`` or ``StoreError``; then
    nothing has happened.
    """
    assert state.game is not None
    assert table.deal is not None
    played = play(state.game, state.bids, table.deal, bids)
    before = state.moment
    state = replace(state, game=played.game, bids=played.bids)
    happenings = [*happenings, *played.events]
    scored = any(isinstance(event, StageScored) for event in played.events)
    allowance = table.house.timing.stage if scored else table.house.timing.reveal
    over = played.game.over
    if scored and not over:
        state, more = seat_claims.with_claims(table, state)
        # The stage that begins is theirs, the one that is over was the bots'.
        begins = next(n for n, each in enumerate(happenings) if isinstance(each, StageStarted))
        happenings = [*happenings[:begins], *more, *happenings[begins:]]
    revealed = over or state.moment != before
    if over:
        state = replace(
            state,
            status=Status.OVER,
            played_by=state.names,
            deadline=0.0,
            ballots=frozenset(),
        )
    elif revealed:
        lasting = {ballot for ballot in state.ballots if ballot.motion is Motion.REPLACE}
        state = replace(state, ballots=frozenset(lasting))
        state = with_deadline(table, state, allowance)
    # A replaced bid is nobody else's business: no happening, and no update for the others.
    only = bidder if not happenings else None
    with seat_claims.taken_in(table, state):
        await table.commit(state, happenings, actions=played.actions, only=only)
    if over:
        stop_clock(table)
        idle_timers.deserted(table)
        await idle_timers.close_if_empty(table)
    elif revealed:
        plan_round(table, allowance)
    elif bidder >= 0:
        _hurry(table)


def with_deadline(table: "Table", state: TableState, allowance: float) -> TableState:
    """The round begins now; its clock starts after ``allowance`` seconds."""
    now = table.house.clock.time()
    timed = state.options.pace is not Pace.UNTIMED
    deadline = now + allowance + state.options.seconds if timed else 0.0
    return replace(state, opened=now, deadline=deadline)


def plan_round(table: "Table", allowance: float) -> None:
    """Plan the bots' bids and the end of the round; ``allowance`` seconds are for reading."""
    stop_clock(table)
    state = table.state
    if not state.running:
        return
    for number in range(len(state.seats)):
        plan_bot(table, number, allowance)
    if state.deadline:
        table.agenda.plan(state.deadline, TimerKind.TIME_UP, moment=state.moment)


def plan_bot(table: "Table", number: int, allowance: float = 0.0) -> None:
    """Plan the bid for this seat, if a bot has to make it. The time tells nothing of its cards."""
    state, timing = table.state, table.house.timing
    if not state.running or not state.owes_bid(number):
        return
    seat = state.seats[number]
    delay = allowance + table.rng.uniform(timing.bot_least, timing.bot_most)
    if seat.human:
        # In a correspondence game the deadline is soon enough.
        if not seat.away or state.options.pace is Pace.CORRESPONDENCE:
            return
        delay = timing.away
    elif _is_left_to_bots(table):
        table.house.background.join(table)
        return
    table.agenda.plan(table.house.clock.time() + delay, TimerKind.BID, number, state.moment)


def stop_clock(table: "Table") -> None:
    """No bot bids and no time is up, until a round is planned again."""
    table.agenda.clear(TimerKind.BID)
    table.agenda.drop(TimerKind.TIME_UP)


def _hurry(table: "Table") -> None:
    """Once every person has bid, nobody reads any more: bots need not wait for that."""
    state, timing = table.state, table.house.timing
    seats = list(enumerate(state.seats))
    if any(state.owes_bid(n) and seat.human and not seat.away for n, seat in seats):
        return
    now = table.house.clock.time()
    for number, seat in seats:
        planned = table.agenda.when(TimerKind.BID, number)
        soon = now + table.rng.uniform(timing.hurried_least, timing.hurried_most)
        if planned is not None and not seat.human and soon < planned:
            table.agenda.plan(soon, TimerKind.BID, number, state.moment)


def _bots_choice(table: "Table", number: int) -> Bid:
    seat = table.state.seats[number]
    view = table.view_of(number)
    try:
        card = table.house.choose(seat.plays, view, table.rng)
    except Exception as error:
        _log.error("bot_failed", table=table.id, strategy=seat.plays, error=type(error).__name__)
        card = 0
    if card not in view.hand:
        card = table.rng.choice(view.hand)
    own = seat.occupant is Occupant.BOT and not seat.left
    return Bid(number, card, substitute=not own)
