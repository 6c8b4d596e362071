"""Seats and spectators: taking a seat, also a bot's; watching; the owner before a game."""

from msgspec.structs import replace

from engine import bots
from engine.bots.manners import NAMES
from server.cleaning import NAME_WIDTH, clean_text
from server.coordinator import messages as m
from server.coordinator.table.state import EMPTY, Member, Seat, Table, human
from server.coordinator.table.steps import (
    By,
    Effect,
    Env,
    Invite,
    Release,
    Show,
    Shut,
    Step,
    command,
)
from server.settings.settings import TableLimits


def check_players(
    options: m.TableOptions, limits: TableLimits, *players: m.Player, bots: bool = False
) -> None:
    """Whether they may play such a game; ``bots``: and bots with them. Raises ``Refused``."""
    programs = [player.program for player in players]
    m.refuse_if(options.pace is m.Pace.FAST and not all(programs), m.Refusal.PROGRAMS_ONLY)
    refused = options.rated and not limits.rated_programs and any(programs)
    m.refuse_if(refused, m.Refusal.RATED_PROGRAMS)
    m.refuse_if(options.rated and bots, m.Refusal.RATED_BOTS)
    m.refuse_if(options.rated and any(player.guest for player in players), m.Refusal.RATED_GUESTS)


def sit(table: Table, who: Member, join: m.JoinTable, env: Env) -> Step:
    """Give a player a seat, now or when a bot's is free."""
    if table.status is not m.Status.OPEN:
        return claim(table, who, join, env)
    player = who.player
    number = join.seat if join.seat >= 0 else table.free_seat(player.name)
    _check_empty(table, number, player.name)
    check_players(table.options, env.limits, player)
    after = table.with_seat(number, human(player)).with_member(who, seated=True)
    return Step(after, (m.Sat(number, player.name),))


def watch(table: Table, who: Member, env: Env) -> Step:
    """Let a player watch, who is told at once: at a delayed table spectators are told only now and then."""
    m.refuse_if(not table.options.spectators.allowed, m.Refusal.NO_SPECTATORS)
    return Step(with_spectator(table, who, env), effects=(Show(who.player.id),))


def with_spectator(table: Table, who: Member, env: Env) -> Table:
    """Have this person watch. Raises ``Refused`` when there are too many."""
    m.refuse_if(len(table.spectators) >= env.limits.spectators, m.Refusal.TOO_MANY_SPECTATORS)
    return table.with_member(who, seated=False)


@command(m.AddBot, owner=True, before_game=True)
def add_bot(table: Table, _: By, wanted: m.AddBot, env: Env) -> Step:
    """Seat a bot."""
    strategy = wanted.strategy
    m.refuse_if(strategy not in ("", *bots.WANTED), m.Refusal.NO_SUCH_STRATEGY)
    number = wanted.seat if wanted.seat >= 0 else table.free_seat()
    _check_empty(table, number, "")
    check_players(table.options, env.limits, bots=True)
    seat = new_bot(table, env, strategy)
    return Step(table.with_seat(number, seat), (m.Sat(number, seat.name),))


def new_bot(table: Table, env: Env, strategy: str = "") -> Seat:
    """A bot with a name that nobody here has, of the table's usual kind unless another one is asked for."""
    strategy = strategy or table.options.bots
    free = [name for name in NAMES if name not in table.names]
    alike = strategy == bots.ALIKE
    if alike:
        strategy = alike_strategy(table)
    return Seat(m.Occupant.BOT, env.rng.choice(free), strategy=strategy, alike=alike)


def alike_strategy(table: Table) -> str:
    """The strategy as strong as the people here, on average, as far as that is known.

    Never where a result is compared with those of other tables.
    """
    levels = [table.people[player.id].level for _, player in table.seated]
    known = [level for level in levels if level]
    if not known or table.shared:
        return bots.DEFAULT_STRATEGY
    return bots.LADDER[round(sum(known) / len(known)) - 1]


def _check_empty(table: Table, number: int, name: str) -> None:
    """Whether the player of this name (a bot has none) can have the seat; -1 is any, and none was free."""
    m.refuse_if(number == -1, m.Refusal.SEAT_KEPT if table.has_empty_seat else m.Refusal.TABLE_FULL)
    seat = table.existing(number)
    m.refuse_if(not seat.empty, m.Refusal.SEAT_TAKEN)
    m.refuse_if(seat.is_kept_from(name), m.Refusal.SEAT_KEPT)


@command(m.RemoveSeat, owner=True, before_game=True)
def remove_seat(table: Table, by: By, wanted: m.RemoveSeat, env: Env) -> Step:
    """Free the seat of a bot or of another player."""
    number = wanted.seat
    seat = table.existing(number)
    m.refuse_if(seat.empty, m.Refusal.SEAT_EMPTY)
    if seat.player is None:
        return freed(table, number)
    m.refuse_if(seat.player.id == by.asked.who.player.id, m.Refusal.OWN_SEAT)
    removed = {id_: until for id_, until in table.removed.items() if until > env.now}
    removed[seat.player.id] = env.now + env.timing.removed
    return freed(replace(table, removed=removed), number, m.SentBack("removed", table.title))


def freed(table: Table, number: int, why: m.Happening | None = None) -> Step:
    """Nobody sits here any more; a player is back in the lobby, the table perhaps somebody else's."""
    seat, after = table.seats[number], table.with_seat(number, EMPTY)
    effects: tuple[Effect, ...] = ()
    if seat.player is not None:
        after, effects = after.without(seat.player.id), (Release(seat.player.id, why),)
    after, owners = handed_on(after, number)
    if not after.has_people:
        effects = (*effects, Shut())
    return Step(after, (m.Stood(number, seat.name), *owners), effects=effects)


def handed_on(table: Table, gone: int) -> tuple[Table, list[m.Happening]]:
    """If seat ``gone`` owned the table, the next player after it does: a connected one if possible."""
    if gone < 0 or table.owner != gone:
        return table, []
    connected, size = table.connected, len(table.seats)
    people = [number for number, _ in table.seated]
    heir = min(people, key=lambda n: (n not in connected, (n - gone) % size), default=-1)
    told: list[m.Happening] = [m.NewOwner(heir, table.seats[heir].name)] if people else []
    return replace(table, owner=heir), told


@command(m.HandOver, owner=True)
def hand_over(table: Table, _: By, wanted: m.HandOver, env: Env) -> Step:
    """Make another player the owner."""
    seat = table.existing(wanted.seat)
    m.refuse_if(not seat.human, m.Refusal.NO_HUMAN)
    return Step(replace(table, owner=wanted.seat), (m.NewOwner(wanted.seat, seat.name),))


@command(m.MoveSeat, owner=True, before_game=True)
def move_seat(table: Table, _: By, wanted: m.MoveSeat, env: Env) -> Step:
    """Somebody moves to another seat; who sits there changes places."""
    here, there = wanted.seat, wanted.to
    mover, other = table.existing(here), table.existing(there)
    m.refuse_if(mover.empty, m.Refusal.SEAT_EMPTY)
    if here == there:
        return Step(table)
    # Also what is kept for somebody changes places: as many seats are kept afterwards.
    after = table.with_seat(here, other).with_seat(there, mover)
    owner = {here: there, there: here}.get(table.owner, table.owner)
    return Step(replace(after, owner=owner), (m.Moved(there, mover.name, other.name),))


@command(m.KeepSeat, owner=True, before_game=True)
def keep_seat(table: Table, by: By, wanted: m.KeepSeat, env: Env) -> Step:
    """Keep a seat for somebody, or no longer."""
    number = wanted.seat
    seat, name = table.existing(number), clean_text(wanted.name, NAME_WIDTH)
    m.refuse_if(not seat.empty, m.Refusal.SEAT_NOT_EMPTY)
    if seat.kept == name:
        return Step(table)
    invites = (Invite(name, by.asked.who.player),) if name else ()
    after = table.with_seat(number, replace(seat, kept=name))
    return Step(after, (m.SeatKept(number, name),), effects=invites)


def claim(table: Table, who: Member, join: m.JoinTable, env: Env) -> Step:
    """A player would like to play on for a bot: from the next stage on, in games that are not rated.

    Or, after a game, in the next one at that table. Until that is possible, he or she watches.

    Nobody who has held a seat in a game gets another one in it. Where a bot plays on for somebody who left,
    the result is still the leaver's: that place is nobody else's.
    """
    player = who.player
    _check_claim(table, player.id)
    check_players(table.options, env.limits, player)
    others = {seat for id_, seat in table.claims.items() if id_ != player.id}
    free = [n for n in range(len(table.seats)) if table.is_bots(n) and n not in others]
    seat = join.seat if join.seat >= 0 else table.claims.get(player.id, -1)
    m.refuse_if(not free or (join.seat >= 0 and join.seat not in free), m.Refusal.NO_BOT_SEAT)
    if seat not in free:
        # One where one can begin at once, if there is any.
        seat = next((n for n in free if _stage_has_just_begun(table, n)), free[0])
    if player.id not in table.spectators:
        table = with_spectator(table, who, env)
    table = replace(table, claims={**table.claims, player.id: seat})
    if _stage_has_just_begun(table, seat):
        table, events = with_claims(table, env, only=player.id)
        return Step(table, tuple(events))
    claimed = m.Claimed(seat, player.name)
    return Step(table, (claimed,), effects=(Show(player.id),), apart=True)


def take_back(table: Table, who: Member, env: Env) -> Step:
    """Give a player of an event back the seat that a bot has had meanwhile. Nobody else gets one there."""
    player = who.player
    m.refuse_if(table.status is m.Status.OVER, m.Refusal.EVENT_GAME)
    check_players(table.options, env.limits, player)
    for number, seat in enumerate(table.seats):
        if seat.left and seat.player is not None and seat.player.id == player.id:
            back = replace(human(player), hints=seat.hints, bot_bids=seat.bot_bids)
            after = table.with_seat(number, back).with_member(who, seated=True)
            return Step(after, (m.CameBack(number, player.name),))
    raise m.Refused(m.Refusal.EVENT_GAME)


def _check_claim(table: Table, player: str) -> None:
    playing = table.status is m.Status.PLAYING
    m.refuse_if(table.options.rated, m.Refusal.ALREADY_PLAYING if playing else m.Refusal.NOT_OPEN)
    m.refuse_if(playing and table.has_held(player), m.Refusal.HELD_SEAT)
    # Where nobody is left, nobody can ask for another game.
    m.refuse_if(table.status is m.Status.OVER and not table.has_people, m.Refusal.NO_BOT_SEAT)
    # There is nowhere to wait.
    m.refuse_if(not table.options.spectators.allowed, m.Refusal.NO_SPECTATORS)


def _stage_has_just_begun(table: Table, seat: int) -> bool:
    """A stage but the first has begun, and the bot on this seat has not bid in it: nothing is lost."""
    if table.game is None or not table.running:
        return False
    stage = table.game.stage
    return stage.number > 0 and not stage.rounds and table.owes_bid(seat)


def with_claims(table: Table, env: Env, only: str = "") -> tuple[Table, list[m.Happening]]:
    """Everybody on the seat that they have claimed, or only one player; and what to tell."""
    events: list[m.Happening] = []
    stage = table.game.stage.number if table.game else 0
    for player, number in table.claims.items():
        if (only and player != only) or number >= len(table.seats) or player in env.unreachable:
            continue
        held = stage > 0 and table.has_held(player)
        if not table.is_bots(number) or held or table.seat_of(player) >= 0:
            continue
        who, bot = table.spectators[player], table.seats[number]
        sitting = replace(human(who.player), since=stage)
        table = table.with_seat(number, sitting).with_member(who, seated=True)
        events.append(m.TookOver(number, sitting.name, bot.name))
        if table.owner < 0:
            table = replace(table, owner=number)
            events.append(m.NewOwner(number, sitting.name))
    return table, events
