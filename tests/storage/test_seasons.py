"""Seasons: a leaderboard for each month, and what is kept of it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import structlog

from engine.records.outcome import resolve
from server import StoreError
from server.coordinator.events.today import FRESH, Seasons
from server.storage.databases.connection import Connection
from server.storage.databases.database import Database
from server.storage.events import Event, EventStore
from server.storage.history_store import HistoryStore
from server.storage.people import FORMER, Claim, PeopleStore, Person
from server.storage.ratings import (
    BEGIN,
    LEAST,
    SETTLES,
    WAITS,
    SeasonStore,
    SeasonTable,
    month_at,
)
from server.storage.table_store import FinishedGame
from tests.support.databases import ADA, BO, GUEST, archived, database, erase, meet, vouch
from tests.support.fake_clock import FakeClock
from tests.support.games import record

pytestmark = pytest.mark.usefixtures("product")

DAY = 86_400.0
OCTOBER = datetime(2026, 10, 5, tzinfo=UTC).timestamp()
NOVEMBER = datetime(2026, 11, 1, tzinfo=UTC).timestamp()
DECEMBER = datetime(2026, 12, 1, tzinfo=UTC).timestamp()
HOME, FAR = "192.0.2.1", "198.51.100.7"


def files_of(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.suffix in {".db", ".db-wal"}]


async def play(
    opened: Database,
    number: int,
    at: float,
    *players: str,
    sources: tuple[str, ...] = (),
    event: str = "",
) -> tuple[int, ...]:
    """A rated game that ended then; its scores."""
    over = record(number, rated=True)
    seats = (*players, *[""] * (4 - len(players)))
    await archived(
        opened, f"{number}-{at}", FinishedGame(over.fields(), seats, at, sources, event=event)
    )
    return tuple(resolve(over).scores)


async def a_month(opened: Database, at: float, games: int = LEAST) -> list[tuple[int, ...]]:
    """Ada against Bo, so many games from then on."""
    return [await play(opened, one, at + one * 60, ADA, BO) for one in range(1, games + 1)]


def halves(scores: list[tuple[int, ...]]) -> int:
    """How often the first seat was ahead of the second, counted twice, and level, counted once."""
    return sum((1 + (one[0] > one[1]) - (one[0] < one[1])) for one in scores)


async def shown(opened: Database, now: float, before: int = 0) -> SeasonTable:
    return await SeasonStore(opened).season(now, before)


def names(page: SeasonTable) -> list[str]:
    return [row.name for row in page.rows]


def test_months_are_those_of_utc() -> None:
    assert month_at(NOVEMBER).name == "2026-11"
    assert month_at(NOVEMBER - 0.001).name == "2026-10"
    assert month_at(NOVEMBER) == ("2026-11", NOVEMBER, DECEMBER)
    january = month_at(NOVEMBER, 10)
    assert (january.name, january.until - january.since) == ("2026-01", 31 * DAY)
    assert month_at(NOVEMBER, 11).name == "2025-12"
    assert month_at(NOVEMBER, 11).until == january.since


async def test_the_score_is_the_share_of_opponents_left_behind(opened: Database) -> None:
    await meet(opened)
    await vouch(opened, "ada", "bo")
    scores = await a_month(opened, NOVEMBER, LEAST - 1)
    assert (await shown(opened, NOVEMBER + DAY)).rows == ()
    scores.append(await play(opened, LEAST, NOVEMBER + DAY, ADA, BO, GUEST))
    # Neither unrated games nor those of the month before count.
    await play(opened, 7, NOVEMBER - 1, ADA, BO)
    page = await shown(opened, NOVEMBER + 2 * DAY)
    won = halves(scores)
    assert {row.player: row.score for row in page.rows} == {
        ADA: pytest.approx(50 * (BEGIN + won + (scores[-1][0] > scores[-1][2]) * 2
                                 + (scores[-1][0] == scores[-1][2])) / (BEGIN + LEAST + 1)),
        BO: pytest.approx(50 * (BEGIN + 2 * LEAST - won + (scores[-1][1] > scores[-1][2]) * 2
                                + (scores[-1][1] == scores[-1][2])) / (BEGIN + LEAST + 1)),
    }  # fmt: skip
    assert [row.score for row in page.rows] == sorted(
        (row.score for row in page.rows), reverse=True
    )
    assert [(row.games, row.met, row.program) for row in page.rows] == [
        (LEAST, LEAST + 1, False)
    ] * 2
    assert (page.month, page.until, page.over, page.closed) == (
        "2026-11",
        DECEMBER,
        False,
        False,
    )
    assert page.earlier
    assert not (await shown(opened, NOVEMBER + 2 * DAY, 1)).earlier


async def test_who_leaves_comes_last_and_brings_nobody_anything(opened: Database) -> None:
    await meet(opened)
    await vouch(opened, "ada", "bo")
    for number in range(1, LEAST + 1):
        kinds = [{"kind": "left"}, {"kind": "human"}, {"kind": "bot"}, {"kind": "bot"}]
        over = record(number, rated=True, seats=kinds)
        game = FinishedGame(over.fields(), (ADA, BO, "", ""), NOVEMBER + number)
        await archived(opened, str(number), game)
    (last,) = (await shown(opened, NOVEMBER + DAY)).rows
    assert last.player == ADA
    assert last.score == pytest.approx(100 * BEGIN / 2 / (BEGIN + LEAST))


async def test_who_is_not_on_the_leaderboard_and_games_at_home_do_not_count(
    opened: Database,
) -> None:
    await meet(opened)
    await a_month(opened, NOVEMBER)
    assert (await shown(opened, NOVEMBER + DAY)).rows == ()
    await vouch(opened, "ada")
    assert names(await shown(opened, NOVEMBER + DAY)) == ["ada"]

    def listed(connection: Connection) -> None:
        connection.execute("UPDATE people SET vouched = 0")
        connection.execute("UPDATE ratings SET listed = 1")
        connection.execute("DELETE FROM records")

    await opened.change(listed)
    for number in range(11, 11 + LEAST):
        await play(opened, number, NOVEMBER + number, ADA, BO, sources=(HOME, HOME, "", ""))
    assert (await shown(opened, NOVEMBER + DAY)).rows == ()
    for number in range(21, 21 + LEAST):
        await play(opened, number, NOVEMBER + number, ADA, BO, sources=(HOME, FAR, "", ""))
    page = await shown(opened, NOVEMBER + DAY)
    assert [(row.games, row.met) for row in page.rows] == [(LEAST, LEAST)] * 2


async def test_a_month_that_is_over_is_kept_when_its_records_are_gone(opened: Database) -> None:
    await meet(opened)
    await vouch(opened, "ada", "bo")
    await a_month(opened, OCTOBER)
    await play(opened, 9, OCTOBER + 90 * DAY, ADA, BO)
    before = await shown(opened, NOVEMBER, 1)
    assert len(before.rows) == 2
    assert (before.over, before.closed) == (True, False)
    seasons = SeasonStore(opened)
    assert await seasons.close(NOVEMBER + SETTLES - 1) == ()
    assert await seasons.close(NOVEMBER + SETTLES) == ("2026-10",)
    assert await seasons.close(NOVEMBER + SETTLES) == ()
    assert await HistoryStore(opened).prune(NOVEMBER) == LEAST
    assert await shown(opened, NOVEMBER, 1) == before._replace(closed=True)
    assert (await shown(opened, NOVEMBER)).earlier


async def test_months_in_which_no_server_ran_are_made_up_for(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        await meet(opened)
        await vouch(opened, "ada", "bo")
        await a_month(opened, OCTOBER - 60 * DAY)
        await a_month(opened, OCTOBER)
        assert await SeasonStore(opened).close(DECEMBER + DAY) == ("2026-08", "2026-10")
    async with database(tmp_path) as opened:
        assert names(await shown(opened, DECEMBER, 4)) == names(await shown(opened, DECEMBER, 2))
        assert (await shown(opened, DECEMBER, 4)).closed
        september = await shown(opened, DECEMBER, 3)
        assert (september.closed, september.rows) == (True, ()), "there is nothing to wait for"


async def test_games_of_an_open_event_are_not_shown_and_waited_for(opened: Database) -> None:
    await meet(opened)
    await vouch(opened, "ada", "bo")
    events, seasons = EventStore(opened), SeasonStore(opened)
    await events.add(Event("tournament-x", "tournament", OCTOBER, 0, "00", "11"))
    await a_month(opened, OCTOBER)
    await play(opened, 9, NOVEMBER - 60, ADA, BO, event="tournament-x")
    after = NOVEMBER + SETTLES
    assert [row.games for row in (await shown(opened, after, 1)).rows] == [LEAST] * 2
    assert await seasons.close(after) == ()
    await events.close("tournament-x", after)
    assert await seasons.close(after) == ("2026-10",)
    assert [row.games for row in (await shown(opened, after, 1)).rows] == [LEAST + 1] * 2


@pytest.mark.parametrize("wait", [True, False])
async def test_an_event_that_never_ends_is_not_waited_for(opened: Database, wait: bool) -> None:
    await meet(opened)
    await vouch(opened, "ada", "bo")
    await EventStore(opened).add(Event("tournament-x", "tournament", OCTOBER, 0, "00", "11"))
    await a_month(opened, OCTOBER)
    await play(opened, 9, NOVEMBER - 60, ADA, BO, event="tournament-x")
    late = NOVEMBER + WAITS if wait else NOVEMBER
    assert await SeasonStore(opened).close(late - 1, wait=True) == ()
    assert await SeasonStore(opened).close(late, wait=wait) == ("2026-10",)
    assert [row.games for row in (await shown(opened, NOVEMBER, 1)).rows] == [LEAST] * 2


async def test_who_is_forgotten_is_in_no_table_by_name(tmp_path: Path, product: str) -> None:
    async with database(tmp_path) as opened:
        await meet(opened)
        await vouch(opened, "ada", "bo")
        await a_month(opened, OCTOBER)
        await SeasonStore(opened).close(DECEMBER)
        before = await shown(opened, NOVEMBER, 1)
        await erase(opened, "ada")
        rows = [
            row._replace(player="", name=FORMER) if row.player == ADA else row
            for row in before.rows
        ]
        assert (await shown(opened, NOVEMBER, 1)).rows == tuple(rows)
    if product != "sqlite":
        return
    files = files_of(tmp_path)
    assert files
    assert not [path for path in files if ADA.encode() in path.read_bytes()]


async def test_an_account_that_becomes_part_of_another_keeps_its_places(opened: Database) -> None:
    await meet(opened)
    people = PeopleStore(opened)
    cleo = Person("account:cleo", "", False, 1.0, 1.0)
    await people.add(cleo, [Claim("cleo", "cleo")], key="SHA256:cleo", code="")
    await vouch(opened, "ada", "cleo")
    for one in range(1, LEAST + 1):
        await play(opened, one, OCTOBER + one, "account:cleo", BO)
    await SeasonStore(opened).close(DECEMBER)
    assert await people.add_key(ADA, "SHA256:cleo", DECEMBER) == "account:cleo"
    assert names(await shown(opened, NOVEMBER, 1)) == ["ada"]


# ---------------------------------------------------------------- on a server


class Counted(SeasonStore):
    """Counts how often it is read, and fails when told to."""

    read = 0
    broken = False

    async def season(self, now: float, before: int = 0) -> SeasonTable:
        self.read += 1
        return await super().season(now, before)

    async def close(self, now: float, *, wait: bool = True) -> tuple[str, ...]:
        if self.broken:
            raise StoreError("full")
        return await super().close(now, wait=wait)


async def test_a_month_that_goes_on_is_read_once_a_minute(opened: Database) -> None:
    await meet(opened)
    await vouch(opened, "ada", "bo")
    clock, store = FakeClock(DECEMBER - FRESH / 2), Counted(opened)
    seasons = Seasons(store, clock)
    assert (await seasons.page()).rows == ()
    await a_month(opened, NOVEMBER)
    assert (await seasons.page()).rows == ()
    assert store.read == 1
    await clock.advance(FRESH / 2)
    page = await seasons.page()
    assert (page.month, page.rows, page.earlier) == ("2026-12", (), True)
    assert names(await seasons.page(1)) != []
    await clock.advance(FRESH)
    await seasons.page(1)
    assert store.read == 4


async def test_a_server_keeps_the_months_as_they_end(opened: Database) -> None:
    await meet(opened)
    await vouch(opened, "ada", "bo")
    await a_month(opened, NOVEMBER)
    store = Counted(opened)
    store.broken = True
    with structlog.testing.capture_logs() as logs:
        await one_look(store, DECEMBER + DAY)
        store.broken = False
        await one_look(store, DECEMBER + DAY)
    assert [entry["event"] for entry in logs] == ["season_not_closed", "season_closed"]
    assert logs[1]["month"] == "2026-11"
    assert (await shown(opened, DECEMBER + DAY, 1)).closed


class _Stop(Exception):
    pass


class _Once(FakeClock):
    """Ends whoever would wait."""

    async def sleep_until(self, when: float) -> None:
        assert when > self.time()
        raise _Stop


async def one_look(store: SeasonStore, now: float) -> None:
    with pytest.raises(_Stop):
        await Seasons(store, _Once(now)).keep()
