"""Every reason to refuse a command, each brought about."""

import asyncio
from dataclasses import dataclass, replace

from msgspec import structs

from engine.editions import Rules
from engine.tournament import MOST_PLAYERS
from server import StoreError
from server.coordinator import messages as m
from server.coordinator.events import days
from server.coordinator.events.today import TodaysTide
from server.coordinator.lobby.event_tables import EventTable, open_event_table
from server.coordinator.messages import (
    AddBot,
    AskHint,
    AtTable,
    Block,
    ChangeOptions,
    CreateTable,
    Ended,
    GoToLobby,
    Guess,
    HandOver,
    JoinTable,
    KeepSeat,
    LeaveTable,
    Motion,
    MoveSeat,
    Pace,
    PlaceBid,
    Player,
    PlayToday,
    QuickGame,
    Refusal,
    Rematch,
    RemoveSeat,
    Resume,
    Room,
    Say,
    SetWord,
    Skip,
    Spectating,
    StartGame,
    Status,
    TableOptions,
    Touch,
    Trouble,
    TroubleOver,
    Vote,
    WatchAnother,
    WatchTable,
)
from server.coordinator.table.state import SharedDeal
from server.coordinator.table.steps import Close
from server.settings.settings import TableLimits
from server.storage.events import EventStore
from server.storage.people import MOST_BLOCKED
from server.storage.table_store import StoredChange
from tests.support.cups import PLAN, cup
from tests.support.faulty_stores import FullStore, HeldStore
from tests.support.memory_stores import MemoryStore
from tests.support.tables import UNTIMED, Guest, World, world
from tests.support.through_frames import enter

FIVE = TableOptions(Rules(players=5), Pace.UNTIMED, hints=False)
RATED = TableOptions(Rules(players=3), rated=True)


async def before_the_start(server: World) -> set[str]:
    ada, bo = await server.table(FIVE, humans=2, start=False)
    table = ada.info.id
    cem = server.enter("cem")
    codes = [
        (await cem.code(Touch()), "not_seated"),
        (await cem.code(JoinTable("nowhere")), "no_such_table"),
        (await cem.code(WatchTable("nowhere")), "no_such_table"),
        (await cem.code(JoinTable(table, 1)), "seat_taken"),
        (await cem.code(JoinTable(table, 5)), "no_such_seat"),
        (await bo.code(JoinTable(table)), "seated_elsewhere"),
        (await bo.code(CreateTable(UNTIMED)), "seated_elsewhere"),
        (await bo.code(QuickGame(UNTIMED)), "seated_elsewhere"),
        (await cem.code(QuickGame(RATED)), "rated_bots"),
        (await cem.code(CreateTable(replace(RATED, pace=Pace.FAST, seconds=60))), "rated_fast"),
        (await server.enter("eve", guest=True).code(CreateTable(RATED)), "rated_guests"),
        (await bo.code(WatchTable(table)), "seated_elsewhere"),
        (await bo.code(AddBot()), "not_owner"),
        (await bo.code(RemoveSeat(0)), "not_owner"),
        (await bo.code(ChangeOptions(UNTIMED)), "not_owner"),
        (await bo.code(StartGame()), "not_owner"),
        (await bo.code(HandOver(1)), "not_owner"),
        (await bo.code(PlaceBid(1, 0, 0)), "not_playing"),
        (await bo.code(Vote(Motion.END)), "not_playing"),
        (await bo.code(AskHint()), "no_hints"),
        (await bo.code(Resume()), "not_paused"),
        (await bo.code(Rematch()), "not_over"),
        (await ada.code(StartGame()), "seats_empty"),
        (await ada.code(AddBot(1)), "seat_taken"),
        (await ada.code(AddBot(9)), "no_such_seat"),
        (await ada.code(AddBot(-1, "clairvoyant")), "no_such_strategy"),
        (await ada.code(RemoveSeat(2)), "seat_empty"),
        (await ada.code(RemoveSeat(0)), "own_seat"),
        (await ada.code(RemoveSeat(-2)), "no_such_seat"),
        (await ada.code(HandOver(3)), "no_human"),
        (await ada.code(HandOver(7)), "no_such_seat"),
        (await ada.code(ChangeOptions(TableOptions(seconds=1))), "seconds"),
    ]
    for _ in range(3):
        await ada.ok(AddBot())
    codes += [
        (await ada.code(AddBot()), "table_full"),
        (await cem.code(JoinTable(table)), "table_full"),
    ]
    for name in ("cem", "dora"):
        await ada.ok(RemoveSeat(4 if name == "cem" else 3))
        await (cem if name == "cem" else server.enter(name)).ok(JoinTable(table))
    codes.append((await ada.code(ChangeOptions(UNTIMED)), "too_many_seated"))
    codes += await at_a_private_table(server)
    assert [code for code, _ in codes] == [wanted for _, wanted in codes]
    return {code for code, _ in codes}


async def at_a_private_table(server: World) -> list[tuple[str, str]]:
    host, guest = server.enter("host1"), server.enter("guest1")
    await host.ok(CreateTable(FIVE))
    table = host.info.id
    await guest.ok(JoinTable(table))
    await host.ok(RemoveSeat(1))
    codes = [
        (await guest.code(JoinTable(table)), "removed"),
        (await host.code(KeepSeat(0, "x")), "seat_not_empty"),
        (await host.code(KeepSeat(9, "x")), "no_such_seat"),
        (await host.code(MoveSeat(0, 5)), "no_such_seat"),
        (await host.code(MoveSeat(1, 0)), "seat_empty"),
        (await host.code(SetWord("no word")), "word_form"),
    ]
    for number in range(1, 5):
        await host.ok(KeepSeat(number, "zoe"))
    other = server.enter("other1")
    codes += [
        (await other.code(JoinTable(table)), "seat_kept"),
        (await other.code(JoinTable(table, 2)), "seat_kept"),
        (await host.code(AddBot()), "seat_kept"),
    ]
    await host.ok(SetWord("otter"))
    codes += [
        (await other.code(JoinTable(table)), "word_needed"),
        *[(await other.code(JoinTable(table, -1, "beaver")), "wrong_word") for _ in range(5)],
        (await other.code(JoinTable(table, -1, "otter")), "word_wait"),
        (await host.code(ChangeOptions(replace(FIVE, rated=True))), "rated_private"),
    ]
    return codes


async def during_and_after(server: World) -> set[str]:
    ada, bo = await server.table(UNTIMED, humans=2)
    table = ada.info.id
    cem = server.enter("cem")
    first = ada.bid_of(ada.own.hand[0])
    dora, unseen = server.enter("dora"), replace(UNTIMED, spectators=Spectating.NONE)
    rated = replace(UNTIMED, rated=True)
    await dora.ok(CreateTable(unseen))
    for _ in range(2):
        await dora.ok(AddBot())
    await dora.ok(StartGame())
    gone = server.enter("gone")
    for name in ("gone", "bo2", "cem2"):
        guest = gone if name == "gone" else server.enter(name)
        await guest.ok(CreateTable(rated) if name == "gone" else JoinTable(gone.info.id))
    await gone.ok(StartGame())
    fay, eve = server.enter("fay"), server.enter("eve")
    await fay.ok(JoinTable(table))
    codes = [
        (await eve.code(JoinTable(table)), "no_bot_seat"),
        (await eve.code(JoinTable(dora.info.id)), "no_spectators"),
        (await eve.code(WatchTable(dora.info.id)), "no_spectators"),
        (await eve.code(JoinTable(gone.info.id)), "already_playing"),
        (await ada.code(MoveSeat(0, 1)), "not_open"),
        (await ada.code(KeepSeat(0, "x")), "not_open"),
        (await ada.code(StartGame()), "already_playing"),
        (await ada.code(Skip()), "no_skip"),
        (await ada.code(AddBot()), "not_open"),
        (await ada.code(RemoveSeat(2)), "not_open"),
        (await ada.code(ChangeOptions(UNTIMED)), "not_open"),
        (await ada.code(structs.replace(first, round=1)), "wrong_round"),
        (await ada.code(structs.replace(first, card=61)), "not_in_hand"),
        (await ada.code(Guess(1, 0, 0)), "no_guess"),
        (await ada.code(Vote(Motion.REPLACE, 1)), "not_absent"),
        (await ada.code(Vote(Motion.REPLACE, 77)), "not_absent"),
        (await ada.code(Vote(Motion.REPLACE, -1)), "not_absent"),
    ]
    await fay.ok(LeaveTable())
    for guest in (ada, bo):
        await guest.ok(Vote(Motion.PAUSE))
    codes.append((await ada.code(first), "paused"))
    await ada.ok(Resume())
    left = await server.quick(FIVE, "left")
    code = left.info.id
    await server.enter("stays").ok(WatchTable(code))
    await left.ok(LeaveTable())
    codes.append((await left.code(JoinTable(code)), "held_seat"))
    await server.play_out(ada, bo)
    codes += [
        (await ada.code(first), "too_late"),
        (await ada.code(structs.replace(first, stage=9)), "game_over"),
        (await cem.code(AddBot()), "not_seated"),
        (await ada.code(StartGame()), "not_open"),
    ]
    server.lobby.announce_closing(server.clock.time() + 60)
    await server.clock.settle()
    codes += [
        (await ada.code(Rematch()), "closing"),
        (await cem.code(CreateTable(UNTIMED)), "closing"),
        (await cem.code(QuickGame(UNTIMED)), "closing"),
    ]
    assert [code for code, _ in codes] == [wanted for _, wanted in codes]
    return {code for code, _ in codes}


async def eliminated(server: World) -> set[str]:
    guests = await server.table(replace(FIVE, rules=Rules(players=5)), humans=5)
    while not any(seat.eliminated for seat in guests[0].own.table.seats):
        for guest in guests:
            # Everybody bids the highest card: somebody runs out of life preservers.
            assert (await guest.bid(guest.own.hand[-1])).ok
    seat = next(n for n, seat in enumerate(guests[0].own.table.seats) if seat.eliminated)
    return {await guests[seat].code(guests[seat].bid_of(1))}


async def limits() -> set[str]:
    store = FullStore()
    codes = set()
    async with world(store=store, limits=TableLimits(tables=1, spectators=1, commands=2)) as server:
        ada, bo, cem = (server.enter(name) for name in ("ada", "bo", "cem"))
        store.full = True
        codes.add(await ada.code(CreateTable(UNTIMED)))
        assert not server.lobby.feed.snapshot().tables
        store.full = False
        await ada.ok(CreateTable(UNTIMED))
        codes.add(await bo.code(CreateTable(UNTIMED)))
        await bo.ok(WatchTable(ada.info.id))
        codes.add(await cem.code(WatchTable(ada.info.id)))
        replies = await asyncio.gather(*(ada.submit(AddBot()) for _ in range(4)))
        assert [reply.code for reply in replies] == ["ok", "ok", "busy", "busy"]
        codes.add("busy")
        ada.visit.close()
        codes.add(await ada.code(Touch()))
    async with world(limits=TableLimits(tables_per_player=1, tables_per_address=1)) as server:
        here = [Player(f"id-{name}", name, True) for name in ("dora", "eve")]
        dora, eve = (Guest(enter(server.lobby, player, source="203.0.113.5")) for player in here)
        await dora.ok(QuickGame(UNTIMED))
        await dora.ok(LeaveTable())
        codes.add(await dora.code(QuickGame(UNTIMED)))
        await eve.ok(QuickGame(UNTIMED))
        fay = server.enter("fay", guest=True, source="203.0.113.5")
        codes.add(await fay.code(QuickGame(UNTIMED)))
    async with world(limits=TableLimits(rated_programs=False)) as server:
        bot = Guest(enter(server.lobby, Player("id-bot", "bot", False, True)))
        codes.add(await bot.code(CreateTable(RATED)))
        fast = CreateTable(replace(UNTIMED, pace=Pace.FAST))
        codes.add(await server.enter("fay").code(fast))
    async with world(limits=TableLimits(correspondence_per_player=1)) as server:
        jo, daily = server.enter("jo"), replace(UNTIMED, pace=Pace.CORRESPONDENCE, seconds=3600)
        await jo.ok(CreateTable(daily))
        code = jo.info.id
        await jo.ok(GoToLobby())
        codes.add(await jo.code(AtTable(code, ChangeOptions(UNTIMED))))
        codes.add(await jo.code(CreateTable(daily)))
    async with world(limits=TableLimits(games_per_player=1, games_per_address=2)) as server:
        gil, hal = (server.enter(name, source="203.0.113.5") for name in ("gil", "hal"))
        await gil.ok(QuickGame(UNTIMED))
        await hal.ok(QuickGame(UNTIMED))
        await hal.ok(Vote(Motion.END))
        codes.add(await hal.code(Rematch()))
        codes.add(await server.enter("ida", source="203.0.113.5").code(QuickGame(UNTIMED)))
    return codes


async def our_mistake() -> set[str]:
    def no_seed() -> bytes:
        raise RuntimeError

    async with world(seed=no_seed) as server:
        return {await server.enter("ada").code(CreateTable(UNTIMED))}


async def for_an_event(server: World) -> set[str]:
    ada = server.enter("ada")
    deal = SharedDeal(bytes(32), "day-1")
    seats = (Player("id-ada", "ada", False), "greedy", "greedy")
    assert (await open_event_table(server.lobby, EventTable(deal, UNTIMED, seats))).ok
    await server.clock.settle()
    return {await ada.code(Vote(Motion.END))}


async def of_a_deal(server: World) -> set[str]:
    ada = server.enter("ada")
    codes = {await ada.code(CreateTable(UNTIMED, deal="!"))}
    await ada.ok(CreateTable(UNTIMED, deal="friday"))
    return codes | {await ada.code(ChangeOptions(FIVE))}


async def of_the_day(server: World) -> set[str]:
    ada = server.enter("ada")
    codes = {await ada.code(PlayToday()), await ada.code(m.EnterTournament("cup"))}
    assert isinstance(server.store, MemoryStore)
    events = EventStore(server.store.database)
    today = TodaysTide(server.lobby, events)
    await today.refresh()
    await ada.ok(PlayToday())
    await server.lobby.order(ada.info.id, Close("closed"))
    codes |= {await ada.code(PlayToday())}
    for event in await events.still_open(days.KIND):
        await events.close(event.id, server.clock.time())
    return codes | {await server.enter("bo").code(PlayToday())}


async def looking_on(server: World) -> set[str]:
    ada, bo = server.enter("ada"), server.enter("bo")
    await ada.ok(CreateTable(UNTIMED))
    await bo.ok(WatchTable(ada.info.id))
    return {await bo.code(WatchAnother())}


async def talking(server: World) -> set[str]:
    ada, bo, cem = (server.enter(name) for name in ("ada", "bo", "cem"))
    found = {
        await ada.code(Say(Room.LOBBY, " ")),
        await ada.code(Say(Room.LOBBY, phrase="hmpf")),
        await ada.code(Say(Room.TABLE, "hello")),
        await ada.code(Say(Room.DIRECT, "hello", to="nobody")),
        await ada.code(Say(Room.DIRECT, "hello", to="ada")),
    }
    many = {f"id-{number}": "x" for number in range(MOST_BLOCKED - 1)}
    dora = Guest(enter(server.lobby, Player("id-dora", "dora", False), many))
    await dora.ok(Block("ada"))
    found |= {
        await ada.code(Say(Room.DIRECT, "hello", to="dora")),
        await dora.code(Say(Room.DIRECT, "hello", to="ada")),
        await dora.code(Block("bo")),
    }
    await ada.ok(CreateTable(replace(UNTIMED, rated=True)))
    await bo.ok(JoinTable(ada.info.id))
    await cem.ok(JoinTable(ada.info.id))
    await ada.ok(StartGame())
    found.add(await dora.code(Say(Room.DIRECT, "hello", to="bo")))
    while (code := await bo.code(Say(Room.LOBBY, "hello"))) == "ok":
        pass
    server.lobby.chat.silence_only({"id-bo": server.clock.time() + 1})
    return found | {code, await bo.code(Say(Room.LOBBY, "hello"))}


async def about_tournaments() -> set[str]:
    async with cup(lan=True) as held:
        await held.opened(structs.replace(PLAN, rounds=1))
        ada, *others = held.come(8)
        missing = m.EnterTournament("missing")
        found = {await ada.code(missing), await ada.code(m.WithdrawFromTournament(held.id))}
        for each in (ada, *others[:6]):
            await each.ok(m.EnterTournament(held.id))
        found |= {
            await ada.code(m.EnterTournament(held.id)),
            await ada.code(m.DirectTournament(held.id, m.Directing.BEGIN)),
            await ada.code(m.OpenTournament(structs.replace(PLAN, rounds=0))),
        }
        mine = await ada.submit(m.OpenTournament(PLAN))
        found.add(await ada.code(m.OpenTournament(PLAN)))
        other = str(mine.details["tournament"])
        found.add(await ada.code(m.DirectTournament(other, m.Directing.BEGIN)))
        found.add(await ada.code(m.DirectTournament(other, m.Directing.REMOVE, "nobody")))
        for each in (ada, *others):
            await each.ok(m.EnterTournament(other))
        found.add(await ada.code(m.DirectTournament(other, m.Directing.CLOSE)))
        await ada.ok(m.DirectTournament(other, m.Directing.BEGIN))
        found.add(await ada.code(m.DirectTournament(other, m.Directing.BEGIN)))
        await ada.ok(m.DirectTournament(other, m.Directing.END))
        found.add(await ada.code(m.EnterTournament(other)))
        many = [Player(f"id-{number}", f"n{number}", False) for number in range(MOST_PLAYERS)]
        full = await held.opened()
        for player in many:
            await held.directory.carry_out(player, m.EnterTournament(full))
        found.add(await ada.code(m.EnterTournament(full)))
        await held.opened(structs.replace(PLAN, places=8))
        for number in range(5):
            guest = held.server.enter(f"from-there{number}", source="192.0.2.1")
            found.add(await guest.code(m.EnterTournament(held.id)))
        found.remove("ok")
    async with cup() as held:
        gus = held.server.enter("gus", guest=True)
        await held.opened()
        return found | {
            await gus.code(m.OpenTournament(PLAN)),
            await gus.code(m.EnterTournament(held.id)),
        }


async def test_every_documented_refusal_comes_about() -> None:
    # Tides are always on offer when one may bid.
    documented = {*Refusal} - {Refusal.NO_TIDES}
    # Said where a line breaks on which the answer would have come: never by a server of one process.
    documented -= {Refusal.UNCERTAIN}
    found = await limits() | await our_mistake() | await about_tournaments()
    for story in (
        before_the_start,
        during_and_after,
        eliminated,
        for_an_event,
        of_a_deal,
        of_the_day,
        looking_on,
        talking,
    ):
        async with world() as server:
            found |= await story(server)
    assert found == documented


async def test_a_refusal_changes_nothing_and_tells_nobody() -> None:
    async with world() as server:
        ada, bo = await server.table(FIVE, humans=2, start=False)
        bo.forget()
        for command in (
            StartGame(),
            AddBot(0),
            HandOver(4),
            ChangeOptions(TableOptions(seconds=1)),
        ):
            assert not (await ada.submit(command)).ok
        assert bo.visit.feed.take() is None


async def test_a_mistake_at_one_table_leaves_it_and_all_others_alive() -> None:
    seeds = iter([bytes(32), b"no seed"])

    async with world(seed=lambda: next(seeds)) as server:
        cem = await server.quick(name="cem")
        ada, bo = await server.table(humans=2, start=False)
        await ada.ok(AddBot())
        assert await ada.code(StartGame()) == "internal"
        assert bo.heard(Trouble) == [Trouble("internal")]
        await bo.ok(LeaveTable())
        assert (await cem.bid()).ok


async def test_a_full_disk_refuses_the_bid_and_says_so_and_then_it_goes_on() -> None:
    store = FullStore()
    async with world(store=store) as server:
        ada, bo = await server.table(humans=2)
        assert (await ada.bid(ada.own.hand[0])).ok
        before = ada.own
        store.full = True
        for card in ada.own.hand[1:4]:
            reply = await ada.bid(card)
            assert (reply.code, reply.details) == ("storage", {"reason": "full"})
        assert ada.own == before
        assert bo.heard(Trouble) == [Trouble("storage")], "once, not for every attempt"
        # The bot's bid is tried again until there is room.
        await server.clock.advance(60)
        assert not ada.own.table.seats[2].has_bid
        store.full = False
        await server.clock.advance(3)
        assert ada.own.table.seats[2].has_bid
        assert bo.heard(TroubleOver) == [TroubleOver()]
        assert bo.heard(Trouble) == [Trouble("storage")]
        await server.play_out(ada, bo)
        assert len(store.finished) == 1


async def test_a_full_disk_when_leaving_joining_and_coming_back() -> None:
    store = FullStore()
    async with world(store=store) as server:
        ada, bo = await server.table(humans=2, start=False)
        cem = server.enter("cem")
        watcher = server.enter("watcher")
        await watcher.ok(WatchTable(ada.info.id))
        store.full = True
        assert await cem.code(JoinTable(ada.info.id)) == "storage"
        assert cem.lobby.tables
        assert await watcher.code(JoinTable(ada.info.id)) == "storage"
        assert watcher.table.seat == -1
        assert await ada.code(LeaveTable()) == "storage"
        assert ada.table.seat == 0
        bo.visit.close()
        await server.clock.advance(100)
        assert ada.info.seats[1].name == "bo"
        store.full = False
        await server.clock.advance(3)
        assert ada.info.seats[1].name == ""
        await watcher.ok(JoinTable(ada.info.id))
        assert watcher.table.seat == 1


async def test_what_is_in_progress_when_the_server_stops_is_answered() -> None:
    store = HeldStore()
    async with world(store=store) as server:
        ada = server.enter("ada")
        waiting = [asyncio.create_task(ada.submit(CreateTable(UNTIMED))) for _ in range(2)]
        await server.clock.settle()
        await server.lobby.close()
        assert {(await task).code for task in waiting} == {"closing"}
        assert ada.last.closed == "shutdown"
        assert enter(server.lobby, ada.visit.player).feed.take() is not None


@dataclass
class SoonFullStore(FullStore):
    """Has room for so many more writes, if that is set."""

    room: int = -1

    async def append(self, change: StoredChange) -> None:
        if self.room == 0:
            raise StoreError("full")
        self.room -= 1
        await super().append(change)


async def test_a_vote_that_could_not_be_carried_out_is_when_there_is_room() -> None:
    store = SoonFullStore()
    async with world(store=store) as server:
        ada, bo = await server.table(humans=2)
        await ada.ok(Vote(Motion.END))
        store.room = 1  # for the vote, but not for what it leads to
        assert await bo.code(Vote(Motion.END)) == "storage"
        assert ada.status() is Status.PLAYING
        await server.clock.advance(10)
        assert ada.status() is Status.PLAYING
        store.room = -1
        await server.clock.advance(3)
        assert ada.info.ended is Ended.VOTED


async def test_another_game_that_could_not_begin_does_when_there_is_room() -> None:
    store = SoonFullStore()
    async with world(store=store) as server:
        ada, bo = await server.table(humans=2)
        await server.play_out(ada, bo)
        await ada.ok(Rematch())
        store.room = 1
        assert await bo.code(Rematch()) == "storage"
        await server.clock.advance(600)
        assert ada.status() is Status.OVER
        store.room = -1
        await server.clock.advance(3)
        assert ada.status() is Status.PLAYING
