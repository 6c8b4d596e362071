"""A tournament as a function: its state and an input decide its next state, and what is to be done.

Nothing here waits, writes, reads a clock or draws by lot, and ``decide`` raises for nothing that can come:
what cannot be done is a refusal, and what is out of date changes nothing.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.deal import commitment
from engine.errors import TournamentError
from engine.tournament import progress as engine
from engine.tournament.progress import seat_round
from server.coordinator import messages as m
from server.coordinator.people.names import is_called
from server.coordinator.tournaments.state import Held
from server.settings.settings import Timing
from server.storage.events import KIND, Event, EventGame


class Asked(Struct, frozen=True):
    """A player, who comes from there (``source``), wants this; or, without one, the operators."""

    player: m.Player | None
    command: m.DirectedCommand
    source: str = ""


class Look(Struct, frozen=True):
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


Input = Asked | Look | Seen | Stuck


class See(Struct, frozen=True):
    """Find out what has become of the tables of the round with this event; answered by ``Seen``."""

    event: str
    close: bool = False
    """The round is closed then."""


class OpenTables(Struct, frozen=True):
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


Effect = See | OpenTables | Settle | LookAgain | Tell


class Step(Struct, frozen=True):
    """What an input has led to. ``held`` is the very same when nothing has changed."""

    held: Held
    effects: tuple[Effect, ...] = ()
    """To be done when the tournament has been written."""
    event: Event | None = None
    """That of a round that begins: to be written with the tournament."""
    reply: m.Reply = m.Reply()


class Env(Struct, frozen=True):
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


def decide(held: Held, given: Input, env: Env) -> Step:
    """What ``given`` leads to."""
    try:
        match given:
            case Asked():
                return _asked(held, given, env)
            case Look():
                return _look(held, env)
            case Seen():
                return _seen(held, given, env)
            case Stuck(stuck):
                return _stuck(held, stuck=stuck)
    except m.Refused as refused:
        return Step(held, reply=refused.reply)
    except TournamentError as error:
        return Step(held, reply=m.Reply(_CODES.get(error.code, error.code), dict(error.details)))


# ------------------------------------------------------------ what can be asked for


def _asked(held: Held, asked: Asked, env: Env) -> Step:
    player = asked.player
    match asked.command:
        case m.EnterTournament() if player is not None:
            m.refuse_if(player.guest and not held.guests, m.Refusal.NO_GUESTS)
            who, places = (player.id, player.name), held.plan.places
            play = engine.register(held.play, *who, guest=player.guest, places=places)
            return Step(held.with_entrant(play, player.id, asked.source))
        case m.WithdrawFromTournament() if player is not None:
            return Step(held.with_play(engine.withdraw(held.play, player.id)))
        case m.DirectTournament(_, what, name):
            directs = player is None or player.id == held.director
            m.refuse_if(not directs, m.Refusal.NOT_YOURS_TO_DIRECT)
            return _directed(held, what, name, env)
    raise m.Refused(m.Refusal.NOT_ENTERED)


def _directed(held: Held, what: m.Directing, name: str, env: Env) -> Step:
    m.refuse_if(held.play.over, m.Refusal.TOURNAMENT_OVER)
    match what:
        case m.Directing.BEGIN:
            return _count_down(held, env)
        case m.Directing.CLOSE:
            m.refuse_if(held.play.open_round is None, m.Refusal.NO_ROUND)
            # What is over by now counts.
            return Step(held, (See(held.open_event, close=True),))
        case m.Directing.END:
            return _end(held, env)
        case m.Directing.LIFT:
            return Step(replace(held, lifted=True))
        case m.Directing.REMOVE:
            named = [each for each in _registered(held) if is_called(each.name, name)][:1]
            m.refuse_if(not named, m.Refusal.NOBODY_ENTERED, {"name": name})
            return _remove(held, named)
        case m.Directing.REMOVE_ABSENT:
            return _remove(held, [it for it in _registered(held) if it.player not in env.connected])


def _registered(held: Held) -> list[engine.Entrant]:
    return [each for each in held.play.entrants if each.until is None]


def _remove(held: Held, meant: Iterable[engine.Entrant]) -> Step:
    players, play = tuple(each.player for each in meant), held.play
    for player in players:
        play = engine.withdraw(play, player)
    word = m.ServerMessage("tournament_removed", held.plan.name)
    return Step(held.with_play(play), (Tell(players, word),))


# ------------------------------------------------------------ rounds


def _look(held: Held, env: Env) -> Step:
    """Begin the next round, or go on with the one that is open."""
    if held.play.open_round is not None:
        return Step(held, (See(held.open_event),))
    begins = held.begins and held.begins <= env.now
    step = _begin(held, env) if begins else Step(held)
    # The process may have ended, or the store refused, before that was done.
    return replace(step, effects=(*step.effects, Settle()))


def _count_down(held: Held, env: Env) -> Step:
    """Begin the next round in a moment, so that nobody is taken away from what they read.

    Or at once, when that is counted down already.
    """
    begun, begins = _begin(held, env), env.now + env.timing.countdown
    if begins <= env.now or 0 < held.begins <= begins:
        return begun
    # Whatever speaks against it has been said by now.
    return _tell_next(replace(held, begins=begins))


def _tell_next(held: Held, *effects: Effect) -> Step:
    """Tell everybody who is registered when the next round begins."""
    word = m.ServerMessage("tournament_round", held.plan.name, held.begins)
    players = tuple(each.player for each in _registered(held))
    return Step(held, (Tell(players, word), *effects))


def _begin(held: Held, env: Env) -> Step:
    m.refuse_if(held.play.open_round is not None, m.Refusal.ROUND_OPEN)
    play = _without_absent(held.play, env)
    tables = seat_round(play, _away(play, env))
    if play.started and not tables:
        # Nobody is left to be seated.
        return _end(held, env)
    play, number = engine.with_round(play, tables), len(play.rounds)
    kept = commitment(env.seed, play.rules)
    event = Event(held.event(number), KIND, env.now, 0.0, env.seed.hex(), kept)
    commitments = (*held.commitments[:number], kept)
    begun = held.with_play(play, begins=0.0, begun=env.now, commitments=commitments)
    return Step(begun, (OpenTables(tuple(range(len(tables)))),), event)


def _without_absent(play: engine.Tournament, env: Env) -> engine.Tournament:
    """Withdraw those who had no seat in the last round, or were not there at its end, nor are now."""
    if not play.rounds:
        return play
    stayed = _stayed(play)
    for number, who in enumerate(play.entrants):
        missing = who.until is None and who.since < len(play.rounds) and number not in stayed
        if missing and who.player not in env.connected:
            play = engine.withdraw(play, who.player)
    return play


def _away(play: engine.Tournament, env: Env) -> set[int]:
    """Return those who are absent and get no seat in the next round.

    Players who were there at the end of the last one get a seat, and may be on the way back.
    """
    not_sure = set(play.present) - _stayed(play)
    return {number for number in not_sure if play.entrants[number].player not in env.connected}


def _stayed(play: engine.Tournament) -> set[int]:
    """Return those who were there at the end of the last round, or may have been.

    Of a game that was broken off nobody knows.
    """
    return {
        seat
        for table in (play.rounds[-1].tables if play.rounds else ())
        for number, seat in enumerate(table.seats)
        if seat != engine.BOT and (table.scores is None or table.scores[number].stayed)
    }


def _end(held: Held, env: Env) -> Step:
    ended = held.with_play(engine.end(held.play), begins=0.0, over=env.now)
    return Step(ended, (Settle(),))


def _seen(held: Held, seen: Seen, env: Env) -> Step:
    """Take over results, open missing tables, and close the round.

    It is closed when all tables are done, or when it is far too late.
    """
    if seen.asked.event != held.open_event or not held.open_event:
        return Step(held)
    play = _with_results(held.play, seen)
    awaited = _awaited(play)
    if not awaited or seen.asked.close or held.due(env.timing) <= env.now:
        return _close_round(held, play, env)
    effects: list[Effect] = [Settle()]
    if missing := sorted(awaited - seen.listed - seen.there):
        effects.append(OpenTables(tuple(missing)))
    if awaited & seen.there:
        effects.append(LookAgain())
    return Step(held if play is held.play else held.with_play(play), tuple(effects))


def _awaited(play: engine.Tournament) -> set[int]:
    """The tables of the open round that are not done."""
    current = play.open_round
    return {number for number, it in enumerate(current.tables) if not it.done} if current else set()


def _with_results(play: engine.Tournament, seen: Seen) -> engine.Tournament:
    there = seen.listed | seen.there
    for number in sorted(_awaited(play)):
        ids = _ids(play, number)
        game = next((each for each in seen.games if each.players == ids), None)
        if game is not None:
            play = engine.with_result(play, number, _scores(game), str(game.id))
        elif number in seen.over or (number not in there and seen.entered.intersection(ids)):
            # Broken off before anything counted.
            play = engine.with_result(play, number, None)
    return play


def _ids(play: engine.Tournament, table: int) -> tuple[str, ...]:
    """Return the ids on the seats of a table of the last round; empty for bots."""
    seats = play.rounds[-1].tables[table].seats
    return tuple("" if seat == engine.BOT else play.entrants[seat].player for seat in seats)


def _scores(game: EventGame) -> list[engine.SeatScore] | None:
    """A seat each; ``None`` for a game that was not played to its end."""
    if not game.complete:
        return None
    return [engine.SeatScore(seat.score, seat.kind != "left") for seat in game.seats]


def _close_round(held: Held, play: engine.Tournament, env: Env) -> Step:
    play = engine.close_round(play)
    begins = env.now + held.plan.pause if held.plan.pause and not play.over else 0.0
    closed = held.with_play(play, begins=begins, over=env.now if play.over else 0.0)
    if not begins:
        return Step(closed, (Settle(),))
    return _tell_next(closed, Settle())


def _stuck(held: Held, *, stuck: bool) -> Step:
    """Everybody sees it in the lists, and the director is told."""
    word = m.ServerMessage("tournament_stuck", held.plan.name)
    told = (Tell((held.director,), word),) if stuck and held.director else ()
    return Step(held if held.stuck is stuck else replace(held, stuck=stuck), told)
