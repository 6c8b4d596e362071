"""The same deal again: by the code of a finished game, or by a word."""

import pytest

from engine.deal import deal_code, deal_game
from engine.editions import Edition, Rules
from server.coordinator import messages as m
from server.coordinator.table.state import Table
from server.storage.history_store import HistoryStore
from server.viewmodels.table import code_of
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore, copy_of
from tests.support.tables import UNTIMED, Guest, World, restarted, world

SEED = bytes(range(32))
RULES = Rules(Edition.GAMEWRIGHT, 4, 1)
CODE = deal_code(SEED, RULES)
RANDOM = UNTIMED.changed(bots="random")


async def test_a_finished_game_has_a_code_that_brings_its_cards_again() -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        ada = await server.quick()
        hand, committed = ada.own.hand, ada.info.commitment
        assert code_of(ada.info) == ""
        await server.play_out(ada)
        code = code_of(ada.info)
        await ada.ok(m.LeaveTable())
        await ada.ok(m.QuickGame(UNTIMED, deal=code))
        assert (ada.own.hand, ada.info.commitment) == (hand, committed)
        assert ada.info.seed == ""
        assert ada.info.event == ""
        await server.play_out(ada)
        again, first = await HistoryStore(store.database).games(player="id-ada")
        assert (again.again, first.again) == (True, False)
        page = await HistoryStore(store.database).numbers()
        assert page == [first.id, again.id]


async def test_a_code_brings_its_rules_and_is_never_rated() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        rated = m.TableOptions(Rules(players=3), rated=True)
        await ada.ok(m.CreateTable(rated, deal=CODE.upper()))
        assert (ada.info.options.rules, ada.info.options.rated) == (RULES, False)
        assert await ada.code(m.ChangeOptions(UNTIMED)) == "deal_rules"
        assert await ada.code(m.ChangeOptions(rated.changed(rated=True))) == "deal_rules"
        await ada.ok(m.ChangeOptions(ada.info.options.changed(seconds=30)))
        await bo.ok(m.JoinTable(ada.info.id))
        for _ in range(2):
            await ada.ok(m.AddBot())
        await ada.ok(m.StartGame())
        hands = deal_game(SEED, RULES).hands
        assert (ada.own.hand, bo.own.hand) == hands[:2]


async def test_nobody_is_led_to_a_table_whose_deal_another_may_know() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await ada.ok(m.CreateTable(UNTIMED, deal=CODE))
        assert ada.info.known
        assert ada.info.options.rules == RULES
        await bo.ok(m.QuickJoin(UNTIMED))
        assert bo.info.id != ada.info.id
        assert not bo.info.known
        lobby = server.enter("cleo").last.lobby
        assert lobby is not None
        assert {row.id: row.known for row in lobby.tables} == {ada.info.id: True, bo.info.id: False}


async def test_a_rematch_has_new_cards() -> None:
    async with world() as server:
        ada = server.enter("ada")
        await ada.ok(m.QuickGame(UNTIMED, deal=CODE))
        first = ada.info.commitment
        await server.play_out(ada)
        await ada.ok(m.Rematch())
        await server.clock.settle()
        assert ada.status() is m.Status.PLAYING
        assert ada.info.commitment != first


def table_of(server: World, code: str) -> Table:
    return server.lobby.tables.actors[code].table


def bids_of(table: Table) -> list[tuple[int | None, ...]]:
    assert table.game is not None
    return [told.bids for told in table.game.finished[0].rounds]


async def test_bots_draw_from_a_secret_of_the_table_where_the_deal_may_be_known() -> None:
    store, tables = MemoryStore(), []
    async with world(store=store) as server:
        for name in ("ada", "bo"):
            guest = server.enter(name)
            await guest.ok(m.QuickGame(RANDOM, deal=CODE))
            await server.play_out(guest)
            tables.append(table_of(server, guest.info.id))
    secrets = {each.bots_seed for each in tables}
    assert [len(each) for each in secrets - {SEED}] == [32, 32]
    assert bids_of(tables[0]) != bids_of(tables[1])
    assert {over.record["bots_seed"] for over in store.finished.values()} == {
        each.hex() for each in secrets
    }


async def test_bots_bid_the_same_after_a_restart_where_the_deal_may_be_known() -> None:
    store, clock = MemoryStore(), FakeClock()
    async with world(store=store, clock=clock) as server:
        ada = server.enter("ada")
        await ada.ok(m.QuickGame(RANDOM, deal=CODE))
        code, before = ada.info.id, copy_of(store)
        await server.play_out(ada)
        expected = bids_of(table_of(server, code))
    async with world(store=before, clock=clock, rng=2) as server:
        await server.lobby.recover()
        ada = server.enter("ada")
        await clock.settle()
        await server.play_out(ada)
        assert bids_of(table_of(server, code)) == expected


async def played_game(server: World, store: MemoryStore) -> tuple[Guest, str, m.BidsPlayed]:
    """Somebody after a game of four stages, its code, and its bids."""
    ada = await server.quick(m.TableOptions(Rules(players=4), m.Pace.UNTIMED, bots="random"))
    await server.play_out(ada)
    history = HistoryStore(store.database)
    (number,) = await history.numbers()
    found = await history.replay(number, "id-ada")
    assert found is not None
    code = code_of(ada.info)
    await ada.ok(m.LeaveTable())
    return ada, code, tuple(stage.bids for stage in found[0].record.stages)


@pytest.mark.parametrize(("stage", "round_", "seat"), [(0, 0, 0), (0, 3, 2), (2, 5, 1), (3, 1, 3)])
async def test_a_game_goes_on_from_any_seat_and_round(stage: int, round_: int, seat: int) -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        ada, code, bids = await played_game(server, store)
        played = (*bids[:stage], bids[stage][:round_])
        await ada.ok(m.QuickGame(UNTIMED, deal=code, seat=seat, played=played))
        view, own = ada.own.table, ada.own
        assert (ada.table.seat, view.stage, view.round) == (seat, stage, round_)
        gone = {done[seat] for done in bids[stage][:round_]}
        assert set(own.hand) == set(own.dealt) - gone
        assert [each.bids for each in view.rounds] == list(bids[stage][:round_])
        assert ada.info.known
    async with restarted(server) as server:
        ada = server.enter("ada")
        await server.clock.settle()
        assert ada.own == own, "after a restart as well"
        await server.play_out(ada)
        again, _first = await HistoryStore(server.store.database).games(player="id-ada")
        assert again.again, "it counts for nothing"
        assert again.mine == seat


async def test_what_could_not_have_been_played_begins_no_game() -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        ada, code, bids = await played_game(server, store)
        first = bids[0][0]
        for seat, played, why in (
            (9, (), "no_such_seat"),
            (-1, (), "no_such_seat"),
            (0, ((first[::-1],),), "not_in_hand"),
            (0, ((first, first),), "not_in_hand"),
            (0, bids, "game_over"),
        ):
            command = m.QuickGame(UNTIMED, deal=code, seat=seat, played=played)
            assert await ada.code(command) == why
            assert not server.lobby.tables.known
