"""A disk whose syncs fail for a while (``faulty_disk.c``): what was refused never comes back, and what was
acknowledged stays; after a kill, after a power failure, and when the database is opened again.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server import logs
from server.storage.store import StoredChange, StoreError
from tests.support.databases import bid
from tests.support.patience import PATIENCE
from tests.support.state import open_state

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).with_name("faulty_disk.c")


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
            case ["checkpoint"]:
                await opened.database.checkpoint()
                answer = "ok"
            case ["reopen"]:
                await opened.close()
                opened = await open_state(state)
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
            (self.image / "fail").unlink()

    async def end(self, how: str) -> list[int]:
        """The cards of the bids that are found after this."""
        place = self.state
        if how == "power failure":
            place = self.image
            if (place / "fail").exists():
                self.fail(False)
        if how == "stop":
            assert self.process.stdin
            self.process.stdin.close()
        else:
            self.process.send_signal(signal.SIGKILL)
        async with asyncio.timeout(PATIENCE):
            assert await self.process.wait() == (0 if how == "stop" else -signal.SIGKILL)
        place.chmod(0o700)
        opened = await open_state(place)
        try:
            (table,) = await opened.tables.load()
        finally:
            await opened.close()
        return [entry[2] for entry in table.entries]


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not sys.platform.startswith("linux") or compiler is None:
        pytest.skip("needs Linux and a C compiler")
    made = tmp_path_factory.mktemp("shim") / "faulty_disk.so"
    command = [compiler, "-shared", "-fPIC", "-o", str(made), str(SOURCE), "-ldl", "-lpthread"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"the C compiler does not work here: {done.stderr.strip()[-200:]}")
    return made


@asynccontextmanager
async def faulty_disk(shim: Path, folder: Path, *, drops: bool) -> AsyncIterator[FaultyDisk]:
    state, image = folder / "state", folder / "image"
    image.mkdir()
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


@pages
@pytest.mark.parametrize("how", ["stop", "kill", "power failure"])
async def test_what_was_refused_does_not_come_back_while_the_disk_still_fails(
    shim: Path, tmp_path: Path, how: str, drops: bool
) -> None:
    async with faulty_disk(shim, tmp_path, drops=drops) as disk:
        assert await disk.do("bid 0 5") == "ok"
        disk.fail(True)
        assert await disk.do("bid 1 9") == "refused"
        assert await disk.do("bid 1 9") == "refused"
        assert await disk.end(how) == [5]


@pages
@pytest.mark.parametrize("how", ["stop", "kill", "power failure"])
async def test_what_is_acknowledged_after_a_failure_stays(
    shim: Path, tmp_path: Path, how: str, drops: bool
) -> None:
    async with faulty_disk(shim, tmp_path, drops=drops) as disk:
        assert await disk.do("bid 0 5") == "ok"
        disk.fail(True)
        assert await disk.do("bid 1 9") == "refused"
        disk.fail(False)
        cards = [5, *range(20, 40)]
        for number, card in enumerate(cards[1:], 1):
            assert await disk.do(f"bid {number} {card}") == "ok"
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


async def test_opening_again_after_a_failure_shows_what_was_said(
    shim: Path, tmp_path: Path
) -> None:
    async with faulty_disk(shim, tmp_path, drops=False) as disk:
        assert await disk.do("bid 0 5") == "ok"
        disk.fail(True)
        assert await disk.do("bid 1 9") == "refused"
        disk.fail(False)
        assert await disk.do("reopen") == "ok"
        assert await disk.do("bid 1 7") == "ok"
        assert await disk.end("power failure") == [5, 7]


if __name__ == "__main__":
    asyncio.run(obey(Path(sys.argv[1])))
