"""Tables, people and chat of several nodes: what one sees and does on any of them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from server.coordinator.messages import (
    BidSealed,
    CreateTable,
    JoinTable,
    LeaveTable,
    Motion,
    QuickGame,
    RemoveSeat,
    Resume,
    Room,
    RoundResolved,
    Say,
    SetWord,
    StartGame,
    Status,
    Trouble,
    TroubleOver,
    Vote,
    WatchTable,
)
from server.coordinator.nodes import node_messages as n
from server.coordinator.nodes.peer import Peer, RemoteTable
from server.coordinator.table import steps
from server.coordinator.table.steps import MOVING
from server.storage.nodes import NodeStore
from server.storage.store import StoredTable, StoreError
from tests.support.nodes import House, MemoryBus, house
from tests.support.tables import TIMED, UNTIMED, Guest

NAMES = ("ada", "bo", "cleo")


async def started(here: House, ada: Guest, *others: Guest) -> str:
    """A game at a table that ada has opened."""
    await ada.ok(CreateTable(TIMED if others else UNTIMED))
    await here.settle()
    code = ada.info.id
    await here.clock.advance(1.0)
    await here.seat(code, *others)
    await ada.ok(StartGame())
    await here.settle()
    return code


async def play_round(here: House, *guests: Guest) -> None:
    for guest in guests:
        if guest.owes():
            assert (await guest.bid()).ok
            await here.settle()
    await here.clock.advance(5.0)


async def test_people_of_three_nodes_play_at_one_table() -> None:
    async with house("a", "b", "c") as here:
        ada, bo, cleo = (here.nodes[n].guest(g) for n, g in zip("abc", NAMES, strict=True))
        await here.clock.advance(1.0)
        assert set(bo.lobby.players) == {"ada", "bo", "cleo"}
        await started(here, ada, bo, cleo)
        guests = (ada, bo, cleo)
        assert [guest.table.seat for guest in guests] == [0, 1, 2]
        for _ in range(3):
            await play_round(here, *guests)
        told = [guest.heard(RoundResolved) for guest in guests]
        assert len(told[0]) == 3
        assert told[0] == told[1] == told[2]
        assert ada.table.table == bo.table.table == cleo.table.table
        assert bo.own.table == bo.table.table
        assert bo.table.history == ada.table.history._replace(hands=bo.table.history.hands)


async def test_no_hidden_card_reaches_a_node_that_does_not_need_it() -> None:
    async with house("a", "b", "c") as here:
        ada, bo = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
        spectator = here.nodes["c"].guest("cleo")
        third = here.nodes["a"].guest("dan")
        await here.clock.advance(1.0)
        code = await started(here, ada, bo, third)
        await spectator.ok(WatchTable(code))
        await here.settle()
        here.hub.sent.clear()
        await play_round(here, ada, bo, third)
        node_b, node_c = here.nodes["b"].node.membership.id, here.nodes["c"].node.membership.id
        seats = [(to, topic) for _, to, topic, _ in here.hub.sent if topic.startswith("seat.")]
        assert {to for to, _ in seats} == {node_b, node_c}
        pictures = [to for _, to, topic, _ in here.hub.sent if topic.startswith("table.")]
        assert pictures.count(node_b) <= len([to for to, _ in seats if to == node_b])
        assert spectator.table.own is None
        assert spectator.table.seat == -1
        assert ada.table.table == spectator.table.table


async def test_another_node_takes_over_what_a_dead_one_had() -> None:
    async with house("a", "b", "c") as here:
        ada, bo, cleo = (here.nodes[n].guest(g) for n, g in zip("abc", NAMES, strict=True))
        await here.clock.advance(1.0)
        code = await started(here, ada, bo, cleo)
        await play_round(here, ada, bo, cleo)
        card = bo.own.hand[3]
        assert (await bo.bid(card)).ok
        await here.settle()
        hands = [guest.own.hand for guest in (bo, cleo)]
        bo.forget()
        cleo.forget()

        await here.kill("a")
        await here.clock.advance(3.0)
        assert [len(guest.heard(Trouble)) for guest in (bo, cleo)] == [1, 1]
        here.lapse("a")
        await here.clock.advance(1.5)
        assert [len(guest.heard(Trouble)) for guest in (bo, cleo)] == [1, 1]
        assert [len(guest.heard(TroubleOver)) for guest in (bo, cleo)] == [1, 1]
        assert [guest.own.hand for guest in (bo, cleo)] == hands
        assert bo.own.bid == card
        assert bo.info.id == code
        # Who was connected there is back on the own seat through another node.
        again = here.nodes["b"].guest("ada")
        await here.clock.advance(1.0)
        assert again.table.seat == 0
        await play_round(here, again, bo, cleo)
        assert len(cleo.heard(RoundResolved)) == 1
        assert cleo.table.table == again.table.table


async def test_who_comes_before_the_takeover_is_told_and_taken_to_the_table() -> None:
    async with house("a", "b") as here:
        ada, bo, cleo = (here.nodes[n].guest(g) for n, g in zip("aab", NAMES, strict=True))
        await here.clock.advance(1.0)
        code = await started(here, ada, bo, cleo)
        await here.kill("a")
        await here.clock.advance(2.0)
        again = here.nodes["b"].guest("ada")
        assert again.last.lobby is not None
        assert [each.code for each in again.heard(Trouble)] == ["moving"]
        assert (await again.visit.submit(CreateTable(UNTIMED))).code == "seated_elsewhere"
        here.lapse("a")
        await here.clock.advance(1.5)
        assert (again.info.id, again.table.seat) == (code, 0)


async def test_an_owner_whose_lease_is_over_says_nothing_and_gives_up() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada, bo, third = a.guest("ada"), b.guest("bo"), b.guest("cleo")
        await here.clock.advance(1.0)
        code = await started(here, ada, bo, third)
        # As if it had been stopped for a minute.
        a.bus.up = False
        a.lease.over()
        here.lapse("a")
        await b.node.membership.renew_now()
        await here.settle()
        assert code in b.lobby.tables.actors
        told = len(ada.updates)
        ada.read()
        answer = await bo.bid()
        assert answer.ok
        await here.settle()
        ada.read()
        assert len(ada.updates) <= told + 1
        a.bus.up = True
        await here.clock.advance(2.0)
        assert code not in a.lobby.tables.actors
        assert code in a.lobby.tables.remote
        assert a.lobby.shared.tally.leases_lost == 1
        await play_round(here, ada, third)
        assert len(ada.heard(RoundResolved)) == 1


async def test_who_asks_an_owner_whose_lease_is_over_is_told_that_the_table_is_being_moved() -> (
    None
):
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada, bo, third = a.guest("ada"), b.guest("bo"), b.guest("cleo")
        await here.clock.advance(1.0)
        await started(here, ada, bo, third)
        a.lease.over()
        asking = [asyncio.create_task(ada.bid()), asyncio.create_task(bo.bid())]
        await here.settle()
        assert not any(each.done() for each in asking)
        here.lapse("a")
        await b.node.membership.renew_now()
        await here.settle()
        assert [each.done() and each.result() for each in asking] == [MOVING, MOVING]
        # The next one is not refused because of the last.
        assert a.lobby.people["account:ada"].asked == 0
        await here.clock.advance(2.0)
        assert (await ada.bid()).ok


async def test_lost_messages_are_made_up_for() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada, bo, cleo = a.guest("ada"), b.guest("bo"), b.guest("cleo")
        await here.clock.advance(1.0)
        await started(here, ada, bo, cleo)
        a.bus.lost = lambda topic: topic.startswith(("seat.", "table.", "changed"))
        await play_round(here, ada)
        a.bus.lost = lambda _topic: False
        await here.clock.advance(2.0)
        bidders = [seat.has_bid for seat in cleo.table.table.seats]  # type: ignore[union-attr]
        assert bidders == [True, False, False]


async def test_one_visit_a_person_wherever_it_is() -> None:
    async with house("a", "b") as here:
        first = here.nodes["a"].guest("ada")
        await here.clock.advance(1.0)
        second = here.nodes["b"].guest("ada")
        await here.settle()
        assert first.visit.feed.closed == "taken_over"
        assert not second.visit.feed.closed
        first.visit.close()
        await here.clock.advance(1.0)
        assert second.lobby.players == ("ada",)


async def test_a_node_that_was_stopped_takes_no_visit_back() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        first = a.guest("ada")
        await here.clock.advance(1.0)
        # What it is sent while it is stopped gets lost.
        a.bus.up = False
        await here.clock.advance(1.0)
        second = b.guest("ada")
        await here.settle()
        a.bus.up = True
        await here.clock.advance(3.0)
        assert not second.visit.feed.closed
        assert first.visit.feed.closed == "taken_over"
        assert a.lobby.people.get("account:ada") is None
        assert a.guest("bo").lobby.players == ("ada", "bo")


async def test_what_a_stopped_node_believes_of_a_visit_is_not_believed_by_others() -> None:
    async with house("a", "b", "c") as here:
        a, b, c = (here.nodes[name] for name in "abc")
        ada, stale = a.guest("ada"), b.guest("bo")
        await here.clock.advance(1.0)
        code = await started(here, ada, stale, a.guest("cleo"))
        b.bus.up = False
        await here.clock.advance(1.0)
        bo = c.guest("bo")
        await here.clock.advance(1.0)
        b.bus.up = True
        # Before it hears that somebody has come elsewhere, it is asked who is connected to it.
        a.node.peers.ask_state(a.node.peers.known[b.node.membership.id])
        await here.settle()
        stale.visit.close()
        await here.clock.advance(1.0)
        assert ada.info.seats[1].connected
        assert (ada.info.id, bo.info.id, bo.table.seat) == (code, code, 1)
        bo.forget()
        await play_round(here, ada, bo)
        assert bo.heard(BidSealed)


async def test_seats_are_kept_and_left_across_nodes() -> None:
    async with house("a", "b") as here:
        ada, bo = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
        await here.clock.advance(1.0)
        await ada.ok(CreateTable(UNTIMED))
        await here.clock.advance(1.0)
        code = ada.info.id
        await bo.ok(JoinTable(code))
        await here.settle()
        bo.visit.close()
        await here.clock.advance(1.0)
        assert [seat.connected for seat in ada.info.seats][1] is False
        again = here.nodes["a"].guest("bo")
        await here.settle()
        assert again.table.seat == 1
        assert ada.info.seats[1].connected
        await again.ok(LeaveTable())
        await here.settle()
        assert again.last.table is None
        assert ada.info.status is Status.OPEN
        assert not ada.info.seats[1].name


async def test_the_lobby_and_a_table_hear_what_is_said_on_other_nodes() -> None:
    async with house("a", "b") as here:
        ada, bo, cleo = (here.nodes[n].guest(g) for n, g in zip("abb", NAMES, strict=True))
        await here.clock.advance(1.0)
        await ada.ok(Say(Room.LOBBY, "hello"))
        await here.clock.advance(1.0)
        assert [line.text for update in bo.read().updates for line in update.chat] == ["hello"]
        await ada.ok(CreateTable(UNTIMED))
        await here.clock.advance(1.0)
        await bo.ok(JoinTable(ada.info.id))
        await here.clock.advance(1.0)
        await bo.ok(Say(Room.TABLE, "here I am"))
        await here.clock.advance(1.0)
        heard = [line.text for update in ada.read().updates for line in update.chat]
        assert heard[-1] == "here I am"
        said = [line.text for update in cleo.read().updates for line in update.chat]
        assert "here I am" not in said


@pytest.mark.parametrize("through", ["a", "b"])
async def test_a_bid_of_a_visit_that_is_over_replaces_none(through: str) -> None:
    """A node that is stopped sends what was typed there when it wakes up."""
    async with house("a", "b", "c") as here:
        ada, bo, cleo = (here.nodes[n].guest(g) for n, g in zip("aca", NAMES, strict=True))
        await here.clock.advance(1.0)
        await started(here, ada, bo, cleo)
        stopped, owner = here.nodes["c"].bus, here.nodes["a"].bus
        before = len(here.hub.sent)
        old, new = bo.own.hand[:2]
        with silent(stopped):
            late = asyncio.create_task(bo.submit(bo.bid_of(old)))
            await here.settle()
            again = here.nodes[through].guest("bo")
            await here.settle()
            assert (await again.bid(new)).ok
            await here.settle()
        for sender, _, topic, message in here.hub.sent[before:]:
            if sender == stopped.node and topic == "ask":
                owner.heard(message)
        await here.clock.advance(1.0)
        assert again.own.bid == new
        assert (await late).code == "gone"
        if through != "a":
            # Also when there is no connection at all to tell by.
            again.visit.close()
            await here.settle()
            for sender, _, topic, message in here.hub.sent[before:]:
                if sender == stopped.node and topic == "ask":
                    owner.heard(message)
            await here.settle()
            third = here.nodes["a"].guest("bo")
            await here.settle()
            assert third.own.bid == new


async def test_a_node_that_was_stopped_shows_nobody_how_things_were() -> None:
    async with house("a", "b") as here:
        ada, bo, cleo = (here.nodes[n].guest(g) for n, g in zip("aba", NAMES, strict=True))
        await here.clock.advance(1.0)
        await started(here, ada, bo, cleo)
        stopped, before = here.nodes["b"], len(here.hub.sent)
        with silent(here.nodes["a"].bus):
            await ada.bid()
            await here.settle()
        late = [
            message for sender, to, _, message in here.hub.sent[before:] if to == stopped.bus.node
        ]
        assert late
        shown, beaten = len(bo.read().updates), stopped.node.peers._beaten
        stopped.node.peers._beaten = beaten - 60.0  # as after a stop, before anything else runs
        for message in late:
            stopped.bus.heard(message)
        assert len(bo.read().updates) == shown
        stopped.node.peers._beaten = beaten
        await here.clock.advance(3.0)
        assert bo.table.table is not None
        assert bo.table.table.seats[0].has_bid, (
            "it is shown how things are as soon as the lease is renewed"
        )


@contextmanager
def silent(bus: MemoryBus) -> Iterator[None]:
    """Nothing that this node sends arrives."""
    bus.lost = lambda _topic: True
    yield
    bus.lost = lambda _topic: False


async def test_the_clock_and_the_votes_are_as_they_were_after_a_takeover() -> None:
    async with house("a", "b", "c") as here:
        ada, bo, cleo = (here.nodes[n].guest(g) for n, g in zip("abc", NAMES, strict=True))
        await here.clock.advance(1.0)
        await started(here, ada, bo, cleo)
        await play_round(here, ada, bo, cleo)
        for guest in (ada, bo, cleo):
            await guest.ok(Vote(Motion.PAUSE))
        await here.clock.advance(50.0)
        await bo.ok(Resume())
        await here.settle()
        deadline = bo.info.deadline
        await cleo.ok(Vote(Motion.END))
        await here.settle()
        votes = bo.info.votes
        await here.kill("a")
        here.lapse("a")
        await here.clock.advance(3.0)
        assert bo.info.deadline == deadline
        assert [(vote.motion, vote.agreed) for vote in votes] == [(Motion.END, (2,))]
        assert [(vote.motion, vote.agreed) for vote in bo.info.votes] == [(Motion.END, (2,))]


async def test_who_watches_goes_on_watching_after_a_takeover() -> None:
    async with house("a", "b") as here:
        ada, watcher = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
        await ada.ok(QuickGame(UNTIMED))
        await here.clock.advance(1.0)
        await watcher.ok(WatchTable(ada.info.id))
        # Who was let in stays, also where a word is needed by now.
        await ada.ok(SetWord("herring"))
        await here.settle()
        await here.kill("a")
        here.lapse("a")
        await here.clock.advance(2.0)
        again = here.nodes["b"].guest("ada")
        await here.clock.advance(1.0)
        watcher.forget()
        await play_round(here, again)
        assert len(watcher.heard(RoundResolved)) == 1


async def test_who_waits_for_a_bots_seat_still_does_after_a_takeover() -> None:
    async with house("a", "b") as here:
        ada, watcher = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
        await ada.ok(QuickGame(UNTIMED))
        await ada.ok(SetWord("herring"))
        await here.clock.advance(1.0)
        await watcher.ok(JoinTable(ada.info.id, 2, word="herring"))
        await here.settle()
        claimed = [seat.claimed for seat in watcher.info.seats]
        assert claimed.index("bo") == 2
        await here.kill("a")
        here.lapse("a")
        await here.clock.advance(2.0)
        assert watcher.table.seat == -1
        assert [seat.claimed for seat in watcher.info.seats] == claimed
        # Who only watches, after having waited, waits for no seat later.
        await watcher.ok(WatchTable(watcher.info.id))
        await here.settle()
        assert not any(seat.claimed for seat in watcher.info.seats)


async def test_tables_that_were_claimed_but_could_not_be_read_are_read_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with house("a", "b") as here:
        ada = here.nodes["a"].guest("ada")
        await ada.ok(QuickGame(UNTIMED))
        await here.clock.advance(1.0)
        code, b = ada.info.id, here.nodes["b"]
        await here.kill("a")
        here.lapse("a")

        async def fail(keys: object = None) -> list[StoredTable]:
            raise StoreError("unreachable")

        with monkeypatch.context() as broken:
            broken.setattr(b.tables, "load", fail)
            await here.clock.advance(1.5)
        assert code not in b.lobby.tables.actors
        await here.clock.advance(3.0)
        assert code in b.lobby.tables.actors


async def test_what_cannot_be_read_from_the_bus_harms_nobody() -> None:
    async with house("a", "b") as here:
        sender = here.hub.ends[0]
        for message in (b"", b"\xc1", b"\x93\xa1a\x01\x81\xa4type\xa7Unknown"):
            sender.send(here.nodes["b"].node.membership.id, "chat", message)
        await here.clock.advance(1.0)
        ada = here.nodes["b"].guest("ada")
        await ada.ok(QuickGame(UNTIMED))


async def test_a_late_answer_is_not_taken_for_that_to_another_question() -> None:
    sent: list[int] = []
    peer = Peer("b", lambda _peer, _topic, _message, number: sent.append(number), lambda _code: 1)
    table = RemoteTable(peer, "bidu", 1, lambda _: None)
    first = asyncio.create_task(table.ask(steps.Advise("ada")))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    second = asyncio.create_task(table.ask(steps.Advise("ada")))
    await asyncio.sleep(0)
    assert sent[0] not in peer.asked
    assert sent[0] != sent[1]
    peer.give_up()
    assert (await second).code == "moving"
    # Nor is anything waited for that nobody can answer any more.
    assert not (await table.ask(steps.Advise("ada"))).ok
    assert len(sent) == 2


async def test_who_comes_while_messages_are_lost_is_shown_the_table_afterwards() -> None:
    async with house("a", "b") as here:
        ada, bo = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
        await here.clock.advance(1.0)
        await ada.ok(CreateTable(UNTIMED))
        await here.clock.advance(1.0)
        await bo.ok(JoinTable(ada.info.id))
        await here.settle()
        bo.visit.close()
        await here.clock.advance(1.0)
        here.nodes["b"].bus.lost = lambda topic: topic == "ask"
        again = here.nodes["b"].guest("bo")
        await here.settle()
        here.nodes["b"].bus.lost = lambda _topic: False
        await here.clock.advance(2.0)
        assert again.table.seat == 1
        assert ada.info.seats[1].connected


async def test_a_state_is_asked_for_until_it_comes() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada, bo, cleo = a.guest("ada"), b.guest("bo"), b.guest("cleo")
        await here.clock.advance(1.0)
        await started(here, ada, bo, cleo)
        a.bus.lost = lambda topic: topic.startswith(("seat.", "table."))
        b.bus.lost = lambda topic: topic == "state"
        await play_round(here, ada)
        a.bus.lost = lambda _topic: False
        await here.clock.advance(1.0)
        b.bus.lost = lambda _topic: False
        await here.clock.advance(2.0)
        assert cleo.table.table is not None
        assert [seat.has_bid for seat in cleo.table.table.seats] == [True, False, False]


async def test_tables_that_all_nodes_have_given_up_at_once_are_taken_up_again() -> None:
    async with house("a", "b") as here:
        ada = here.nodes["a"].guest("ada")
        await ada.ok(QuickGame(UNTIMED))
        await here.clock.advance(1.0)
        here.store.sql("DELETE FROM nodes")
        await here.clock.advance(3.0)
        owners = [each for each in here.nodes.values() if ada.info.id in each.lobby.tables.actors]
        assert len(owners) == 1
        assert (await ada.bid()).ok


async def test_whose_seat_is_gone_while_messages_were_lost_is_in_the_lobby() -> None:
    async with house("a", "b") as here:
        ada, bo = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
        await here.clock.advance(1.0)
        await ada.ok(CreateTable(UNTIMED))
        await here.clock.advance(1.0)
        await here.seat(ada.info.id, bo)
        here.nodes["b"].bus.up = False
        await ada.ok(RemoveSeat(1))
        await here.clock.advance(1.0)
        here.nodes["b"].bus.up = True
        await here.clock.advance(2.0)
        assert bo.last.table is None
        assert ada.info.spectators == 0


async def test_when_the_bus_comes_back_nobody_gives_up_tables() -> None:
    """It reaches one node a moment later than the other."""
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        a.bus.up = b.bus.up = False
        await here.clock.advance(20.0)
        assert (a.node.heard(), b.node.heard()) == (0, 0)
        b.bus.up = True
        await here.clock.advance(2.5)
        a.bus.up = True
        await here.clock.advance(5.0)
        assert (a.node.heard(), b.node.heard()) == (1, 1)
        assert a.lobby.shared.tally.leases_lost == b.lobby.shared.tally.leases_lost == 0
        a.bus.up = False
        await here.clock.advance(5.0)
        assert a.lobby.shared.tally.leases_lost == 1, "others hear each other"


async def test_a_bus_that_was_back_while_the_database_was_away_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with house("a", "b") as here:
        a, answers, renew = here.nodes["a"], asyncio.Event(), NodeStore.renew

        async def late(store: NodeStore, id_: str, *more: Any) -> Any:
            if id_ == a.node.membership.id:
                await answers.wait()
            return await renew(store, id_, *more)

        monkeypatch.setattr(NodeStore, "renew", late)
        for up in (False, True, False):
            a.bus.up = up
            await here.clock.advance(2.0)
        answers.set()
        await here.clock.advance(0.5)
        assert a.lobby.shared.tally.leases_lost == 0
        # And then for long, while another node has it.
        await here.clock.advance(1.5)
        assert a.lobby.shared.tally.leases_lost == 1


async def test_a_table_that_a_node_does_not_have_any_more_is_waited_for() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada, bo, cleo = a.guest("ada"), b.guest("bo"), b.guest("cleo")
        await here.clock.advance(1.0)
        code = await started(here, ada, bo, cleo)
        to_b = a.node.peers.known[b.node.membership.id]
        to_b.send("state", n.State("a", (), ()))
        await here.settle()
        assert bo.info.id == code
        assert [each.code for each in bo.heard(Trouble)] == ["moving"]
        assert (await bo.bid()).code == "moving"
        # It is said to be there all the same.
        a.node.published(a.lobby.listings[code])
        await here.settle()
        assert len(bo.heard(TroubleOver)) == 1
        assert (await bo.bid()).ok
        # And now nobody has.
        a.bus.lost = lambda topic: topic in ("changed", "back")
        await a.lobby.order(code, steps.Close("closed"))
        await here.settle()
        a.bus.lost = lambda _topic: False
        await here.clock.advance(5.0)
        assert bo.info.id == code
        await here.clock.advance(10.0)
        assert bo.last.table is None
        assert not b.lobby.feed.snapshot().tables
