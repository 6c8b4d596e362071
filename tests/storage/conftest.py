"""The databases that stores are tested on."""

from collections.abc import AsyncIterator, Iterator

import pytest

from server.storage.databases.database import Database
from server.storage.databases.sqlite import SqliteMemory
from tests.support import databases
from tests.support.postgres import needed


@pytest.fixture(params=["sqlite", "postgresql"])
def product(request: pytest.FixtureRequest) -> Iterator[str]:
    """What ``databases.database`` opens: a file, or a database of a server."""
    name: str = request.param
    if name == "postgresql":
        needed()
    with databases.on(name):
        yield name


@pytest.fixture
async def opened(product: str) -> AsyncIterator[Database]:
    """An empty database of that product."""
    if product == "sqlite":
        yield Database(SqliteMemory())
        return
    async with databases.database(None) as found:
        yield found
