"""What is asked of a house with ten times as many games takes no longer: every query that reads.

SQLite says how it finds what is asked for, and counts the instructions that its virtual machine needs.
"""

import inspect
import re
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import pytest

from engine.records.statistics import Collector
from server.storage.databases.connection import Cursor, Values
from server.storage.databases.database import Database, Repository
from server.storage.databases.sqlite import SqliteConnection, SqliteMemory
from server.storage.events import EventStore, TournamentStore
from server.storage.history import CountedGame
from server.storage.history_store import HistoryStore
from server.storage.moderation import ModerationStore
from server.storage.people import PeopleStore
from server.storage.ratings import SeasonStore
from server.storage.table_store import TableStore
from tests.support.databases import keep
from tests.support.games import record

SMALL, BIG = 300, 3_000
"""Games."""
MOST: Final = 1.5
"""The steps in the big house, in times of those in the small one."""
NOW: Final = datetime(2026, 11, 20, tzinfo=UTC).timestamp()
DAY: Final = 86_400.0

Ask = Callable[[Database, int], Awaitable[object]]
"""Asks for one page, in a house with so many games."""


class Query(NamedTuple):
    """A method that reads, and how it is asked."""

    method: Callable[..., object]
    ask: Ask


ME: Final = "id-0"
QUERIES: Final = (
    Query(HistoryStore.games, lambda it, _: HistoryStore(it).games(limit=50)),
    Query(HistoryStore.lately, lambda it, _: HistoryStore(it).lately(100)),
    Query(HistoryStore.lately, lambda it, _: HistoryStore(it).lately(5, "day-open")),
    Query(HistoryStore.lately, lambda it, _: HistoryStore(it).lately(5, "no-such-day")),
    Query(HistoryStore.wins_in_a_row, lambda it, n: HistoryStore(it).wins_in_a_row(ME, n)),
    Query(HistoryStore.games, lambda it, _: HistoryStore(it).games(player=ME, limit=50)),
    Query(HistoryStore.games, lambda it, n: HistoryStore(it).games(player=ME, before=n // 2)),
    Query(HistoryStore.record, lambda it, n: HistoryStore(it).record(n // 2)),
    Query(HistoryStore.place, lambda it, n: HistoryStore(it).place(n // 2, ME)),
    Query(HistoryStore.replay, lambda it, n: HistoryStore(it).replay(n // 2, ME)),
    Query(HistoryStore.by_code, lambda it, n: HistoryStore(it).by_code(f"{n // 2}-00000000", ME)),
    Query(HistoryStore.counted, lambda it, _: HistoryStore(it).counted(ME)),
    Query(
        HistoryStore.collect,
        lambda it, n: HistoryStore(it).collect(Collector(), [CountedGame(n // 2, 0)]),
    ),
    Query(HistoryStore.standing, lambda it, _: HistoryStore(it).standing("id-2", ME)),
    Query(HistoryStore.standing, lambda it, _: HistoryStore(it).standing(ME, "id-2")),
    Query(HistoryStore.strength, lambda it, _: HistoryStore(it).strength(ME)),
    Query(HistoryStore.best, lambda it, _: HistoryStore(it).best()),
    Query(EventStore.find, lambda it, _: EventStore(it).find("day-open")),
    Query(EventStore.newest, lambda it, _: EventStore(it).newest("day")),
    Query(EventStore.still_open, lambda it, _: EventStore(it).still_open("day")),
    Query(EventStore.tables, lambda it, _: EventStore(it).tables("day-open")),
    Query(EventStore.entered, lambda it, _: EventStore(it).entered("day-open")),
    Query(EventStore.games, lambda it, _: EventStore(it).games("day-open")),
    Query(ModerationStore.audit, lambda it, _: ModerationStore(it).audit(20)),
    Query(ModerationStore.audit, lambda it, n: ModerationStore(it).audit(20, before=n // 2)),
    Query(ModerationStore.reports, lambda it, _: ModerationStore(it).reports(20, closed=False)),
    Query(ModerationStore.reports, lambda it, _: ModerationStore(it).reports(20, closed=True)),
    Query(ModerationStore.untold, lambda it, _: ModerationStore(it).untold()),
    Query(PeopleStore.find, lambda it, _: PeopleStore(it).find("id", ME)),
    Query(PeopleStore.find, lambda it, _: PeopleStore(it).find("key", "key-0")),
    Query(PeopleStore.find, lambda it, _: PeopleStore(it).find("code", "code-0")),
    Query(PeopleStore.find, lambda it, _: PeopleStore(it).find("skeleton", "name-0")),
    Query(PeopleStore.followed, lambda it, _: PeopleStore(it).followed("id-1")),
    Query(PeopleStore.password_of, lambda it, _: PeopleStore(it).password_of("key-0")),
    # A month in which nobody played.
    Query(SeasonStore.season, lambda it, _: SeasonStore(it).season(NOW, 600)),
    Query(TableStore.is_given, lambda it, _: TableStore(it).is_given("code-1")),
    Query(TournamentStore.find, lambda it, _: TournamentStore(it).find("tournament-open")),
    Query(TournamentStore.newest, lambda it, _: TournamentStore(it).newest()),
    Query(TournamentStore.still_open, lambda it, _: TournamentStore(it).still_open()),
)
KEPT: Final = (HistoryStore.page, SeasonStore.season)
"""Read once and kept: see below, and ``test_seasons``."""
NOT_ASKED_FOR: Final = {
    HistoryStore.numbers: "all games, for the commands that write all of them to files",
    HistoryStore.count_old: "all games that are to be removed, for the command that does so",
    EventStore.runs: "a row for each day on which one person has played: 8 ms after ten years",
    ModerationStore.bans: "all of them are kept in memory",
    ModerationStore.mutes: "all of them are kept in memory",
    TableStore.load: "all tables, for a server that begins",
}


def test_every_method_that_reads_is_asked_or_has_a_reason() -> None:
    there = {
        method
        for store in Repository.__subclasses__()
        for name, method in vars(store).items()
        if inspect.isfunction(method) and not name.startswith("_")
        if re.search(r"^ +@reads$", inspect.getsource(method), re.MULTILINE)
    }
    assert there
    assert there == {each.method for each in QUERIES} | {*KEPT} | NOT_ASKED_FOR.keys()


@pytest.fixture(scope="module")
def houses() -> dict[int, Database]:
    return {}


async def house(houses: dict[int, Database], games: int) -> Database:
    """Where so many games have been played, all of them by the same person with ever others."""
    if games not in houses:
        houses[games] = await _built(games)
    return houses[games]


async def _built(games: int) -> Database:
    opened = Database(SqliteMemory())
    over = record(1, rated=True, seats=[{"kind": "human"}] * 4)
    await keep(opened, 1, over, ME, "", "", "")
    database = driver(opened)

    def add(table: str, *rows: tuple[object, ...]) -> None:
        marks = ", ".join("?" for _ in rows[0])
        database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def again(table: str, of: str) -> list[list[Any]]:
        """The rows of the one game there is."""
        cursor = database.execute(f"SELECT * FROM {table} ORDER BY {of}")
        return [[*row] for row in cursor]

    columns = [row[1] for row in database.execute("PRAGMA table_info(records)")]
    (first,) = (dict(zip(columns, row, strict=True)) for row in again("records", "id"))
    seats, hands = again("record_seats", "seat"), again("hand_results", "seat")
    numbers, some = range(2, games + 1), range(games // 10)
    since = NOW - 300 * DAY
    # The last ten are today's.
    events = ["day-open" if n > games - 10 else f"day-{n}" * (n % 10 == 0) for n in numbers]
    add(
        "records",
        *(
            tuple((first | {
                "id": n, "origin": str(n), "kept": since + (NOW - since) * n / games, "event": e,
                "rated": int(n % 2),
            }).values())
            for n, e in zip(numbers, events, strict=True)
        ),
    )  # fmt: skip
    people = [ME, *(f"id-{n}" for n in range(1, games))]
    others = len(some)
    add(
        "record_seats",
        *(
            (n, seat, people[seat and 1 + (n * 3 + seat) % others], *rest)
            for n in numbers
            for (_, seat, _, *rest) in seats
        ),
    )
    database.execute("UPDATE numbers SET last = ? WHERE kind = 'records'", (games,))
    add("hand_results", *((n, *rest) for n in numbers for (_, *rest) in hands))
    add(
        "events",
        *((f"day-{n}", "day", since + n, 2.0, 3.0, "", "", "{}") for n in numbers if n % 10 == 0),
        ("day-open", "day", NOW, NOW + DAY, 0.0, "", "", "{}"),
    )
    add("event_players", *((each, ME, 1.0, "") for each in dict.fromkeys(filter(None, events))))
    add(
        "people",
        *((who, f"name-{n}", 0, f"code-{n}", 1.0, 1.0, "{}", 0) for n, who in enumerate(people)),
    )
    add("names", *((f"name-{n}", f"name-{n}", who) for n, who in enumerate(people)))
    add("keys", *((f"key-{n}", who, 1.0, "") for n, who in enumerate(people)))
    # Everybody follows me, and I the first three.
    add("follows", *((who, ME) for who in people[1:]), *((ME, who) for who in people[1:4]))
    # Half of those who were ever rated are on the leaderboard.
    database.execute("DELETE FROM ratings")
    add(
        "ratings",
        *((who, 30.0 - n / others, 1.0, 9, int(n % 2 == 0)) for n, who in enumerate(people)),
    )
    add("tournaments", *((f"tournament-{n}", 1.0 + n, 2.0, "{}") for n in some))
    add("tournaments", ("tournament-open", 9e9, 0.0, "{}"))
    add("audit", *((n, 1.0, "", "", "", "", "{}", "") for n in numbers))
    closed = [(n, 1.0, "", "", "", "", "", "", "", 5.0, "", 1) for n in numbers]
    add(
        "reports",
        *closed,
        (games + 1, *closed[0][1:9], 0.0, "", 0),
        (games + 2, *closed[0][1:11], 0),
    )
    add("codes", *((f"code-{n}",) for n in numbers))
    add("tables", *((f"table-{n}", n, "{}") for n in some))
    add("positions", *((f"table-{n}", 1) for n in some))
    add("entries", *((f"table-{n}", 1, 1, "[]") for n in some))
    months = [f"{2026 - n // 12}-{12 - n % 12:02}" for n in range(20, 20 + len(some))]
    add("seasons", *((month, 1.0) for month in months))
    add("season_places", *((month, 1, 1, ME, 60.0, 9, 9, 0) for month in months))
    return opened


def driver(opened: Database) -> sqlite3.Connection:
    assert isinstance(opened.backend, SqliteMemory)
    return opened.backend.driver


_NO_QUERIES = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


class Counted:
    """What was run: statements with their values, and how many steps they took."""

    def __init__(self) -> None:
        self.statements: list[tuple[str, Any]] = []
        self.steps = 0

    def step(self) -> None:
        self.steps += 1


@contextmanager
def counted(opened: Database) -> Iterator[Counted]:
    found, connection = Counted(), driver(opened)

    execute = SqliteConnection.execute

    def noted(
        self: SqliteConnection, sql: str, values: Values | None = None, /, **more: object
    ) -> Cursor:
        if not sql.startswith(_NO_QUERIES):
            found.statements.append((sql, {**(values or {}), **more}))
        return execute(self, sql, values, **more)

    SqliteConnection.execute = noted  # type: ignore[method-assign]
    connection.set_progress_handler(found.step, 1)
    try:
        yield found
    finally:
        connection.set_progress_handler(None, 1)
        SqliteConnection.execute = execute  # type: ignore[method-assign]


def scans(opened: Database, statement: tuple[str, Any]) -> list[str]:
    """Tables that are read from one end to the other. To go along an index as far as the page is long is
    something else.
    """
    connection, (sql, values) = driver(opened), statement
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master")]
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
    along = " USING INDEX " if "LIMIT" in sql else "nowhere"
    return [
        line
        for line in plan
        if line.startswith("SCAN") and line.split()[1] in tables and along not in line
    ]


async def steps_of(opened: Database, ask: Ask, games: int) -> int:
    with counted(opened) as found:
        await ask(opened, games)
    assert found.statements
    for statement in found.statements:
        assert not scans(opened, statement), statement[0]
    return found.steps


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.method.__qualname__)
async def test_a_page_takes_no_longer_in_a_bigger_house(
    query: Query, houses: dict[int, Database]
) -> None:
    few, many = [
        await steps_of(await house(houses, games), query.ask, games) for games in (SMALL, BIG)
    ]
    assert many <= MOST * few


async def test_a_scan_would_be_noticed(houses: dict[int, Database]) -> None:
    async def ask(opened: Database, _games: int) -> None:
        await HistoryStore(opened).numbers()

    with pytest.raises(AssertionError):
        await steps_of(await house(houses, SMALL), ask, SMALL)


async def test_a_players_games_are_added_up_once(houses: dict[int, Database]) -> None:
    found = []
    for games in (SMALL, BIG):
        opened = await house(houses, games)
        history = HistoryStore(opened)
        first = await history.page(ME)
        assert first is not None
        assert first.tally.games > games - 20, "all but those of the day that is open"

        async def ask(_opened: Database, _games: int, history: HistoryStore = history) -> None:
            await history.page(ME)

        found.append(await steps_of(opened, ask, games))
        assert await history.page(ME) == first == await HistoryStore(opened).page(ME)
    few, many = found
    assert many <= MOST * few


async def test_who_comes_in_takes_no_longer_the_more_people_follow_others(
    houses: dict[int, Database],
) -> None:
    async def ask(opened: Database, _games: int) -> None:
        came = await PeopleStore(opened).came("id-2", NOW)
        assert came is not None
        assert came.followers == (ME,)

    few, many = [await steps_of(await house(houses, it), ask, it) for it in (SMALL, BIG)]
    assert many <= MOST * few


async def test_the_games_of_who_is_on_the_leaderboard_are_not_counted_again() -> None:
    opened = await _built(20)
    listed, other, third = ME, "id-2", "id-1"
    for players, counted_for in (((listed, other), []), ((listed, third), [third])):
        over = record(2, rated=True, note=players[1])
        with counted(opened) as found:
            await keep(opened, 20 + len(counted_for) + 1, over, *players, "", "")
        assert [
            values["person"]
            for sql, values in found.statements
            if "COUNT(DISTINCT other.player)" in sql
        ] == counted_for
