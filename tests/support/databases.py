"""Stores to test, and what to put into them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from structlog.testing import capture_logs

from engine.records.record_format import Record
from server import Problem
from server.storage import history_store
from server.storage.databases import sqlite
from server.storage.databases.connection import Connection, Pool, to_json
from server.storage.databases.database import Database
from server.storage.databases.migrations import versions
from server.storage.databases.sqlite import NAME, SqliteFile
from server.storage.history import PlayerPage
from server.storage.history_store import HistoryStore, mark
from server.storage.moderation import ModerationStore
from server.storage.people import Claim, PeopleStore, Person, find, forget
from server.storage.table_store import FinishedGame, StoredChange, StoredTable, TableStore
from tests.support.postgres import shared_server

TIDES = ["tides", 4, 7]
ADA, BO, GUEST = "account:ada", "account:bo", "guest:cem"


def bid(seat: int, card: int) -> list[Any]:
    return ["bid", seat, card]


def begun(key: str = "one", game: int = 1) -> StoredChange:
    """A table with a game that has just begun."""
    return StoredChange(key, {"title": key, "number": game}, game, 0, [TIDES])


def finished(at: float = 1000.0) -> FinishedGame:
    return FinishedGame({"format": "turn-the-tide", "players": ["ada", "Gull"]}, ("id-a", ""), at)


async def archived(opened: Database, origin: str, over: FinishedGame) -> None:
    """Keep a finished game whose table is long gone."""
    content = to_json(over.record)
    sources = [mark(b"a key", source) for source in over.sources]
    await opened.change(
        lambda it: history_store.keep(
            it, origin, over.at, content, over.players, sources, over.event
        )
    )


_urls: dict[Path | None, str] | None = None
"""By folder, while the databases are PostgreSQL's."""


@contextmanager
def on(product: str) -> Iterator[None]:
    """Have ``database`` open databases of this product, ``sqlite`` or ``postgresql``."""
    global _urls  # noqa: PLW0603
    _urls = {} if product == "postgresql" else None
    try:
        yield
    finally:
        _urls = None


@asynccontextmanager
async def database(folder: Path | None) -> AsyncIterator[Database]:
    """The same one for the same folder."""
    if _urls is None:
        assert folder
        opened = Database(SqliteFile(folder / NAME))
    else:
        from server.storage.databases.postgres import Postgres

        if folder not in _urls:
            _urls[folder] = shared_server().database()
        opened = Database(Postgres(_urls[folder]))
    try:
        await opened.open()
        yield opened
    finally:
        await closed(opened)


async def closed(opened: Database) -> None:
    """Let go of it also when it is lost, for which a process would end."""
    await opened.close()
    if opened.lost:
        opened.backend.close()


@asynccontextmanager
async def sql_store(folder: Path) -> AsyncIterator[TableStore]:
    async with database(folder) as opened:
        yield TableStore(opened)


LATER = versions.Version(versions.newest() + 1, "CREATE TABLE later (it TEXT);\n")
"""A migration for tests."""


@contextmanager
def newer() -> Iterator[None]:
    """Have the program need a newer schema, with one more table."""
    with patch.object(versions, "VERSIONS", (*versions.VERSIONS, LATER)):
        sqlite.new_database.cache_clear()
        yield
    sqlite.new_database.cache_clear()


async def older(folder: Path) -> Path:
    """A database with something in it, which is older than what is ``newer``."""
    async with sql_store(folder) as store:
        await store.append(begun())
    return folder / NAME


def around(
    pool: Pool,
    before: Callable[[Connection], object] = lambda _: None,
    after: Callable[[Connection], object] = lambda _: None,
) -> None:
    """Have this done at the beginning of every transaction from now on, and that before its commit."""
    transaction = pool.transaction

    @contextmanager
    def surrounded() -> Iterator[Connection]:
        with transaction() as connection:
            before(connection)
            yield connection
            after(connection)

    pool.transaction = surrounded  # type: ignore[method-assign]


@contextmanager
def failing(
    connection: type[Connection],
    fail: Callable[[Any], object],
    *,
    where: str = "COMMIT",
    after: bool = False,
) -> Iterator[None]:
    """Have this called in each COMMIT (or BEGIN), before or after that takes effect."""
    real: Callable[..., None] = getattr(connection, where.lower())

    def broken(self: Connection, *values: str) -> None:
        if after:
            real(self, *values)
        fail(self)
        if not after:
            real(self, *values)

    with patch.object(connection, where.lower(), broken):
        yield


async def one(store: TableStore, key: str = "one") -> StoredTable:
    return next(table for table in await store.load() if table.key == key)


async def keys_of(people: PeopleStore, person: str) -> tuple[str, ...]:
    """Fingerprints, oldest first."""
    assert isinstance(people, PeopleStore)
    query = "SELECT fingerprint FROM keys WHERE person = :it ORDER BY added, fingerprint"
    return await people.database.read(lambda it: tuple(it.scalars(query, it=person)))


async def outcomes(*work: Any) -> list[object]:
    """The answer of each, or what it raised."""
    return list(await asyncio.gather(*work, return_exceptions=True))


async def keep(
    opened: Database, number: int, over: Record, *players: str, sources: tuple[str, ...] = ()
) -> None:
    finished = FinishedGame(over.fields(), players, number, sources)
    await archived(opened, f"{number}-1", finished)


async def meet(opened: Database) -> None:
    """Two accounts and a guest."""
    people = PeopleStore(opened)
    for person in (ADA, BO, GUEST):
        name = person.split(":")[1]
        guest = person == GUEST
        await people.add(Person(person, "", guest, 1.0, 1.0), [Claim(name, name)], key="", code="")


async def page_of(opened: Database, player: str) -> PlayerPage:
    """As it would be worked out afresh."""
    page = await HistoryStore(opened).page(player)
    assert page is not None
    return page


async def erase(opened: Database, name: str) -> None:
    """Forget somebody of that name, who sits nowhere."""

    def work(connection: Connection) -> list[str]:
        found = find(connection, skeleton=name, name=name)
        assert found is not None
        return forget(connection, found)

    assert await opened.change(work) == []


async def vouch(opened: Database, *names: str) -> None:
    for name in names:
        assert await ModerationStore(opened).vouch(name, on=True) == name


@asynccontextmanager
async def opened(
    url: str, *, migrate: bool = True, serves: bool = False
) -> AsyncIterator[Database]:
    """One of a PostgreSQL server."""
    from server.storage.databases.postgres import Postgres

    database = Database(Postgres(url, serves=serves))
    try:
        await database.open(migrate=migrate)
        yield database
    finally:
        await closed(database)


def insert(key: str) -> Callable[[Connection], int]:
    """A table."""
    query = "INSERT INTO tables (key, place, content) VALUES (:key, 0, '{}')"
    return lambda connection: connection.execute(query, key=key).rowcount


async def keys(database: Database) -> list[str]:
    """Of tables."""
    query = "SELECT key FROM tables ORDER BY key"
    return await database.read(lambda connection: list(connection.scalars(query)))


def losing(opened: Database) -> asyncio.Future[Problem]:
    """Why the process would end; here it does not."""
    lost = asyncio.get_running_loop().create_future()
    opened.when_lost = lost.set_result
    return lost


async def nobody_is_told(*asked: asyncio.Future[Any]) -> None:
    """What was asked of a database is answered in no way."""
    done, _ = await asyncio.wait(asked, timeout=0.2)
    assert not done, [each.exception() or each.result() for each in done]


async def nobody_is_told_as_it_ends(
    opened: Database, status: int, said: str, *asked: Awaitable[Any]
) -> None:
    """What is asked of a database makes the process end, with this status and advice; nothing is answered,
    nor what is asked afterwards.
    """
    lost = losing(opened)
    with capture_logs() as lines:
        waiting = [asyncio.ensure_future(each) for each in asked]
        assert (await lost).status == status
        waiting += map(asyncio.ensure_future, (opened.probe(), opened.read(lambda _: None)))
        await nobody_is_told(*waiting)
    assert opened.trouble == "lost"
    assert [line["event"] for line in lines] == ["storage_lost"]
    assert said in lines[0]["reason"]
