"""A table as a function, without an event loop: whatever comes in whatever order, nothing is lost."""

import random
from dataclasses import replace
from itertools import permutations
from typing import Any, Final, get_args

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
from msgspec import structs

from engine.editions import Rules
from server.coordinator import messages as m
from server.coordinator.table import steps
from server.coordinator.table.decide import decide
from server.coordinator.table.pause import taken_up
from server.coordinator.table.state import EMPTY, Member, Table, Thought, what_is_kept
from server.coordinator.table.stored import from_stored, to_entries, to_row
from server.coordinator.table.timers import TableTimer, TimerKind, due
from server.settings.settings import TableLimits, Timing
from server.storage.table_store import StoredTable
from tests.support.tables import UNTIMED, world

PEOPLE: Final = ("ada", "bo", "cem", "eve")
TIMING: Final = Timing()
_WHO = st.sampled_from(PEOPLE)
_SEAT = st.integers(-1, 4)
_OPTIONS = st.builds(
    m.TableOptions,
    st.sampled_from([Rules(players=3, stages=2), Rules(players=4, stages=2)]),
    st.sampled_from(m.Pace),
    st.sampled_from([3600, 60]),
    st.booleans(),
    st.sampled_from(m.Spectating),
)
_WORD = st.sampled_from(["", "otter", "beaver", "x"])
_COMMANDS = st.one_of(
    st.builds(m.JoinTable, st.just("t"), _SEAT, _WORD),
    st.builds(m.WatchTable, st.just("t"), _WORD),
    st.builds(m.AddBot, _SEAT, st.sampled_from(["", "master"])),
    st.builds(m.RemoveSeat, _SEAT),
    st.builds(m.HandOver, _SEAT),
    st.builds(m.MoveSeat, _SEAT, _SEAT),
    st.builds(m.KeepSeat, _SEAT, st.sampled_from(["", *PEOPLE])),
    st.builds(m.SetWord, _WORD),
    st.builds(m.ChangeOptions, _OPTIONS),
    st.builds(m.Vote, st.sampled_from(m.Motion), _SEAT, st.booleans()),
    st.builds(m.PlaceBid, st.integers(0, 61), st.integers(0, 2), st.integers(0, 12)),
    st.sampled_from(
        [m.StartGame(), m.Rematch(), m.LeaveTable(), m.Touch(), m.Resume(), m.AskHint()]
    ),
    st.builds(steps.GoAway, st.booleans()),
)


def member(name: str) -> Member:
    return Member(m.Player(f"id-{name}", name, name == "eve"), "there")


def opened(options: m.TableOptions) -> Table:
    return Table("t", "Bay", options, 1.0, (EMPTY,) * options.rules.players)


class OneTable(RuleBasedStateMachine):
    """What the actor does, without waiting: decides, writes (or fails to), takes over, answers."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0
        self.draws = 0
        self.full = False
        self.quota = True
        self.here: set[str] = set(PEOPLE)
        self.row: Any = None
        self.entries: list[Any] = []
        self.open = False
        self.table = opened(m.TableOptions())

    # ------------------------------------------------------------ the actor's part

    def env(self) -> steps.Env:
        return steps.Env(
            self.now,
            TIMING,
            TableLimits(),
            random.Random(self.draws),
            random.Random(self.draws).randbytes(32),
            {} if self.quota else {f"id-{who}": m.Reply("too_many_games") for who in PEOPLE},
            frozenset(f"id-{who}" for who in PEOPLE if who not in self.here),
        )

    def take(self, given: steps.Input) -> m.Reply:
        self.draws += 1
        before, step = self.table, decide(self.table, given, self.env())
        assert step == decide(before, given, self.env()), "the same for the same"
        if not step.reply.ok or self._refused(step):
            after = before if self._refused(step) else step.table
            assert after == before
            return m.Reply("storage") if step.reply.ok else step.reply
        self._nothing_lost(given, step)
        self._write(step)
        self.table = step.table
        for effect in step.effects:
            match effect:
                case steps.AskBots():
                    cards = {seat: self._card(seat) for seat in effect.seats}
                    return self.take(steps.BotsChose(effect.asked, cards))
                case steps.Shut():
                    self.open = False
        return step.reply

    def _card(self, seat: int) -> int:
        game = self.table.game
        assert game is not None
        return random.Random(self.draws).choice(game.stage.hands[seat])

    def _refused(self, step: steps.Step) -> bool:
        changed = what_is_kept(step.table) != what_is_kept(self.table)
        return self.full and (changed or bool(step.actions))

    def _write(self, step: steps.Step) -> None:
        if self._refused(step):
            return
        after = step.table
        if what_is_kept(after) != what_is_kept(self.table) or step.actions:
            self.row = to_row(after)
            if after.number != self.table.number:
                self.entries = []
            self.entries += to_entries(step.actions, self.now)

    def _nothing_lost(self, given: steps.Input, step: steps.Step) -> None:
        before, after = self.table, step.table
        gone = {*before.people, *before.spectators} - {*after.people, *after.spectators}
        assert gone <= {each.player for each in step.effects if isinstance(each, steps.Release)}
        lost = before.ballots - after.ballots
        if lost and (before.epoch, before.status) == (after.epoch, after.status):
            for ballot in lost:
                touched = {ballot.seat, ballot.target}
                carried = isinstance(given, TableTimer) and given.kind is TimerKind.VOTES
                assert carried or touched & self._seats_of(given, before)

    @staticmethod
    def _seats_of(given: steps.Input, table: Table) -> set[int]:
        match given:
            case steps.Asked() | steps.Came():
                return {table.seat_of(given.who.player.id)}
            case steps.Gone():
                return {table.seat_of(given.player)}
            case _:
                return set()

    # ------------------------------------------------------------ what comes

    @initialize(options=_OPTIONS, quick=st.booleans())
    def opens(self, options: m.TableOptions, quick: bool) -> None:
        options = replace(options, rated=options.rated and not quick)
        self.table, self.open = opened(options), True
        self.take(
            steps.Asked(member("ada"), m.QuickGame(options) if quick else m.CreateTable(options))
        )

    @precondition(lambda self: self.open)
    @rule(who=_WHO, command=_COMMANDS)
    def asks(self, who: str, command: Any) -> None:
        if who in self.here:
            self.take(steps.Asked(member(who), command))

    @precondition(lambda self: self.open)
    @rule(who=_WHO, choice=st.integers(0, 11))
    def bids(self, who: str, choice: int) -> None:
        table, seat = self.table, self.table.seat_of(f"id-{who}")
        if who not in self.here or seat < 0 or table.game is None or not table.running:
            return
        hand, epoch = table.game.stage.hands[seat], table.epoch
        if hand:
            card = hand[choice % len(hand)]
            reply = self.take(steps.Asked(member(who), m.PlaceBid(card, epoch.stage, epoch.round)))
            assert reply.ok or self.full
            assert self.full or self.table.epoch != epoch or self.table.bids[seat] == card

    @precondition(lambda self: self.open)
    @rule(seats=st.lists(_WHO, min_size=1, max_size=4))
    def begins(self, seats: list[str]) -> None:
        for who in seats:
            self.asks(who, m.JoinTable("t"))
        owner = self.table.seats[self.table.owner].name
        for strategy in ("master", "", "master", ""):
            self.take(steps.Asked(member(owner), m.AddBot(strategy=strategy)))
        self.take(steps.Asked(member(owner), m.StartGame()))

    @precondition(lambda self: self.open)
    @rule(who=_WHO, other_name=st.booleans())
    def comes(self, who: str, other_name: bool) -> None:
        self.here.add(who)
        came = member(who)
        if other_name:
            came = structs.replace(came, player=structs.replace(came.player, name=who.upper()))
        self.take(steps.Came(came))

    @precondition(lambda self: self.open)
    @rule(who=_WHO)
    def looks_at_something_else(self, who: str) -> None:
        before = self.table
        if who in self.here:
            self.take(steps.Came(structs.replace(member(who), absent=self.now)))
            seat = self.table.seat_of(f"id-{who}")
            assert self.table.seats == before.seats
            assert seat < 0 or self.table.absent_since(seat)

    @precondition(lambda self: self.open)
    @rule(who=_WHO)
    def goes(self, who: str) -> None:
        self.here.discard(who)
        self.take(steps.Gone(f"id-{who}"))

    @precondition(lambda self: self.open)
    @rule(seconds=st.sampled_from([0.0, 1.0, 5.0, 130.0, 700.0, 4000.0]))
    def time_passes(self, seconds: float) -> None:
        end = self.now + seconds
        for _ in range(1000):
            timer = min(due(self.table, TIMING), default=None)
            if not self.open or timer is None or timer.when > end:
                break
            self.now, before = max(self.now, timer.when), self.table
            reply = self.take(timer)
            if self._stays(before):
                assert not reply.ok, timer
                break
        self.now = end

    def _stays(self, before: Table) -> bool:
        return self.open and self.table is before

    @precondition(lambda self: self.open and self.table.plays_alone)
    @rule()
    def has_a_turn(self) -> None:
        before = self.table
        self.take(steps.Alone())
        assert self.full or self.table is not before

    @precondition(lambda self: self.open)
    @rule(can=st.booleans(), late=st.booleans())
    def bots_have_thought(self, can: bool, late: bool) -> None:
        here = self.table.epoch
        for seat in [n for n in range(len(self.table.seats)) if self.table.thinks(n)]:
            card = self._card(seat) if can else 0
            self.take(Thought(here.game, here.stage, here.round - late, seat, card))
            assert self.table.thinks(seat) is late

    @precondition(lambda self: self.open)
    @rule(
        given=st.sampled_from(
            [steps.Announced(5.0), steps.Announced(0.0), steps.Rated("id-ada", 7, 3)]
        )
    )
    def is_told(self, given: steps.Input) -> None:
        self.take(given)

    @rule(full=st.booleans(), quota=st.booleans())
    def the_world_changes(self, full: bool, quota: bool) -> None:
        self.full, self.quota = full, quota

    @precondition(lambda self: self.open and self.row is not None)
    @rule()
    def is_killed(self) -> None:
        self.table = taken_up(self.replayed(), self.now, TIMING)
        self.here.clear()
        self.take(steps.Restarted())

    # ------------------------------------------------------------ what must hold

    def replayed(self) -> Table:
        number = self.table.number if self.row is not None else 0
        return from_stored(StoredTable("key", self.row, number, tuple(self.entries), 1))

    @invariant()
    def what_is_written_is_all_there_is(self) -> None:
        if not self.open or self.row is None:
            return
        again, table = self.replayed(), self.table
        if (
            table.restarted and not again.pause
        ):  # nobody was there: that is written with the next change
            table = structs.replace(table, pause=again.pause)
        assert what_is_kept(again) == what_is_kept(table)
        assert (again.game, again.bids, again.deal) == (table.game, table.bids, table.deal)

    @invariant()
    def everybody_has_one_place(self) -> None:
        if not self.open:
            return
        table = self.table
        seated = [seat.player.id for seat in table.seats if seat.human and seat.player]
        assert len(seated) == len({*seated})
        assert {*seated} == {*table.people}
        assert not {*table.people} & {*table.spectators}
        assert {*table.claims} <= {*table.spectators}
        assert table.owner < 0 or table.seats[table.owner].human

    @invariant()
    def no_card_is_lost(self) -> None:
        game = self.table.game if self.open else None
        if game is None:
            return
        stage = game.stage
        for seat, hand in enumerate(stage.hands):
            played = [result.bids[seat] for result in stage.rounds]
            if stage.levels[seat] is not None:
                dealt = game.deal[(seat - stage.number) % len(game.deal)]
                assert sorted([*hand, *(card for card in played if card)]) == sorted(dealt)
            bid = self.table.bids[seat]
            assert bid is None or bid in hand


@pytest.mark.slow
def test_no_input_in_any_order_loses_a_card_a_seat_or_a_vote() -> None:
    run_state_machine_as_test(
        OneTable, settings=settings(max_examples=60, stateful_step_count=40, deadline=None)
    )


@pytest.mark.parametrize("again", [False, True])
def test_the_order_in_which_bids_arrive_changes_nothing(again: bool) -> None:
    options = m.TableOptions(Rules(players=4, stages=1), m.Pace.UNTIMED)
    outcomes, machine = [], OneTable()
    for order in permutations(range(4)):
        table = opened(options)
        for given in (
            steps.Asked(member("ada"), m.CreateTable(options)),
            *(steps.Asked(member(name), m.JoinTable("t")) for name in PEOPLE[1:]),
            steps.Asked(member("ada"), m.StartGame()),
        ):
            table = decide(table, given, machine.env()).table
        assert table.game is not None
        hands = table.game.stage.hands
        for seat in order:
            for card in ([hands[seat][9]] if again and seat != order[-1] else []) + [
                hands[seat][5]
            ]:
                bid = steps.Asked(member(PEOPLE[seat]), m.PlaceBid(card, 0, 0))
                table = decide(table, bid, machine.env()).table
        assert table.epoch.round == 1
        outcomes.append((table.game, table.bids, table.status))
    assert all(outcome == outcomes[0] for outcome in outcomes)


async def test_a_table_is_opened_once() -> None:
    async with world() as server:
        ada = await server.quick()
        actor, before = server.lobby.tables.actors[ada.info.id], ada.own
        server.enter("bo")
        server.lobby.people["id-bo"].asked += 2
        for given in (
            steps.Asked(member("bo"), m.QuickGame(UNTIMED)),
            steps.Arranged((member("bo"),) * 3),
        ):
            assert (await actor.ask(given)).code == "not_open"
        assert ada.own == before
        assert (await ada.bid()).ok


def test_each_command_of_who_sits_there_is_carried_out_somewhere() -> None:
    # Whoever leaves need not sit there.
    assert steps.HANDLERS.keys() == {*get_args(m.TableCommand)} - {m.LeaveTable}
