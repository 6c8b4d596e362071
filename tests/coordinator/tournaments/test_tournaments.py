"""Tournaments from registration to the record, with people who come late, leave, and play elsewhere."""

import asyncio
import json
from dataclasses import replace as changed
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from engine.bots import ALIKE
from engine.deal import commitment
from engine.editions import Rules
from server.coordinator import messages as m
from server.coordinator.lobby.event_tables import EventTable, open_event_table
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.tournaments import actor
from server.coordinator.tournaments.tournament import LATE
from server.settings.settings import Timing
from server.storage.events import StoredTournament
from server.storage.history_store import HistoryStore
from tests.support.cups import PLAN, Cup, cup, news_of, totals
from tests.support.memory_stores import copy_of
from tests.support.tables import UNTIMED


async def record_of(held: Cup) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(await held.directory.record(held.id)))
    return found


async def test_a_tournament_is_played_to_its_record() -> None:
    async with cup() as held:
        guests = await held.begun(8)
        assert all(guest.status() is m.Status.PLAYING for guest in guests)
        first = (await held.view()).info
        assert (first.tables, first.playing, first.round) == (3, 3, 1)
        await held.play()
        between = await held.view(guests[0])
        assert between.info.phase is m.TournamentPhase.BREAK
        assert between.info.begins == pytest.approx(held.clock.time() + PLAN.pause, abs=60)
        await held.clock.advance(PLAN.pause)
        assert (await held.view()).info.round == 2
        await held.play()
        view = await held.view(guests[3])
        assert view.info.phase is m.TournamentPhase.OVER
        assert between.info.winners == ()
        assert view.info.winners == tuple(row.name for row in view.rows if row.place == 1)
        assert [row.name for row in view.rows if row.you] == ["p3"]
        assert sorted(row.name for row in view.rows) == [f"p{number}" for number in range(8)]
        record = await record_of(held)
        again = totals(record)
        assert again == {row["player"]: Fraction(row["total"]) for row in record["standings"]}
        assert any(again.values())
        for each, told in zip(record["rounds"], view.commitments, strict=True):
            assert each["commitment"] == told
            assert commitment(bytes.fromhex(each["seed"]), PLAN.options.rules) == told
        # The games themselves are public now, and say the same.
        history = HistoryStore(held.store.database)
        for each in record["rounds"]:
            for table in each["tables"]:
                game = json.loads(await history.record(int(table["game"])) or "")
                assert game["seed"] == each["seed"]


async def test_who_has_won_a_tournament_is_news_also_after_a_restart() -> None:
    async with cup() as held:
        news = news_of(held.server.lobby, held.store)
        held.server.lobby.spawn(news.keep(), "news")
        guests = await held.begun(8)
        for number in range(PLAN.rounds):
            assert held.server.lobby.feed.snapshot().news == ()
            await held.play()
            if number + 1 < PLAN.rounds:
                await held.clock.advance(PLAN.pause)
        won = m.News((await held.view(guests[0])).info.winners, cup=PLAN.name)
        await held.clock.advance(2)
        assert held.server.lobby.feed.snapshot().news == (won,)
        store = copy_of(held.store)
    async with cup(store=store) as held:
        await news_of(held.server.lobby, held.store).refresh()
        assert held.server.lobby.feed.snapshot().news == (won,)


async def test_before_the_end_of_a_round_nobody_is_told_anything_of_its_games() -> None:
    async with cup() as held:
        guests = await held.begun(8)
        event = held.held.event(0)
        seed = held.store.sql("SELECT seed FROM events WHERE id = :id", id=event)[0].seed
        first = [guest for guest in guests if guest.info.id == guests[0].info.id]
        while first[0].status() is m.Status.PLAYING:
            for guest in first:
                if guest.owes():
                    await guest.bid()
            if first[0].status() is m.Status.PLAYING:
                assert await held.clock.next()
        await held.clock.settle()
        await held.clock.advance(0.1)
        view = await held.view(guests[0])
        assert view.info.playing < view.info.tables
        assert view.seeds == ()
        assert all(row.rounds == () and row.total == 0 for row in view.rows)
        assert first[0].info.seed == ""
        assert first[0].table.table is not None
        assert first[0].table.table.deal == ()
        assert await HistoryStore(held.store.database).numbers() == []
        assert seed not in repr(view)
        assert (await record_of(held))["rounds"] == []


async def test_a_server_that_is_killed_in_the_middle_goes_on() -> None:
    async with cup() as held:
        await held.begun(8)
        for _ in range(4):
            for guest in held.guests:
                if guest.owes():
                    await guest.bid()
            await held.clock.next()
        id_, store, clock = held.id, copy_of(held.store), held.clock
    async with cup(store, clock, rng=2) as back:
        back.id = id_
        back.come(8)
        await back.clock.settle()
        assert all(guest.status() is m.Status.PLAYING for guest in back.guests)
        await back.play()
        await back.clock.advance(PLAN.pause)
        await back.play()
        record = await record_of(back)
        assert record["over"]
        assert all(table["points"] for each in record["rounds"] for table in each["tables"])
        assert totals(record) == {
            row["player"]: Fraction(row["total"]) for row in record["standings"]
        }


async def test_tables_that_were_not_opened_before_a_kill_are_opened_after_it() -> None:
    async with cup() as held:
        await held.begun(8)
        id_, store, clock = held.id, copy_of(held.store), held.clock
    for table in ("tables", "positions", "entries", "event_players"):
        store.sql(f"DELETE FROM {table}")
    async with cup(store, clock, rng=2) as back:
        back.id = id_
        guests = back.come(8)
        await back.clock.advance(0.1)
        assert {guest.info.title for guest in guests} == {f"Friday cup 1.{n}" for n in (1, 2, 3)}
        await back.play()
        assert (await back.view()).info.phase is m.TournamentPhase.BREAK


async def test_who_plays_elsewhere_is_told_and_gets_the_seat_back_from_a_bot() -> None:
    async with cup() as held:
        guests = await held.registered(8)
        late = guests[5]
        await late.ok(m.QuickGame(UNTIMED))
        elsewhere = late.info.id
        await held.direct(m.Directing.BEGIN)
        await held.clock.advance(0.2)
        assert late.info.id == elsewhere
        word = next(word for update in late.updates for word in update.said)
        (told,) = late.last.tournaments
        assert (word.kind, word.about) == ("tournament_table", told.table)
        await held.clock.advance(PLAN.call)
        await late.ok(m.LeaveTable())
        await late.ok(m.JoinTable(told.table))
        assert late.status() is m.Status.PLAYING
        assert late.table.seat >= 0
        await held.play()
        row = next(row for row in (await held.view(late)).rows if row.you)
        assert row.rounds[0] is not None
        assert row.rounds[0].stayed


async def test_drop_outs_are_played_for_and_not_seated_again_and_late_comers_are() -> None:
    async with cup() as held:
        guests = await held.begun(9)
        gone, leaver = guests[0], guests[1]
        gone.visit.close()
        await leaver.ok(m.LeaveTable())
        await leaver.ok(m.WithdrawFromTournament(held.id))
        late = held.server.enter("late")
        await late.ok(m.EnterTournament(held.id))
        await held.play(guests[2:])
        await held.clock.advance(PLAN.pause)
        held.guests = [*guests[2:], late]
        await held.play()
        rows = {row.name: row for row in (await held.view()).rows}
        assert [cell is not None for cell in rows["late"].rounds] == [False, True]
        for name in ("p0", "p1"):
            first, second = rows[name].rounds
            assert first is not None
            assert not first.stayed
            assert first.score <= 0
            assert second is None
            assert rows[name].withdrawn


async def test_only_who_is_connected_has_a_seat_in_the_first_round() -> None:
    async with cup() as held:
        guests = await held.registered(12)
        absent = guests[8:]
        for each in absent:
            each.visit.close()
        await held.direct(m.Directing.BEGIN)
        await held.clock.settle()
        assert (await held.view()).info.tables == 3
        # A minute late: registered all the same, and seated from the next round on.
        late = held.server.enter("p8")
        (told,) = late.last.tournaments
        assert (told.entered, told.table) == (True, "")
        await held.play(guests[:8])
        await held.clock.advance(PLAN.pause)
        held.guests = [*guests[:8], late]
        assert all(guest.status() is m.Status.PLAYING for guest in held.guests)
        rows = {row.name: row for row in (await held.view()).rows}
        # Who is not there for the second time has left the place to others.
        assert rows.keys() == {f"p{number}" for number in range(9)}
        assert rows["p8"].rounds == (None,)
        await held.play()
        cells = {row.name: row.rounds for row in (await held.view()).rows}["p8"]
        assert [cell is not None for cell in cells] == [False, True]


async def test_with_too_few_who_are_connected_no_tournament_begins() -> None:
    async with cup() as held:
        guests = await held.registered(9)
        for each in guests[7:]:
            each.visit.close()
        with pytest.raises(m.Refused) as refused:
            await held.direct(m.Directing.BEGIN)
        assert refused.value.reply == m.Reply("too_few", {"players": 7, "least": 8})


async def test_only_operators_direct_and_only_accounts_enter_unless_it_is_a_lan_party() -> None:
    async with cup() as held:
        await held.opened()
        ada, guest = held.server.enter("ada"), held.server.enter("gus", guest=True)
        assert await ada.code(m.OpenTournament(PLAN)) == "no_director"
        assert (
            await ada.code(m.DirectTournament(held.id, m.Directing.BEGIN)) == "not_yours_to_direct"
        )
        assert await guest.code(m.EnterTournament(held.id)) == "no_guests"
        assert await ada.code(m.EnterTournament("nowhere")) == "no_such_tournament"
        assert await ada.code(m.WithdrawFromTournament(held.id)) == "not_entered"
    async with cup(lan=True) as party:
        guest, other = party.come(2, guest=True)
        reply = await guest.submit(m.OpenTournament(PLAN))
        party.id = str(reply.details["tournament"])
        assert await guest.code(m.OpenTournament(PLAN)) == "too_many_tournaments"
        for each in party.guests:
            await each.ok(m.EnterTournament(party.id))
        assert await other.code(m.EnterTournament(party.id)) == "entered"
        assert (
            await other.code(m.DirectTournament(party.id, m.Directing.END)) == "not_yours_to_direct"
        )
        assert await guest.code(m.DirectTournament(party.id, m.Directing.BEGIN)) == "too_few"
        assert await guest.code(m.DirectTournament(party.id, m.Directing.CLOSE)) == "no_round"
        other.visit.close()
        assert party.server.lobby.knows("id-p1")
        await guest.ok(m.DirectTournament(party.id, m.Directing.END))
        assert not party.server.lobby.knows("id-p1")


async def test_a_round_can_be_closed_and_a_tournament_ended_by_its_director() -> None:
    async with cup() as held:
        guests = await held.begun(8)
        await held.direct(m.Directing.CLOSE)
        await held.clock.settle()
        view = await held.view()
        assert view.info.phase is m.TournamentPhase.BREAK
        assert all(row.total == 0 for row in view.rows)
        assert all(guest.last.table is None for guest in guests)
        await held.direct(m.Directing.BEGIN)
        await held.clock.settle()
        await held.direct(m.Directing.END)
        await held.clock.settle()
        assert (await held.view()).info.phase is m.TournamentPhase.OVER
        assert all(guest.last.table is None for guest in guests)
        assert await guests[0].code(m.EnterTournament(held.id)) == "tournament_over"


async def test_who_opens_many_at_the_same_moment_opens_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with cup(lan=True) as party:
        (guest,) = party.come(1, guest=True)
        find = party.directory.store.find

        async def after_others(code: str) -> StoredTournament | None:
            await asyncio.sleep(0)  # as where a database answers
            return await find(code)

        monkeypatch.setattr(party.directory.store, "find", after_others)
        asked = (guest.code(m.OpenTournament(PLAN)) for _ in range(30))
        codes = await asyncio.gather(*asked)
        assert sorted(codes) == ["ok", *["too_many_tournaments"] * 29]


async def test_no_round_begins_or_ends_by_a_begin_while_everybody_has_withdrawn() -> None:
    async with cup() as held:
        for each in await held.begun(8):
            await each.ok(m.WithdrawFromTournament(held.id))
        with pytest.raises(m.Refused) as refused:
            await held.direct(m.Directing.BEGIN)
        assert refused.value.reply.code == "round_open"
        info = (await held.view()).info
        assert (info.phase, info.round) == (m.TournamentPhase.PLAYING, 1)


@pytest.mark.parametrize(
    ("what", "changes"),
    [
        ("name", {"name": " "}),
        ("rounds", {"rounds": 0}),
        ("call", {"call": -1}),
        ("pause", {"pause": 10**6}),
        ("seconds", {"options": UNTIMED}),
    ],
)
async def test_a_plan_that_cannot_be_is_refused(what: str, changes: dict[str, Any]) -> None:
    async with cup() as held:
        with pytest.raises(m.Refused) as refused:
            await held.opened(replace(PLAN, **changes))
        assert refused.value.reply == m.Reply("tournament_plan", {"what": what})
        # Everybody meets the same bots.
        with pytest.raises(m.Refused, match="no_such_strategy"):
            await held.opened(replace(PLAN, options=PLAN.options.changed(bots=ALIKE)))


async def test_everybody_sees_how_it_goes_wherever_they_are() -> None:
    async with cup() as held:
        watcher = held.server.enter("watcher")
        guests = await held.begun(8)
        await held.clock.advance(1)
        (told,) = watcher.last.tournaments
        assert (told.phase, told.players, told.entered, told.table) == ("playing", 8, False, "")
        (mine,) = guests[0].last.tournaments
        assert (mine.entered, mine.table) == (True, guests[0].info.id)
        late = held.server.enter("later")
        assert late.last.tournaments[0].id == held.id


@pytest.mark.parametrize("stages", [1, 3])
async def test_a_round_takes_no_longer_than_is_said_if_all_bid_at_the_last_moment(
    stages: int,
) -> None:
    rules = Rules(players=3, stages=stages)
    plan = replace(PLAN, options=changed(PLAN.options, rules=rules))
    async with cup(timing=Timing(countdown=0)) as held:
        await held.begun(8, plan)
        began = held.clock.time()
        longest = (await held.view()).info.longest
        assert longest == 60 + stages * (11 * 30 + 10 * 4) + (stages - 1) * 8
        while (await held.view()).info.phase is m.TournamentPhase.PLAYING:
            owing = [guest for guest in held.guests if guest.last.table and guest.owes()]
            if not owing:
                assert await held.clock.next()
                continue
            due = {guest.visit.player.id: guest.info.deadline for guest in owing}
            first = min(due.values())
            await held.clock.advance(first - 0.01 - held.clock.time())
            for guest in owing:
                if due[guest.visit.player.id] == first and guest.owes():
                    await guest.bid()
        # A stage may end early.
        assert longest / 2 < held.clock.time() - began <= longest


async def test_a_round_that_cannot_end_is_closed_when_it_is_far_too_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with cup() as held:

        async def not_the_last(lobby: Lobby, wanted: EventTable) -> m.Reply:
            if wanted.title.endswith(".3"):
                return m.Reply(m.Refusal.TOO_MANY_TABLES)
            return await open_event_table(lobby, wanted)

        monkeypatch.setattr(actor, "open_event_table", not_the_last)
        await held.begun(8)
        longest = (await held.view()).info.longest
        await held.clock.advance(longest)
        info = (await held.view()).info
        assert (info.phase, info.playing) == (m.TournamentPhase.PLAYING, 1)
        await held.clock.advance(LATE - 1)
        assert (await held.view()).info.phase is m.TournamentPhase.PLAYING
        await held.clock.advance(3)
        assert (await held.view()).info.phase is m.TournamentPhase.BREAK
        (closed,) = (await record_of(held))["rounds"]
        assert [bool(table["points"]) for table in closed["tables"]] == [True, True, False]


async def test_a_round_that_is_begun_by_hand_is_counted_down_and_begins_at_once_if_asked_again() -> (
    None
):
    async with cup(timing=Timing(reveal=0, stage=0, bot_least=0, bot_most=0.1)) as held:
        guests = await held.registered(7)
        with pytest.raises(m.Refused):
            await held.direct(m.Directing.BEGIN)
        last = held.server.enter("last", id_="account:last")
        held.guests.append(last)
        await last.ok(m.EnterTournament(held.id))
        await held.direct(m.Directing.BEGIN)
        info = (await held.view()).info
        assert (info.phase, info.begins) == (m.TournamentPhase.OPEN, held.clock.time() + 10)
        told = [word for guest in guests for word in guest.last.said]
        assert {word.kind for word in told} >= {"tournament_round"}
        await held.clock.advance(9)
        assert (await held.view()).info.phase is m.TournamentPhase.OPEN
        await held.clock.advance(2)
        assert (await held.view()).info.phase is m.TournamentPhase.PLAYING
        await held.play()
        await held.direct(m.Directing.BEGIN)
        await held.direct(m.Directing.BEGIN)
        assert (await held.view()).info.round == 2


async def test_what_is_told_of_a_table_is_how_far_it_is_and_no_card() -> None:
    async with cup() as held:
        await held.begun(8)
        tables = (await held.view()).tables
        assert [(each.stage, each.round, bool(each.awaited)) for each in tables] == [
            (0, 0, True)
        ] * len(tables)
        await held.play()
        assert all(each.done for each in (await held.view()).tables)
