"""A state directory in use, as a server has it."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from server.storage import statedir
from server.storage.databases.database import Database
from server.storage.table_store import TableStore


@dataclass(frozen=True)
class InUse:
    tables: TableStore
    stack: AsyncExitStack

    @property
    def database(self) -> Database:
        return self.tables.database

    async def aclose(self) -> None:
        await self.stack.aclose()


async def open_state(state: Path, url: str = "", keys: Path | None = None) -> InUse:
    """Until it is closed."""
    async with AsyncExitStack() as stack:
        tables = await statedir.open_state(stack, state, url, keys)
        return InUse(tables, stack.pop_all())
