"""Tournaments on several nodes: run by one of them, seen and played on all."""

import asyncio
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.lobby.event_tables import EventTable, open_event_table
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.table import steps
from server.coordinator.tournaments import round_tables
from server.coordinator.tournaments.director import RETRY, Director
from server.i18n.lookup import words_for
from server.storage.store import StoreError
from server.storage.tournaments import StoredTournament, TournamentStore
from server.text.refusals import refusal
from tests.support.cups import PLAN, news_of, totals
from tests.support.node_cups import NodeCup, node_cup
from tests.support.nodes import hand_over
from tests.support.tables import UNTIMED


async def test_people_of_three_nodes_play_a_tournament_that_all_nodes_show() -> None:
    async with node_cup("a", "b", "c") as held:
        await held.begun(9)
        assert held.runner == "a"
        clock, guests = held.here.clock, held.guests
        assert {guest.status() for guest in guests.values()} == {m.Status.PLAYING}
        assert {guest.info.title for guest in guests.values()} == {
            f"Friday cup 1.{number}" for number in (1, 2, 3)
        }
        for name, node in zip(("p0", "p1", "p2"), "abc", strict=True):
            (told,) = guests[name].last.tournaments
            assert (told.phase, told.playing, told.table) == (
                "playing",
                3,
                guests[name].info.id,
            )
            assert (await held.view(node)).seeds == ()
        await held.play()
        views = [await held.view(node) for node in "abc"]
        assert views[0] == views[1] == views[2]
        assert views[0].info.phase is m.TournamentPhase.BREAK
        assert len(views[0].seeds) == 1
        for name, node in zip(("p0", "p1", "p2"), "abc", strict=True):
            (told,) = guests[name].last.tournaments
            (own,) = [row for row in (await held.view(node, name)).rows if row.you]
            assert (told.phase, told.place) == ("break", own.place)
        await clock.advance(PLAN.pause)
        await held.play()
        records = [await held.record(node) for node in "abc"]
        assert records[0] == records[1] == records[2]
        record = records[0]
        assert record["over"]
        assert all(table["points"] for each in record["rounds"] for table in each["tables"])
        assert totals(record) == {
            row["player"]: Fraction(row["total"]) for row in record["standings"]
        }
        won = m.News((await held.view("a")).info.winners, cup=PLAN.name)
        for node in "abc":
            lobby = held.here.nodes[node].lobby
            await news_of(lobby, held.here.store).refresh()
            assert lobby.feed.snapshot().news == (won,)


async def test_players_of_one_address_share_their_part_on_all_nodes() -> None:
    async with node_cup("a", "b", "c") as held:
        await held.opened("c", replace(PLAN, places=8))
        guests = [held.come(f"p{number}", "abc"[number % 3]) for number in range(5)]
        await held.here.clock.advance(1.0)
        for each, node in zip(guests, "abcab", strict=True):
            people = held.here.nodes[node].lobby.people
            people[each.visit.player.id].source = "192.0.2.1"
        told = [await each.code(m.EnterTournament(held.id)) for each in guests]
        assert told == [*["ok"] * 4, "tournament_share"]


async def finished(held: NodeCup, node: str) -> dict[str, Any]:
    """The record in the end: every table has one result, and the standings follow from them."""
    record = await held.record(node)
    assert record["over"]
    for number, each in enumerate(record["rounds"], 1):
        seats = sorted(seat for table in each["tables"] for seat in table["seats"] if seat)
        assert seats == [*range(1, len(record["players"]) + 1)]
        assert all(table["points"] for table in each["tables"])
        assert len(held.games(number)) == len(each["tables"])
    assert totals(record) == {row["player"]: Fraction(row["total"]) for row in record["standings"]}
    return record


def seed_of(held: NodeCup, number: int = 1) -> str:
    event = f"tournament/{held.id}/{number}"
    (row,) = held.here.store.sql("SELECT seed FROM events WHERE id = :id", id=event)
    return str(row.seed)


async def test_another_node_goes_on_when_the_runner_dies_in_the_middle_of_a_round() -> None:
    async with node_cup("a", "b", "c") as held:
        await held.begun(9)
        clock, guests, seed = held.here.clock, held.guests, seed_of(held)
        for _ in range(3):
            await held.bid_once()
            await clock.advance(1.0)
        titles = {name: guest.info.title for name, guest in guests.items()}
        hand = guests["p1"].own.hand
        await held.die("a")
        assert held.runner in ("b", "c")
        assert guests["p1"].own.hand == hand
        for name in ("p0", "p3", "p6"):
            held.come(name, "b")
        await clock.advance(1.0)
        assert {name: guest.info.title for name, guest in guests.items()} == titles
        assert (await held.view("b")) == (await held.view("c"))
        await held.play()
        await clock.advance(PLAN.pause)
        assert (await held.view("c")).info.round == 2
        await held.play()
        record = await finished(held, "c")
        assert record["rounds"][0]["seed"] == seed


async def test_who_comes_back_after_all_nodes_were_gone_has_the_time_to_bid() -> None:
    async with node_cup("a") as held:
        await held.begun(9)
        clock = held.here.clock
        (await held.guests["p0"].bid()).raise_if_refused()
        before = {name: (it.own.hand, it.own.bid) for name, it in held.guests.items()}
        await held.here.kill("a")
        held.here.lapse("a")
        await clock.advance(600.0)
        await held.start("b")
        await clock.advance(20.0)
        for name in before:
            held.come(name, "b")
        await clock.advance(PLAN.options.seconds)
        assert {name: (it.own.hand, it.own.bid) for name, it in held.guests.items()} == before
        await held.play()


async def test_a_round_that_was_seated_before_the_runner_died_is_opened_by_another_node(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with node_cup("a", "b") as held:
        await held.opened("a")
        for number in range(8):
            await held.come(f"p{number}", "b").ok(m.EnterTournament(held.id))
        opened, there = 0, held.here.nodes["a"].lobby

        async def only_one(lobby: Lobby, wanted: EventTable) -> m.Reply:
            nonlocal opened
            opened += lobby is there
            if lobby is there and opened > 1:
                await asyncio.Event().wait()
            return await open_event_table(lobby, wanted)

        monkeypatch.setattr(round_tables, "open_event_table", only_one)
        beginning = asyncio.create_task(held.direct("a", m.Directing.BEGIN))
        await held.here.settle()
        assert opened == 2
        seed = seed_of(held)
        await held.die("a")
        beginning.cancel()
        titles = {guest.info.title for guest in held.guests.values()}
        assert titles == {f"Friday cup 1.{number}" for number in (1, 2, 3)}
        assert len(held.here.nodes["b"].lobby.tables.actors) == 3
        await held.play()
        await held.here.clock.advance(PLAN.pause)
        await held.play()
        assert (await finished(held, "b"))["rounds"][0]["seed"] == seed


async def test_a_break_ends_when_it_should_though_the_runner_has_died() -> None:
    async with node_cup("a", "b") as held:
        await held.begun(8)
        await held.play()
        begins = (await held.view("b")).info.begins
        await held.die("a")
        for number in range(0, 8, 2):
            held.come(f"p{number}", "b")
        await held.here.clock.advance(begins - held.here.clock.time() - 1.0)
        assert (await held.view("b")).info.phase is m.TournamentPhase.BREAK
        await held.here.clock.advance(2.0)
        assert (await held.view("b")).info.phase is m.TournamentPhase.PLAYING
        await held.play()
        await finished(held, "b")


async def stopped(held: NodeCup, name: str) -> Director:
    """The node is stopped for long, and wakes up believing that its lease holds; it hears nobody."""
    node = held.here.nodes[name]
    await node.node._tasks.end()
    node.bus.up = False
    running = held.directories[name].director
    assert running is not None
    held.here.lapse(name)
    await held.here.clock.advance(4.0)
    node.lease.renewed(node.lease.now() + 1000.0)
    return running


async def test_a_runner_whose_lease_is_over_seats_no_round_and_opens_no_table() -> None:
    async with node_cup("a", "b") as held:
        await held.opened("a")
        for number in range(8):
            await held.come(f"p{number}", "b").ok(m.EnterTournament(held.id))
        stale = await stopped(held, "a")
        assert held.directories["b"].run_here
        for what in (m.Directing.BEGIN, m.Directing.END):
            with pytest.raises(m.Refused) as refused:
                await stale.direct(held.id, what)
            assert refused.value.reply == steps.MOVED
        assert not held.directories["a"].run_here
        assert (await held.view("b")).info.phase is m.TournamentPhase.OPEN
        # The deal that it has kept is that of the round.
        seed = seed_of(held)
        await held.direct("b", m.Directing.BEGIN)
        await held.here.clock.advance(1.0)
        assert seed_of(held) == seed
        # Of a round that it does know it opens no second table either.
        known = held.directories["b"].known.all[held.id]
        before = held.here.store.sql("SELECT key FROM tables ORDER BY key")
        assert not await stale._rounds.open(known.held, [0, 1])
        assert held.here.store.sql("SELECT key FROM tables ORDER BY key") == before
        del held.here.nodes["a"]
        await held.play()
        await held.here.clock.advance(PLAN.pause)
        await held.play()
        await finished(held, "b")


async def test_who_asks_a_runner_that_is_none_any_more_is_served_by_the_next_one() -> None:
    async with node_cup("a", "b", "c") as held:
        await held.opened("a")
        ada = held.come("p0", "a")
        await held.here.clock.advance(3.0)
        held.here.lapse("a")
        await held.here.nodes["b"].node.membership.renew_now()
        await held.here.settle()
        assert [it.run_here for it in held.directories.values()] == [False, True, False]
        await ada.ok(m.EnterTournament(held.id))
        assert (await held.view("c")).info.players == 1
        assert await ada.code(m.EnterTournament(held.id)) == "entered"


async def test_nobody_runs_them_for_a_moment_and_what_is_asked_then_is_done() -> None:
    async with node_cup("a", "b") as held:
        await held.opened("a")
        bo = held.come("p1", "b")
        await held.here.kill("a")
        await held.here.clock.advance(2.0)
        entering = asyncio.create_task(bo.submit(m.EnterTournament(held.id)))
        await held.here.clock.advance(1.0)
        held.here.lapse("a")
        await held.here.clock.advance(3.0)
        assert (await entering).ok
        assert (await held.view("b")).info.players == 1


async def test_without_anybody_who_runs_them_whoever_asks_is_told() -> None:
    async with node_cup("a", "b") as held:
        await held.opened("a")
        bo = held.come("p1", "b")
        await held.here.kill("a")
        node = held.here.nodes["b"].node
        node.membership.leaving = True
        held.here.lapse("a")
        await held.here.clock.advance(2.0)
        entering = asyncio.create_task(bo.submit(m.EnterTournament(held.id)))
        await held.here.clock.advance(6.0)
        reply = await entering
        assert (reply.code, reply.details) == ("moving", {"reason": "tournaments_moving"})
        assert refusal(reply, words_for("en")).startswith("Another server is taking over")
        assert (await held.view("b")).info.players == 0


async def test_what_was_written_by_a_runner_that_gives_them_up_meanwhile_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with node_cup("a", "b") as held:
        await held.opened("a")
        guest, here, keep = held.come("p0", "a"), held.here.nodes["a"], TournamentStore.keep
        await held.here.clock.advance(1.0)

        async def kept(*args: Any) -> None:
            await keep(*args)
            # From now on the database is too slow for the lease.
            here.lease.over()
            monkeypatch.setattr(here.lease, "renewed", lambda _: None)
            here.bus.up = False

        monkeypatch.setattr(TournamentStore, "keep", kept)
        entering = asyncio.create_task(guest.submit(m.EnterTournament(held.id)))
        await held.here.clock.advance(6.0)
        assert not held.directories["a"].run_here
        reply = await asyncio.wait_for(entering, 0)
        assert (reply.code, reply.details) == ("moving", {"reason": "tournaments_moving"})
        assert (await held.view("b")).info.players == 1


async def test_what_was_written_while_they_were_given_up_is_seen_on_all_nodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with node_cup("a", "b", "c") as held:
        await held.opened("a")
        guest, runner, keep = held.come("p0", "a"), held.directories["a"], TournamentStore.keep
        await held.here.settle()

        async def kept(store: TournamentStore, *given: Any) -> None:
            await keep(store, *given)
            runner.give_up()

        monkeypatch.setattr(TournamentStore, "keep", kept)
        await guest.ok(m.EnterTournament(held.id))
        await held.here.settle()
        entered = [(await held.view(node)).info.players for node in "abc"]
        assert entered == [1, 1, 1]


async def test_nobody_is_called_because_a_table_of_no_tournament_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with node_cup("a") as held:
        await held.opened("a")
        directory, asked = held.directories["a"], list[str]()
        monkeypatch.setattr(directory, "_call", lambda: asked.append("called"))
        for changed in ("", "today/2026-11-26", f"tournament/{held.id}/1"):
            directory.table_changed(changed)
        assert asked == ["called"]


async def test_a_result_that_is_told_twice_counts_once() -> None:
    async with node_cup("a", "b") as held:
        await held.begun(8)
        first = [guest for guest in held.guests.values() if guest.info.title.endswith(".1")]
        while first[0].status() is m.Status.PLAYING:
            if not await held.bid_once(first):
                await held.here.clock.next()
        await held.here.clock.advance(1.0)
        once = await held.view("a")
        assert (once.info.tables, once.info.playing) == (3, 2)
        for directory in held.directories.values():
            directory.table_changed(f"tournament/{held.id}/1")
        # A lost message has everything told again.
        node = held.here.nodes["a"]
        node.bus.lost = lambda _: True
        await held.here.clock.advance(0.6)
        node.bus.lost = lambda _: False
        await held.here.clock.advance(1.0)
        assert await held.view("a") == await held.view("b") == once
        await held.play()
        await held.here.clock.advance(PLAN.pause)
        await held.play()
        await finished(held, "a")


async def test_a_node_that_ends_hands_the_tournaments_over_in_the_middle_of_a_round() -> None:
    async with node_cup("a", "b", "c") as held:
        await held.begun(9)
        await held.bid_once()
        a = held.here.nodes["a"]
        assert await hand_over(held.here, a.node) == 3
        assert held.runner in ("b", "c")
        assert len(a.lobby.tables.actors) == 0
        assert not [it for it in held.guests.values() if it.heard(m.Trouble)]
        # Until it is gone, who is connected to it goes on through it.
        late = held.come("late", "a")
        await late.ok(m.EnterTournament(held.id))
        late.visit.close()
        await a.lobby.close()
        await a.node.close()
        del held.here.nodes["a"], held.guests["late"]
        await held.here.clock.advance(1.0)
        for name in ("p0", "p3", "p6"):
            held.come(name, "c")
        await held.here.clock.advance(1.0)
        await held.play()
        assert (await held.view("b")) == (await held.view("c"))
        assert (await held.view("b")).info.players == 10


async def test_what_was_lost_on_the_way_is_shown_as_soon_as_that_is_noticed() -> None:
    async with node_cup("a", "b") as held:
        await held.opened("b")
        held.here.nodes["a"].bus.lost = lambda topic: topic.startswith("tournaments")
        await held.come("p0", "a").ok(m.EnterTournament(held.id))
        await held.here.settle()
        assert (await held.view("b")).info.players == 0
        held.here.nodes["a"].bus.lost = lambda _: False
        await held.here.clock.advance(2.0)
        assert (await held.view("b")).info.players == 1
        # So is who runs them.
        assert await held.come("p1", "b").code(m.EnterTournament(held.id)) == "ok"


async def test_who_plays_at_another_node_is_told_and_gets_the_seat_back_from_a_bot() -> None:
    async with node_cup("a", "b", "c") as held:
        await held.opened("a")
        for number in range(8):
            await held.come(f"p{number}", "abc"[number % 3]).ok(m.EnterTournament(held.id))
        late, over = held.guests["p5"], held.guests["p4"]
        for guest in (late, over):
            await guest.ok(m.QuickGame(UNTIMED))
        await held.here.nodes["b"].lobby.order(over.info.id, steps.Close("closed"))
        elsewhere = late.info.id
        await held.here.settle()
        await held.direct("a", m.Directing.BEGIN)
        await held.here.clock.advance(0.2)
        assert over.info.title.startswith("Friday cup")
        assert late.info.id == elsewhere
        words = [word for update in late.updates for word in update.said]
        (told,) = late.last.tournaments
        assert [(word.kind, word.about) for word in words] == [("tournament_table", told.table)]
        await held.here.clock.advance(PLAN.call)
        await late.ok(m.LeaveTable())
        await late.ok(m.JoinTable(told.table))
        await held.here.settle()
        assert late.status() is m.Status.PLAYING
        assert late.table.seat >= 0
        await held.play()
        (row,) = [row for row in (await held.view("c", "p5")).rows if row.you]
        assert row.rounds[0] is not None
        assert row.rounds[0].stayed


@pytest.mark.parametrize("problem", [StoreError("locked"), ZeroDivisionError()])
async def test_who_runs_them_is_found_out_again_when_that_has_failed(
    problem: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with node_cup("a", "b") as held:
        await held.opened("a")
        failed = 0

        async def fails(*_: Any) -> int:
            nonlocal failed
            failed += 1
            raise problem

        with monkeypatch.context() as patch:
            patch.setattr(held.directories["b"]._store, "owns", fails)
            await held.die("a")
            assert not held.directories["b"].run_here
        assert failed
        await held.here.clock.advance(4 * RETRY)
        assert held.runner == "b"


async def test_who_was_cut_off_with_a_node_when_a_round_began_is_taken_to_the_seat() -> None:
    async with node_cup("a", "b") as held:
        await held.begun(8)
        await held.play()
        held.here.nodes["b"].bus.up = False
        await held.here.clock.advance(PLAN.pause + 1.0)
        assert (await held.view("a")).info.round == 2
        old = [held.guests[f"p{number}"] for number in range(1, 8, 2)]
        assert {guest.info.title[:12] for guest in old} == {"Friday cup 1"}
        held.here.nodes["b"].bus.up = True
        await held.here.clock.advance(3.0)
        assert {guest.info.title[:12] for guest in old} == {"Friday cup 2"}
        assert all(guest.table.seat >= 0 for guest in old)
        await held.play()
        record = await finished(held, "b")
        assert all(all(table["stayed"]) for table in record["rounds"][1]["tables"])


async def test_who_was_away_when_a_round_began_comes_back_to_its_table_and_not_to_the_last_one() -> (
    None
):
    async with node_cup("a", "b", "c") as held:
        await held.begun(9)
        # The next round's tables are at another node than those of this one.
        peer = held.here.nodes["a"].node.peers.known[held.here.nodes["b"].node.membership.id]
        await held.directories["a"].hand_over(peer)
        held.directories["b"].take_up()
        await held.here.settle()
        assert held.runner == "b"
        await held.play()
        away = ("p0", "p1", "p2")
        for name in away:
            held.guests[name].visit.close()
        await held.here.clock.advance(PLAN.pause + 0.5)
        for name, node in zip(away, "abc", strict=True):
            held.come(name, node)
        await held.here.clock.advance(1.0)
        assert {guest.info.title[:12] for guest in held.guests.values()} == {"Friday cup 2"}
        await held.play()
        record = await finished(held, "c")
        assert all(all(table["stayed"]) for table in record["rounds"][1]["tables"])


async def test_who_cannot_come_because_a_table_is_being_moved_comes_a_moment_later() -> None:
    async with node_cup("a", "b") as held:
        await held.begun(8)
        await held.play()
        old = held.guests["p1"]
        # What is told to its table is lost for a moment.
        held.here.nodes["b"].bus.lost = lambda topic: topic == "ask"
        await held.here.clock.advance(PLAN.pause + 0.5)
        assert old.info.title.startswith("Friday cup 1")
        held.here.nodes["b"].bus.lost = lambda _: False
        for table in list(held.here.nodes["b"].node.peers.known.values()):
            table.answer_all()
        await held.here.clock.advance(2.0)
        assert old.info.title.startswith("Friday cup 2")
        assert old.table.seat >= 0
        assert not [word for update in old.updates for word in update.said if word.about]


async def test_what_is_read_first_and_answered_last_replaces_nothing_newer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with node_cup("a", "b") as held:
        await held.opened("a")
        (other,) = {"a", "b"} - {held.runner}
        store, gate, read = held.directories[other].known.store, asyncio.Event(), []
        find = store.find

        async def late(which: str) -> StoredTournament | None:
            found = await find(which)
            read.append(found)
            if len(read) == 1:
                await gate.wait()
            return found

        monkeypatch.setattr(store, "find", late)
        for name in ("ada", "bo"):
            guest = held.come(name, held.runner)
            await held.here.settle()
            await guest.ok(m.EnterTournament(held.id))
            await held.here.clock.advance(1.0)
        gate.set()
        await held.here.clock.advance(1.0)
        assert (await held.view(other)).info.players == 2
