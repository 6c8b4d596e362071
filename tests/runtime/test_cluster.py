"""What keeps a node from starting: one line each, with a way out."""

import asyncio
import errno
import signal
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server.bus.bus import ALL
from server.problem import Problem
from server.runtime.nodes.cluster import bus_at, clock_of
from server.storage.databases.sqlite_connection import SqliteConnection
from server.storage.nodes import NodeStore
from tests.support.memory_stores import MemoryStore
from tests.support.nats import nats_server
from tests.support.patience import PATIENCE
from tests.support.postgres import shared_server
from tests.support.servers import Server, tide


async def refusal(url: str) -> str:
    with pytest.raises(Problem) as told:
        async with AsyncExitStack() as stack:
            await bus_at(stack, url, "a", "house")
    said = str(told.value)
    assert "\n" not in said
    return said


@pytest.mark.parametrize("url", ["nats://", "nats:///x", "nats://secret@bus:port", "nats://[::1"])
async def test_a_url_that_is_none_is_not_tried(url: str) -> None:
    pytest.importorskip("nats")
    said = await refusal(url)
    assert "must look like nats://HOST:4222" in said
    assert "secret" not in said


async def test_a_bus_that_is_not_there_or_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    with nats_server("--user", "tide", "--pass", "right") as url:
        place = url.removeprefix("nats://")
        monkeypatch.setattr("server.bus.nats_bus._CONNECT_SECONDS", 0.2)
        said = await refusal(f"nats://tide:secret@{place}")
        assert f"cannot be reached at {place} (Authorization Violation)" in said
        assert "secret" not in said
    assert f"{place} (Connection refused): is a NATS server running there?" in await refusal(url)


async def test_why_a_server_refused_counts_more_than_a_connection_that_broke_later() -> None:
    pytest.importorskip("nats")
    from nats.errors import Error

    from server.bus.nats_bus import ToldOfBus

    told = ToldOfBus()
    await told.failed(ConnectionRefusedError(errno.ECONNREFUSED, "refused"))
    await told.failed(Error("nats: 'Authorization Violation'"))
    await told.failed(ConnectionResetError(errno.ECONNRESET, "reset"))
    assert told.reason == "Authorization Violation"


async def test_two_houses_on_one_bus_hear_nothing_of_each_other() -> None:
    stores = [MemoryStore(), MemoryStore()]
    with nats_server() as url:
        async with AsyncExitStack() as stack:
            buses, heard = [], []
            for store in stores:
                house = await NodeStore(store.database).house()
                bus = await bus_at(stack, url, "a", house)
                inbox: asyncio.Queue[bytes] = asyncio.Queue()
                await bus.listen("node-1", inbox.put_nowait)
                buses.append(bus)
                heard.append(inbox)
            # What the server has passed on to one, it had passed on to the other.
            for to in (ALL, "node-1"):
                for bus, inbox, said in zip(buses, heard, (b"one", b"two"), strict=True):
                    bus.send(to, "beat", said)
                    assert await asyncio.wait_for(inbox.get(), PATIENCE) == said
            assert [inbox.qsize() for inbox in heard] == [0, 0]
    for store in stores:
        await store.database.close()


async def test_nodes_go_by_the_clock_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SqliteConnection, "now", "2000000000.0")
    store = MemoryStore()
    with capture_logs() as lines:
        clock = await clock_of(store.database)
    assert abs(clock.time() - 2_000_000_000) < PATIENCE
    (told,) = lines
    assert told["event"] == "clock_differs"
    assert abs(told["seconds"] - (time.time() - 2_000_000_000)) < PATIENCE
    await store.database.close()


async def test_why_the_bus_is_away_is_told_once() -> None:
    pytest.importorskip("nats")
    from nats.errors import Error

    from server.bus.nats_bus import ToldOfBus

    told, refused = ToldOfBus(), ConnectionRefusedError(errno.ECONNREFUSED, "no")
    with capture_logs() as lines:
        await told.failed(refused)
        await told.lost()
        assert lines == [], "who starts the server is told"
        told.begun = True
        for _ in range(2):
            await told.lost()
            for _ in range(2):
                await told.failed(refused)
                await told.failed(Error("'Authorization Violation'"))
            await told.back()
    found = [(line["event"], line.get("reason", "")) for line in lines]
    assert found == 2 * [
        ("bus_lost", ""),
        ("bus_unreachable", "Connection refused"),
        ("bus_unreachable", "Authorization Violation"),
        ("bus_back", ""),
    ]


async def test_without_the_package_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "server.bus.nats_bus", raising=False)
    monkeypatch.setitem(sys.modules, "nats.aio.client", None)
    assert "make install-cluster" in await refusal("nats://bus")


@pytest.mark.slow
def test_a_server_says_what_is_missing_before_it_does_anything(tmp_path: Path) -> None:
    place = {"TIDE_STATE": str(tmp_path / "state"), "TIDE_KEYS": str(tmp_path / "keys")}
    database, bus = "postgresql://db/tide", "nats://bus"
    for options, wanted in (
        (("--bus", bus), "--database"),
        (("--database", database), "--bus"),
        (("--database", database, "--bus", bus, "--node", "a b"), "--node"),
    ):
        done = tide("serve", *options, **place)
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert wanted in line
    assert not list(tmp_path.iterdir())
    checked = tide("config", "check", TIDE_BUS_URL=bus, **place)
    assert checked.returncode == 2
    assert "--database" in checked.stderr


@pytest.mark.slow
def test_two_nodes_of_one_name_are_told_apart_by_a_line(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with nats_server() as bus:
        shared = {"TIDE_DATABASE_URL": shared_server().empty(), "TIDE_BUS_URL": bus}
        shared |= {"TIDE_NODE": "one", "TIDE_KEYS": str(tmp_path / "keys")}
        with Server(tmp_path / "a", TIDE_STOP_SECONDS="0", **shared) as server:
            more = {
                "TIDE_STATE": str(tmp_path / "b"),
                "TIDE_SSH_PORT": "0",
                "TIDE_TELNET_PORT": "0",
            }
            second = tide("serve", "--log", "json", **more, **shared)
            assert second.returncode == 1
            last = second.stderr.splitlines()[-1]
            assert last.endswith(
                "Another server is the node one already: give this one another name (--node)."
            )
            assert server.stop() == 0


@pytest.mark.slow
def test_a_node_whose_name_has_been_taken_while_it_slept_ends_and_says_so(tmp_path: Path) -> None:
    with nats_server() as bus:
        places = [tmp_path / "first", tmp_path / "second"]
        for place in places:
            place.mkdir()
        settings = {
            "TIDE_DATABASE_URL": shared_server().empty(),
            "TIDE_BUS_URL": bus,
            "TIDE_KEYS": str(tmp_path / "keys"),
            "TIDE_NODE": "a",
        }
        first, second = (Server(place, **settings) for place in places)
        with first:
            first.process.send_signal(signal.SIGSTOP)
            try:
                # It waits for the name until the lease of the first one is over.
                with second:
                    first.process.send_signal(signal.SIGCONT)
                    assert first.process.wait(PATIENCE) == 1
                    assert second.stop() == 0
            finally:
                first.process.send_signal(signal.SIGCONT)
        assert first.logged("name_taken")["level"] == "error"
