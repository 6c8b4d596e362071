"""Coroutines that are carried out as far as they go without waiting."""

import asyncio
import inspect
from collections.abc import Awaitable

import pytest
from asyncssh.connection import SSHConnection

from server.transport.ssh.begun import begun
from server.transport.ssh.connection import SshConnection
from tests.support.connections import all_of, key, open_house


async def test_what_waits_for_nothing_is_over_at_once() -> None:
    done: list[str] = []

    async def work() -> None:
        done.append("all")

    assert begun(work()) is None
    assert done == ["all"]


async def test_what_is_raised_at_once_is_raised_at_once() -> None:
    async def work() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        begun(work())


async def test_the_rest_goes_on_in_a_task() -> None:
    loop = asyncio.get_running_loop()
    first, second = loop.create_future(), loop.create_future()
    got: list[object] = []

    async def work() -> None:
        got.append(await first)
        try:
            await second
        except LookupError as error:
            got.append(error.args[0])
        await asyncio.sleep(0)
        got.append(asyncio.current_task())

    rest = begun(work())
    assert rest is not None
    task = asyncio.create_task(rest)
    first.set_result("one")
    second.set_exception(LookupError("two"))
    await task
    assert got == ["one", "two", task]


async def test_the_rest_raises_what_it_raises() -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        raise ValueError("later")

    rest = begun(work())
    assert rest is not None
    with pytest.raises(ValueError, match="later"):
        await rest


async def test_the_rest_can_be_cancelled() -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            ended.append("tidied up")

    rest = begun(work())
    assert rest is not None
    task = asyncio.create_task(rest)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["tidied up"]


async def test_asyncssh_needs_few_tasks_to_let_somebody_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What `Connection.process_packet` and `data_received` rely on, of what is private to asyncssh.
    assert inspect.iscoroutinefunction(SSHConnection._process_kexinit)
    assert inspect.iscoroutinefunction(SSHConnection._finish_userauth)
    begins: list[str] = []
    create_task = SshConnection.create_task

    def noted(self: SshConnection, work: Awaitable[None], log: object = None) -> asyncio.Task[None]:
        begins.append(getattr(work, "__qualname__", ""))
        return create_task(self, work, log)  # type: ignore[arg-type]

    monkeypatch.setattr(SshConnection, "create_task", noted)
    async with open_house() as opened, opened.connect("ada", keys=[key("ada")]) as client:
        process = await client.create_process(term_type="xterm")
        await process.stdout.readuntil("\r\n")
        # A key that is offered, the same with its signature, and a channel; and for a key exchange only when
        # its second packet came together with the first.
        begins = [each for each in begins if not each.endswith("._process_kexinit")]
        assert len(begins) == 3, begins
        process.stdin.write("q")
        assert "bye" in await all_of(process.stdout)
