"""Before a game and after it: sitting down, bots, options, starting, rematches."""

from dataclasses import replace
from typing import TYPE_CHECKING

from engine import bots
from engine.deal import commitment, deal_game
from server.coordinator.messages import (
    SECONDS_RANGE,
    AddBot,
    ChangeOptions,
    Ended,
    GameStarted,
    HandOver,
    Happening,
    JoinTable,
    NewOwner,
    Occupant,
    OpenedInstead,
    OptionsChanged,
    Pause,
    Player,
    RemoveSeat,
    Reply,
    Sat,
    SentBack,
    Spectating,
    Status,
    Stood,
    TableOptions,
    WatchTable,
)
from server.coordinator.people.presence import Presence
from server.coordinator.table import bids, idle_timers, invitation, seat_claims
from server.coordinator.table.model import EMPTY, Seat, TableState, bot, human
from server.coordinator.table.play import start
from server.coordinator.table.timers import TimerKind
from server.storage.store import StoreError

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table


def check_options(options: TableOptions) -> Reply:
    """Whether a table can have these options."""
    wanted = SECONDS_RANGE.get(options.pace)
    if wanted is not None and options.seconds not in wanted:
        return Reply("seconds", {"least": wanted[0], "most": wanted[-1]})
    return Reply()


def check_players(options: TableOptions, *players: Player, bots: bool = False) -> Reply:
    """Whether they may play such a game; ``bots``: and bots with them."""
    if options.rated and bots:
        return Reply("rated_bots")
    if options.rated and any(player.guest for player in players):
        return Reply("rated_guests")
    return Reply()


async def fill(table: "Table", presence: Presence, quick: bool, instead: bool) -> Reply:
    """Seat who opened the table; ``quick``: and bots, and begin. ``instead``: no other table was right."""
    player = presence.player
    state = replace(table.state.with_seat(0, human(player)), owner=0)
    happenings: list[Happening] = [Sat(0, player.name)]
    if instead:
        happenings.append(OpenedInstead())
    table.take_in(presence, seated=True)
    try:
        if quick:
            while (number := state.free_seat()) >= 0:
                state = state.with_seat(number, _new_bot(table, state, bots.DEFAULT_STRATEGY))
                happenings.append(Sat(number, state.seats[number].name))
            await _begin(table, state, happenings)
        else:
            await table.commit(state, happenings)
    except StoreError:
        await table.shut()
        raise
    return Reply()


async def sit(table: "Table", presence: Presence, command: JoinTable) -> Reply:
    """Give a player a seat."""
    player = presence.player
    refusal = await invitation.may_come(table, presence, command.word, to_sit=True)
    if not refusal.ok:
        return refusal
    state = table.state
    if state.status is not Status.OPEN:
        return await seat_claims.claim(table, presence, command)
    number = command.seat if command.seat >= 0 else state.free_seat(player.name)
    if number < 0:
        return Reply("seat_kept" if state.has_empty_seat else "table_full")
    refusal = _empty_seat(state, number, player.name)
    if refusal.ok:
        refusal = check_players(state.options, player)
    if not refusal.ok:
        return refusal
    watched = table.spectators.pop(player.id, None)
    table.take_in(presence, seated=True)
    try:
        await table.commit(state.with_seat(number, human(player)), [Sat(number, player.name)])
    except StoreError:
        del table.people[player.id]
        presence.table = None
        if watched:
            table.take_in(presence, seated=False)
        raise
    table.agenda.drop(TimerKind.NOBODY)
    return Reply()


async def watch(table: "Table", presence: Presence, command: WatchTable) -> Reply:
    """Let a player watch."""
    if presence.player.id in table.spectators:
        if table.claims.pop(presence.player.id, None) is not None:
            table.tell()
        return Reply()
    refusal = await invitation.may_come(table, presence, command.word, to_sit=False)
    if not refusal.ok:
        return refusal
    if table.state.options.spectators is Spectating.NONE:
        return Reply("no_spectators")
    if len(table.spectators) >= table.house.limits.spectators:
        return Reply("too_many_spectators")
    table.take_in(presence, seated=False)
    table.tell()
    # At a delayed table spectators are told only now and then.
    table.show(presence)
    return Reply()


async def add_bot(table: "Table", command: AddBot) -> Reply:
    """Seat a bot."""
    state = table.state
    if state.status is not Status.OPEN:
        return Reply("not_open")
    strategy = command.strategy or bots.DEFAULT_STRATEGY
    if strategy not in bots.STRATEGIES:
        return Reply("no_such_strategy")
    number = command.seat if command.seat >= 0 else state.free_seat()
    if number < 0:
        return Reply("seat_kept" if state.has_empty_seat else "table_full")
    refusal = _empty_seat(state, number, "")
    if refusal.ok:
        refusal = check_players(state.options, bots=True)
    if refusal.ok:
        seat = _new_bot(table, state, strategy)
        await table.commit(state.with_seat(number, seat), [Sat(number, seat.name)])
    return refusal


async def remove_seat(table: "Table", presence: Presence, command: RemoveSeat) -> Reply:
    """Free the seat of a bot or of another player."""
    state, number = table.state, command.seat
    if state.status is not Status.OPEN:
        return Reply("not_open")
    if number not in range(len(state.seats)):
        return Reply("no_such_seat")
    seat = state.seats[number]
    if seat.occupant is Occupant.NOBODY:
        return Reply("seat_empty")
    if seat.player is not None and seat.player.id == presence.player.id:
        return Reply("own_seat")
    await free_seat(table, number, SentBack("removed", state.title))
    if seat.player is not None:
        now = table.house.clock.time()
        table.removed = {who: until for who, until in table.removed.items() if until > now}
        table.removed[seat.player.id] = now + table.house.timing.removed
    return Reply()


async def free_seat(table: "Table", number: int, why: Happening | None = None) -> None:
    """Nobody sits here any more; a player is back in the lobby, the table perhaps somebody else's."""
    seat = table.state.seats[number]
    after = table.state.with_seat(number, EMPTY)
    after, happenings = handed_on(table, after, number)
    await table.commit(after, [Stood(number, seat.name), *happenings])
    if seat.player is not None and seat.player.id in table.people:
        table.release(table.people[seat.player.id], why)
    if not any(seat.human for seat in table.state.seats):
        await table.shut()
    else:
        idle_timers.deserted(table)


async def change_options(table: "Table", command: ChangeOptions) -> Reply:
    """Change the rules, the pace or the number of seats."""
    state, options = table.state, command.options
    if state.status is not Status.OPEN:
        return Reply("not_open")
    refusal = check_options(options)
    if not refusal.ok:
        return refusal
    players = options.rules.players
    seats = list(state.seats)
    happenings: list[Happening] = [OptionsChanged()]
    # Empty seats go first, from the last, those that are kept after others; then bots.
    for kind, kept in ((Occupant.NOBODY, False), (Occupant.NOBODY, True), (Occupant.BOT, False)):
        for number in reversed(range(len(seats))):
            seat = seats[number]
            if len(seats) > players and seat.occupant is kind and bool(seat.kept) is kept:
                gone = seats.pop(number)
                if gone.name:
                    happenings.append(Stood(number, gone.name))
    if len(seats) > players:
        return Reply("too_many_seated", {"players": players})
    seats += [EMPTY] * (players - len(seats))
    refusal = check_players(
        options,
        *(seat.player for seat in seats if seat.player is not None),
        bots=any(seat.occupant is Occupant.BOT for seat in seats),
    )
    if not refusal.ok:
        return refusal
    owner = seats.index(state.seats[state.owner])
    after = replace(state, options=options, seats=tuple(seats), owner=owner)
    await table.commit(after, happenings)
    if options.spectators is Spectating.NONE:
        for watcher in list(table.spectators.values()):
            table.release(watcher, SentBack("no_spectators", state.title))
        table.tell()
    return Reply()


async def hand_over(table: "Table", command: HandOver) -> Reply:
    """Make another player the owner."""
    state = table.state
    if command.seat not in range(len(state.seats)):
        return Reply("no_such_seat")
    seat = state.seats[command.seat]
    if not seat.human:
        return Reply("no_human")
    await table.commit(replace(state, owner=command.seat), [NewOwner(command.seat, seat.name)])
    return Reply()


async def _begin_for(
    table: "Table", presence: Presence, state: TableState, happenings: list[Happening]
) -> Reply:
    """Begin a game that counts for this player, unless there have been too many."""
    house, player, source = table.house, presence.player.id, presence.source
    refusal = house.begun.take(player, source, house.clock.time())
    if refusal.ok:
        try:
            await _begin(table, state, happenings)
        except StoreError:
            # It is tried again until it succeeds, and counts then.
            house.begun.give_back(player, source)
            raise
    return refusal


async def start_game(table: "Table", presence: Presence) -> Reply:
    """Begin, when every seat is taken."""
    state = table.state
    if state.status is not Status.OPEN:
        return Reply("already_playing" if state.status is Status.PLAYING else "not_open")
    if table.closing:
        return Reply("closing")
    if state.has_empty_seat:
        return Reply("seats_empty")
    return await _begin_for(table, presence, state, [])


async def rematch(table: "Table", number: int) -> Reply:
    """A player would like another game."""
    state = table.state
    if state.status is not Status.OVER:
        return Reply("not_over")
    if table.closing:
        return Reply("closing")
    if not state.seats[number].rematch:
        seat = replace(state.seats[number], rematch=True)
        await table.commit(state.with_seat(number, seat))
    return await rematch_if_all_agree(table, number)


async def rematch_if_all_agree(table: "Table", asking: int = -1) -> Reply:
    """Start another game when every connected player has asked for it; ``asking`` is the seat of who just
    did, if anybody. After a restart the others are given time to come back.
    """
    state, connected = table.state, table.connected
    agreed = connected and all(state.seats[number].rematch for number in connected)
    if not agreed or state.status is not Status.OVER or table.closing:
        return Reply()
    absent = any(seat.human and number not in connected for number, seat in enumerate(state.seats))
    if absent and table.house.clock.time() < table.back_by:
        table.agenda.plan(table.back_by, TimerKind.COUNT)
        return Reply()
    gone = [
        number
        for number, seat in enumerate(state.seats)
        if seat.left or (seat.human and number not in connected)
    ]
    happenings: list[Happening] = []
    for number in gone:
        happenings.append(Stood(number, state.seats[number].name))
        if state.options.rated:  # for an account to come
            state = state.with_seat(number, EMPTY)
            continue
        new = _new_bot(table, state, bots.DEFAULT_STRATEGY)
        state = state.with_seat(number, new)
        happenings.append(Sat(number, new.name))
    state, owners = handed_on(table, state, state.owner if state.owner in gone else -1)
    happenings += owners
    if state.has_empty_seat:
        seats = tuple(replace(seat, rematch=False, away=False, missed=0) for seat in state.seats)
        state = replace(
            state,
            status=Status.OPEN,
            seats=seats,
            seed=b"",
            commitment="",
            game=None,
            bids=(),
            ended=Ended.NO,
            played_by=(),
        )
        state, more = seat_claims.with_claims(table, state)
        with seat_claims.taken_in(table, state):
            await table.commit(state, [*happenings, *more])
        # Whoever still wants a seat can sit down on an empty one.
        table.claims.clear()
        table.deal = None
    else:
        player = state.seats[asking if asking >= 0 else min(connected)].player
        assert player is not None
        refusal = await _begin_for(table, table.people[player.id], state, happenings)
        if not refusal.ok:
            return refusal
    for presence in list(table.people.values()):
        if table.state.seat_of(presence.player.id) < 0:
            table.release(presence, SentBack("went_on", state.title))
    return Reply()


def handed_on(table: "Table", state: TableState, gone: int) -> tuple[TableState, list[Happening]]:
    """If seat ``gone`` owned the table, the next player after it does: a connected one if possible."""
    if gone < 0 or state.owner != gone:
        return state, []
    size = len(state.seats)
    humans = [
        number for step in range(1, size) if state.seats[number := (gone + step) % size].human
    ]
    heirs = [number for number in humans if number in table.connected] or humans
    if not heirs:
        return replace(state, owner=-1), []
    return replace(state, owner=heirs[0]), [NewOwner(heirs[0], state.seats[heirs[0]].name)]


async def _begin(table: "Table", state: TableState, happenings: list[Happening]) -> None:
    rules = state.options.rules
    seed = table.house.new_seed()
    deal = deal_game(seed, rules)
    played = start(rules, deal)
    seats = tuple(
        replace(seat, rematch=False, away=False, missed=0, since=0) for seat in state.seats
    )
    state = replace(
        state,
        status=Status.PLAYING,
        seats=seats,
        number=state.number + 1,
        seed=seed,
        commitment=commitment(seed, rules),
        game=played.game,
        bids=played.bids,
        pause=Pause.NONE,
        ended=Ended.NO,
        played_by=(),
        ballots=frozenset(),
    )
    state = bids.with_deadline(table, state, 0.0)
    began = GameStarted(state.number, state.commitment)
    state, more = seat_claims.with_claims(table, state)
    with seat_claims.taken_in(table, state):
        await table.commit(
            state,
            [*happenings, *more, began, *played.events],
            actions=played.actions,
        )
    table.deal = deal
    table.agenda.clear(TimerKind.FREE_SEAT)
    table.agenda.drop(TimerKind.NOBODY)
    for number in range(len(state.seats)):
        idle_timers.plan_vote(table, number)
    bids.plan_round(table, 0.0)


def _empty_seat(state: TableState, number: int, name: str) -> Reply:
    """Whether the player of this name (a bot has none) can have the seat."""
    if number not in range(len(state.seats)):
        return Reply("no_such_seat")
    seat = state.seats[number]
    if not seat.empty:
        return Reply("seat_taken")
    return Reply("seat_kept") if seat.is_kept_from(name) else Reply()


def _new_bot(table: "Table", state: TableState, strategy: str) -> Seat:
    used = {seat.name for seat in state.seats}
    return bot(table.rng.choice([name for name in bots.NAMES if name not in used]), strategy)
