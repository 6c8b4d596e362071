"""Who ended up in two places, or in none, is put right; and nothing is kept of nodes that are gone."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.coordinator.lobby.open_tables import member_of
from server.coordinator.messages import (
    AddBot,
    CreateTable,
    JoinTable,
    LeaveTable,
    Player,
    QuickGame,
    Reply,
    SentBack,
    StartGame,
    Status,
    Trouble,
    WatchTable,
)
from server.coordinator.nodes import node_messages as n
from server.coordinator.presence import Presence
from server.coordinator.table import steps
from server.coordinator.table.state import Member
from server.storage.store import StoredTable, StoreError
from tests.support.nodes import House, TestNode, house
from tests.support.tables import TIMED, UNTIMED

ADA = "account:ada"


async def two_tables(here: House) -> tuple[TestNode, TestNode, str, str]:
    """Of other people, at a and b."""
    a, b = here.nodes["a"], here.nodes["b"]
    owners = a.guest("cem"), b.guest("dora")
    for owner in owners:
        await owner.ok(CreateTable(TIMED))
    await here.clock.advance(1.0)
    return a, b, owners[0].info.id, owners[1].info.id


def seated(here: House, player: str = ADA) -> list[str]:
    return [
        code
        for node in here.nodes.values()
        for code, actor in node.lobby.tables.actors.items()
        if actor.table.seat_of(player) >= 0
    ]


async def test_who_got_a_second_seat_while_no_message_passed_has_one_afterwards() -> None:
    async with house("a", "b") as here:
        a, b, first, second = await two_tables(here)
        a.bus.up = b.bus.up = False
        ada = a.guest("ada")
        await ada.ok(JoinTable(first))
        ada.visit.close()
        again = b.guest("ada")
        await again.ok(JoinTable(second))
        a.bus.up = b.bus.up = True
        await here.clock.advance(1.0)
        assert len(seated(here)) == 2
        await here.clock.advance(10.0)
        assert seated(here) == [second]
        assert again.info.id == second
        assert again.info.seats[again.table.seat].connected


async def test_of_two_seats_the_one_in_a_game_is_kept() -> None:
    async with house("a", "b") as here:
        a, b, _, second = await two_tables(here)
        a.bus.up = b.bus.up = False
        ada = a.guest("ada")
        await ada.ok(QuickGame(UNTIMED))
        game = ada.info.id
        ada.visit.close()
        again = b.guest("ada")
        await again.ok(JoinTable(second))
        a.bus.up = b.bus.up = True
        await here.clock.advance(10.0)
        assert seated(here) == [game]
        assert (again.info.id, again.info.status) == (game, Status.PLAYING)
        assert (await again.bid()).ok


async def test_a_seat_that_comes_where_somebody_only_watched_is_not_given_up() -> None:
    async with house("a") as here:
        a = here.nodes["a"]
        bo, ada = a.guest("bo"), a.guest("ada")
        await bo.ok(CreateTable(UNTIMED))
        await bo.ok(AddBot())
        await ada.ok(CreateTable(TIMED))
        actor, presence = a.lobby.tables.actors[bo.info.id], a.lobby.people[ADA]
        ask = actor.ask

        async def late(command: Any) -> None:
            presence.asked += 1
            assert (await ask(steps.Asked(member_of(presence), command))).ok

        async def asked(given: Any) -> Reply:
            if isinstance(given, steps.Asked) and given.who.player.id == ADA:
                await late(JoinTable(actor.id))
                await bo.ok(StartGame())
            return await ask(given)

        await late(WatchTable(actor.id))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(actor, "ask", asked)
            a.node.whereabouts.settle(presence)
            await here.clock.advance(0.1)
        await here.clock.advance(10.0)
        assert seated(here) == [actor.id]
        assert (ada.info.id, ada.info.status) == (actor.id, Status.PLAYING)


@pytest.mark.parametrize("rated", ["none", "the newer one"])
async def test_of_two_games_the_rated_then_the_older_one_is_kept(rated: str) -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        await here.clock.advance(1.0)
        a.bus.up = b.bus.up = False
        ada = a.guest("ada")
        await ada.ok(QuickGame(UNTIMED))
        older = ada.info.id
        ada.visit.close()
        await here.clock.advance(0.5)
        again = b.guest("ada")
        await again.ok(CreateTable(replace(TIMED, rated=rated != "none")))
        newer = again.info.id
        for name in ("bo", "cem"):
            await b.guest(name).ok(JoinTable(newer))
        await again.ok(StartGame())
        a.bus.up = b.bus.up = True
        await here.clock.advance(10.0)
        assert seated(here) == [older if rated == "none" else newer]


async def test_after_a_crash_of_all_nodes_none_opens_before_it_has_the_tables() -> None:
    async with house("a", "b", "c") as here:
        names = {name: here.nodes[name].guest(name) for name in "abc"}
        await here.clock.advance(1.0)
        await names["a"].ok(QuickGame(UNTIMED))
        code = names["a"].info.id
        await here.clock.advance(1.0)
        for name in "abc":
            await here.kill(name)
            here.lapse(name)
        # When it opens, people may come in.
        back = await here.start("d")
        assert code in back.lobby.tables.actors
        again = back.guest("a")
        await here.settle()
        assert again.info.id == code


@pytest.mark.parametrize("bus", [True, False])
async def test_leases_of_nodes_that_say_nothing_are_waited_for_before_one_opens(bus: bool) -> None:
    async with house("a", "b") as here:
        ada = here.nodes["a"].guest("ada")
        await ada.ok(QuickGame(UNTIMED))
        code = ada.info.id
        for node in here.nodes.values():
            node.bus.up = bus
        await here.clock.advance(2.0)
        for name in "ab":
            await here.kill(name)
            here.clock.call_at(here.clock.time() + 2.0, partial(here.lapse, name))
        back = await here.start("c")
        assert code in back.lobby.tables.actors


async def test_a_node_that_cannot_claim_opens_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async with house("a") as here:
        ada = here.nodes["a"].guest("ada")
        await ada.ok(QuickGame(UNTIMED))
        code = ada.info.id
        await here.kill("a")
        here.lapse("a")

        async def fail(keys: object = None) -> list[StoredTable]:
            raise StoreError("unreachable")

        before = here.clock.time()
        with capture_logs() as lines:
            back = await here.start(
                "b", lambda node: monkeypatch.setattr(node.tables, "load", fail)
            )
        assert here.clock.time() - before >= 15.0
        assert [line["event"] for line in lines].count("tables_not_claimed") == 1
        monkeypatch.undo()
        await here.clock.advance(5.0)
        assert code in back.lobby.tables.actors, "it was kept"


async def test_who_watches_elsewhere_when_the_own_table_is_found_again_is_taken_there() -> None:
    async with house("a", "b") as here:
        a, b, first, second = await two_tables(here)
        ada = b.guest("ada")
        await here.clock.advance(1.0)
        await ada.ok(JoinTable(first))
        await here.settle()
        b.node._remote._gone(first)
        await ada.ok(WatchTable(second))
        a.node.peers.tell("changed", n.Changed(tables=(a.node._table_at(a.lobby.listings[first]),)))
        await here.clock.advance(10.0)
        assert ada.info.id == first
        assert not b.lobby.tables.actors[second].table.spectators


async def test_a_table_forgets_who_is_nowhere() -> None:
    async with house("a", "b") as here:
        a, _, first, _ = await two_tables(here)
        player = Player("account:eve", "eve", False)
        actor = a.lobby.tables.actors[first]
        door = next(iter(a.node.peers.known.values()))
        # That this player has left there was lost.
        a.lobby.people[player.id] = Presence(
            player, a.lobby.places, asked=1, feed=door.feed(player.id)
        )
        await actor.ask(steps.Asked(Member(player), WatchTable(first)))
        await here.settle()
        await here.clock.advance(10.0)
        assert not actor.table.spectators
        assert player.id not in a.lobby.people


async def test_who_leaves_one_table_stays_at_another() -> None:
    """Of two commands that nobody waits for any more, the first one may be done last."""
    async with house("a") as here:
        a = here.nodes["a"]
        cem, ada = a.guest("cem"), a.guest("ada")
        await cem.ok(CreateTable(TIMED))
        await ada.ok(WatchTable(cem.info.id))
        presence = a.lobby.people[ADA]
        await ada.ok(QuickGame(UNTIMED))
        game = ada.info.id
        a.lobby.released(cem.info.id, ADA, SentBack("closed", ""))
        assert presence.table == game
        assert not ada.heard(SentBack)
        await ada.ok(LeaveTable())


async def test_a_node_that_is_gone_and_speaks_once_more_is_not_heard() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        old = a.node.membership.id
        await here.clock.advance(3.0)
        here.lapse("a")
        b.node.peers.known[old].heard -= 60.0  # as after a stop
        for _ in range(2):
            await b.node.membership.renew_now()
        assert old not in b.node.peers.known
        # It does not know yet that it is gone.
        a.node.peers.tell("beat", n.Beat("a"))
        await here.settle()
        assert old not in b.node.peers.known
        await here.clock.advance(5.0)
        assert b.node.peers.known.keys() == {a.node.membership.id}


async def test_nothing_is_kept_of_tables_that_were_shown_to_other_nodes() -> None:
    async with house("a", "b") as here:
        a, _, first, _ = await two_tables(here)
        ada = here.nodes["b"].guest("ada")
        await here.clock.advance(1.0)
        await ada.ok(JoinTable(first))
        await here.clock.advance(1.0)
        peer = next(iter(a.node.peers.known.values()))
        assert first in peer._shown
        await a.lobby.order(first, steps.Close("closed"))
        await here.clock.advance(1.0)
        assert not peer._shown
        assert ADA not in a.lobby.people


async def test_a_table_that_is_nobodys_is_taken_up_in_the_end() -> None:
    """It was handed to a node that was gone at that moment."""
    async with house("a", "b") as here:
        a, _, first, _ = await two_tables(here)
        await a.lobby.tables.actors[first].stop(lost=True)
        a.node.lost(a.lobby.tables.actors[first])
        here.store.sql("UPDATE owners SET node = 'gone', epoch = 7 WHERE node LIKE 'a-%'")
        a.node.membership._unclaimed = False
        await here.clock.advance(32.0)
        owners = [it for it in here.nodes.values() if first in it.lobby.tables.actors]
        assert [it.lobby.tables.actors[first].epoch for it in owners] == [8]


async def test_tables_of_a_node_that_ends_just_when_the_database_is_back_are_taken_up() -> None:
    async with house("a", "b") as here:
        a, b, first, _ = await two_tables(here)
        b.node.membership._reachable = None
        await a.lobby.close()
        await a.node.close()
        del here.nodes["a"]
        await here.clock.advance(5.0)
        assert first in b.lobby.tables.actors


async def test_a_table_that_its_owner_has_lost_by_mistake_is_taken_up_by_it() -> None:
    async with house("a", "b") as here:
        a, _, first, _ = await two_tables(here)
        here.store.sql("UPDATE owners SET position = position + 1 WHERE node LIKE 'a-%'")
        dan = a.guest("dan")
        await dan.submit(JoinTable(first))
        await here.clock.advance(5.0)
        assert first in a.lobby.tables.actors
        await dan.ok(JoinTable(first))


async def test_nothing_is_kept_of_people_who_have_gone_to_other_nodes() -> None:
    async with house("a", "b", "c") as here:
        a, b, first, _ = await two_tables(here)
        c = here.nodes["c"]
        ada = b.guest("ada")
        await here.clock.advance(1.0)
        await ada.ok(JoinTable(first))
        a.bus.up = False
        await here.clock.advance(2.0)
        assert len(ada.heard(Trouble)) == 1
        again = c.guest("ada")
        await here.clock.advance(0.5)
        assert not any(it.feed.moving for it in b.lobby.people.values())
        a.bus.up = True
        await here.clock.advance(8.0)
        doors = {peer.name: set(peer.feeds) for peer in a.node.peers.known.values()}
        assert doors["b"] == set()
        assert doors["c"] == {ADA}
        assert again.info.seats[again.table.seat].connected


async def test_who_watches_is_shown_what_was_lost_and_still_waits_for_a_seat() -> None:
    async with house("a", "b") as here:
        a = here.nodes["a"]
        ada, bo, eve = a.guest("ada"), a.guest("bo"), here.nodes["b"].guest("eve")
        await here.wait_for_bots_seat(ada, bo, eve)
        a.bus.lost = lambda topic: topic.startswith("seat.")
        assert (await ada.bid()).ok
        await here.settle()
        a.bus.lost = lambda _topic: False
        assert eve.table.table != ada.table.table
        await here.clock.advance(2.0)
        assert eve.table.table == ada.table.table
        assert [seat.claimed for seat in eve.info.seats] == ["", "", "eve"]
