"""Rated tables: accounts among themselves, and what becomes of the result."""

from dataclasses import replace

import pytest

from engine.editions import Rules
from server.coordinator import messages as m
from server.coordinator.table.stored import from_stored
from server.settings.settings import TableLimits
from server.storage.history_store import mark
from tests.support.memory_stores import MemoryStore
from tests.support.tables import Guest, world
from tests.support.through_frames import enter

OPTIONS = m.TableOptions(Rules(players=3, stages=1), m.Pace.UNTIMED)
RATED = m.TableOptions(Rules(players=3, stages=1), m.Pace.UNTIMED, rated=True)


async def test_a_rated_table_is_for_accounts_alone() -> None:
    async with world() as server:
        ada, bo, guest = server.enter("ada"), server.enter("bo"), server.enter("guest", guest=True)
        assert await guest.code(m.CreateTable(RATED)) == "rated_guests"
        assert await ada.code(m.QuickGame(RATED)) == "rated_bots"
        await ada.ok(m.CreateTable(RATED))
        code = ada.table.info.id
        assert await guest.code(m.JoinTable(code)) == "rated_guests"
        assert await ada.code(m.AddBot()) == "rated_bots"
        await bo.ok(m.JoinTable(code))
        assert await ada.code(m.StartGame()) == "seats_empty"


async def test_a_table_cannot_become_rated_while_others_sit_there() -> None:
    async with world() as server:
        ada, guest = server.enter("ada"), server.enter("guest", guest=True)
        await ada.ok(m.CreateTable(OPTIONS))
        await ada.ok(m.AddBot())
        assert await ada.code(m.ChangeOptions(RATED)) == "rated_bots"
        await ada.ok(m.ChangeOptions(OPTIONS))
        await guest.ok(m.JoinTable(ada.table.info.id))
        three = m.TableOptions(Rules(players=4), rated=True)
        assert await ada.code(m.ChangeOptions(three)) in {"rated_bots", "rated_guests"}


async def test_programs_play_rated_games_where_they_may_and_fast_ones_among_themselves() -> None:
    async with world(limits=TableLimits(rated_programs=False)) as server:
        program = Guest(enter(server.lobby, m.Player("id-bot", "bot", False, program=True)))
        assert await program.code(m.CreateTable(RATED)) == "rated_programs"
        fast = m.CreateTable(replace(OPTIONS, pace=m.Pace.FAST))
        assert await server.enter("ada").code(fast) == "programs_only"


@pytest.mark.parametrize("rated", [True, False])
async def test_the_record_says_whether_it_counts(rated: bool) -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        players = [server.enter(name) for name in ("ada", "bo", "cem")]
        await players[0].ok(m.CreateTable(RATED if rated else OPTIONS))
        for player in players[1:]:
            await player.ok(m.JoinTable(players[0].table.info.id))
        await players[0].ok(m.StartGame())
        (stored,) = await store.load()
        state = from_stored(stored)
        assert state.options.rated is rated
        await server.play_out(*players)
        assert players[0].table.info.status is m.Status.OVER
        (over,) = store.finished.values()
        assert (over.record.get("rated") is True) is rated
        assert over.players == tuple(player.visit.player.id for player in players)
        assert over.record["seats"] == [{"kind": "human"}] * 3
        assert over.record["times"]["ended"].endswith("Z")


async def test_where_players_came_from_goes_with_the_result_also_of_who_has_left() -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        players = [server.enter(name, source=f"from {name}") for name in ("ada", "bo", "cem")]
        await players[0].ok(m.CreateTable(RATED))
        for player in players[1:]:
            await player.ok(m.JoinTable(players[0].table.info.id))
        await players[0].ok(m.StartGame())
        await players[2].ok(m.LeaveTable())
        await server.play_out(*players[:2])
        (over,) = store.finished.values()
        assert over.sources == tuple(mark(b"", f"from {name}") for name in ("ada", "bo", "cem"))
