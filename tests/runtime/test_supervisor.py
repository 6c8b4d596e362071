"""A coordinator, its spare and some doors, each a small program that tells what happens to it."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.runtime.process import ORDERED, READY
from server.runtime.supervisor import WAITING, Child, Program, Supervisor
from server.storage.databases.database import DAMAGED
from tests.support.patience import PATIENCE

CHILD = """
import fcntl, os, signal, socket, sys
name, lock = sys.argv[1:]
def tell(word):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(word.encode(), os.environ["NOTIFY_SOCKET"].replace("@", "\\0", 1))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
signal.signal(signal.SIGUSR2, lambda *_: sys.exit(3))
signal.signal(signal.SIGHUP, lambda *_: tell("STOPPING=1"))
if name == "coordinator":
    with open(lock, "w") as held:
        tell("STATUS=waiting")
        fcntl.flock(held, fcntl.LOCK_EX)
        if os.path.exists(lock + ".damaged"):
            sys.exit(5)
        tell("READY=1")
        tell("WATCHDOG=1")
        sys.stdin.read()
else:
    tell("READY=1")
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """Restore this process's signal handlers afterwards."""
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@asynccontextmanager
async def supervised(
    lock: Path, doors: int = 2, *, alone: bool = False
) -> AsyncIterator[tuple[Supervisor, asyncio.Task[int]]]:
    """Doors ``alone`` have their coordinator elsewhere."""

    def program(name: str) -> Program:
        return Program(name, (sys.executable, "-c", CHILD, name, str(lock)))

    supervisor = Supervisor(
        None if alone else program("coordinator"),
        [program(f"door {number}") for number in range(1, doors + 1)],
    )
    running = asyncio.create_task(supervisor.run())
    try:
        async with asyncio.timeout(PATIENCE):
            yield supervisor, running
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def told(supervisor: Supervisor, name: str) -> list[str]:
    return sorted(child.told for child in supervisor.children if child.program.name == name)


async def open_(supervisor: Supervisor) -> None:
    """Wait until everything is there: one coordinator, its spare, all doors."""
    await supervisor.until(
        lambda: (
            told(supervisor, "coordinator") == [READY, WAITING]
            and told(supervisor, "door 1") == [READY]
            and told(supervisor, "door 2") == [READY]
        )
    )


def one(supervisor: Supervisor, name: str, says: str = READY) -> Child:
    return next(
        child for child in supervisor.children if child.program.name == name and child.told == says
    )


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "lock"


@pytest.mark.parametrize("name", ["coordinator", "door 1"])
async def test_what_is_killed_is_started_again(lock: Path, name: str) -> None:
    async with supervised(lock) as (supervisor, _):
        await open_(supervisor)
        killed = one(supervisor, name)
        others = [child for child in supervisor.children if child is not killed]
        for _ in range(3):
            killed.send(signal.SIGKILL)
            await killed.process.wait()
            await open_(supervisor)
            assert {*others} <= {*supervisor.children}
            killed = next(child for child in supervisor.children if child not in others)
            if name == "coordinator":
                break  # the spare serves now, and is one of the others


async def test_when_the_coordinator_dies_the_spare_serves(lock: Path) -> None:
    async with supervised(lock) as (supervisor, _):
        await open_(supervisor)
        spare = one(supervisor, "coordinator", WAITING)
        one(supervisor, "coordinator").send(signal.SIGKILL)
        await supervisor.until(lambda: spare.told == READY)
        await open_(supervisor)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_told_to_stop_all_end(lock: Path, number: signal.Signals) -> None:
    async with supervised(lock) as (supervisor, running):
        await open_(supervisor)
        os.kill(os.getpid(), number)
        assert await running == 0
        assert not supervisor.children


async def test_doors_alone_end_when_they_are_told_to(lock: Path) -> None:
    async with supervised(lock, alone=True) as (supervisor, running):
        await supervisor.until(lambda: supervisor.serving)
        assert supervisor.names == ["door 1", "door 2"]
        os.kill(os.getpid(), signal.SIGTERM)
        assert await running == 0
        assert not supervisor.children


async def test_a_coordinator_that_says_nothing_more_is_killed(
    lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.runtime.supervisor._SILENT_SECONDS", 0.2)
    async with supervised(lock) as (supervisor, _):
        await supervisor.until(lambda: READY in told(supervisor, "coordinator"))
        assert await one(supervisor, "coordinator").process.wait() == -signal.SIGKILL
        await supervisor.until(lambda: READY in told(supervisor, "coordinator"))


async def test_told_to_stop_while_it_starts_all_end(lock: Path) -> None:
    async with supervised(lock) as (supervisor, running):
        await supervisor.until(lambda: supervisor.children)
        os.kill(os.getpid(), signal.SIGTERM)
        assert await running == 0
        assert not supervisor.children


async def test_a_coordinator_that_an_operator_has_ended_is_the_end(lock: Path) -> None:
    async with supervised(lock) as (supervisor, running):
        await open_(supervisor)
        one(supervisor, "coordinator").send(signal.SIGUSR2)
        assert await running == ORDERED
        assert not supervisor.children


async def test_a_damaged_database_is_the_end(lock: Path) -> None:
    lock.with_name("lock.damaged").touch()
    async with supervised(lock) as (supervisor, running):
        assert await running == DAMAGED
        assert not supervisor.children


async def test_an_upgrade_replaces_all_of_them(lock: Path) -> None:
    async with supervised(lock) as (supervisor, _):
        await open_(supervisor)
        before = {*supervisor.children}
        os.kill(os.getpid(), signal.SIGUSR1)
        os.kill(os.getpid(), signal.SIGUSR1)
        await supervisor.until(lambda: not before & {*supervisor.children})
        await open_(supervisor)


async def test_a_hang_up_is_for_all_children(lock: Path) -> None:
    async with supervised(lock) as (supervisor, _):
        await open_(supervisor)
        children = [*supervisor.children]
        os.kill(os.getpid(), signal.SIGHUP)
        await supervisor.until(
            lambda: all(child.told == "STOPPING=1" for child in children if child.told != WAITING)
        )
        assert {*children} == {*supervisor.children}


async def test_no_child_outlives_its_parent(lock: Path) -> None:
    async with supervised(lock) as (supervisor, running):
        await open_(supervisor)
        processes = [child.process for child in supervisor.children]
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        for process in processes:
            assert await process.wait() is not None
