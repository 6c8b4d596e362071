"""Stores to test, and what to put into them."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from engine.record import Record
from server.storage import archive
from server.storage.database import Database
from server.storage.sql import SqlStore, to_json
from server.storage.sqlite import NAME, SqliteFile
from server.storage.standing import mark
from server.storage.store import FinishedGame, Store, StoredChange, StoredTable

TIDES = ["tides", 4, 7]


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
        lambda it: archive.keep(it, origin, over.at, content, over.players, sources)
    )


@asynccontextmanager
async def database(folder: Path, busy_seconds: float = 0.05) -> AsyncIterator[Database]:
    opened = Database(SqliteFile(folder / NAME, busy_seconds))
    try:
        await opened.open()
        yield opened
    finally:
        await opened.close()


@asynccontextmanager
async def sql_store(folder: Path) -> AsyncIterator[SqlStore]:
    async with database(folder) as opened:
        yield SqlStore(opened)


def restored(dump: Path, folder: Path) -> Path:
    """The database that an old release left, from its dump."""
    path = folder / NAME
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text())
    return path


async def one(store: Store, key: str = "one") -> StoredTable:
    return next(table for table in await store.load() if table.key == key)


async def outcomes(*work: Any) -> list[object]:
    """The answer of each, or what it raised."""
    return list(await asyncio.gather(*work, return_exceptions=True))


async def keep(
    opened: Database, number: int, over: Record, *players: str, sources: tuple[str, ...] = ()
) -> None:
    finished = FinishedGame(over.fields(), players, number, sources)
    await archived(opened, f"{number}-1", finished)
