"""What a server says to systemd."""

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import asyncssh
import pytest

from server.runtime import start
from server.runtime.process import ALIVE, READY, SdNotify
from server.settings.loading import load
from tests.support.fake_clock import FakeClock
from tests.support.patience import PATIENCE
from tests.support.servers import Server


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(PATIENCE)
        yield line


@pytest.mark.slow
def test_systemd_hears_when_it_is_open_that_it_lives_and_when_it_stops(
    tmp_path: Path, listener: socket.socket
) -> None:
    watched = {"NOTIFY_SOCKET": listener.getsockname(), "WATCHDOG_USEC": "30000000"}
    with Server(tmp_path, **watched) as server:
        assert [listener.recv(99), listener.recv(99)] == [b"READY=1", b"WATCHDOG=1"]
        assert server.stop() == 0
    assert listener.recv(99) == b"STOPPING=1"


async def test_it_says_three_times_as_often_as_need_be_that_it_lives(
    listener: socket.socket,
) -> None:
    supervisor = SdNotify({"NOTIFY_SOCKET": listener.getsockname(), "WATCHDOG_USEC": "6000000"})
    clock = FakeClock()
    task = asyncio.create_task(supervisor.keep_telling(clock))
    await clock.advance(6.0)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    listener.setblocking(False)
    assert [listener.recv(99) for _ in range(4)] == [ALIVE.encode()] * 4
    with pytest.raises(BlockingIOError):
        listener.recv(99)


def test_a_socket_that_is_in_no_directory_is_understood() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind("")  # Linux draws a name
        line.settimeout(PATIENCE)
        name = line.getsockname().decode().replace("\0", "@", 1)
        SdNotify({"NOTIFY_SOCKET": name}).tell(READY)
        assert line.recv(99) == b"READY=1"


@pytest.mark.parametrize("address", ["", "/no/such/socket", "vsock:2:1234"])
def test_nobody_need_listen(address: str) -> None:
    SdNotify({"NOTIFY_SOCKET": address}).tell(READY)


def test_a_watchdog_for_another_process_is_none_of_ours() -> None:
    assert SdNotify({"WATCHDOG_USEC": "9000000"}).patience == 9
    assert SdNotify({"WATCHDOG_USEC": "9000000", "WATCHDOG_PID": str(os.getpid())}).patience == 9
    assert SdNotify({"WATCHDOG_USEC": "9000000", "WATCHDOG_PID": "1"}).patience == 0
    assert SdNotify({"WATCHDOG_USEC": "soon"}).patience == 0
    assert SdNotify({}).patience == 0


def test_a_user_whom_nobody_knows_can_serve(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As in a container: no name, no home, nothing but two directories."""

    def unknown(*_: object) -> object:
        raise KeyError("uid not found")

    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", unknown)
    with pytest.raises(RuntimeError, match="home"):
        asyncssh.SSHServerConnectionOptions()
    monkeypatch.setattr("server.runtime.start.asyncio.run", lambda serving: serving.close())
    settings = load({"state": str(tmp_path), "keys": str(tmp_path)}, {})
    start.run(lambda: settings)
    assert asyncssh.SSHServerConnectionOptions().login_timeout
