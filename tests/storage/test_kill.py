"""A process that is killed while it writes: what it said is kept, is kept."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from tests.support.databases import sql_store
from tests.support.state import open_state

pytestmark = pytest.mark.slow

TABLES = 20


async def write_for_ever(state: Path) -> None:
    """Write at many tables at once, and say ``table number`` after each acknowledgement."""
    from server.storage.store import StoredChange

    opened = await open_state(state)

    async def play(table: int) -> None:
        number = 0
        while True:
            await opened.tables.append(
                StoredChange(f"{table}", {"last": number}, 1, number, [["bid", 0, number]])
            )
            sys.stdout.write(f"{table} {number}\n")
            sys.stdout.flush()
            number += 1

    await asyncio.gather(*(play(table) for table in range(TABLES)))


@pytest.mark.parametrize("lines", [1, 37, 500])
async def test_what_was_acknowledged_survives_a_kill(tmp_path: Path, lines: int) -> None:
    state = tmp_path / "state"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.storage.test_kill", state),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout
    said = [await process.stdout.readline() for _ in range(lines)]
    process.send_signal(signal.SIGKILL)
    said += (await process.stdout.read()).splitlines(keepends=True)
    assert await process.wait() == -signal.SIGKILL
    acknowledged: dict[str, int] = {}
    for line in said:
        if line.endswith(b"\n"):
            words = line.decode().split()
            acknowledged[words[0]] = int(words[1])
    async with sql_store(state) as store:
        kept = {table.key: table for table in await store.load()}
    for table, number in acknowledged.items():
        entries = [list(entry) for entry in kept[table].entries]
        assert entries == [["bid", 0, count] for count in range(len(entries))]
        assert len(entries) > number
        assert kept[table].row == {"last": len(entries) - 1}, "row and entries are one"


if __name__ == "__main__":
    asyncio.run(write_for_ever(Path(sys.argv[1])))
