"""Figures and health for operators: what they say, and that nobody can hurt the server with them."""

import asyncio
import errno
import http.client
import math
import re
import socket
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import asynccontextmanager
from copy import copy
from functools import partial
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import NamedTuple, cast

import pytest
from structlog.testing import capture_logs

from server import StoreError
from server.counters import QUICK, Histogram
from server.runtime import health as watching
from server.runtime import metrics_port
from server.runtime.health import (
    LAG_SECONDS,
    LOOK_SECONDS,
    OPEN,
    STARTING,
    Health,
    health,
    measure_lag,
    watch_clock,
    watch_writes,
)
from server.runtime.metrics_port import MetricsServer, figures_of
from server.settings.settings import ServerLimits, Settings
from server.storage.databases.connection import Connection
from server.storage.databases.database import Database
from server.transport.access.limiter import Reason
from server.transport.net.sockets import BindProblem
from tests.support.connections import GENEROUS, Open, key, open_server
from tests.support.databases import around, database
from tests.support.fake_clock import FakeClock
from tests.support.metrics import Told, get
from tests.support.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


class Watched(NamedTuple):
    opened: Open
    watch: Health
    port: int

    async def get(self, path: str, method: str = "GET") -> Told:
        return await asyncio.to_thread(get, self.port, path, method)


@asynccontextmanager
async def watched(
    place: Path, limits: ServerLimits = GENEROUS, host: str = Settings().metrics_host
) -> AsyncIterator[Watched]:
    async with open_server(limits) as opened, database(place) as store:
        watch = Health(store, opened.server, opened.lobby)
        watch.status = OPEN
        server = MetricsServer(partial(figures_of, watch), host, 0)
        try:
            yield Watched(opened, watch, server.port)
        finally:
            await server.close()


async def test_figures_say_what_happens_and_not_to_whom(tmp_path: Path) -> None:
    async with watched(tmp_path) as one:
        async with one.opened.connect("ada", [key("ada")]) as client:
            await client.create_process(term_type="xterm")
            await one.opened.frontend()
            await one.watch.database.probe()
            told = await one.get("/metrics")
            assert told.status == 200
            assert told.kind.startswith("text/plain")
            assert told.figure("tide_sessions", line="ssh", face="screen") == 1
            assert told.figure("tide_connections", state="in") == 1
            assert told.figure("tide_sent_bytes_total", line="ssh") > 0
            before = one.opened.server.sessions.copy().pop().terminal.facts.sent
        await one.opened.empty()
        told = await one.get("/metrics")
        assert told.figure("tide_sessions", line="ssh", face="screen") == 0
        assert told.figure("tide_sessions_ended_total") == 1
        assert told.figure("tide_sent_bytes_total", line="ssh") >= before, "it never falls"
        assert told.figure("tide_store_group_count") == told.figure(
            "tide_store_write_seconds_count"
        )
        assert told.figure("process_open_fds") > 0
        for secret in ("ada", "127.0.0.1", "SHA256"):
            assert secret not in told.body


def test_every_figure_is_documented() -> None:
    """Whatever has a name in the source is in the table of the documentation."""
    files = ("server/runtime/gauges.py", "server/counters.py")
    source = "".join((ROOT / file).read_text() for file in files)
    named = set(re.findall(r'"(tide_\w+)"', source)) | {"tide_info"}
    documented = re.findall(
        r"^\| `(tide_\w+)", (ROOT / "docs/operating.md").read_text(), re.MULTILINE
    )
    counters = {name.removesuffix("_total") for name in documented}
    assert counters == named


async def test_the_rules_for_alarms_ask_for_figures_that_there_are(tmp_path: Path) -> None:
    rules = (ROOT / "deploy/alerts.yaml").read_text()
    asked = set(re.findall(r"\b((?:tide|process)_\w+?)(?:_bucket)?\b", rules))
    limits = {
        part for found in re.findall(r'limit=~?"([^"]+)"', rules) for part in found.split("|")
    }
    async with watched(tmp_path) as one:
        told = await one.get("/metrics")
    there = set(re.findall(r"^# TYPE (\w+) ", told.body, re.MULTILINE))
    assert len(asked) > 6
    assert asked <= there
    assert limits <= set(re.findall(r'tide_limits_total{limit="(\w+)"}', told.body))


async def test_limits_and_games_are_counted(tmp_path: Path) -> None:
    async with watched(tmp_path) as one:
        one.opened.server.limiter.refuse(Reason.CHANNELS, "192.0.2.1")
        one.opened.lobby.shared.tally.bids += 7
        told = await one.get("/metrics")
        assert told.figure("tide_limits_total", limit="channels") == 1
        assert told.figure("tide_bids_total") == 7
        assert told.figure("tide_tables", status="playing") == 0


async def test_health_is_bad_while_the_server_drains_or_cannot_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with watched(tmp_path) as one:
        assert await one.get("/healthz") == (200, "text/plain; charset=utf-8", "ok\n")
        monkeypatch.setattr(one.watch, "probe_from", math.inf)
        monkeypatch.setattr(one.watch.database, "_trouble", "full")
        assert (await one.get("/healthz"))[::2] == (503, "store: full\n")
        monkeypatch.undo()

        async def failed(_: object) -> None:
            raise StoreError("damaged")

        monkeypatch.setattr(one.watch.database, "read", failed)
        assert (await one.get("/healthz"))[::2] == (503, "store: damaged\n")

        async def never(_: object) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(one.watch.database, "read", never)
        monkeypatch.setattr(watching, "PATIENCE", 0.01)
        assert await health(one.watch) == "store: no answer"
        monkeypatch.undo()
        one.opened.lobby.announce_closing(math.inf)
        told = await one.get("/healthz")
        assert told.status == 503
        assert "draining" in told.body
        assert (await one.get("/metrics")).figure("tide_open") == 0
        one.opened.lobby.announce_closing(0.0)
        assert (await one.get("/healthz")).status == 200
        one.watch.status = STARTING
        assert (await one.get("/healthz"))[::2] == (503, "starting\n")


async def test_health_notices_by_itself_that_there_is_room_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with watched(tmp_path) as one:
        store = one.watch.database
        room = [1]

        around(
            store.backend.writer,
            lambda it: it.execute(f"PRAGMA max_page_count={room[0]}").fetchone(),
        )
        insert = "INSERT INTO tables (key, place, content) VALUES (:key, 0, :content)"
        row = {"key": "one", "content": "x" * 100_000}
        with pytest.raises(StoreError):
            await store.change(lambda connection: connection.execute(insert, row).rowcount)
        assert (await one.get("/healthz"))[::2] == (503, "store: full\n")
        assert store.probes == 1
        room[0] = 1_000_000
        assert (await one.get("/healthz")).status == 503, "it is not tried that often"
        assert (await one.get("/metrics")).figure("tide_store_probes_total") == 1
        monkeypatch.setattr(one.watch, "probe_from", 0.0)
        assert (await one.get("/healthz"))[::2] == (200, "ok\n")
        assert (await one.get("/healthz")).status == 200
        assert store.probes == 2


async def test_a_write_that_hangs_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with watched(tmp_path) as one:
        store, reached, goes_on = one.watch.database, Event(), Event()
        clock, now = FakeClock(), [100.0]
        monkeypatch.setattr(store, "_now", lambda: now[0])

        def hang(_: Connection) -> None:
            reached.set()
            assert goes_on.wait(PATIENCE)

        with capture_logs() as lines:
            watching_it = asyncio.create_task(watch_writes(one.watch, clock))
            writing = asyncio.create_task(store.change(hang))
            assert await asyncio.to_thread(reached.wait, PATIENCE)
            now[0] += 3
            others = asyncio.create_task(store.probe())
            await clock.advance(LOOK_SECONDS)
            assert (await one.get("/healthz")).status == 200
            now[0] += 4
            await clock.advance(2 * LOOK_SECONDS)
            told = await one.get("/healthz")
            assert told[::2] == (503, "store: a write has been waiting for 7 s\n")
            told = await one.get("/metrics")
            assert told.figure("tide_store_oldest_write_seconds") == 7
            assert told.figure("tide_open") == 0
            goes_on.set()
            await asyncio.gather(writing, others)
            await clock.advance(LOOK_SECONDS)
            watching_it.cancel()
        assert (await one.get("/healthz")).status == 200
        assert (await one.get("/metrics")).figure("tide_store_oldest_write_seconds") == 0
        assert [line["event"] for line in lines] == ["storage_stuck", "storage_moves_again"]
        assert "The disk with" in lines[0]["advice"]


async def test_a_write_that_hung_and_failed_does_not_move_again(tmp_path: Path) -> None:
    async with watched(tmp_path) as one:
        clock, watch, backend = FakeClock(), copy(one.watch), one.watch.database.backend
        with capture_logs() as lines:
            watching_it = asyncio.create_task(watch_writes(watch, clock))
            for oldest, trouble in ((6.0, ""), (0.0, "unreachable"), (0.0, "")):
                seen = SimpleNamespace(oldest=oldest, trouble=trouble, backend=backend)
                watch.database = cast(Database, seen)
                await clock.advance(LOOK_SECONDS)
            watching_it.cancel()
        assert [line["event"] for line in lines] == ["storage_stuck"]


async def test_health_is_bad_while_the_event_loop_is_stuck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics_port, "PATIENCE", 0.01)
    async with watched(tmp_path) as one:
        with ThreadPoolExecutor(2) as threads:
            asked = [threads.submit(get, one.port, path) for path in ("/healthz", "/metrics")]
            wait(asked, PATIENCE)  # and meanwhile the loop does nothing else
        for told in (each.result() for each in asked):
            assert (told.status, told.body) == (503, "event loop: no answer\n")
        assert (await one.get("/nothing")).status == 404


async def test_readers_that_do_not_read_are_bounded(tmp_path: Path) -> None:
    async with watched(tmp_path) as one:
        idle = [socket.create_connection(("127.0.0.1", one.port)) for _ in range(8)]
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            await one.get("/healthz")
        for each in idle:
            each.close()
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    told = await one.get("/healthz")
                except (ConnectionError, http.client.HTTPException):
                    continue
                break
        assert told.status == 200
        assert (await one.get("/healthz", "POST")).status == 405
        assert (await one.get("/healthz", "HEAD")).body == ""


def listens_at(port: int, address: str) -> bool:
    """Whether it is taken: a socket of our own cannot have it, too."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        socket.create_server((address, port), family=family).close()
    except OSError as problem:
        return problem.errno == errno.EADDRINUSE
    return False


async def test_it_listens_on_this_machine_alone_and_says_when_it_cannot(tmp_path: Path) -> None:
    async with watched(tmp_path) as one:
        assert listens_at(one.port, "127.0.0.1")
        assert not listens_at(one.port, "127.0.0.2"), "so it does not listen everywhere"
        with pytest.raises(BindProblem, match=f"localhost: port {one.port} is in use"):
            MetricsServer(partial(figures_of, one.watch), "localhost", one.port)


@pytest.mark.skipif(sys.platform != "linux", reason="one loopback address only")
@pytest.mark.parametrize("host", ["*", "127.0.0.2"])
async def test_it_listens_where_it_is_told_to(tmp_path: Path, host: str) -> None:
    async with watched(tmp_path, host=host) as one:
        told = await asyncio.to_thread(get, one.port, "/healthz", host="127.0.0.2")
        assert told.body == "ok\n"


@pytest.mark.parametrize(("step", "way"), [(-7200.0, "ahead of"), (90.0, "behind")])
async def test_a_clock_that_differs_from_the_machines_is_told(
    tmp_path: Path, step: float, way: str
) -> None:
    async with watched(tmp_path) as one:
        clock, steps = FakeClock(), [0.0]
        task = asyncio.create_task(
            watch_clock(one.watch, clock, lambda: clock.time() + (steps[0] or 59))
        )
        with capture_logs() as said:
            await clock.advance(180)
            assert not said
            assert (await asyncio.to_thread(get, one.port, "/healthz")).body == "ok\n"
            steps[0] = step
            await clock.advance(180)
            assert [(line["event"], line["seconds"]) for line in said] == [("clock_differs", step)]
            told = await asyncio.to_thread(get, one.port, "/healthz")
            assert told.status == 200
            assert f"clock: {abs(step):.0f} s {way} the machine's." in told.body
            steps[0] = 0.0
            await clock.advance(60)
            assert (await asyncio.to_thread(get, one.port, "/healthz")).body == "ok\n"
        task.cancel()


async def test_how_late_the_loop_is_is_measured(tmp_path: Path) -> None:
    async with open_server() as opened, database(tmp_path) as store:
        watch = Health(store, opened.server, opened.lobby)
        times = iter([0.0, 0.5, 0.5, 1.2, 1.2])
        naps: list[float] = []

        async def sleep(seconds: float) -> None:
            naps.append(seconds)

        with pytest.raises(RuntimeError):  # there is no time left
            await measure_lag(watch, lambda: next(times), sleep)
        assert naps == [LAG_SECONDS] * 3
        assert watch.lag.count == 2
        assert round(watch.lag.total, 3) == 0.2


def test_a_distribution_counts_what_is_no_greater_than_each_bound() -> None:
    seen = Histogram((0.5, 1.0))
    for value in (0.1, 0.5, 0.7, 3.0):
        seen.add(value)
    assert seen.buckets() == [("0.5", 2.0), ("1.0", 3.0), ("+Inf", 4.0)]
    assert (seen.count, round(seen.total, 1)) == (4, 4.3)
    assert list(QUICK) == sorted(QUICK)
