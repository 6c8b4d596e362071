"""Inputs to one table as a function: any command of anybody at any time, also what only the server sends."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec
from hypothesis import strategies as st

from engine.editions import Edition, Rules
from engine.rules import legal_actions
from server.coordinator import messages as m
from server.coordinator.lobby.lobby_feed import table_row
from server.coordinator.table import steps
from server.coordinator.table.decide import decide
from server.coordinator.table.pause import taken_up
from server.coordinator.table.publisher import table_public
from server.coordinator.table.state import (
    EMPTY,
    Member,
    SharedDeal,
    Table,
    Thought,
    what_is_kept,
)
from server.coordinator.table.stored import (
    entered_by,
    finished_game,
    from_stored,
    to_entries,
    to_row,
)
from server.coordinator.table.timers import TableTimer, TimerKind, due
from server.settings.settings import TableLimits, Timing
from server.storage.table_store import StoredTable
from tests.fuzz.harness import Harness

TIMING: Final = Timing()
NAMES: Final = ("ada", "bo", "cem", "eve", "prog", "x")
_INPUTS: Final = 120
_RULES: Final = (
    Rules(players=3, stages=1),
    Rules(players=3, stages=2),
    Rules(players=4, stages=2),
    Rules(Edition.BGA, 6, 1),
)


def _member(name: str) -> Member:
    return Member(m.Player(f"id-{name}", name, name == "eve", name == "prog"), "there")


class OneTable:
    """A table, its row in the store, and everybody who could be there. ``seed`` decides what comes."""

    def __init__(self, seed: int) -> None:
        self.lot = lot = random.Random(seed)
        self.now = 1000.0
        self.here = set(NAMES)
        self.entries: list[Any] = []
        self.row: Any = None
        self.closed = False
        event, again = lot.random() < 0.4, lot.random() < 0.2
        self.options = m.TableOptions(
            lot.choice(_RULES),
            lot.choice([*m.Pace]),
            lot.choice([5, 60, 86400]),
            not event and lot.random() < 0.2,
            m.Spectating.NONE if event else lot.choice([*m.Spectating]),
            lot.choice(["greedy", "expert", "tidal"]),
            hints=not event and lot.random() < 0.7,
        )
        shared = SharedDeal(lot.randbytes(32)) if again else None
        if event:
            starts, waits = lot.choice([0.0, self.now + 30]), lot.random() < 0.5
            shared = SharedDeal(lot.randbytes(32), "day-2025-11-21", starts, waits)
        seats = (EMPTY,) * self.options.rules.players
        self.table = Table("t", "Bay", self.options, self.now, seats, shared=shared)
        self.take(self.arranged() if event else steps.Asked(_member("ada"), self.opening()))

    # ------------------------------------------------------------ the actor's part

    def take(self, given: steps.Input) -> m.Reply:
        before, env, state = self.table, self.env(), self.lot.getstate()
        step = decide(before, given, env)
        self.lot.setstate(state)
        again = decide(before, given, env)
        assert again == step, "the same for the same"
        if not step.reply.ok:
            assert step.table is before
        if step.table is not before or step.events:
            self.written(before, step)
        for effect in step.effects:
            match effect:
                case steps.Shut():
                    self.closed = True
                case steps.AskBots():
                    self.take(steps.BotsChose(effect.asked, self.cards(effect.seats)))
        return step.reply

    def env(self) -> steps.Env:
        many = {f"id-{who}": m.Reply("too_many_games") for who in NAMES}
        return steps.Env(
            self.now,
            TIMING,
            TableLimits(spectators=3),
            self.lot,
            b"" if self.table.status is m.Status.PLAYING else self.lot.randbytes(32),
            many if self.lot.random() < 0.1 else {},
            frozenset(f"id-{who}" for who in NAMES if who not in self.here),
        )

    def written(self, before: Table, step: steps.Step) -> None:
        after = step.table
        if after.number != before.number:
            self.entries = []
            entered_by(after, self.now)
        self.entries += to_entries(step.actions, self.now)
        if what_is_kept(after) != what_is_kept(before) or step.actions:
            self.row = to_row(after)
        if before.status is m.Status.PLAYING and after.status is m.Status.OVER:
            assert after.game is not None
            if after.game.finished:
                finished_game("k", after, self.now)
        table_row(table_public(after, TIMING))
        self.table = after

    def cards(self, seats: Sequence[int]) -> dict[int, int]:
        """Now and then one that no bot has."""
        game, lot = self.table.game, self.lot
        assert game is not None
        return {
            seat: lot.choice(legal_actions(game, seat))
            if lot.random() < 0.97
            else lot.randrange(-2, 62)
            for seat in seats
        }

    def again(self) -> Table:
        """As the store has it, with a game that is the same."""
        row = msgspec.json.decode(msgspec.json.encode(self.row))
        number = self.table.number if self.table.seed else 0
        found = from_stored(StoredTable("k", row, number, tuple(self.entries), 1))
        assert (found.game, found.bids) == (self.table.game, self.table.bids)
        return found

    # ------------------------------------------------------------ what comes

    def opening(self) -> m.OpeningCommand:
        kinds: list[Any] = [m.CreateTable, m.QuickJoin]
        kinds += [m.QuickGame] * (not self.options.rated)
        opening: m.OpeningCommand = self.lot.choice(kinds)(self.options)
        return opening

    def arranged(self) -> steps.Arranged:
        others = NAMES[1 : self.options.rules.players]
        kinds = [(_member(name), _member(name).player, "greedy", "expert") for name in others]
        return steps.Arranged((_member("ada"), *map(self.lot.choice, kinds)))

    def due_now(self) -> None:
        for _ in range(10):
            timer = min(
                (each for each in due(self.table, TIMING) if each.when <= self.now), default=None
            )
            before = self.table
            if timer is not None and not self.closed:
                self.take(timer)
            if timer is None or self.table is before:
                return

    def something(self) -> None:
        lot, who = self.lot, _member(self.lot.choice(NAMES))
        kind = lot.random()
        if kind < 0.65:
            self.take(steps.Asked(who, self.command(who)))
        elif kind < 0.75:
            if lot.random() < 0.5:
                self.here.discard(who.player.name)
                self.take(steps.Gone(who.player.id))
            else:
                self.here.add(who.player.name)
                self.take(steps.Came(who))
        elif kind < 0.9:
            self.take(self.from_the_server(who))
        elif kind < 0.93 and self.row is not None:
            self.table = self.restarted()
            self.take(steps.Restarted())
        else:
            self.now += lot.choice([0.5, 5, 40, 130, 700, 4000])

    def restarted(self) -> Table:
        self.here.clear()
        return taken_up(self.again(), self.now, TIMING)

    def command(self, who: Member) -> Any:
        lot, table = self.lot, self.table
        seat, here = lot.randrange(-3, 8), self.table.epoch
        number = table.seat_of(who.player.id)
        if number >= 0 and table.game is not None and lot.random() < 0.6:
            hand = table.game.stage.hands[number] or (1,)
            return m.PlaceBid(lot.choice(hand), here.stage, here.round)
        word, bot = lot.choice(["", "otter", "x"]), lot.choice(["", "master", "zzz"])
        return lot.choice(
            [
                self.opening(),
                m.JoinTable("t", seat, word),
                m.WatchTable("t", word),
                m.AddBot(seat, bot),
                m.RemoveSeat(seat),
                m.HandOver(seat),
                m.MoveSeat(seat, lot.randrange(-2, 8)),
                m.KeepSeat(seat, lot.choice(["", *NAMES, "\x1b[31m"])),
                m.SetWord(word),
                m.ChangeOptions(
                    replace(
                        self.options,
                        rules=lot.choice(_RULES),
                        seconds=lot.choice([0, 60, 3600]),
                        spectators=lot.choice([*m.Spectating]),
                    )
                ),
                m.Vote(lot.choice([*m.Motion]), seat, lot.random() < 0.8),
                m.StartGame(),
                m.Rematch(),
                m.LeaveTable(),
                m.Touch(),
                m.Resume(),
                m.Skip(),
                m.AskHint(),
                m.Guess(seat, here.stage, here.round),
                steps.GoAway(lot.random() < 0.5),
                m.PlayToday(),
                m.FollowBusiest(),
                m.WatchAnother(),
            ]
        )

    def from_the_server(self, who: Member) -> steps.Input:
        lot, size = self.lot, len(self.table.seats)
        kinds, here = [*TimerKind], self.table.epoch
        given: list[steps.Input] = [
            self.arranged(),
            steps.Rated(who.player.id, lot.choice([None, 1500]), lot.randrange(9)),
            steps.Alone(),
            Thought(*here[:3], lot.randrange(size), lot.choice([0, 1, 60])),
            steps.Announced(lot.choice([0.0, self.now + 60])),
            steps.Close("closed", deserted=True),
            steps.Close("closed") if lot.random() < 0.1 else steps.Alone(),
            TableTimer(self.now - lot.random(), lot.choice(kinds), lot.randrange(-1, size), here),
        ]
        return lot.choice(given)

    def check(self) -> None:
        table = self.table
        seated = [player.id for _, player in table.seated]
        assert len({*seated}) == len(seated)
        assert {*seated} == {*table.people}
        assert not {*table.people} & {*table.spectators}
        assert {*table.claims} <= {*table.spectators}
        assert table.number or not table.game
        owned = table.owner >= 0 and table.seats[table.owner].human
        assert owned or table.event or self.closed or not table.has_people


def check_decisions(seed: int) -> None:
    """Whatever comes to a table, in whatever order: nothing is raised, a refusal changes nothing, the same
    input gives the same step, nobody has two places, a table with people has an owner, what the store has
    gives the same game, and a game is begun by those who play it, never over one that goes on.
    """
    one = OneTable(seed)
    for _ in range(_INPUTS):
        if not one.closed:
            one.due_now()
        if one.closed:
            return
        before = one.table
        one.something()
        if before.status is m.Status.PLAYING and one.table.status is m.Status.PLAYING:
            assert one.table.number == before.number, "a game was begun over another one"
        one.check()


DECISIONS: Final = Harness(
    "decisions", st.integers(0, 2**32), check_decisions, known=(6590, 3, 14), examples=150
)
