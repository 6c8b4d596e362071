"""Before a game and after it: options, the start, another game."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.deal import commitment, deal_game
from server.cleaning import NAME_WIDTH, clean_text
from server.coordinator import messages as m
from server.coordinator.table.play import start, start_after
from server.coordinator.table.seats import (
    alike_strategy,
    check_players,
    handed_on,
    new_bot,
    with_claims,
)
from server.coordinator.table.state import EMPTY, Member, Table, human
from server.coordinator.table.steps import (
    Arranged,
    By,
    CountGame,
    Env,
    Invite,
    Release,
    Step,
    command,
)


def check_options(options: m.TableOptions) -> None:
    """Whether a table can have these options. Raises ``Refused``."""
    wanted = m.SECONDS_RANGE.get(options.pace)
    if wanted is not None and options.seconds not in wanted:
        raise m.Refused(m.Refusal.SECONDS, {"least": wanted[0], "most": wanted[-1]})
    m.refuse_if(options.rated and options.pace is m.Pace.FAST, m.Refusal.RATED_FAST)


def fill(table: Table, who: Member, opening: m.OpeningCommand, env: Env) -> Step:
    """Seat who has opened the table; for a quick game also bots, and begin."""
    m.refuse_if(not table.is_new, m.Refusal.NOT_OPEN)
    seat = opening.seat if isinstance(opening, m.QuickGame) else 0
    table.existing(seat)
    after = table.with_seat(seat, human(who.player)).with_member(who, seated=True)
    after = replace(after, owner=seat)
    events: list[m.Happening] = [m.Sat(seat, who.player.name)]
    if isinstance(opening, m.QuickJoin):
        events.append(m.OpenedInstead())
    invites = tuple[Invite, ...]()
    if isinstance(opening, m.CreateTable) and opening.keep:
        cleaned = (clean_text(each, NAME_WIDTH) for each in opening.keep)
        names = [name for name in cleaned if name not in ("", who.player.name)]
        m.refuse_if(len(names) >= len(after.seats), m.Refusal.TABLE_FULL)
        for number, name in enumerate(names, 1):
            after = after.with_seat(number, replace(EMPTY, kept=name))
        invites = tuple(Invite(name, who.player) for name in names)
        if after.options.rated or not names:
            return Step(after, tuple(events), effects=invites)
    elif not isinstance(opening, m.QuickGame):
        return Step(after, tuple(events))
    while (number := after.free_seat()) >= 0:
        after = after.with_seat(number, new_bot(after, env))
        events.append(m.Sat(number, after.seats[number].name))
    if invites:
        return Step(after, tuple(events), effects=invites)
    if isinstance(opening, m.QuickGame) and opening.played and table.shared:
        return _goes_on(begun(after, env, events), opening.played, env)
    return begun(after, env, events)


def _goes_on(step: Step, stages: m.BidsPlayed, env: Env) -> Step:
    """The game that has begun, after these bids; those of the person's seat count as a bot's."""
    table = step.table
    assert table.deal is not None
    played = start_after(table.options.rules, table.deal, stages)
    m.refuse_if(played.game.over, m.Refusal.GAME_OVER)
    stage, seat = played.game.stage, table.seats[table.owner]
    before = tuple([(stage.number, number) for number in range(len(stage.rounds))])
    after = table.with_seat(table.owner, replace(seat, since=stage.number, bot_bids=before))
    after = replace(after, game=played.game, bids=played.bids).with_deadline(env.now, 0.0)
    told = tuple(event for event in step.events if not isinstance(event, m.GameEvent))
    return Step(after, told, actions=played.actions)


def arranged(table: Table, given: Arranged, env: Env) -> Step:
    """Seat everybody who plays an event's game here. It begins as its timer says."""
    m.refuse_if(not table.is_new, m.Refusal.NOT_OPEN)
    after, events = table, []
    for number, one in enumerate(given.seats):
        if isinstance(one, Member):
            after = after.with_seat(number, human(one.player)).with_member(one, seated=True)
        elif isinstance(one, m.Player):
            waiting = replace(human(one).left_to_bot(), kept=one.name)
            after = after.with_seat(number, waiting)
        else:
            after = after.with_seat(number, new_bot(after, env, one))
        events.append(m.Sat(number, after.seats[number].name))
    return Step(after, tuple(events))


@command(m.ChangeOptions, owner=True, before_game=True)
def change_options(table: Table, _: By, wanted: m.ChangeOptions, env: Env) -> Step:
    """Change the rules, the pace or the number of seats."""
    options = wanted.options
    check_options(options)
    m.refuse_if(options.rated and table.word, m.Refusal.RATED_PRIVATE)
    players = options.rules.players
    fixed = table.shared and (options.rules != table.options.rules or options.rated)
    m.refuse_if(fixed, m.Refusal.DEAL_RULES)
    # Who looks at something else may have a live seat there.
    some_away = table.daily and len(table.connected) < len(table.seated)
    m.refuse_if(some_away and options.pace is not table.options.pace, m.Refusal.BY_CORRESPONDENCE)
    seats = list(table.seats)
    events: list[m.Happening] = [m.OptionsChanged()]
    # Empty seats go first, from the last, those that are kept after others; then bots.
    free = [number for number, seat in enumerate(seats) if not seat.human]
    free.sort(key=lambda number: (not seats[number].empty, bool(seats[number].kept), -number))
    gone = free[: max(0, len(seats) - players)]
    events += [m.Stood(number, seats[number].name) for number in gone if seats[number].name]
    seats = [seat for number, seat in enumerate(seats) if number not in gone]
    m.refuse_if(len(seats) > players, m.Refusal.TOO_MANY_SEATED, {"players": players})
    seats += [EMPTY] * (players - len(seats))
    check_players(
        options,
        env.limits,
        *(seat.player for seat in seats if seat.player is not None),
        bots=any(seat.occupant is m.Occupant.BOT for seat in seats),
    )
    owner = seats.index(table.seats[table.owner])
    after = replace(table, options=options, seats=tuple(seats), owner=owner)
    effects: tuple[Release, ...] = ()
    if not options.spectators.allowed:
        why = m.SentBack("no_spectators", table.title)
        effects = tuple(Release(player, why) for player in table.spectators)
        after = replace(after, spectators={}, claims={})
    return Step(after, tuple(events), effects=effects)


@command(m.StartGame, owner=True)
def start_game(table: Table, by: By, _: m.StartGame, env: Env) -> Step:
    """Begin, when every seat is taken."""
    if table.status is not m.Status.OPEN:
        playing = table.status is m.Status.PLAYING
        raise m.Refused(m.Refusal.ALREADY_PLAYING if playing else m.Refusal.NOT_OPEN)
    m.refuse_if(table.closing, m.Refusal.CLOSING)
    m.refuse_if(table.has_empty_seat, m.Refusal.SEATS_EMPTY)
    return _counted(table, by.asked.who, env, ())


@command(m.Rematch, in_events=False)
def rematch(table: Table, by: By, _: m.Rematch, env: Env) -> Step:
    """A player would like another game; when it begins, ``timers`` says."""
    m.refuse_if(table.status is not m.Status.OVER, m.Refusal.NOT_OVER)
    m.refuse_if(table.closing, m.Refusal.CLOSING)
    number = by.seat
    seat, member = table.seats[number], table.members.get(number)
    if seat.rematch or member is None:
        return Step(table)
    asked = table.daily and any(each.rematch for each in table.seats)
    since = table.asked_again if asked else env.now
    after = table.with_seat(number, replace(seat, rematch=True))
    if after.wants_rematch:
        env.check_may_begin(_counts_for(after, env, member).player.id)
    return Step(replace(after, asked_again=since))


def _counts_for(table: Table, env: Env, otherwise: Member) -> Member:
    """For whom the next game counts: the first of those who want it that may begin one."""
    asking = [member for number, member in table.members.items() if number in table.rematch_with]
    return next((one for one in asking if one.player.id not in env.too_many), otherwise)


def no_rematch(table: Table, number: int) -> Step:
    """The player on this seat is about to go, and plays no other game while here.

    The answer says whether a wish for one was taken back (``rematch``). Raises ``Refused`` for a seat
    that binds.
    """
    seat, over = table.seats[number], table.status is m.Status.OVER
    m.refuse_if(not (over or table.daily), m.Refusal.SEATED_ELSEWHERE)
    after = table.with_seat(number, replace(seat, rematch=False))
    return Step(after, reply=m.Reply(details={"rematch": 1})) if seat.rematch else Step(table)


def begin_rematch(table: Table, env: Env) -> Step:
    """Start another game, with those who have asked for it and bots for the others."""
    staying = table.rematch_with
    gone = [
        number
        for number, seat in enumerate(table.seats)
        if seat.left or seat.empty or (seat.human and number not in staying)
    ]
    events: list[m.Happening] = []
    # Only the first game has the deal that was asked for.
    after = replace(table, shared=None)
    for number in gone:
        if name := after.seats[number].name:
            events.append(m.Stood(number, name))
        # At a rated table the seat is for an account to come.
        after = after.with_seat(number, EMPTY if after.options.rated else new_bot(after, env))
        if not after.options.rated:
            events.append(m.Sat(number, after.seats[number].name))
    went_on = tuple(
        Release(player, m.SentBack("went_on", table.title))
        for player in after.people
        if after.seat_of(player) < 0
    )
    for one in went_on:
        after = after.without(one.player)
    after, owners = handed_on(after, after.owner if after.owner in gone else -1)
    events += owners
    if after.has_empty_seat:
        step = _opened_again(after, env, events)
    else:
        anybody = next(member for number, member in table.members.items() if number in staying)
        step = _counted(after, _counts_for(table, env, anybody), env, events)
    return replace(step, effects=(*step.effects, *went_on))


def _opened_again(table: Table, env: Env, events: Sequence[m.Happening]) -> Step:
    after = replace(_fresh(table), status=m.Status.OPEN, seed=b"", bots_seed=b"")
    after = replace(after, commitment="", deal=None, game=None, bids=())
    return Step(after, tuple(events))


def _counted(table: Table, who: Member, env: Env, events: Sequence[m.Happening]) -> Step:
    """Begin a game that counts for this player, unless there have been too many."""
    env.check_may_begin(who.player.id)
    step = begun(table, env, events)
    return replace(step, effects=(CountGame(who.player.id, who.source),))


def _fresh(table: Table) -> Table:
    """Return the table without anything of the last game, but for what was played."""
    alike = alike_strategy(table)
    seats = [
        replace(
            seat,
            strategy=alike if seat.alike else seat.strategy,
            rematch=False,
            away=False,
            missed=0,
            since=0,
            hints=(),
            bot_bids=(),
        )
        for seat in table.seats
    ]
    return replace(
        table,
        seats=tuple(seats),
        pause=m.Pause.NONE,
        ended=m.Ended.NO,
        played_by=(),
        ballots=frozenset(),
        asked_again=0.0,
        skips=frozenset(),
        guesses={},
        guessed={},
    )


def begun(table: Table, env: Env, events: Sequence[m.Happening] = ()) -> Step:
    """The next game begins. Nobody's limits count for it."""
    rules = table.options.rules
    seed = table.shared.seed if table.shared else env.seed
    known = table.shared is not None and not table.event
    deal = deal_game(seed, rules)
    played = start(rules, deal)
    after = replace(
        _fresh(table),
        status=m.Status.PLAYING,
        number=table.number + 1,
        seed=seed,
        bots_seed=env.seed if known else b"",
        deal=deal,
        commitment=commitment(seed, rules),
        game=played.game,
        bids=played.bids,
        sources={},
    )
    after = after.with_deadline(env.now, 0.0)
    began = m.GameStarted(after.number, after.commitment)
    after, more = with_claims(after, env)
    return Step(after, (*events, *more, began, *played.events), actions=played.actions)
