"""Sealed bids: their order changes nothing, and nobody learns of them before the reveal."""

import asyncio
import random
from typing import Any

import msgspec
import pytest
import structlog

from engine.editions import Rules
from server.coordinator import messages as m
from tests.support.faulty_stores import FullStore, RaceStore
from tests.support.tables import Guest, World, world

FOUR = m.TableOptions(Rules(players=4, stages=1), m.Pace.UNTIMED)


@pytest.mark.parametrize("seed", range(8))
async def test_everybody_bids_at_the_same_moment_while_the_store_dawdles(seed: int) -> None:
    rng = random.Random(seed)
    async with world(store=RaceStore(rng=rng)) as server:
        guests = await server.table(FOUR, humans=4)
        while guests[0].owes() or guests[1].owes():
            wanted = {number: guest.own.hand[0] for number, guest in enumerate(guests)}
            owing = [number for number in wanted if guests[number].owes()]
            before = len(guests[0].heard(m.RoundResolved))
            rng.shuffle(owing)
            replies = await asyncio.gather(
                *(guests[number].bid(wanted[number]) for number in owing)
            )
            assert all(reply.ok for reply in replies)
            await server.clock.settle()
            resolved = guests[0].heard(m.RoundResolved)[before]
            assert all(resolved.result.bids[number] == wanted[number] for number in owing)
        assert len(server.store.finished) == 1


async def test_a_bid_is_acknowledged_and_told_only_when_it_is_written() -> None:
    from tests.support.faulty_stores import HeldStore

    store = HeldStore()
    store.gate.set()
    async with world(store=store) as server:
        ada, bo = await server.table(humans=2)
        store.gate.clear()
        bo.forget()
        bid = asyncio.create_task(ada.bid())
        await server.clock.settle()
        assert store.waiting == 1
        assert not bid.done()
        assert not bo.read().heard(m.BidSealed)
        store.gate.set()
        assert (await bid).ok
        assert bo.heard(m.BidSealed) == [m.BidSealed(0)]


async def test_a_replaced_bid_is_seen_by_nobody_else() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        watcher = server.enter("watcher")
        await watcher.ok(m.WatchTable(ada.info.id))
        assert (await ada.bid(ada.own.hand[3])).ok
        assert bo.heard(m.BidSealed) == [m.BidSealed(0)]
        for other in (bo, watcher):
            other.forget()
        card = ada.own.hand[5]
        assert (await ada.bid(card)).ok
        assert ada.own.bid == card
        assert ada.own.table is ada.table.table
        for other in (bo, watcher):
            assert other.visit.feed.take() is None


async def test_a_late_bid_is_refused_and_never_lands_in_the_next_round() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        late = ada.bid_of(ada.own.hand[4])
        assert (await ada.bid()).ok
        assert (await bo.bid()).ok
        while ada.own.table.round == 0:
            await server.clock.next()
        assert await ada.code(late) == "too_late"
        assert not ada.own.bid
        assert not ada.own.table.seats[0].has_bid
        here = ada.own.table
        assert await ada.code(m.PlaceBid(late.card, here.stage, here.round + 1)) == "wrong_round"
        assert await ada.code(m.PlaceBid(late.card, here.stage + 1, 0)) == "wrong_round"


async def test_a_store_that_refuses_is_logged_once_until_it_works_again() -> None:
    async with world(store=FullStore()) as server:
        ada, _ = await server.table(FOUR, humans=2)
        for _ in range(2):
            server.store.full = True
            with structlog.testing.capture_logs() as logs:
                for card in ada.own.hand[:3]:
                    assert await ada.code(m.PlaceBid(card, 0, 0)) == "storage"
            assert [log["event"] for log in logs].count("storage_failed") == 1
            server.store.full = False
            assert (await ada.bid()).ok


# ---------------------------------------------------------------- secrecy


def encoded(guest: Guest) -> bytes:
    """Everything that one connection was ever told, as a program would get it."""
    guest.read()
    plain: list[Any] = [msgspec.to_builtins(update) for update in guest.updates]
    return msgspec.json.encode(plain)


async def one_sealed_bid(server: World, choice: int, *, failing: bool = False) -> tuple[bytes, ...]:
    """What everybody else has been told when ada has sealed card ``choice`` of her hand."""
    ada, bo = await server.table(FOUR, humans=2)
    watcher, idler = server.enter("watcher"), server.enter("idler")
    await watcher.ok(m.WatchTable(ada.info.id))
    if failing:
        server.store.full = True
        assert not (await ada.bid(ada.own.hand[choice])).ok
        server.store.full = False
    assert (await ada.bid(ada.own.hand[choice])).ok
    # Bots bid, and so nothing is missing but bo's.
    await server.clock.advance(30)
    assert (await ada.bid(ada.own.hand[choice])).ok
    return tuple(encoded(guest) for guest in (bo, watcher, idler))


@pytest.mark.parametrize("choice", [1, 5, 11])
async def test_whatever_is_sealed_everybody_else_is_told_the_same(choice: int) -> None:
    with structlog.testing.capture_logs() as logs:
        async with world(store=FullStore()) as server:
            told = await one_sealed_bid(server, 0, failing=True)
    with structlog.testing.capture_logs() as others:
        async with world(store=FullStore()) as server:
            assert await one_sealed_bid(server, choice, failing=True) == told
    assert logs == others
    assert logs, "nothing was logged, so nothing was tested"


async def test_our_own_mistakes_log_neither_cards_nor_seeds() -> None:
    def blunder(*_: object) -> int:
        raise RuntimeError("hand 1 2 3 44")

    seed = bytes(range(32))
    with structlog.testing.capture_logs() as logs:
        async with world(seed=lambda: seed, choose=blunder) as server:
            ada = await server.quick(FOUR)
            await server.play_out(ada)
    assert {log["event"] for log in logs} >= {"bot_failed", "game_over"}
    text = str(logs)
    assert "44" not in text
    assert seed.hex() not in text
    assert str(ada.own.dealt) not in text


async def test_no_seed_and_no_hand_of_others_before_the_game_is_over() -> None:
    seed = bytes(range(32))
    async with world(seed=lambda: seed) as server:
        ada, bo = await server.table(FOUR, humans=2)
        text = encoded(ada).decode()
        assert seed.hex() not in text
        assert msgspec.json.encode(bo.own.hand).decode() not in text
        await server.play_out(ada, bo)
        assert ada.info.seed == seed.hex()


async def test_illegal_cards_are_refused_with_the_rules_code() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        reply = await ada.bid(bo.own.hand[0])
        assert (reply.code, reply.details["seat"]) == ("not_in_hand", 0)
        assert not ada.own.bid
        assert (await ada.bid()).ok
