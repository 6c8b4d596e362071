"""During a game: bids of players and bots, when bots bid, and what follows from the last bid; and guesses.

Players who are out of a stage guess each round who takes the higher tide card, for a score of its own.
Guesses are seen by nobody until the round is revealed, and are not kept in the store.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.errors import IllegalAction
from server.coordinator import messages as m
from server.coordinator.table.play import Bid, play
from server.coordinator.table.seats import with_claims
from server.coordinator.table.state import Table, Thought
from server.coordinator.table.steps import (
    Alone,
    AskBots,
    BotsChose,
    By,
    Env,
    Step,
    check_round,
    command,
)
from server.coordinator.table.timers import TableTimer, TimerKind, due, overdue_seats

_MISSES_TO_BE_AWAY = 2


@command(m.PlaceBid)
def place_bid(table: Table, by: By, bid: m.PlaceBid, env: Env) -> Step:
    """A player bids a card, or replaces it."""
    check_round(table, bid)
    here = table.epoch
    back = _back(table, by.seat)
    step = _sealed(back.table, [Bid(by.seat, bid.card)], env, back.events)
    hurries = step.events and step.table.epoch == here  # a replaced bid is nobody else's business
    return replace(step, table=_hurried(step.table, env)) if hurries else step


@command(m.AskHint)
def hint(table: Table, by: By, _: m.AskHint, env: Env) -> Step:
    """A player asks for a hint, which is noted for the record."""
    game, here = table.game, (table.epoch.stage, table.epoch.round)
    m.refuse_if(not table.options.hints or table.counts, m.Refusal.NO_HINTS)
    m.refuse_if(game is None or table.status is m.Status.OPEN, m.Refusal.NOT_PLAYING)
    m.refuse_if(table.status is m.Status.OVER, m.Refusal.GAME_OVER)
    m.refuse_if(table.pause, m.Refusal.PAUSED)
    m.refuse_if(game is not None and not game.stage.hands[by.seat], m.Refusal.ELIMINATED)
    seat = table.seats[by.seat]
    if here in seat.hints:
        return Step(table)
    return Step(table.with_seat(by.seat, replace(seat, hints=(*seat.hints, here))))


@command(m.Skip)
def skip(table: Table, by: By, _: m.Skip, env: Env) -> Step:
    """A player who is out wants the end of the stage without pauses."""
    m.refuse_if(table.skip is None, m.Refusal.NO_SKIP)
    if by.seat in table.skips:
        return Step(table)
    back = _back(table, by.seat)
    after = replace(back.table, skips=table.skips | {by.seat})
    return Step(after, (*back.events, m.Skipped(by.seat, table.seats[by.seat].name)))


@command(m.Touch)
def touch(table: Table, by: By, _: m.Touch, env: Env) -> Step:
    """A player pressed a key."""
    return _back(table, by.seat)


def _back(table: Table, number: int) -> Step:
    seat = table.seats[number]
    if not seat.away and not seat.missed:
        return Step(table)
    after = table.with_seat(number, replace(seat, away=False, missed=0))
    return Step(after, (m.CameBack(number, seat.name),) if seat.away else ())


def ask_bots(table: Table, asked: TableTimer | Alone, env: Env) -> Step:
    """The time has come for bots to bid: for those whose time it is, or for all that have not."""
    if not table.running:
        return Step(table)
    if isinstance(asked, Alone):
        seats = [number for number in range(len(table.seats)) if table.owes_bid(number)]
    elif asked.kind is TimerKind.BID:
        now = [each for each in due(table, env.timing) if each.when <= asked.when]
        seats = [each.seat for each in now if each.kind is TimerKind.BID]
    else:
        seats = overdue_seats(table)
    return Step(table, effects=(AskBots(asked, tuple(seats)),) if seats else ())


def thought(table: Table, given: Thought) -> Step:
    """A thinking bot has chosen, or cannot."""
    if given[:3] != table.epoch[:3] or not table.thinks(given.seat):
        return Step(table)
    kept = [each for each in table.thoughts if each[:3] == given[:3]]
    return Step(replace(table, thoughts=(*kept, given)))


def bots_chose(table: Table, given: BotsChose, env: Env) -> Step:
    """Bots bid the cards that they have chosen; when time was up, also for people."""
    asked = given.asked
    stale = isinstance(asked, TableTimer) and asked.epoch != table.epoch
    bids = [
        Bid(seat, card, substitute=not table.is_bots(seat))
        for seat, card in given.cards.items()
        if table.owes_bid(seat)
    ]
    if stale or not table.running or not bids:
        return Step(table)
    late = isinstance(asked, TableTimer) and asked.kind is TimerKind.TIME_UP
    before, events = _missed(table, bids) if late else (table, [])
    try:
        return _sealed(before, bids, env, events)
    except IllegalAction:  # no card of the hand: the actor does not let that come
        return Step(table)


def _missed(table: Table, bids: Sequence[Bid]) -> tuple[Table, list[m.Happening]]:
    """Time was up for these seats: bots bid for their people, who may be away from now on."""
    events: list[m.Happening] = []
    for number, *_ in bids:
        seat = table.seats[number]
        if not seat.human:
            continue
        events.append(m.SubstituteBid(number, seat.name))
        missed = seat.missed + 1
        away = seat.away or missed >= _MISSES_TO_BE_AWAY or table.absent_since(number) > 0
        if away and not seat.away:
            events.append(m.WentAway(number, seat.name))
        table = table.with_seat(number, replace(seat, away=away, missed=missed))
    return table, events


def _with_bot_bids(table: Table, bids: Sequence[Bid]) -> Table:
    """Note for which people bots bid in this round."""
    here = table.epoch.stage, table.epoch.round
    for bid in bids:
        seat = table.seats[bid.seat]
        if (here in seat.bot_bids) is not bid.substitute:
            others = [each for each in seat.bot_bids if each != here]
            noted = (*others, *[here] * bid.substitute)
            table = table.with_seat(bid.seat, replace(seat, bot_bids=noted))
    return table


def _sealed(table: Table, bids: Sequence[Bid], env: Env, events: Sequence[m.Happening]) -> Step:
    """Seal ``bids`` and do everything that follows. Raises ``IllegalAction``."""
    assert table.game is not None
    assert table.deal is not None
    before = table.epoch
    played = play(table.game, table.bids, table.deal, bids)
    table = _with_bot_bids(table, bids)
    table = replace(table, game=played.game, bids=played.bids)
    told = [*events, *played.events]
    if table.guesses:
        table = scored(table, played.events)
    over = played.game.over
    ends = over or played.game.stage.number != before.stage
    if ends and table.skips:
        table = replace(table, skips=frozenset())
    if ends and not over:
        table, more = with_claims(table, env)
        # The stage that begins is theirs, the one that is over was the bots'.
        begins = next(n for n, each in enumerate(told) if isinstance(each, m.StageStarted))
        told[begins:begins] = more
    if over:
        table = table.over()
    elif table.epoch != before:
        if not table.daily:
            lasting = frozenset(b for b in table.ballots if b.motion is m.Motion.REPLACE)
            table = replace(table, ballots=lasting)
        reading = env.timing.stage if ends else env.timing.reveal
        # Programs are given no time to read.
        programs = bool(table.seated) and all(player.program for _, player in table.seated)
        hurries = programs or table.fast or table.skipping
        table = table.with_deadline(env.now, 0.0 if hurries else reading)
    return Step(table, tuple(told), actions=played.actions)


def with_bot_times(before: Table, table: Table, env: Env) -> Table:
    """Say when a bot bids for each seat, where one has to. The time tells nothing of its cards."""
    if not table.running or table.left_to_bots:
        return replace(table, bot_due=()) if table.bot_due else table
    kept = table.bot_due if before.running and table.epoch == before.epoch else ()
    # Other tables of an event wait for this one.
    present, timing, times = bool(table.connected or table.event), env.timing, []
    skipping = table.skipping
    for number, seat in enumerate(table.seats):
        when = kept[number] if kept else 0.0
        # In a correspondence game the deadline is soon enough; and where nobody waits for it.
        early = not seat.human or (seat.away and present and not table.daily)
        if not early or not table.owes_bid(number):
            when = 0.0
        elif not when and seat.human:
            when = env.now + timing.away
        elif not when:
            delay = 0.0 if table.fast else env.rng.uniform(timing.bot_least, timing.bot_most)
            when = max(env.now, table.read_until) + delay
        times.append(min(when, env.now) if skipping else when)
    return table if table.bot_due == tuple(times) else replace(table, bot_due=tuple(times))


def _hurried(table: Table, env: Env) -> Table:
    """Once every person has bid, nobody reads any more: bots need not wait for that.

    They bid together, which is written and told at once: most of the games that bots play in wait for
    this.
    """
    seats = enumerate(table.seats)
    if any(seat.human and not seat.away and table.owes_bid(number) for number, seat in seats):
        return table
    soon = env.now + env.rng.uniform(env.timing.hurried_least, env.timing.hurried_most)
    times = zip(table.seats, table.bot_due, strict=False)
    hurried = [when if seat.human else min(when, soon) for seat, when in times]
    return replace(table, bot_due=tuple(hurried))


@command(m.Guess)
def guess(table: Table, by: By, guessed: m.Guess, env: Env) -> Step:
    """A player who is out guesses, or guesses otherwise."""
    check_round(table, guessed)
    table.existing(guessed.seat)
    assert table.game is not None
    out = table.game.stage.eliminated
    m.refuse_if(not out[by.seat] or out[guessed.seat], m.Refusal.NO_GUESS)
    return Step(replace(table, guesses={**table.guesses, by.seat: guessed.seat}))


def scored(table: Table, events: Sequence[m.Happening]) -> Table:
    """Count guesses once a round has been revealed, if ``events`` say so.

    Right is who took a tide card as high as the higher one.
    """
    result = next((each.result for each in events if isinstance(each, m.RoundResolved)), None)
    if result is None:
        return table
    low, high = result.offer
    right = result.takers if low == high else result.takers[1:]
    guessed = dict(table.guessed)
    for number, seat in table.guesses.items():
        before, made = guessed.get(number, (0, 0))
        guessed[number] = (before + (seat in right), made + 1)
    return replace(table, guesses={}, guessed=guessed)
