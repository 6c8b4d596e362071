"""Lines that drop and come back, takeovers, leaving, votes, standstills."""

from dataclasses import dataclass, replace

import pytest

from engine.editions import Rules
from server import StoreError
from server.coordinator import messages as m
from server.settings.settings import Timing
from server.storage.table_store import StoredChange
from tests.support.memory_stores import MemoryStore
from tests.support.tables import TIMED, UNTIMED, Guest, World, restarted, world
from tests.support.through_frames import enter

TIMING = Timing()


async def back(server: World, name: str) -> Guest:
    guest = server.enter(name)
    await server.clock.settle()
    return guest


async def test_a_second_visit_takes_over_and_the_first_is_told() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        card = ada.own.hand[2]
        assert (await ada.bid(card)).ok
        again = await back(server, "ada")
        assert ada.last.closed == "taken_over"
        assert await ada.code(m.Touch()) == "gone"
        assert (again.table.seat, again.own.bid) == (0, card)
        # The first connection closes when it likes, and that harms nobody.
        ada.visit.close()
        await server.clock.settle()
        assert not bo.heard(m.Disconnected)
        assert (await again.bid(again.own.hand[1])).ok


async def test_the_seat_outlives_the_line() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        card = ada.own.hand[7]
        assert (await ada.bid(card)).ok
        ada.visit.close()
        await server.clock.settle()
        assert bo.heard(m.Disconnected) == [m.Disconnected(0, "ada")]
        assert not bo.info.seats[0].connected
        assert bo.info.seats[0].absent_since == server.clock.time()
        again = await back(server, "ada")
        assert again.own.bid == card
        assert bo.heard(m.Reconnected) == [m.Reconnected(0, "ada")]
        assert bo.info.seats[0].connected


async def test_a_returning_player_may_have_another_name() -> None:

    async with world() as server:
        ada, bo = await server.table(humans=2)
        ada.visit.close()
        enter(server.lobby, m.Player("id-ada", "ada lovelace", False))
        await server.clock.settle()
        assert bo.info.seats[0].name == "ada lovelace"


async def test_leaving_a_running_game_gives_the_seat_to_a_bot_for_good() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        await ada.ok(m.LeaveTable())
        assert ada.lobby.tables[0].id == bo.info.id
        assert bo.heard(m.LeftForGood) == [m.LeftForGood(0, "ada")]
        assert bo.heard(m.NewOwner) == [m.NewOwner(1, "bo")]
        seat = bo.info.seats[0]
        assert (seat.occupant, seat.left, seat.name) == (m.Occupant.BOT, True, "ada")
        await ada.ok(m.WatchTable(bo.info.id))
        assert ada.table.own is None
        await server.play_out(bo)
        assert bo.info.seats[0].name == "ada"
        (kept,) = server.store.finished.values()
        assert kept.players[:2] == ("id-ada", "id-bo"), "the result stays the leaver's"
        left, other = kept.record["seats"][:2]
        assert (left["kind"], other) == ("left", {"kind": "human"})
        rounds = len(kept.record["stages"][0]["bids"])
        chosen = min(rounds, 11)  # the last card of a stage is nobody's choice
        assert left["bot_bids"] == [[1, number] for number in range(1, chosen + 1)]


async def test_untimed_after_two_minutes_the_others_may_vote_for_a_bot() -> None:
    async with world() as server:
        ada, bo, cem = await server.table(humans=3)
        replace_ada = m.Vote(m.Motion.REPLACE, 0)
        assert await bo.code(replace_ada) == "not_absent"
        ada.visit.close()
        await server.clock.advance(TIMING.absent - 1)
        assert await bo.code(replace_ada) == "not_absent"
        assert not bo.info.seats[0].replaceable
        await server.clock.advance(1)
        assert bo.info.seats[0].replaceable
        await bo.ok(replace_ada)
        assert cem.heard(m.Voted) == [m.Voted(1, "bo", m.Motion.REPLACE, 0, True)]
        assert cem.info.votes == (m.VoteInfo(m.Motion.REPLACE, 0, (1,), 2),)
        assert not cem.heard(m.WentAway)
        await bo.ok(m.Vote(m.Motion.REPLACE, 0, agree=False))
        assert not cem.info.votes
        await bo.ok(replace_ada)
        await cem.ok(replace_ada)
        assert cem.heard(m.WentAway) == [m.WentAway(0, "ada")]
        assert not cem.info.votes
        assert await bo.code(replace_ada) == "not_absent"
        await server.clock.advance(TIMING.away + 0.1)
        assert cem.own.table.seats[0].has_bid
        again = await back(server, "ada")
        await again.ok(m.Touch())
        assert not cem.info.seats[0].away


async def test_a_vote_lapses_when_its_target_is_back_or_a_voter_is_gone() -> None:
    async with world() as server:
        ada, bo, cem = await server.table(humans=3)
        ada.visit.close()
        await server.clock.advance(TIMING.absent)
        await bo.ok(m.Vote(m.Motion.REPLACE, 0))
        again = await back(server, "ada")
        assert not bo.info.votes
        await again.ok(m.Vote(m.Motion.PAUSE))
        await bo.ok(m.Vote(m.Motion.PAUSE))
        assert bo.info.votes[0].agreed == (0, 1)
        again.visit.close()
        await server.clock.settle()
        assert bo.info.votes == (m.VoteInfo(m.Motion.PAUSE, -1, (1,), 2),)
        # With cem gone as well, all who are left agree.
        cem.visit.close()
        await server.clock.settle()
        assert bo.info.pause is m.Pause.VOTED
        assert bo.heard(m.Paused) == [m.Paused(m.Pause.VOTED)]


async def test_all_must_agree_to_end_a_game() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        assert (await ada.bid(ada.own.hand[0])).ok
        await ada.ok(m.Vote(m.Motion.END))
        assert ada.status() is m.Status.PLAYING
        await bo.ok(m.Vote(m.Motion.END))
        assert ada.status() is m.Status.OVER
        assert ada.info.ended is m.Ended.VOTED
        assert bo.heard(m.GameEnded) == [m.GameEnded(m.Ended.VOTED)]
        assert not bo.heard(m.GameOver)
        assert await ada.code(ada.bid_of(ada.own.hand[1])) == "game_over"
        assert not server.store.finished, "nothing is kept of a game without a finished stage"
        for guest in (ada, bo):
            await guest.ok(m.Rematch())
        assert ada.status() is m.Status.PLAYING
        assert not ada.info.ended


@pytest.mark.parametrize("options", [TIMED, UNTIMED], ids=["timed", "untimed"])
async def test_who_is_left_alone_cannot_end_a_game_at_once(options: m.TableOptions) -> None:
    options = replace(options, seconds=600)
    async with world() as server:
        ada, bo = await server.table(options, humans=2)
        ada.visit.close()
        await server.clock.settle()
        await bo.ok(m.Vote(m.Motion.END))
        assert bo.info.votes == (m.VoteInfo(m.Motion.END, -1, (1,), 2),)
        await server.clock.advance(TIMING.absent - 1)
        assert bo.status() is m.Status.PLAYING
        await server.clock.advance(2)
        assert bo.status() is m.Status.OVER, "nobody waits for ever"


async def test_who_is_back_first_after_a_restart_cannot_end_a_game_at_once() -> None:
    async with world() as server:
        await server.table(humans=2)
    async with restarted(server) as server:
        await server.clock.settle()
        bo = await back(server, "bo")
        await bo.ok(m.Vote(m.Motion.END))
        assert bo.status() is m.Status.PLAYING
        ada = await back(server, "ada")
        await ada.ok(m.Vote(m.Motion.END))
        assert bo.status() is m.Status.OVER


async def test_in_correspondence_who_has_not_missed_rounds_counts_though_not_connected() -> None:
    daily = m.TableOptions(UNTIMED.rules, m.Pace.CORRESPONDENCE, 3600)
    async with world() as server:
        ada, bo = await server.table(daily, humans=2)
        ada.visit.close()
        await server.clock.advance(3000)
        await bo.ok(m.Vote(m.Motion.END))
        while bo.status() is m.Status.PLAYING:
            assert not bo.info.seats[0].away
            assert bo.info.votes[0].agreed == (1,)
            assert await server.clock.next()
            if bo.owes():
                await bo.bid()
        assert (bo.info.seats[0].away, bo.info.ended) == (True, m.Ended.VOTED)


async def test_a_game_that_is_broken_off_after_a_stage_is_kept() -> None:
    async with world() as server:
        ada = await server.quick(replace(UNTIMED, rules=Rules(players=3, stages=2)))
        while ada.own.table.stage == 0:
            if ada.owes():
                assert (await ada.bid()).ok
            await server.clock.next()
        assert (await ada.bid()).ok
        await ada.ok(m.Vote(m.Motion.END))
        (kept,) = server.store.finished.values()
        assert kept.record["ended"] == "voted"
        assert kept.record["stages"][1]["bids"] == [], "what was sealed stays so"


async def test_motions_lapse_with_the_reveal() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        await ada.ok(m.Vote(m.Motion.END))
        for guest in (ada, bo):
            assert (await guest.bid()).ok
        await server.clock.advance(3)
        assert ada.own.table.round == 1
        assert not ada.info.votes


async def test_with_nobody_there_a_game_is_suspended_and_goes_on_when_somebody_is_back() -> None:
    async with world() as server:
        options = m.TableOptions(Rules(players=3), m.Pace.TIMED, 60)
        ada, bo = await server.table(options, humans=2)
        watcher = server.enter("watcher")
        await watcher.ok(m.WatchTable(ada.info.id))
        for guest in (ada, bo):
            guest.visit.close()
        await server.clock.advance(TIMING.suspend + 1)
        assert watcher.info.pause is m.Pause.SUSPENDED
        assert watcher.heard(m.Paused) == [m.Paused(m.Pause.SUSPENDED)]
        assert watcher.info.deadline == 0
        here = watcher.table.table
        assert here is not None
        await server.clock.advance(5000)
        assert watcher.table.table is here
        bo = await back(server, "bo")
        assert watcher.heard(m.Resumed) == [m.Resumed(1)]
        assert not watcher.info.pause
        assert bo.info.deadline >= server.clock.time() + 60 + TIMING.recovery
        assert await bo.code(m.Touch()) == "ok"


async def test_a_suspended_game_is_kept_for_a_fortnight_and_then_ended() -> None:
    async with world() as server:
        (ada,) = await server.table()
        ada.visit.close()
        await server.clock.advance(TIMING.keep - 1)
        assert server.store.rows
        await server.clock.advance(2)
        assert not server.store.rows
        assert (await back(server, "ada")).lobby.tables == ()


async def test_at_an_open_table_the_seat_is_kept_for_a_minute() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2, start=False)
        ada.visit.close()
        await server.clock.advance(TIMING.open_seat - 1)
        assert bo.info.seats[0].name == "ada"
        await server.clock.advance(2)
        assert bo.heard(m.Stood) == [m.Stood(0, "ada")]
        assert bo.heard(m.NewOwner) == [m.NewOwner(1, "bo")]
        assert bo.info.owner == 1
        bo.visit.close()
        await server.clock.advance(TIMING.open_seat + 1)
        assert not server.lobby.feed.snapshot().tables
        assert not server.store.rows


async def test_a_finished_table_closes_as_the_settings_are_when_its_time_comes() -> None:
    async with world() as server:
        ada = await server.quick()
        watcher = server.enter("watcher")
        await server.play_out(ada)
        await server.clock.advance(10 * TIMING.over)
        assert watcher.lobby.tables, "it stays while its players do"
        ada.visit.close()
        await server.clock.advance(1)
        longer = replace(TIMING, over=TIMING.over + 60)
        server.lobby.adjust(longer, server.lobby.shared.limits)
        await server.clock.advance(TIMING.over + 1)
        assert watcher.lobby.tables
        await server.clock.advance(60)
        assert watcher.lobby.tables == ()


@dataclass
class OnlyPauses(MemoryStore):
    """Cannot write a game that goes on, while ``refuse``."""

    refuse: bool = False

    async def append(self, change: StoredChange) -> None:
        if self.refuse and change.row and not change.row["pause"]:
            raise StoreError("full")
        await super().append(change)


async def test_a_game_that_its_last_player_leaves_while_it_is_paused_goes_on() -> None:
    store = OnlyPauses()
    async with world(store=store) as server:
        ada = await server.quick(UNTIMED)
        await ada.ok(m.Vote(m.Motion.PAUSE))
        assert await ada.code(m.Vote(m.Motion.PAUSE)) == "paused"
        store.refuse = True
        assert await ada.code(m.LeaveTable()) == "storage"
        assert (ada.table.seat, ada.info.pause) == (0, m.Pause.VOTED)
        store.refuse = False
        await ada.ok(m.LeaveTable())
        while await server.clock.next():
            pass
        assert len(store.finished) == 1
