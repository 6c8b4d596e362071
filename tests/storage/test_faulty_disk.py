"""A process that is killed, or whose power fails, while its disk (``faulty_disk.c``) is sound, full, or fails
to sync: what was acknowledged stays, what was refused never comes back. Where nobody can know, it ends.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from itertools import count
from pathlib import Path

import pytest

from server import StoreError, logs
from server.storage.databases.database import UNKNOWN
from server.storage.table_store import StoredChange, StoredTable
from tests.support.databases import bid
from tests.support.faulty_disk import faulty, shim
from tests.support.patience import PATIENCE
from tests.support.state import InUse, open_state

pytestmark = pytest.mark.slow
__all__ = ["faulty", "shim"]


async def obey(state: Path) -> None:
    """Do what standard input says, a line each, and say how it went. ``bid NUMBER CARD`` writes an entry."""
    logs.set_up("human", "error")
    opened = await open_state(state)
    for line in sys.stdin:
        answer = "ok"
        match line.split():
            case ["bid", number, card]:
                change = StoredChange("one", {}, 1, int(number), [bid(0, int(card))])
                try:
                    await opened.tables.append(change)
                except StoreError:
                    answer = "refused"
            case ["cards"]:
                answer = " ".join(map(str, cards_of(await opened.tables.load())))
            case ["checkpoint"]:
                await opened.database.checkpoint()
            case ["play"]:
                await asyncio.gather(*(play(opened, str(table)) for table in range(20)))
            case _:
                raise ValueError(line)
        print(answer, flush=True)
    await opened.aclose()


async def play(opened: InUse, table: str) -> None:
    """Write for ever, and say what was acknowledged."""
    for number in count():
        change = StoredChange(table, {"last": number}, 1, number, [bid(0, number)])
        await opened.tables.append(change)
        print(f"{table} {number};", flush=True)


def cards_of(tables: Sequence[StoredTable]) -> list[int]:
    (table,) = tables
    return [entry[2] for entry in table.entries]


class FaultyDisk:
    """A process that writes to such a disk."""

    process: asyncio.subprocess.Process

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self.state = Path(environment["FAULTY_DISK"])
        self.image = Path(environment["FAULTY_IMAGE"])

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.storage.test_faulty_disk", self.state),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | self.environment,
        )

    async def do(self, what: str) -> str:
        assert self.process.stdin
        self.process.stdin.write(f"{what}\n".encode())
        return await self.said()

    async def said(self) -> str:
        assert self.process.stdout
        async with asyncio.timeout(PATIENCE):
            return (await self.process.stdout.readline()).decode().strip()

    def breaks(self, how: str, value: str = "") -> None:
        """Have every sync ``fail``, or only so much ``room`` in the log."""
        (self.image / how).write_text(value)

    def works(self) -> None:
        for how in ("fail", "room"):
            (self.image / how).unlink(missing_ok=True)

    async def ended(self) -> int:
        """The exit status; it is killed if it still runs."""
        if self.process.returncode is None:
            self.process.kill()
        return await self.process.wait()

    async def left(self, how: str) -> Sequence[StoredTable]:
        """What is found after this."""
        self.works()
        await self.ended()
        place = self.image if how == "power failure" else self.state
        place.chmod(0o700)
        opened = await open_state(place)
        async with opened.stack:
            return await opened.tables.load()


@pytest.fixture
async def disk(faulty: dict[str, str]) -> AsyncIterator[FaultyDisk]:
    made = FaultyDisk(faulty)
    await made.start()
    yield made
    await made.ended()


pages = pytest.mark.parametrize("pages", ["", "dropped"], ids=["kept in memory", "dropped"])
ends = pytest.mark.parametrize("how", ["kill", "power failure"])


@ends
@pytest.mark.parametrize("lines", [1, 37, 500])
async def test_what_was_acknowledged_is_there(disk: FaultyDisk, how: str, lines: int) -> None:
    said = [await disk.do("play"), *[await disk.said() for _ in range(lines)]]
    kept = {table.key: table for table in await disk.left(how)}
    while line := await disk.said():
        said.append(line)
    # The kill may have cut the last line.
    for table, number in (line[:-1].split() for line in said if line.endswith(";")):
        entries = [list(entry) for entry in kept[table].entries]
        assert entries == [bid(0, count) for count in range(len(entries))]
        assert len(entries) > int(number)
        assert kept[table].row == {"last": len(entries) - 1}, "row and entries are one"


@pages
@ends
@pytest.mark.parametrize("goes_on", [False, True])
async def test_a_sync_that_fails_in_commit_ends_the_process(
    disk: FaultyDisk, how: str, pages: str, goes_on: bool
) -> None:
    """What was in doubt is in the kernel's memory, and not on the disk: it must not take with it what the
    next process acknowledges.
    """
    assert await disk.do("bid 0 5") == "ok"
    disk.breaks("fail", pages)
    assert await disk.do("bid 1 9") == "", "nobody is told anything"
    assert await disk.process.wait() == UNKNOWN
    if not goes_on:
        assert cards_of(await disk.left(how)) in ([5], [5, 9])
        return
    disk.works()
    await disk.start()
    cards = [int(it) for it in (await disk.do("cards")).split()]
    assert cards in ([5], [5, 9])
    for card in range(20, 40):
        assert await disk.do(f"bid {len(cards)} {card}") == "ok"
        cards.append(card)
    assert cards_of(await disk.left(how)) == cards


FRAME = 24 + 4096
"""Bytes that a page takes in the log."""
INSTANTS = (0, 10, 24, 2000, FRAME, FRAME + 24, 2 * FRAME - 1, 3 * FRAME - 1)


@ends
@pytest.mark.parametrize("sizes", [*([it] for it in INSTANTS), range(0, 5 * FRAME, FRAME // 4)])
async def test_what_a_full_disk_refused_in_commit_does_not_come_back(
    disk: FaultyDisk, how: str, sizes: Sequence[int]
) -> None:
    """Nor is what is left of it, at any of its bytes, taken for anything when the log is used again."""
    assert await disk.do("bid 0 5") == "ok"
    cards = [5]
    for number, size in enumerate(sizes):
        if number:
            disk.works()
            assert number % 5 or await disk.do("checkpoint") == "ok"
            assert await disk.do(f"bid {len(cards)} {number}") == "ok"
            cards.append(number)
        disk.breaks("room", f"{size:<20}")
        if await disk.do(f"bid {len(cards)} 60") == "ok":
            cards.append(60)
    assert cards.count(60) < len(sizes) / 2, "most are refused"
    assert cards_of(await disk.left(how)) == cards


@pages
async def test_a_failed_checkpoint_loses_nothing(disk: FaultyDisk, pages: str) -> None:
    cards = list(range(20, 40))
    assert await disk.do("bid 0 20") == "ok"
    for number, card in enumerate(cards[1:], 1):
        disk.breaks("fail", pages)
        assert await disk.do("checkpoint") == "ok"
        disk.works()
        assert await disk.do(f"bid {number} {card}") == "ok"
    assert cards_of(await disk.left("power failure")) == cards


if __name__ == "__main__":
    asyncio.run(obey(Path(sys.argv[1])))
