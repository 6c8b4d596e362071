"""Rated tables: accounts among themselves, and what becomes of the result."""

import pytest

from engine.editions import Rules
from server.coordinator.messages import (
    AddBot,
    ChangeOptions,
    CreateTable,
    JoinTable,
    LeaveTable,
    Pace,
    QuickGame,
    StartGame,
    Status,
    TableOptions,
)
from server.coordinator.table.stored import from_stored
from server.storage.history_store import mark
from tests.support.memory_stores import MemoryStore
from tests.support.tables import world

OPTIONS = TableOptions(Rules(players=3, stages=1), Pace.UNTIMED)
RATED = TableOptions(Rules(players=3, stages=1), Pace.UNTIMED, rated=True)


async def test_a_rated_table_is_for_accounts_alone() -> None:
    async with world() as server:
        ada, bo, guest = server.enter("ada"), server.enter("bo"), server.enter("guest", guest=True)
        assert await guest.code(CreateTable(RATED)) == "rated_guests"
        assert await ada.code(QuickGame(RATED)) == "rated_bots"
        await ada.ok(CreateTable(RATED))
        code = ada.table.info.id
        assert await guest.code(JoinTable(code)) == "rated_guests"
        assert await ada.code(AddBot()) == "rated_bots"
        await bo.ok(JoinTable(code))
        assert await ada.code(StartGame()) == "seats_empty"


async def test_a_table_cannot_become_rated_while_others_sit_there() -> None:
    async with world() as server:
        ada, guest = server.enter("ada"), server.enter("guest", guest=True)
        await ada.ok(CreateTable(OPTIONS))
        await ada.ok(AddBot())
        assert await ada.code(ChangeOptions(RATED)) == "rated_bots"
        await ada.ok(ChangeOptions(OPTIONS))
        await guest.ok(JoinTable(ada.table.info.id))
        three = TableOptions(Rules(players=4), rated=True)
        assert await ada.code(ChangeOptions(three)) in {"rated_bots", "rated_guests"}


@pytest.mark.parametrize("rated", [True, False])
async def test_the_record_says_whether_it_counts(rated: bool) -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        players = [server.enter(name) for name in ("ada", "bo", "cem")]
        await players[0].ok(CreateTable(RATED if rated else OPTIONS))
        for player in players[1:]:
            await player.ok(JoinTable(players[0].table.info.id))
        await players[0].ok(StartGame())
        (stored,) = await store.load()
        state = from_stored(stored)
        assert state.options.rated is rated
        await server.play_out(*players)
        assert players[0].table.info.status is Status.OVER
        (over,) = store.finished.values()
        assert (over.record.get("rated") is True) is rated
        assert over.players == tuple(player.visit.player.id for player in players)
        assert over.record["seats"] == [{"kind": "human"}] * 3
        assert over.record["times"]["ended"].endswith("Z")


async def test_where_players_came_from_goes_with_the_result_also_of_who_has_left() -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        players = [server.enter(name, source=f"from {name}") for name in ("ada", "bo", "cem")]
        await players[0].ok(CreateTable(RATED))
        for player in players[1:]:
            await player.ok(JoinTable(players[0].table.info.id))
        await players[0].ok(StartGame())
        await players[2].ok(LeaveTable())
        await server.play_out(*players[:2])
        (over,) = store.finished.values()
        assert over.sources == tuple(mark(b"", f"from {name}") for name in ("ada", "bo", "cem"))
