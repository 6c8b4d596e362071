"""What the first release has left goes on: games of every kind, people, orders of operators."""

import json
from pathlib import Path

from engine.record import parse
from engine.referee import resolve
from engine.replay import check_seed
from server.coordinator.messages import (
    AddBot,
    JoinTable,
    LeaveTable,
    Pace,
    Pause,
    Rematch,
    Resume,
    Spectating,
    StartGame,
    Status,
    WatchTable,
)
from server.coordinator.people.names import skeleton
from server.storage.history_sql import SqlHistory
from server.storage.moderation_sql import SqlModeration
from server.storage.people_sql import SqlPeople
from tests.support.databases import Watched, database, restored, sql_store
from tests.support.fake_clock import FakeClock
from tests.support.tables import Guest, World, world

GAMES = Path(__file__).parent / "old" / "version6_games.sql"
"""Made with that release: games that run, are paused, by correspondence, in a vote, between two games, in the
tutorial and before their start, and what else it kept."""

LATER = 1_790_000_100.0
PEOPLE = ("ada", "bo", "cem", "dora", "eve", "fay", "gus", "jon", "hal", "ida", "kai")
GUEST = "guest:0a1b"


async def everybody(server: World, store: Watched, folder: Path) -> dict[str, Guest]:
    """All who had a seat come back."""
    async with database(folder) as opened:
        people = SqlPeople(opened)
        known = {name: await people.find("skeleton", skeleton(name)) for name in (*PEOPLE, "Gast")}
    guests = {}
    for name, person in known.items():
        assert person is not None
        assert person.name == name
        guests[name] = server.enter(name, id_=person.id, guest=person.guest)
    await store.settle(server.clock)
    return guests


async def play_out(server: World, store: Watched, guests: list[Guest]) -> None:
    while any(guest.status() is Status.PLAYING for guest in guests):
        owing = [guest for guest in guests if guest.owes()]
        for guest in owing:
            await guest.bid()
        if not owing:
            assert await server.clock.next()
        await store.settle(server.clock)


async def test_every_game_goes_on_to_its_end(tmp_path: Path) -> None:
    restored(GAMES, tmp_path)
    clock = FakeClock(LATER)
    async with (
        sql_store(tmp_path) as sql,
        world(store=(store := Watched(sql)), clock=clock) as server,
    ):
        assert await server.lobby.recover() == 7
        who = await everybody(server, store, tmp_path)

        assert who["ada"].own.bid == 36, "changed once, and still sealed"
        assert (who["ada"].info.options.pace, who["ada"].info.options.spectators) == (
            Pace.TIMED,
            Spectating.DELAYED,
        )
        assert who["cem"].info.pause is Pause.VOTED
        assert who["cem"].own.bid == 57
        await who["dora"].ok(Resume())
        assert who["eve"].info.options.pace is Pace.CORRESPONDENCE
        assert (who["eve"].own.bid, who["fay"].own.bid) == (16, 0)
        assert who["gus"].own.table.round == 1
        assert who["hal"].own.table.round == 4
        assert who["ida"].status() is Status.OVER
        assert who["ida"].info.seats[0].rematch
        await who["Gast"].ok(Rematch())
        await store.settle(clock)
        assert (who["ida"].status(), who["ida"].info.game) == (Status.PLAYING, 2)

        waiting = who["kai"].info
        assert waiting.private
        assert [seat.kept for seat in waiting.seats] == ["", "", "Newcomer", ""]
        newcomer, lea = server.enter("Newcomer"), server.enter("lea")
        await newcomer.ok(JoinTable(waiting.id))
        assert newcomer.table.seat == 2
        assert await lea.code(JoinTable(waiting.id)) == "word_needed"
        await lea.ok(JoinTable(waiting.id, word="flotsam"))
        await lea.ok(LeaveTable())
        await who["kai"].ok(AddBot())
        await who["kai"].ok(StartGame())
        await lea.ok(WatchTable(who["ada"].info.id))

        await play_out(server, store, [*who.values(), newcomer])
        assert lea.status() is Status.OVER
    async with database(tmp_path) as opened:
        query = "SELECT id, content FROM records ORDER BY id"
        records = await opened.read(lambda connection: connection.execute(query).all())
        assert [record.id for record in records] == list(range(1, 5 + 7 + 1)), "no number twice"
        for _, content in records:
            record = parse(content)
            assert resolve(record).complete
            assert not check_seed(record)


async def test_people_ratings_and_orders_are_there(tmp_path: Path) -> None:
    restored(GAMES, tmp_path)
    async with database(tmp_path) as opened:
        people, history, orders = SqlPeople(opened), SqlHistory(opened), SqlModeration(opened)
        ada = await people.find("key", "SHA256:ada-second")
        assert ada is not None
        assert ada.settings["theme"] == "dusk"
        assert list(ada.settings["blocked"].values()) == ["fay"]
        assert ada == await people.find("skeleton", skeleton("Ada2"))
        assert await people.word_of("SHA256:bo-key") == "0123abcd"
        guest = await people.find("code", "c0de" * 8)
        assert guest is not None
        assert guest.id == GUEST
        kai, hal = [await people.find("skeleton", skeleton(name)) for name in ("kai", "hal")]
        assert kai is not None
        assert hal is not None
        page = await history.page(kai.id)
        assert page is not None
        assert page.rating is not None
        assert page.rating.games == 2
        left = next(seat for seat in page.games[0].seats if seat.kind == "left")
        assert left.place == 0
        lessons = await history.page(hal.id)
        assert lessons is not None
        assert [game.tutorial for game in lessons.games] == [True]

        assert [ban.row.shown for ban in await orders.bans()] == ["SHA256:bad"]
        assert [mute.row.name for mute in await orders.mutes()] == ["fay"]
        assert [report.row.about for report in await orders.reports(9, closed=True)] == [
            "Zed",
            "fay",
        ]
        assert [report.row.about for report in await orders.untold()] == ["Zed"]
        assert [entry.action for entry in await orders.audit(9)] == ["unban", "ban"]
        assert json.dumps(dict((await orders.audit(1))[0].details)) == '{"ban": 2}'
