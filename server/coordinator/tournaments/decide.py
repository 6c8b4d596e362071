"""A tournament is a function: what it is and what comes to it decide what it is then, and what is to be done.

Nothing here waits, writes, reads a clock or draws by lot, and ``decide`` raises for nothing that can come:
what cannot be done is a refusal, and what is out of date changes nothing.
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from engine.deal import commitment
from engine.errors import TournamentError
from engine.tournament import progress as engine
from engine.tournament.progress import seat_round
from server.coordinator import messages as m
from server.coordinator.people.names import is_called
from server.coordinator.tournaments import steps
from server.coordinator.tournaments.state import Held
from server.coordinator.tournaments.steps import Env, Settle, Step, Tell
from server.storage.events import Event, EventGame
from server.storage.tournaments import KIND

_CODES: Final = {"over": m.Refusal.TOURNAMENT_OVER, "full": m.Refusal.TOURNAMENT_FULL}
"""Refusals for the engine's errors that have another name here."""


def decide(held: Held, given: steps.Input, env: Env) -> Step:
    """What ``given`` leads to."""
    try:
        match given:
            case steps.Asked():
                return _asked(held, given, env)
            case steps.Look():
                return _look(held, env)
            case steps.Seen():
                return _seen(held, given, env)
            case steps.Stuck(stuck):
                return _stuck(held, stuck=stuck)
    except m.Refused as refused:
        return Step(held, reply=refused.reply)
    except TournamentError as error:
        return Step(held, reply=m.Reply(_CODES.get(error.code, error.code), dict(error.details)))


# ------------------------------------------------------------ what can be asked for


def _asked(held: Held, asked: steps.Asked, env: Env) -> Step:
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
            return Step(held, (steps.See(held.open_event, close=True),))
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
        return Step(held, (steps.See(held.open_event),))
    begins = held.begins and held.begins <= env.now
    step = _begin(held, env) if begins else Step(held)
    # The process may have ended, or the store refused, before that was done.
    return replace(step, effects=(*step.effects, Settle()))


def _count_down(held: Held, env: Env) -> Step:
    """Begin the next round in a moment, so that nobody is taken away from what they read; or at once, when
    that is counted down already.
    """
    begun, begins = _begin(held, env), env.now + env.timing.countdown
    if begins <= env.now or 0 < held.begins <= begins:
        return begun
    # Whatever speaks against it has been said by now.
    return _tell_next(replace(held, begins=begins))


def _tell_next(held: Held, *effects: steps.Effect) -> Step:
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
    return Step(begun, (steps.OpenTables(tuple(range(len(tables)))),), event)


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
    """Return those who are absent and get no seat in the next round. Players who were there at the end of the
    last one get a seat, and may be on the way back.
    """
    not_sure = set(play.present) - _stayed(play)
    return {number for number in not_sure if play.entrants[number].player not in env.connected}


def _stayed(play: engine.Tournament) -> set[int]:
    """Return those who were there at the end of the last round, or may have been: of a game that was broken
    off nobody knows.
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


def _seen(held: Held, seen: steps.Seen, env: Env) -> Step:
    """Take over results, open the tables that are missing, close the round when all are done, or when it is
    far too late.
    """
    if seen.asked.event != held.open_event or not held.open_event:
        return Step(held)
    play = _with_results(held.play, seen)
    awaited = _awaited(play)
    if not awaited or seen.asked.close or held.due(env.timing) <= env.now:
        return _close_round(held, play, env)
    effects: list[steps.Effect] = [Settle()]
    if missing := sorted(awaited - seen.listed - seen.there):
        effects.append(steps.OpenTables(tuple(missing)))
    if awaited & seen.there:
        effects.append(steps.LookAgain())
    return Step(held if play is held.play else held.with_play(play), tuple(effects))


def _awaited(play: engine.Tournament) -> set[int]:
    """The tables of the open round that are not done."""
    current = play.open_round
    return {number for number, it in enumerate(current.tables) if not it.done} if current else set()


def _with_results(play: engine.Tournament, seen: steps.Seen) -> engine.Tournament:
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
