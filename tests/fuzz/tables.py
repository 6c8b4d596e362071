"""Commands to a house of tables, in any order, by people who come and go, while the store fails and the
server is killed.
"""

import asyncio
import random
from collections.abc import Callable
from typing import Any, Final
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import astuple
from structlog.testing import capture_logs

from engine.editions import Edition, Rules
from engine.state import Phase
from engine.views import seat_view, table_view
from server.cleaning import clean_text
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import (
    DAY,
    AddBot,
    AskHint,
    Block,
    ChangeOptions,
    CreateTable,
    FollowBusiest,
    HandOver,
    JoinTable,
    KeepSeat,
    LeaveTable,
    Motion,
    MoveSeat,
    Mute,
    Pace,
    Phrase,
    PlaceBid,
    Player,
    QuickGame,
    QuickJoin,
    Rematch,
    RemoveSeat,
    Reply,
    Resume,
    Room,
    Say,
    SetWord,
    Spectating,
    StartGame,
    Status,
    TableOptions,
    Touch,
    Vote,
    WatchAnother,
    WatchTable,
)
from tests.fuzz.inputs import text
from tests.fuzz.ours import strange_in
from tests.support.engine import SPECTATOR, otherwise_hidden
from tests.support.fake_clock import FakeClock
from tests.support.faulty_stores import FullStore
from tests.support.memory_stores import content_of, copy_of
from tests.support.tables import Guest, World
from tests.support.through_frames import enter

PEOPLE: Final = ("ada", "bo", "cem", "eve")
_WHO = st.sampled_from(PEOPLE)
_SEAT = st.integers(-2, 6)
_OPTIONS = st.builds(
    TableOptions,
    st.sampled_from(
        [
            Rules(players=3, stages=1),
            Rules(players=3),
            Rules(Edition.GAMEWRIGHT, 4, 2),
            Rules(Edition.BGA, 6, 1, modified_drowning=True, assistance=True),
        ]
    ),
    st.sampled_from(Pace),
    st.sampled_from([60, 10, 9, 0, -1, 10**12, 86_400]),
    st.booleans(),
    st.sampled_from(Spectating),
)
_NAME = st.sampled_from(PEOPLE) | text(20)
_WORD = st.sampled_from(["", "sesame"])
_COMMANDS = st.one_of(
    st.builds(QuickGame, _OPTIONS),
    st.builds(CreateTable, _OPTIONS),
    st.builds(ChangeOptions, _OPTIONS),
    st.builds(AddBot, _SEAT, st.sampled_from(["", "greedy", "clairvoyant", "\x1b[2J"])),
    st.builds(RemoveSeat, _SEAT),
    st.builds(HandOver, _SEAT),
    st.builds(PlaceBid, st.integers(-1, 61), st.integers(-1, 3), st.integers(-1, 12)),
    st.builds(Vote, st.sampled_from(Motion), _SEAT, st.booleans()),
    st.builds(QuickJoin, _OPTIONS),
    st.builds(MoveSeat, _SEAT, _SEAT),
    st.builds(KeepSeat, _SEAT, _NAME),
    st.builds(SetWord, _WORD | text(20)),
    st.builds(Say, st.sampled_from(Room), text(80), to=_NAME),
    st.builds(Say, st.sampled_from(Room), st.just(""), st.sampled_from([*Phrase, "hmpf"]), _NAME),
    st.builds(Mute, _NAME, st.booleans()),
    st.builds(Block, _NAME, st.booleans()),
    st.sampled_from(
        [
            FollowBusiest(),
            WatchAnother(),
            StartGame(),
            Rematch(),
            LeaveTable(),
            Touch(),
            Resume(),
            AskHint(),
        ]
    ),
)


async def _at_once(work: Callable[..., object], *of: object) -> object:
    return work(*of)


class Tables(RuleBasedStateMachine):
    """Invariants: a view does not change by anything that its viewer cannot know; no table's task dies,
    and no command meets a mistake of ours; every acknowledged bid is in the store, also after a kill; a
    refused command leaves the table as it was; whatever is said, only clean text is heard; who is
    connected and left alone is answered; everybody is in one place; and when all have gone, so has in
    the end everything that was kept of them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.rng = random.Random(1)
        self.logs: list[Any] = []
        self._capture = capture_logs()
        self._threads = patch("asyncio.to_thread", _at_once)  # of which the clock knows nothing
        self._threads.start()
        self.logs = self._capture.__enter__()
        self.guests: dict[str, Guest] = {}
        self.acknowledged: dict[tuple[str, int, int, int, int], set[int]] = {}
        """Cards, by table, game, stage, round and seat."""

    @initialize()
    def opens(self) -> None:
        self._start(FullStore())

    def teardown(self) -> None:
        try:
            if hasattr(self, "world"):
                self._nothing_stays()
        finally:
            self._end()

    def _nothing_stays(self) -> None:
        self.store.full = False
        for guest in self.guests.values():
            guest.visit.close()
        self._do(self.world.clock.advance(60 * DAY))
        lobby = self.world.lobby
        kept = lobby.tables.actors, lobby.people, lobby.feed._visitors
        assert not any(kept), kept
        assert set(lobby.chat._rooms) == {"lobby"}
        assert not lobby.feed._following

    def _end(self) -> None:
        self._threads.stop()
        self.loop.run_until_complete(self.world.lobby.close())
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()
        self._capture.__exit__(None, None, None)

    def _start(self, store: FullStore, clock: FakeClock | None = None) -> None:
        clock = clock or FakeClock()
        lobby = Lobby(
            store, clock, new_seed=lambda: self.rng.randbytes(32), new_rng=lambda: random.Random(1)
        )
        self.store = store
        self.world = World(clock, store, lobby)
        self.guests = {}

    def _do(self, work: Any) -> Any:
        async def settled() -> Any:
            result = await work
            await self.world.clock.settle()
            return result

        return self.loop.run_until_complete(settled())

    async def _submit(self, guest: Guest, command: Any) -> Reply:
        """As often as not, the answer comes only when other things have happened."""
        return await guest.submit(command)

    def _guest(self, who: str) -> Guest:
        if who not in self.guests:
            player = Player(f"id-{who}", who, who == "eve")
            guest = self.guests[who] = Guest(enter(self.world.lobby, player))
            self._do(asyncio.sleep(0))
            guest.read()
        return self.guests[who]

    # ------------------------------------------------------------ what people do

    @rule(who=_WHO)
    def comes(self, who: str) -> None:
        """Or comes again, on another line."""
        self.guests.pop(who, None)
        self._guest(who)

    @rule(who=_WHO)
    def drops(self, who: str) -> None:
        if guest := self.guests.pop(who, None):
            guest.visit.close()
            self._do(asyncio.sleep(0))

    @rule(who=_WHO, command=_COMMANDS)
    def commands(self, who: str, command: Any) -> None:
        guest = self._guest(who)
        reply = self._do(guest.submit(command))
        assert reply.code not in {"internal", "gone"}
        if isinstance(command, PlaceBid):
            self._note(guest, command, reply)

    @rule(
        who=_WHO, table=st.integers(0, 3), watch=st.booleans(), seat=st.integers(-1, 3), word=_WORD
    )
    def goes(self, who: str, table: int, watch: bool, seat: int, word: str) -> None:
        rows = self.world.lobby.feed.snapshot().tables
        code = rows[table % len(rows)].id if rows else "nowhere"
        command = WatchTable(code, word) if watch else JoinTable(code, seat, word)
        reply = self._do(self._guest(who).submit(command))
        assert reply.code not in {"internal", "gone"}

    @rule(who=_WHO, choice=st.integers(0, 11))
    def bids(self, who: str, choice: int) -> None:
        """A card of the own hand, if there is one to bid."""
        guest = self._guest(who)
        own = guest.last.table.own if guest.last.table else None
        if own is None or not own.hand or own.table.phase is not Phase.BIDDING:
            return
        before = guest.table
        command = guest.bid_of(own.hand[choice % len(own.hand)])
        reply = self._do(guest.submit(command))
        assert reply.code not in {"internal", "gone"}
        self._note(guest, command, reply, before.info.id, before.info.game, before.seat)
        if not reply.ok:
            now = guest.table.own
            assert now is not None
            assert (now.hand, now.bid) == (own.hand, own.bid)

    @rule(people=st.lists(_WHO, min_size=2, max_size=6), command=_COMMANDS)
    def at_once(self, people: list[str], command: Any) -> None:
        """Several do the same at the same moment."""
        guests = [self._guest(who) for who in people]

        async def together() -> list[Reply]:
            return await asyncio.gather(*(guest.submit(command) for guest in guests))

        assert all(reply.code not in {"internal", "gone"} for reply in self._do(together()))

    @rule(who=_WHO)
    def floods(self, who: str) -> None:
        """More commands than anybody may have open: the rest is refused, and nothing else."""
        guest = self._guest(who)

        async def together() -> list[Reply]:
            return await asyncio.gather(*(guest.submit(Touch()) for _ in range(50)))

        assert {reply.code for reply in self._do(together())} <= {
            "ok",
            "busy",
            "not_seated",
            "storage",
            "uncertain",
        }

    @rule(who=_WHO, command=_COMMANDS)
    def drops_at_once(self, who: str, command: Any) -> None:
        """Asks for something, and is gone before the answer."""
        guest = self._guest(who)

        async def asks_and_goes() -> None:
            asking = asyncio.create_task(guest.submit(command))
            await asyncio.sleep(0)
            guest.visit.close()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

        self._do(asks_and_goes())
        self.guests.pop(who, None)

    # ------------------------------------------------------------ what else happens

    @rule(seconds=st.sampled_from([0.01, 1.0, 10.0, 61.0, 700.0]))
    def time_passes(self, seconds: float) -> None:
        self._do(self.world.clock.advance(seconds))

    @precondition(lambda self: hasattr(self, "store"))
    @rule(full=st.booleans())
    def store_changes(self, full: bool) -> None:
        self.store.full = full

    @rule()
    def is_killed(self) -> None:
        """And started again, with what was on the disk."""
        kept = copy_of(self.store)
        self.store.full = False
        old = self.world
        self._start(FullStore(content_of(kept)), old.clock)
        self.loop.run_until_complete(old.lobby.close())
        readable = self._do(self.world.lobby.recover())
        assert readable == len(kept.rows)
        self._check_kept()

    # ------------------------------------------------------------ what must hold

    @invariant()
    def nothing_of_ours_went_wrong(self) -> None:
        wrong = [log for log in self.logs if log["log_level"] == "error"]
        assert not [log for log in wrong if log["event"] != "storage_failed"], wrong

    @invariant()
    def every_table_lives(self) -> None:
        if hasattr(self, "world"):
            for table in self.world.lobby.tables.actors.values():
                assert table._task is not None
                assert not table._task.done()
                assert table._inbox.qsize() == 0

    @invariant()
    def everybody_is_in_one_place(self) -> None:
        somewhere: set[str] = set()
        for actor in self.world.lobby.tables.actors.values() if hasattr(self, "world") else ():
            table = actor.table
            seated = {seat.player.id for seat in table.seats if seat.human and seat.player}
            assert seated == set(table.people)
            assert set(table.claims) <= set(table.spectators)
            here = [*table.people, *table.spectators]
            assert len(here) == len({*here} - somewhere)
            somewhere |= {*here}
            for presence in map(self.world.lobby.people.__getitem__, here):
                # A seat by correspondence binds nobody who is not connected.
                free = table.options.pace is Pace.CORRESPONDENCE and not presence.connected
                assert presence.table == table.id or free

    @invariant()
    def what_is_told_is_harmless(self) -> None:
        for guest in self.guests.values():
            for update in guest.read().updates:
                for line in update.chat:
                    assert line.text == clean_text(line.text)
                    assert not line.sender or line.sender in PEOPLE
            for happening in guest.happenings:
                for value in astuple(happening):
                    assert not isinstance(value, str) or not strange_in(value)

    @invariant()
    def views_tell_what_they_may(self) -> None:
        if not hasattr(self, "world"):
            return
        tables = {actor.id: actor.table for actor in self.world.lobby.tables.actors.values()}
        for guest in self.guests.values():
            snapshot = guest.last.table
            if snapshot is None or snapshot.table is None:
                continue
            table = tables.get(snapshot.info.id)
            if table is None or table.game is None:
                continue
            game = table.game
            if snapshot.info.status is Status.PLAYING:
                assert snapshot.info.seed == ""
            bidders = [seat for seat, card in enumerate(table.bids) if card is not None]
            if game.phase is Phase.OVER or snapshot.table != table_view(game, bidders):
                continue  # over, or (a spectator) about to be told
            other = otherwise_hidden(game, snapshot.seat, self.rng)
            public = table_view(other, bidders)
            if snapshot.seat == SPECTATOR:
                assert snapshot.own is None
                assert snapshot.table == public
            else:
                bid = table.bids[snapshot.seat] or 0
                assert snapshot.own == seat_view(other, snapshot.seat, public, bid)

    def _note(
        self,
        guest: Guest,
        command: PlaceBid,
        reply: Reply,
        table: str = "",
        game: int = 0,
        seat: int = -1,
    ) -> None:
        """A bid that was acknowledged must have been written."""
        if not reply.ok or not table:
            return
        where = (table, game, command.stage, command.round, seat)
        self.acknowledged.setdefault(where, set()).add(command.card)
        self._check_kept()

    def _check_kept(self) -> None:
        by_code = {row["id"]: key for key, row in self.store.rows.items()}
        games = self.store.games
        for (code, game, _stage, _round, seat), cards in self.acknowledged.items():
            key = by_code.get(code)
            number, entries = games.get(key or "", (0, []))
            if key is None or number != game:
                continue  # closed, or another game has begun
            written = {entry[2] for entry in entries if entry[0] == "bid" and entry[1] == seat}
            assert cards <= written, (cards, written)
