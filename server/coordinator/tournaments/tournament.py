"""A tournament, as data and as a function: its state and an input decide what is next; and as it is shown.

Nothing here waits, writes, reads a clock or draws by lot, and ``decide`` raises for nothing that can come:
what cannot be done is a refusal, and what is out of date changes nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import ceil, inf
from typing import Any, Final

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from engine.deal import commitment
from engine.errors import EngineError, TournamentError
from engine.tournament import progress
from engine.tournament.progress import BOT, Tournament, seat_round
from engine.tournament.standings import RoundScore, TournamentStanding, standings
from server.cleaning import clean_text, is_cut
from server.coordinator import messages as m
from server.coordinator.people.names import is_called
from server.coordinator.table.state import Table
from server.networks import is_private, mark, site_of
from server.settings.settings import Timing
from server.storage.events import KIND, Event, EventGame, StoredTournament

NAME_WIDTH: Final = 24
LATE: Final = 30 * 60.0
"""Seconds after ``longest_round`` from which on nothing is waited for any more: neither a table that cannot
be opened, nor a bot whose process does not answer.
"""


class UnreadableTournament(Exception):
    """What the store holds is not what a server of this version writes."""


class Held(Struct, frozen=True):
    """One tournament."""

    id: str
    plan: m.TournamentPlan
    opened: float
    director: str
    """The id of who opened it; empty for the operators of the server."""
    director_name: str
    guests: bool
    play: Tournament
    begins: float = 0.0
    """When the next round begins by itself; 0 when it does not."""
    begun: float = 0.0
    """Since when the last round goes on; after a restart, since then."""
    over: float = 0.0
    """When it ended; 0 while it has not."""
    commitments: tuple[str, ...] = ()
    """To the deals of the rounds that have begun."""
    salt: str = ""
    """The salt of the marks (``networks.mark``) in ``sources``."""
    sources: Mapping[str, str] = {}
    """Marks of where players have registered from, by their ids."""
    lifted: bool = False
    """Any number of players of one address may register."""
    stuck: bool = False
    """The server has failed to go on with it several times, and tries again now and then."""

    @property
    def phase(self) -> m.TournamentPhase:
        """What it is doing."""
        if self.play.over:
            return m.TournamentPhase.OVER
        if self.play.open_round is not None:
            return m.TournamentPhase.PLAYING
        return m.TournamentPhase.BREAK if self.play.started else m.TournamentPhase.OPEN

    @property
    def open_event(self) -> str:
        """The event of the round that goes on; empty where none does."""
        return self.event(len(self.play.rounds) - 1) if self.play.open_round is not None else ""

    def event(self, number: int) -> str:
        """The event of a round (from 0)."""
        return f"{KIND}/{self.id}/{number + 1}"

    def has_closed(self, event: str) -> bool:
        """Whether an event is that of one of its rounds that are closed, or broken off by its end."""
        # Not that of any round that is not open: one may have begun without an answer of the store.
        closed = {self.event(number) for number, it in enumerate(self.play.rounds) if it.closed}
        return event in closed or (self.play.over and event.startswith(f"{KIND}/{self.id}/"))

    def due(self, timing: Timing) -> float:
        """When the next round begins by itself, or the one that goes on is closed, whatever its tables do.

        Infinity where nothing is waited for.
        """
        if self.play.open_round is not None:
            return self.begun + longest_round(self.plan, timing) + LATE
        return self.begins or inf

    def title(self, table: int) -> str:
        """Return the title of a table (from 0) of the running round, as chess numbers rounds and boards.

        2.1.
        """
        return f"{self.plan.name} {len(self.play.rounds)}.{table + 1}"

    def with_play(self, play: Tournament, **changes: Any) -> "Held":
        """Return a copy with another ``play``.

        Origins are kept only of people who are registered, and of nobody once it is over.
        """
        changed: Held = replace(self, play=play, **changes)
        there = {each.player for each in play.entrants if each.until is None and not play.over}
        sources = {player: it for player, it in changed.sources.items() if player in there}
        return replace(changed, sources=sources)

    def with_entrant(self, play: Tournament, player: str, source: str) -> "Held":
        """Return a copy with another registered player.

        Raises ``Refused`` where too many of that address have registered.
        """
        if not source or is_private(source):
            return self.with_play(play)
        from_there = mark(site_of(source), self.salt)
        share = self.plan.places // 2
        m.refuse_if(
            not self.lifted and list(self.sources.values()).count(from_there) >= share,
            m.Refusal.TOURNAMENT_SHARE,
            {"most": share, "tournament": self.id},
        )
        return self.with_play(play, sources={**self.sources, player: from_there})


def checked_plan(plan: m.TournamentPlan) -> m.TournamentPlan:
    """The plan as it can be held. Raises ``Refused``, with ``what`` is wrong."""
    options, name = plan.options, clean_text(plan.name, NAME_WIDTH)
    wrong = not name or is_cut(plan.name, NAME_WIDTH)
    m.refuse_if(wrong, m.Refusal.TOURNAMENT_PLAN, {"what": "name"})
    m.refuse_if(options.pace is not m.Pace.TIMED, m.Refusal.TOURNAMENT_PLAN, {"what": "seconds"})
    for what, allowed in m.PLAN_RANGES.items():
        number = options.seconds if what == "seconds" else getattr(plan, what)
        m.refuse_if(number not in allowed, m.Refusal.TOURNAMENT_PLAN, {"what": what})
    settled = m.TableOptions(
        options.rules,
        m.Pace.TIMED,
        options.seconds,
        spectators=m.Spectating.NONE,
        bots=options.bots,
        hints=False,
    )
    return replace(plan, name=name, options=settled)


def longest_round(plan: m.TournamentPlan, timing: Timing) -> int:
    """Seconds from the beginning of a round to the end of its last game, if every bid takes all of its time.

    The last card of a hand is bid at once, and a restart or a bot that thinks for long is not counted.
    """
    rules = plan.options.rules
    bids = rules.rounds - 1
    bidding = bids * max(plan.options.seconds, timing.bot_most)
    reading = (bids - 1) * timing.reveal
    return ceil(plan.call + rules.stages * (bidding + reading) + (rules.stages - 1) * timing.stage)


def to_stored(held: Held) -> StoredTournament:
    """Return it as plain data for the store."""
    return StoredTournament(held.id, held.opened, held.over, to_builtins(held))


def from_stored(stored: StoredTournament) -> Held:
    """The tournament again. Raises ``UnreadableTournament``."""
    try:
        return convert(stored.state, Held)
    except (ValidationError, EngineError) as error:
        raise UnreadableTournament(type(error).__name__) from None


_DIGITS = 4


@lru_cache(32)
def standings_of(play: Tournament) -> tuple[TournamentStanding, ...]:
    """Worked out once for everybody."""
    return standings(play)


def winners_of(play: Tournament) -> tuple[str, ...]:
    """The names of those in the first place; empty where no round counts."""
    if not any(each.closed for each in play.rounds):
        return ()
    return tuple(play.entrants[row.entrant].name for row in standings_of(play) if row.place == 1)


def info_of(held: Held, codes: Mapping[int, str], player: str, timing: Timing) -> m.TournamentInfo:
    """``codes`` are those of the tables of the round that goes on, by their numbers."""
    play, current = held.play, held.play.open_round
    entrant = play.number_of(player)
    table = ""
    if current is not None and entrant != BOT:
        table = next(
            (
                codes.get(number, "")
                for number, each in enumerate(current.tables)
                if entrant in each.seats and not each.done
            ),
            "",
        )
    return m.TournamentInfo(
        id=held.id,
        plan=held.plan,
        phase=held.phase,
        round=len(play.rounds),
        players=sum(each.until is None for each in play.entrants),
        director=held.director_name,
        guests=held.guests,
        tables=len(current.tables) if current else 0,
        playing=sum(not table.done for table in current.tables) if current else 0,
        begins=held.begins,
        entered=entrant != BOT and play.entrants[entrant].until is None,
        directs=bool(player) and player == held.director,
        table=table,
        longest=longest_round(held.plan, timing),
        place=next((row.place for row in standings_of(play) if row.entrant == entrant), 0),
        ended=held.over,
        winners=winners_of(play) if held.over else (),
        lifted=held.lifted,
        stuck=held.stuck,
    )


def view_of(
    held: Held,
    here: Mapping[int, Table],
    player: str,
    seeds: Sequence[str],
    timing: Timing,
) -> m.TournamentView:
    """Return the tournament as one visitor sees it.

    ``here`` are the tables of the running round, by their numbers, and ``seeds`` those of the rounds that
    are closed, in hex.
    """
    play, current = held.play, held.play.open_round
    ranked = standings_of(play)
    row_of = {row.entrant: number for number, row in enumerate(ranked)}
    rows = tuple(_row(play, row, row_of, player) for row in ranked)
    tables = current.tables if current else ()
    names = [each.name for each in play.entrants]
    codes = {number: table.id for number, table in here.items()}
    return m.TournamentView(
        info_of(held, codes, player, timing),
        rows,
        tuple(
            _as_it_goes(
                m.TournamentSeats(
                    number, tuple("" if it == BOT else names[it] for it in table.seats), table.done
                ),
                here.get(number - 1),
            )
            for number, table in enumerate(tables, 1)
        ),
        held.commitments,
        tuple(seeds),
    )


def _as_it_goes(seats: m.TournamentSeats, table: Table | None) -> m.TournamentSeats:
    """Add to ``seats`` what everybody at the table sees of its progress; others still play its deal."""
    if table is None or seats.done or table.game is None:
        starts = table.shared.starts if table and table.shared and not seats.done else 0.0
        absent = table.absent if table and not seats.done else ()
        return replace(seats, awaited=absent, due=starts)
    awaited = [it.name for n, it in enumerate(table.seats) if it.human and table.owes_bid(n)]
    _game, stage, number, _pauses = table.epoch
    due = table.deadline if table.running else 0.0
    return replace(seats, stage=stage, round=number, awaited=tuple(awaited), due=due)


def _row(
    play: Tournament, row: TournamentStanding, row_of: Mapping[int, int], player: str
) -> m.TournamentRow:
    entrant = play.entrants[row.entrant]
    closed = zip(row.rounds, play.rounds, strict=True)
    return m.TournamentRow(
        row.place,
        entrant.name,
        round(float(row.total), _DIGITS),
        round(float(row.opponents), _DIGITS),
        round(float(row.best), _DIGITS),
        str(row.total),
        row.withdrawn,
        entrant.player == player,
        tuple(cell and _cell(cell, row_of) for cell, played in closed if played.closed),
    )


def _cell(cell: RoundScore, row_of: Mapping[int, int]) -> m.TournamentCell:
    return m.TournamentCell(
        cell.table + 1,
        cell.seat + 1,
        tuple(row_of[it] for it in cell.opponents),
        cell.points,
        round(float(cell.score), _DIGITS),
        cell.stayed,
    )


class TournamentRequest(Struct, frozen=True):
    """A player, who comes from there (``source``), wants this; or, without one, the operators."""

    player: m.Player | None
    command: m.DirectedCommand
    source: str = ""


class CheckDue(Struct, frozen=True):
    """Something may have to be done by now: the time has come, or something has happened at a table."""


class Seen(Struct, frozen=True):
    """The answer to ``See``. Tables are counted from 0."""

    asked: "See"
    over: frozenset[int]
    """The tables where no game goes on any more."""
    listed: frozenset[int]
    """The tables that the lobby knows of."""
    there: frozenset[int]
    """And those besides that the store has: they may be read back just now."""
    games: tuple[EventGame, ...]
    """The games that are over."""
    entered: frozenset[str]
    """Ids of the people who have begun to play."""


class Stuck(Struct, frozen=True):
    """Our own code fails here again and again; or does not any more."""

    stuck: bool


Input = TournamentRequest | CheckDue | Seen | Stuck


class See(Struct, frozen=True):
    """Find out what has become of the tables of the round with this event; answered by ``Seen``."""

    event: str
    close: bool = False
    """The round is closed then."""


class OpenRound(Struct, frozen=True):
    """Open these tables (from 0) of the round that goes on."""

    tables: tuple[int, ...]


class Settle(Struct, frozen=True):
    """Break off what still goes on of rounds that do not, and make their deals and games public."""


class LookAgain(Struct, frozen=True):
    """Look again in a moment."""


class Tell(Struct, frozen=True):
    """Tell these players, by their ids."""

    players: tuple[str, ...]
    word: m.ServerMessage


Effect = See | OpenRound | Settle | LookAgain | Tell


class TournamentStep(Struct, frozen=True):
    """What an input has led to. ``held`` is the very same when nothing has changed."""

    held: Held
    effects: tuple[Effect, ...] = ()
    """To be done when the tournament has been written."""
    event: Event | None = None
    """That of a round that begins: to be written with the tournament."""
    reply: m.Reply = m.Reply()


class TournamentEnv(Struct, frozen=True):
    """What a decision depends on besides the tournament and the input, as it is at that moment."""

    now: float
    timing: Timing
    connected: frozenset[str]
    """Ids of the people who are."""
    seed: bytes
    """32 secret random bytes for a round that begins."""

    def __repr__(self) -> str:
        """Without the seed."""
        return f"Env({self.now!r})"


_CODES: Final = {"over": m.Refusal.TOURNAMENT_OVER, "full": m.Refusal.TOURNAMENT_FULL}
"""Refusals for the engine's errors that have another name here."""


def decide(held: Held, given: Input, env: TournamentEnv) -> TournamentStep:
    """What ``given`` leads to."""
    try:
        match given:
            case TournamentRequest():
                return _asked(held, given, env)
            case CheckDue():
                return _look(held, env)
            case Seen():
                return _seen(held, given, env)
            case Stuck(stuck):
                return _stuck(held, stuck=stuck)
    except m.Refused as refused:
        return TournamentStep(held, reply=refused.reply)
    except TournamentError as error:
        return TournamentStep(
            held, reply=m.Reply(_CODES.get(error.code, error.code), dict(error.details))
        )


# ------------------------------------------------------------ what can be asked for


def _asked(held: Held, asked: TournamentRequest, env: TournamentEnv) -> TournamentStep:
    player = asked.player
    match asked.command:
        case m.EnterTournament() if player is not None:
            m.refuse_if(player.guest and not held.guests, m.Refusal.NO_GUESTS)
            who, places = (player.id, player.name), held.plan.places
            play = progress.register(held.play, *who, guest=player.guest, places=places)
            return TournamentStep(held.with_entrant(play, player.id, asked.source))
        case m.WithdrawFromTournament() if player is not None:
            return TournamentStep(held.with_play(progress.withdraw(held.play, player.id)))
        case m.DirectTournament(_, what, name):
            directs = player is None or player.id == held.director
            m.refuse_if(not directs, m.Refusal.NOT_YOURS_TO_DIRECT)
            return _directed(held, what, name, env)
    raise m.Refused(m.Refusal.NOT_ENTERED)


def _directed(held: Held, what: m.Directing, name: str, env: TournamentEnv) -> TournamentStep:
    m.refuse_if(held.play.over, m.Refusal.TOURNAMENT_OVER)
    match what:
        case m.Directing.BEGIN:
            return _count_down(held, env)
        case m.Directing.CLOSE:
            m.refuse_if(held.play.open_round is None, m.Refusal.NO_ROUND)
            # What is over by now counts.
            return TournamentStep(held, (See(held.open_event, close=True),))
        case m.Directing.END:
            return _end(held, env)
        case m.Directing.LIFT:
            return TournamentStep(replace(held, lifted=True))
        case m.Directing.REMOVE:
            named = [each for each in _registered(held) if is_called(each.name, name)][:1]
            m.refuse_if(not named, m.Refusal.NOBODY_ENTERED, {"name": name})
            return _remove(held, named)
        case m.Directing.REMOVE_ABSENT:
            return _remove(held, [it for it in _registered(held) if it.player not in env.connected])


def _registered(held: Held) -> list[progress.Entrant]:
    return [each for each in held.play.entrants if each.until is None]


def _remove(held: Held, meant: Iterable[progress.Entrant]) -> TournamentStep:
    players, play = tuple(each.player for each in meant), held.play
    for player in players:
        play = progress.withdraw(play, player)
    word = m.ServerMessage("tournament_removed", held.plan.name)
    return TournamentStep(held.with_play(play), (Tell(players, word),))


# ------------------------------------------------------------ rounds


def _look(held: Held, env: TournamentEnv) -> TournamentStep:
    """Begin the next round, or go on with the one that is open."""
    if held.play.open_round is not None:
        return TournamentStep(held, (See(held.open_event),))
    begins = held.begins and held.begins <= env.now
    step = _begin(held, env) if begins else TournamentStep(held)
    # The process may have ended, or the store refused, before that was done.
    return replace(step, effects=(*step.effects, Settle()))


def _count_down(held: Held, env: TournamentEnv) -> TournamentStep:
    """Begin the next round in a moment, so that nobody is taken away from what they read.

    Or at once, when that is counted down already.
    """
    begun, begins = _begin(held, env), env.now + env.timing.countdown
    if begins <= env.now or 0 < held.begins <= begins:
        return begun
    # Whatever speaks against it has been said by now.
    return _tell_next(replace(held, begins=begins))


def _tell_next(held: Held, *effects: Effect) -> TournamentStep:
    """Tell everybody who is registered when the next round begins."""
    word = m.ServerMessage("tournament_round", held.plan.name, held.begins)
    players = tuple(each.player for each in _registered(held))
    return TournamentStep(held, (Tell(players, word), *effects))


def _begin(held: Held, env: TournamentEnv) -> TournamentStep:
    m.refuse_if(held.play.open_round is not None, m.Refusal.ROUND_OPEN)
    play = _without_absent(held.play, env)
    tables = seat_round(play, _away(play, env))
    if play.started and not tables:
        # Nobody is left to be seated.
        return _end(held, env)
    play, number = progress.with_round(play, tables), len(play.rounds)
    kept = commitment(env.seed, play.rules)
    event = Event(held.event(number), KIND, env.now, 0.0, env.seed.hex(), kept)
    commitments = (*held.commitments[:number], kept)
    begun = held.with_play(play, begins=0.0, begun=env.now, commitments=commitments)
    return TournamentStep(begun, (OpenRound(tuple(range(len(tables)))),), event)


def _without_absent(play: progress.Tournament, env: TournamentEnv) -> progress.Tournament:
    """Withdraw those who had no seat in the last round, or were not there at its end, nor are now."""
    if not play.rounds:
        return play
    stayed = _stayed(play)
    for number, who in enumerate(play.entrants):
        missing = who.until is None and who.since < len(play.rounds) and number not in stayed
        if missing and who.player not in env.connected:
            play = progress.withdraw(play, who.player)
    return play


def _away(play: progress.Tournament, env: TournamentEnv) -> set[int]:
    """Return those who are absent and get no seat in the next round.

    Players who were there at the end of the last one get a seat, and may be on the way back.
    """
    not_sure = set(play.present) - _stayed(play)
    return {number for number in not_sure if play.entrants[number].player not in env.connected}


def _stayed(play: progress.Tournament) -> set[int]:
    """Return those who were there at the end of the last round, or may have been.

    Of a game that was broken off nobody knows.
    """
    return {
        seat
        for table in (play.rounds[-1].tables if play.rounds else ())
        for number, seat in enumerate(table.seats)
        if seat != progress.BOT and (table.scores is None or table.scores[number].stayed)
    }


def _end(held: Held, env: TournamentEnv) -> TournamentStep:
    ended = held.with_play(progress.end(held.play), begins=0.0, over=env.now)
    return TournamentStep(ended, (Settle(),))


def _seen(held: Held, seen: Seen, env: TournamentEnv) -> TournamentStep:
    """Take over results, open missing tables, and close the round.

    It is closed when all tables are done, or when it is far too late.
    """
    if seen.asked.event != held.open_event or not held.open_event:
        return TournamentStep(held)
    play = _with_results(held.play, seen)
    awaited = _awaited(play)
    if not awaited or seen.asked.close or held.due(env.timing) <= env.now:
        return _close_round(held, play, env)
    effects: list[Effect] = [Settle()]
    if missing := sorted(awaited - seen.listed - seen.there):
        effects.append(OpenRound(tuple(missing)))
    if awaited & seen.there:
        effects.append(LookAgain())
    return TournamentStep(held if play is held.play else held.with_play(play), tuple(effects))


def _awaited(play: progress.Tournament) -> set[int]:
    """The tables of the open round that are not done."""
    current = play.open_round
    return {number for number, it in enumerate(current.tables) if not it.done} if current else set()


def _with_results(play: progress.Tournament, seen: Seen) -> progress.Tournament:
    there = seen.listed | seen.there
    for number in sorted(_awaited(play)):
        ids = _ids(play, number)
        game = next((each for each in seen.games if each.players == ids), None)
        if game is not None:
            play = progress.with_result(play, number, _scores(game), str(game.id))
        elif number in seen.over or (number not in there and seen.entered.intersection(ids)):
            # Broken off before anything counted.
            play = progress.with_result(play, number, None)
    return play


def _ids(play: progress.Tournament, table: int) -> tuple[str, ...]:
    """Return the ids on the seats of a table of the last round; empty for bots."""
    seats = play.rounds[-1].tables[table].seats
    return tuple("" if seat == progress.BOT else play.entrants[seat].player for seat in seats)


def _scores(game: EventGame) -> list[progress.SeatScore] | None:
    """A seat each; ``None`` for a game that was not played to its end."""
    if not game.complete:
        return None
    return [progress.SeatScore(seat.score, seat.kind != "left") for seat in game.seats]


def _close_round(held: Held, play: progress.Tournament, env: TournamentEnv) -> TournamentStep:
    play = progress.close_round(play)
    begins = env.now + held.plan.pause if held.plan.pause and not play.over else 0.0
    closed = held.with_play(play, begins=begins, over=env.now if play.over else 0.0)
    if not begins:
        return TournamentStep(closed, (Settle(),))
    return _tell_next(closed, Settle())


def _stuck(held: Held, *, stuck: bool) -> TournamentStep:
    """Everybody sees it in the lists, and the director is told."""
    word = m.ServerMessage("tournament_stuck", held.plan.name)
    told = (Tell((held.director,), word),) if stuck and held.director else ()
    return TournamentStep(held if held.stuck is stuck else replace(held, stuck=stuck), told)
