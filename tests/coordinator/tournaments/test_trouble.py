"""Tournaments while the store refuses, and after a kill: no table and no event of theirs is left over."""

from typing import Any

import pytest
import structlog

from server import StoreError
from server.coordinator import messages as m
from server.coordinator.tournaments.actor import (
    LONGEST_RETRY,
    RETRY,
    TOLD,
    Tournaments,
    retry_after,
)
from server.storage.table_store import StoredChange
from tests.support.cups import PLAN, Cup, cup
from tests.support.faulty_stores import RefusingStore, begins_an_events_game
from tests.support.memory_stores import copy_of

Patch = pytest.MonkeyPatch


async def refuse(*_: Any, **__: Any) -> Any:
    """As a full disk does."""
    raise StoreError("full")


def still_open(held: Cup) -> list[str]:
    return [row.id for row in held.store.sql("SELECT id FROM events WHERE closed = 0")]


async def test_a_round_whose_tables_cannot_be_opened_at_once_opens_them_later() -> None:
    async with cup() as held:
        guests = await held.registered(8)
        with Patch.context() as patch:
            patch.setattr(held.directory.events, "find", refuse)
            await held.direct(m.Directing.BEGIN)
        assert (await held.view()).info.phase is m.TournamentPhase.PLAYING
        await held.clock.advance(RETRY)
        assert all(guest.status() is m.Status.PLAYING for guest in guests)


async def test_who_asks_before_tournaments_have_been_taken_up_is_to_ask_again() -> None:
    async with cup() as held:
        # `tide admin` is there before the tables are back.
        early = Tournaments(
            held.server.lobby, held.directory.store, held.directory.events, guests=False
        )
        with pytest.raises(m.Refused, match=m.Refusal.BUSY):
            await early.carry_out(None, m.OpenTournament(PLAN))
        await early.recover()
        assert (await early.carry_out(None, m.OpenTournament(PLAN))).ok
        await early.close()


@pytest.mark.parametrize("what", [m.Directing.CLOSE, m.Directing.END])
@pytest.mark.parametrize("refuses", ["event", "table"])
async def test_what_cannot_be_closed_is_closed_when_the_store_is_well(
    what: m.Directing, refuses: str
) -> None:
    async with cup() as held:
        guests = await held.begun(8)
        event = guests[0].info.event
        with Patch.context() as patch:
            if refuses == "event":
                patch.setattr(held.directory.events, "close", refuse)
            else:
                patch.setattr(held.store, "append", refuse)
            await held.direct(what)
            await held.clock.settle()
            assert (await held.view()).info.phase is not m.TournamentPhase.PLAYING
            # While a game goes on, its seed is not public.
            assert still_open(held) == [event]
            playing = any(guest.last.table is not None for guest in guests)
            assert playing is (refuses == "table")
        await held.clock.advance(2 * RETRY)
        assert still_open(held) == []
        assert all(guest.last.table is None for guest in guests)
        if what is m.Directing.CLOSE:
            # And it goes on when it should.
            await held.clock.advance(PLAN.pause)
            assert all(guest.status() is m.Status.PLAYING for guest in guests)
            assert len(still_open(held)) == 1


@pytest.mark.parametrize("what", [m.Directing.CLOSE, m.Directing.END])
async def test_a_kill_before_tables_and_events_are_closed_leaves_neither(what: m.Directing) -> None:
    async with cup() as held:
        await held.begun(8)
        with Patch.context() as patch:
            patch.setattr(held.directory, "settle_rounds", refuse)
            await held.direct(what)
            id_, store, clock = held.id, copy_of(held.store), held.clock
    async with cup(store, clock, rng=2) as back:
        back.id = id_
        guests = back.come(8)
        await back.clock.advance(0)
        assert still_open(back) == []
        assert all(guest.last.table is None for guest in guests)


async def test_a_round_that_was_kept_though_nobody_was_told_begins_once_with_one_deal() -> None:
    async with cup() as held:
        guests = await held.registered(8)
        keep = held.directory.store.keep

        async def without_an_answer(*kept: Any) -> None:
            await keep(*kept)
            raise StoreError("unreachable")

        with Patch.context() as patch:
            patch.setattr(held.directory.store, "keep", without_an_answer)
            with pytest.raises(m.Refused, match=m.Refusal.STORAGE):
                await held.direct(m.Directing.BEGIN)
            (event,) = still_open(held)
            # What nobody knows of is not made public.
            held.directory.table_changed(event)
            await held.clock.advance(RETRY)
        assert (await held.view()).info.phase is m.TournamentPhase.OPEN
        assert still_open(held) == [event]
        await held.direct(m.Directing.BEGIN)
        (row,) = held.store.sql("SELECT commitment FROM events")
        assert (await held.view()).commitments == (row.commitment,)
        await held.clock.settle()
        assert all(guest.status() is m.Status.PLAYING for guest in guests)


async def test_a_table_that_somebody_else_has_written_comes_back_and_counts() -> None:
    async with cup() as held:
        guests = await held.begun(8)
        await held.clock.advance(1)
        table = guests[0].info.id
        key = held.server.lobby.tables.actors[table].key
        held.store.sql(
            "UPDATE positions SET position = position + 1 WHERE table_key = :key", key=key
        )
        guest = next(each for each in guests if each.info.id == table and each.owes())
        with Patch.context() as patch:
            patch.setattr(held.store, "load", refuse)
            assert not (await guest.bid()).ok
            await held.clock.advance(1)
            assert table not in held.server.lobby.known
            assert (await held.view()).info.playing == 3
        await held.clock.advance(RETRY)
        assert table in held.server.lobby.known
        await held.play()
        (closed,) = (await held.directory.record(held.id))["rounds"]
        assert all(each["points"] for each in closed["tables"])


async def test_a_table_that_was_kept_though_nobody_was_told_is_opened_again() -> None:
    async with cup() as held:
        await held.opened()
        for each in held.come(8):
            await each.ok(m.EnterTournament(held.id))
        append = held.store.append

        async def without_an_answer(change: StoredChange) -> None:
            await append(change)
            raise StoreError("unreachable")

        with Patch.context() as patch:
            patch.setattr(held.store, "append", without_an_answer)
            patch.setattr(held.store, "drop", refuse)
            await held.direct(m.Directing.BEGIN)
            await held.clock.advance(1)
        kept = held.store.sql("SELECT key FROM tables")
        assert len(kept) == 3
        assert not held.server.lobby.known
        await held.clock.advance(RETRY)
        assert len(held.server.lobby.known) == 3
        assert len(held.store.rows) == 3
        assert not held.store.rows.keys() & {row.key for row in kept}
        await held.play()
        (closed,) = (await held.directory.record(held.id))["rounds"]
        assert all(each["points"] for each in closed["tables"])


async def test_a_refused_write_when_tables_begin_costs_no_round() -> None:
    store = RefusingStore(refuses=begins_an_events_game)
    async with cup(store) as held:
        guests = await held.begun(8)
        assert {guest.status() for guest in guests} == {m.Status.OPEN}
        store.refuses = lambda _: False
        await held.clock.advance(RETRY)
        assert all(guest.status() is m.Status.PLAYING for guest in guests)
        await held.play()
        (first,) = held.held.play.rounds[:1]
        assert all(table.scores is not None for table in first.tables)


async def test_a_mistake_of_ours_is_logged_tried_again_and_told_to_the_director() -> None:
    async with cup(lan=True) as held:
        ada, *others = held.come(8)
        reply = await ada.submit(m.OpenTournament(PLAN))
        held.id = str(reply.details["tournament"])
        for each in held.guests:
            await each.ok(m.EnterTournament(held.id))
        await ada.ok(m.DirectTournament(held.id, m.Directing.BEGIN))
        with Patch.context() as patch, structlog.testing.capture_logs() as logs:
            patch.setattr(held.directory, "see_tables", mistaken)
            while any(each.status() is m.Status.PLAYING for each in held.guests):
                for each in held.guests:
                    if each.owes():
                        await each.bid()
                assert await held.clock.next()
            await held.clock.advance(sum(retry_after(number) for number in range(TOLD)))
            failed = [line for line in logs if line["event"] == "tournament_failed"]
            assert len(failed) > TOLD
            assert failed[0]["error"] == "ZeroDivisionError"
            assert failed[0]["where"][-1].endswith(" mistaken")
            waits = [line["again"] for line in failed]
            assert waits[:TOLD] == [RETRY, 2 * RETRY, 4 * RETRY]
            (word,) = (word for update in ada.read().updates for word in update.said)
            assert (word.kind, word.text) == ("tournament_stuck", "Friday cup")
            assert not any(update.said for each in others for update in each.read().updates)
            assert (await held.view()).info.stuck
            before = len(failed)
            await held.clock.advance(3600)
            after = sum(line["event"] == "tournament_failed" for line in logs)
            assert 3600 / LONGEST_RETRY - 1 <= after - before < 3600 / LONGEST_RETRY + 10
        await held.clock.advance(LONGEST_RETRY)
        info = (await held.view()).info
        assert (info.phase, info.stuck) == (m.TournamentPhase.BREAK, False)


async def mistaken(*_: Any) -> Any:
    return 1 // 0
