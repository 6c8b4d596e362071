"""A disk whose syncs fail for a while, or that is full (``faulty_disk.c``): what was refused never comes
back, and what was acknowledged stays, after a kill and after a power failure. Where nobody can know, the
process ends.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server import logs
from server.storage.databases.database import UNKNOWN
from server.storage.store import StoredChange, StoreError
from tests.support.databases import bid
from tests.support.faulty_disk import shim
from tests.support.patience import PATIENCE
from tests.support.state import open_state

pytestmark = pytest.mark.slow
__all__ = ["shim"]


async def obey(state: Path) -> None:
    """Do what standard input says, a line each, and say how it went. ``bid NUMBER CARD`` writes an entry."""
    logs.set_up("human", "error")
    opened = await open_state(state)
    for line in sys.stdin:
        match line.split():
            case ["bid", number, card]:
                change = StoredChange("one", {}, 1, int(number), [bid(0, int(card))])
                try:
                    await opened.tables.append(change)
                except StoreError:
                    answer = "refused"
                else:
                    answer = "ok"
            case ["cards"]:
                (table,) = await opened.tables.load()
                answer = " ".join(str(entry[2]) for entry in table.entries)
            case ["checkpoint"]:
                await opened.database.checkpoint()
                answer = "ok"
            case _:
                raise ValueError(line)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()
    await opened.close()


class FaultyDisk:
    """A process that writes to such a disk."""

    def __init__(self, process: asyncio.subprocess.Process, state: Path, image: Path) -> None:
        self.process, self.state, self.image = process, state, image

    async def do(self, what: str) -> str:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{what}\n".encode())
        async with asyncio.timeout(PATIENCE):
            return (await self.process.stdout.readline()).decode().strip()

    def fail(self, fails: bool) -> None:
        if fails:
            (self.image / "fail").touch()
        else:
            (self.image / "fail").unlink(missing_ok=True)

    def leave_room(self, size: int | None) -> None:
        """For so many bytes in the log; ``None`` is for all that come."""
        if size is None:
            (self.image / "room").unlink()
        else:
            (self.image / "room").write_text(f"{size:<20}")

    async def ended(self) -> int:
        """The exit status, of itself."""
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()

    async def end(self, how: str) -> list[int]:
        """The cards of the bids that are found after this."""
        self.fail(False)
        if how == "stop":
            assert self.process.stdin
            self.process.stdin.close()
            assert await self.ended() == 0
        elif self.process.returncode is None:
            self.process.send_signal(signal.SIGKILL)
            assert await self.ended() == -signal.SIGKILL
        place = self.image if how == "power failure" else self.state
        place.chmod(0o700)
        for ours in ("fail", "room"):
            (place / ours).unlink(missing_ok=True)
        opened = await open_state(place)
        try:
            (table,) = await opened.tables.load()
        finally:
            await opened.close()
        return [entry[2] for entry in table.entries]


@asynccontextmanager
async def faulty_disk(shim: Path, folder: Path, *, drops: bool) -> AsyncIterator[FaultyDisk]:
    state, image = folder / "state", folder / "image"
    image.mkdir(exist_ok=True)
    environment = os.environ | {
        "LD_PRELOAD": str(shim),
        "FAULTY_DISK": str(state),
        "FAULTY_IMAGE": str(image),
    }
    if drops:
        environment["FAULTY_DROPS"] = "1"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.storage.test_faulty_disk", state),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment,
    )
    try:
        yield FaultyDisk(process, state, image)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


pages = pytest.mark.parametrize("drops", [False, True], ids=["kept in memory", "dropped"])
ends = pytest.mark.parametrize("how", ["kill", "power failure"])


@pages
@ends
async def test_a_sync_that_fails_in_commit_ends_the_process(
    shim: Path, tmp_path: Path, how: str, drops: bool
) -> None:
    async with faulty_disk(shim, tmp_path, drops=drops) as disk:
        assert await disk.do("bid 0 5") == "ok"
        disk.fail(True)
        assert await disk.do("bid 1 9") == "", "nobody is told anything"
        assert await disk.ended() == UNKNOWN
        assert await disk.end(how) in ([5], [5, 9])


@pages
@ends
async def test_what_is_acknowledged_by_the_next_process_stays(
    shim: Path, tmp_path: Path, how: str, drops: bool
) -> None:
    """What was in doubt is in the kernel's memory, and not on the disk: a second failure must not take what
    came after it.
    """
    async with faulty_disk(shim, tmp_path, drops=drops) as disk:
        assert await disk.do("bid 0 5") == "ok"
        disk.fail(True)
        assert await disk.do("bid 1 9") == ""
        assert await disk.ended() == UNKNOWN
        disk.fail(False)
    async with faulty_disk(shim, tmp_path, drops=drops) as disk:
        cards = [int(it) for it in (await disk.do("cards")).split()]
        assert cards in ([5], [5, 9])
        for card in range(20, 40):
            assert await disk.do(f"bid {len(cards)} {card}") == "ok"
            cards.append(card)
        assert await disk.end(how) == cards


FRAME = 24 + 4096
"""Bytes that a page takes in the log."""


@ends
@pytest.mark.parametrize("size", [0, 10, 24, 2000, FRAME, FRAME + 24, 2 * FRAME - 1, 3 * FRAME - 1])
async def test_what_a_full_disk_refused_in_commit_does_not_come_back(
    shim: Path, tmp_path: Path, how: str, size: int
) -> None:
    async with faulty_disk(shim, tmp_path, drops=False) as disk:
        assert await disk.do("bid 0 5") == "ok"
        disk.leave_room(size)
        cards = [5, 9] if await disk.do("bid 1 9") == "ok" else [5]
        assert await disk.end(how) == cards


@ends
async def test_after_a_full_disk_the_log_is_used_again(
    shim: Path, tmp_path: Path, how: str
) -> None:
    """What is left of transactions that were refused, at any of their bytes, is not taken for anything."""
    async with faulty_disk(shim, tmp_path, drops=False) as disk:
        assert await disk.do("bid 0 5") == "ok"
        cards, refused = [5], 0
        for number, size in enumerate(range(0, 5 * FRAME, FRAME // 4)):
            disk.leave_room(size)
            if await disk.do(f"bid {len(cards)} 60") == "ok":
                cards.append(60)
            else:
                refused += 1
            disk.leave_room(None)
            if number % 5 == 4:
                assert await disk.do("checkpoint") == "ok"
            assert await disk.do(f"bid {len(cards)} {number}") == "ok"
            cards.append(number)
        assert refused > 10
        assert await disk.end(how) == cards


@pages
async def test_a_failed_checkpoint_loses_nothing(shim: Path, tmp_path: Path, drops: bool) -> None:
    async with faulty_disk(shim, tmp_path, drops=drops) as disk:
        cards = list(range(20, 40))
        assert await disk.do("bid 0 20") == "ok"
        for number, card in enumerate(cards[1:], 1):
            disk.fail(True)
            assert await disk.do("checkpoint") == "ok"
            disk.fail(False)
            assert await disk.do(f"bid {number} {card}") == "ok"
        assert await disk.end("power failure") == cards


if __name__ == "__main__":
    asyncio.run(obey(Path(sys.argv[1])))
