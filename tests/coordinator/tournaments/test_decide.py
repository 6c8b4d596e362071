"""A tournament as a function, without an event loop: whatever comes in whatever order, no result is lost."""

import json
import random
from dataclasses import dataclass
from math import inf
from typing import Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from engine.deal import commitment
from engine.editions import Rules
from engine.records.outcome import SeatResult
from engine.tournament.progress import BOT, SeatScore, Tournament
from engine.tournament.standings import standings
from server.coordinator import messages as m
from server.coordinator.tournaments.tournament import (
    CheckDue,
    Held,
    Input,
    LookAgain,
    OpenRound,
    See,
    Seen,
    Settle,
    Stuck,
    Tell,
    TournamentEnv,
    TournamentRequest,
    TournamentStep,
    decide,
    from_stored,
    to_stored,
)
from server.settings.settings import Timing
from server.storage.events import Event, EventGame

TIMING: Final = Timing(countdown=0)
PEOPLE: Final = tuple(m.Player(f"id{n}", f"p{n}", guest=n % 5 == 4) for n in range(14))
DIRECTOR: Final = m.Player("host", "host", guest=False)
_WHO = st.sampled_from(PEOPLE)
_BY = st.sampled_from([None, DIRECTOR, PEOPLE[0]])
_SOURCE = st.sampled_from(["", "192.0.2.1", "198.51.100.7"])
_PLANS = st.builds(
    m.TournamentPlan,
    st.just("Cup"),
    st.just(m.TableOptions(Rules(players=3, stages=1), m.Pace.TIMED, 30, bots="cautious")),
    rounds=st.integers(1, 3),
    pause=st.sampled_from([0, 60]),
    places=st.integers(8, 14),
)


@dataclass
class Table:
    """One of a round, as the lobby and the store have it."""

    players: tuple[str, ...]
    listed: bool = True
    kept: bool = True
    over: bool = False


class OneTournament(RuleBasedStateMachine):
    """What the actor does, without waiting: decides, writes (or fails to), takes over. What follows is done
    later, or never.
    """

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0
        self.draws = 0
        self.full = False
        self.here = {player.id for player in PEOPLE}
        self.held = self.stored = Held(
            "c", m.TournamentPlan("", m.TableOptions()), 0.0, "", "", False, Tournament(Rules(), 1)
        )
        self.events: dict[str, Event] = {}
        self.tables: dict[tuple[str, int], Table] = {}
        self.games: dict[str, list[EventGame]] = {}
        self.entered: dict[str, set[str]] = {}
        self.pending: list[See | OpenRound] = []

    # ------------------------------------------------------------ the actor's part

    def env(self) -> TournamentEnv:
        seed = random.Random(self.draws).randbytes(32)
        return TournamentEnv(self.now, TIMING, frozenset(self.here), seed)

    def take(self, given: Input) -> m.Reply:
        self.draws += 1
        before, env = self.held, self.env()
        step = decide(before, given, env)
        assert step == decide(before, given, env), "the same for the same"
        assert env.seed.hex() not in repr((step.held, env))
        if not step.reply.ok:
            assert step.held is before
            assert not step.effects
            return step.reply
        self._nothing_lost(given, step)
        if step.held is not before:
            if self.full:
                return m.Reply(m.Refusal.STORAGE)
            if before.open_event and not step.held.open_event:
                assert Settle() in step.effects
            if step.event is not None:
                self._seated(step.held.play)
                assert step.event.id == step.held.open_event
                assert step.event.commitment == step.held.commitments[-1]
                self.events[step.event.id] = step.event
            self.held = step.held
        for effect in step.effects:
            match effect:
                case See() | OpenRound():
                    self.pending.append(effect)
                case Tell(players, _):
                    assert "" not in players
                case Settle():
                    self._settle()
        return step.reply

    @property
    def event(self) -> str:
        return self.held.open_event

    def _settle(self) -> None:
        for event in self.events:
            if self.held.has_closed(event):
                assert event != self.event
                for (at, _), table in self.tables.items():
                    if at == event:
                        table.listed = table.kept = False

    def _seen(self, asked: See) -> Seen:
        mine = {n: table for (at, n), table in self.tables.items() if at == asked.event}
        return Seen(
            asked,
            frozenset(n for n, table in mine.items() if table.listed and table.over),
            frozenset(n for n, table in mine.items() if table.listed),
            frozenset(n for n, table in mine.items() if table.kept and not table.listed),
            tuple(self.games.get(asked.event, ())),
            frozenset(self.entered.get(asked.event, ())),
        )

    def _nothing_lost(self, given: Input, step: TournamentStep) -> None:
        before, after = self.held.play, step.held.play
        if isinstance(given, Seen):
            self._tables_seen(given, step)
        closed = [each for each in before.rounds if each.closed]
        assert list(after.rounds[: len(closed)]) == closed, "what was played stays played"
        assert not before.over or after == before
        if before.open_round is None or (after.over and len(after.rounds) < len(before.rounds)):
            return
        for was, now in zip(before.rounds[-1].tables, after.rounds[-1].tables, strict=True):
            assert now.seats == was.seats
            assert not was.done or now == was
            if isinstance(given, Seen):
                game = self._game(given, before, was.seats)
                if game is not None and not was.done and given.asked.event == self.event:
                    scores = tuple(SeatScore(it.score, it.kind != "left") for it in game.seats)
                    assert now.scores == (scores if game.complete else None)
                    assert now.game == str(game.id)

    def _tables_seen(self, seen: Seen, step: TournamentStep) -> None:
        """What is done of what is to be done for tables without a game that counts."""
        if seen.asked.event != self.event:
            assert (step.held, step.effects) == (self.held, ())
            return
        before, after = self.held.play.rounds[-1], step.held.play.rounds[-1]
        awaited, there = set(), seen.listed | seen.there
        for number, table in enumerate(before.tables):
            if table.done or self._game(seen, self.held.play, table.seats) is not None:
                continue
            begun = seen.entered & {
                self.held.play.entrants[it].player for it in table.seats if it >= 0
            }
            if number not in seen.over and (number in there or not begun):
                awaited.add(number)
        late = self.held.due(TIMING) <= self.now
        assert after.closed == (not awaited or seen.asked.close or late)
        if not after.closed:
            assert awaited == {n for n, table in enumerate(after.tables) if not table.done}
            opened = [each.tables for each in step.effects if isinstance(each, OpenRound)]
            assert {n for tables in opened for n in tables} == awaited - there
            assert (LookAgain() in step.effects) == bool(awaited & seen.there)

    def _seated(self, play: Tournament) -> None:
        """Everybody present now or at the end of the last round is seated; new ones stay registered."""
        before, last = self.held.play, self.held.play.rounds[-1:]
        seated = {it for table in play.rounds[-1].tables for it in table.seats if it != BOT}
        stayed = {
            entrant
            for each in last
            for table in each.tables
            for seat, entrant in enumerate(table.seats)
            if entrant != BOT and (table.scores is None or table.scores[seat].stayed)
        }
        registered = {n for n, each in enumerate(before.entrants) if each.until is None}
        here = {n for n in registered if before.entrants[n].player in self.here}
        assert {before.entrants[n].player for n in registered & (here | stayed)} == {
            play.entrants[n].player for n in seated
        }
        new = {
            before.entrants[n].player
            for n in registered
            if before.entrants[n].since == len(before.rounds)
        }
        assert new <= {each.player for each in play.entrants if each.until is None}

    @staticmethod
    def _game(seen: Seen, play: Tournament, seats: tuple[int, ...]) -> EventGame | None:
        ids = tuple("" if it == BOT else play.entrants[it].player for it in seats)
        return next((game for game in seen.games if game.players == ids), None)

    # ------------------------------------------------------------ what comes

    @initialize(plan=_PLANS, guests=st.booleans(), entered=st.sampled_from([0, 8, 12, len(PEOPLE)]))
    def opens(self, plan: m.TournamentPlan, guests: bool, entered: int) -> None:
        play = Tournament(plan.options.rules, plan.rounds)
        self.held = Held("c", plan, self.now, DIRECTOR.id, DIRECTOR.name, guests, play)
        for player in PEOPLE[:entered]:
            self.enters(player, "")

    @rule(who=_WHO, source=_SOURCE)
    def enters(self, who: m.Player, source: str) -> None:
        self.take(TournamentRequest(who, m.EnterTournament("c"), source))

    @rule(who=_WHO)
    def withdraws(self, who: m.Player) -> None:
        self.take(TournamentRequest(who, m.WithdrawFromTournament("c")))

    @precondition(lambda self: not self.event)
    @rule(by=st.sampled_from([None, DIRECTOR]), opened=st.booleans())
    def begins(self, by: m.Player | None, opened: bool) -> None:
        self.take(TournamentRequest(by, m.DirectTournament("c", m.Directing.BEGIN)))
        if opened and self.event:
            self._open(tuple(range(len(self.held.play.rounds[-1].tables))))

    @rule(by=_BY, what=st.sampled_from(m.Directing), name=st.sampled_from(["p1", "P2", "x", ""]))
    def directs(self, by: m.Player | None, what: m.Directing, name: str) -> None:
        if what is m.Directing.END and self.draws % 4:
            return  # else few have several rounds
        reply = self.take(TournamentRequest(by, m.DirectTournament("c", what, name)))
        assert by is not PEOPLE[0] or reply.code == m.Refusal.NOT_YOURS_TO_DIRECT

    @rule(who=_WHO, here=st.booleans())
    def comes_or_goes(self, who: m.Player, here: bool) -> None:
        (self.here.add if here else self.here.discard)(who.id)

    @rule(seconds=st.sampled_from([0.0, 1.0, 60.0, 9000.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def looks(self) -> None:
        self.take(CheckDue())

    @precondition(lambda self: self.pending)
    @rule(which=st.integers(0, 9), forget=st.booleans())
    def does_what_follows(self, which: int, forget: bool) -> None:
        effect = self.pending[which % len(self.pending)]
        if forget or isinstance(effect, OpenRound):
            self.pending.remove(effect)
        match effect:
            case See():
                # Also what was asked long ago.
                self.take(self._seen(effect))
            case OpenRound(tables) if self.event:
                self._open(tables)

    def _open(self, tables: tuple[int, ...]) -> None:
        play = self.held.play
        for number in tables:
            if number < len(play.rounds[-1].tables):
                seats = play.rounds[-1].tables[number].seats
                ids = tuple("" if it == BOT else play.entrants[it].player for it in seats)
                before = self.tables.get((self.event, number))
                if before is None or not before.kept:
                    self.tables[self.event, number] = Table(ids)

    @precondition(lambda self: self.event)
    @rule(broken=st.booleans(), left=st.integers(0, 7), but=st.integers(-1, 4))
    def tables_are_over(self, broken: bool, left: int, but: int) -> None:
        for (event, number), table in self.tables.items():
            if event == self.event and table.kept and not table.over and number != but:
                self._over(event, table, left, complete=not (broken and number))

    @precondition(lambda self: self.events)
    @rule(back=st.integers(0, 2))
    def is_seen(self, back: int) -> None:
        # Also of a round that was closed long ago.
        self.take(self._seen(See(list(self.events)[-1 - back % len(self.events)])))

    @precondition(lambda self: self.tables)
    @rule(
        which=st.integers(0, 30),
        what=st.sampled_from(["begins", "over", "over", "broken", "closed", "lost", "back"]),
        left=st.integers(0, 7),
    )
    def happens_at_a_table(self, which: int, what: str, left: int) -> None:
        (event, _), table = list(self.tables.items())[which % len(self.tables)]
        if event != self.event or table.over or not table.kept:
            return
        if what in ("lost", "back"):
            table.listed = what == "back"
            return
        if what in ("over", "broken"):
            self._over(event, table, left, complete=what == "over")
        if what == "begins":
            self.entered.setdefault(event, set()).update(filter(None, table.players))
        if what == "closed":
            table.listed = table.kept = False

    def _over(self, event: str, table: Table, left: int, *, complete: bool) -> None:
        kinds = ["left" if left >> seat & 1 else "human" for seat in range(len(table.players))]
        self.entered.setdefault(event, set()).update(filter(None, table.players))
        seats = tuple(SeatResult("", kind, 3 * n - left, 0) for n, kind in enumerate(kinds))
        games = self.games.setdefault(event, [])
        games.append(EventGame(len(games) + 1, self.now, complete, seats, table.players))
        table.over = True

    @rule(stuck=st.booleans())
    def fails_or_not(self, stuck: bool) -> None:
        self.take(Stuck(stuck))
        assert self.full or self.held.stuck is stuck

    @rule(full=st.booleans())
    def the_store_is_full_or_not(self, full: bool) -> None:
        self.full = full

    @rule()
    def is_killed(self) -> None:
        state = json.loads(json.dumps(to_stored(self.held).state))
        again = from_stored(to_stored(self.held)._replace(state=state))
        assert again == self.held
        self.held = replace(again, begun=self.now)
        self.pending.clear()
        self.take(CheckDue())

    # ------------------------------------------------------------ what must hold

    @invariant()
    def everybody_is_entered_once_and_has_one_seat(self) -> None:
        held, play = self.held, self.held.play
        ids = [each.player for each in play.entrants]
        assert len(ids) == len({*ids})
        registered = {each.player for each in play.entrants if each.until is None}
        assert len(registered) <= held.plan.places
        assert held.guests or not any(each.guest for each in play.entrants)
        assert held.sources.keys() <= (set() if play.over else registered)
        sources = list(held.sources.values())
        most = max(map(sources.count, sources), default=0)
        assert held.lifted or most <= held.plan.places // 2
        for each in play.rounds:
            seats = [seat for table in each.tables for seat in table.seats if seat != BOT]
            assert len(seats) == len({*seats})
            assert len(each.tables) >= 2
        assert len(standings(play)) == len(ids)

    @invariant()
    def rounds_follow_each_other(self) -> None:
        held, play = self.held, self.held.play
        assert len(play.rounds) <= play.planned
        assert all(each.closed for each in play.rounds[:-1])
        assert play.over == bool(held.over)
        assert not held.begins or (held.phase is m.TournamentPhase.BREAK and held.plan.pause)
        assert len(held.commitments) >= len(play.rounds)
        for number, _ in enumerate(play.rounds):
            event = self.events[held.event(number)]
            made = commitment(bytes.fromhex(event.seed), play.rules)
            assert held.commitments[number] == event.commitment == made
        waits = held.phase in (m.TournamentPhase.PLAYING, m.TournamentPhase.BREAK)
        assert (held.due(TIMING) < inf) <= waits

    @invariant()
    def what_is_due_is_done_at_once(self) -> None:
        if not self.full and self.held.due(TIMING) <= self.now:
            assert self.take(CheckDue()).ok
            if self.event and self.held.due(TIMING) <= self.now:
                self.take(self._seen(See(self.event)))
            assert self.held.due(TIMING) > self.now

    def teardown(self) -> None:
        """From wherever it is, it comes to an end without any director but for breaks without end."""
        self.full, self.here = False, {player.id for player in PEOPLE}
        for _ in range(100):
            if self.held.play.over or not self.held.play.started:
                break
            self.take(CheckDue())
            if self.held.phase is m.TournamentPhase.BREAK:
                if not self.held.begins:
                    self.take(TournamentRequest(None, m.DirectTournament("c", m.Directing.BEGIN)))
                self.now = max(self.now, self.held.begins)
            elif self.event:
                self._play_on()
        assert self.held.play.over or not self.held.play.started

    def _play_on(self) -> None:
        for table in [it for (at, _), it in self.tables.items() if at == self.event]:
            table.listed = table.listed or table.kept
            if table.listed and not table.over:
                self._over(self.event, table, 0, complete=True)
        self.pending.clear()
        event = self.event
        self.take(self._seen(See(event)))
        for effect in self.pending:
            assert isinstance(effect, OpenRound)
            assert self.event
            self._open(effect.tables)


@pytest.mark.slow
def test_no_input_in_any_order_loses_a_result_a_place_or_a_round() -> None:
    run_state_machine_as_test(
        OneTournament, settings=settings(max_examples=100, stateful_step_count=50, deadline=None)
    )
