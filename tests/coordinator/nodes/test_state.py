"""What a node tells of itself as a whole: in parts, because the bus carries only so much at once."""

import pytest
from structlog.testing import capture_logs

from server.coordinator.feed import Feed
from server.coordinator.messages import AddBot, CreateTable, Player, QuickGame, WatchTable
from server.coordinator.nodes.peer import remote_table
from server.coordinator.presence import Presence
from tests.support.nodes import house
from tests.support.tables import UNTIMED

_MOST: int = 2**20
"""Bytes, of a message of NATS."""


async def test_a_large_state_comes_in_parts_that_the_bus_can_carry() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        for number in range(120):
            await a.guest(f"player{number}").ok(QuickGame(UNTIMED))
        await here.clock.advance(1.0)
        # As many as there may be.
        for number in range(6000):
            player = Player(f"account:{number:032}", f"somebody with a name {number}", False)
            there = Presence(player, a.lobby.places, feed=Feed(), visit=number)
            a.lobby.people[player.id] = there
        here.hub.sent.clear()
        b.node.peers.ask_state(b.node.peers.known[a.node.membership.id])
        await here.settle()
        sizes = [len(message) for _, _, topic, message in here.hub.sent if topic == "state"]
        assert len(sizes) > 12
        assert max(sizes) < _MOST // 4
        peer = b.node.peers.known[a.node.membership.id]
        assert len(peer.people) == 6000 + 120
        assert len(b.lobby.tables.remote) == 120


async def test_a_state_of_which_a_part_is_lost_is_asked_for_again() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        for number in range(120):
            await a.guest(f"player{number}").ok(QuickGame(UNTIMED))
        b.bus.up = False
        await here.clock.advance(1.0)
        b.lobby.tables.remote.clear()
        b.lobby.listings.clear()
        states = iter([False, True, False])
        a.bus.lost = lambda topic: topic == "state" and next(states, False)
        b.bus.up = True
        await here.clock.advance(0.6)
        assert not b.lobby.tables.remote
        await here.clock.advance(2.0)
        assert len(b.lobby.tables.remote) == 120


async def test_what_fails_while_a_message_is_taken_is_logged_and_made_up_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]

        def fail(*_: object) -> None:
            raise ZeroDivisionError

        with monkeypatch.context() as broken, capture_logs() as logged:
            broken.setattr(b.node._remote, "_listed", fail)
            ada = a.guest("ada")
            await ada.ok(QuickGame(UNTIMED))
            await here.settle()
        failed = [it for it in logged if it["event"] == "message_failed"]
        assert failed
        assert {(it["message"], it["error"]) for it in failed} <= {
            ("Changed", "ZeroDivisionError"),
            ("State", "ZeroDivisionError"),
        }
        await here.clock.advance(1.5)
        assert ada.info.id in b.lobby.listings


async def test_what_is_missing_to_show_a_table_is_asked_for_until_it_comes() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada, bo, eve = a.guest("ada"), a.guest("bo"), b.guest("eve")
        await ada.ok(CreateTable(UNTIMED))
        await here.clock.advance(1.0)
        code = ada.info.id
        await here.seat(code, bo)
        await eve.ok(WatchTable(code))
        await here.settle()
        remote = remote_table(b.lobby, code)
        assert remote is not None
        remote.picture = None  # as when the table has come to another node and back
        b.bus.lost = lambda topic: topic == "state"
        await ada.ok(AddBot())
        await here.settle()
        b.bus.lost = lambda _topic: False
        assert eve.info != ada.info
        await here.clock.advance(2.0)
        assert eve.info == ada.info
