"""A server with doors: coordinators and doors come and go, and people play on."""

import asyncio
import json
import os
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.houses import COORDINATOR, processes, serving
from tests.support.clients import connect, program
from tests.support.connections import until
from tests.support.patience import PATIENCE, eventually
from tests.support.servers import AT_ONCE, Server, playing, tide
from tests.support.windows import Window

# Two doors; these addresses come to the first and to the second.
FIRST, SECOND = "127.0.0.2", "127.0.0.3"


def doors(place: Path, *options: str, **settings: str) -> Server:
    return Server(place, "--doors", "2", "--metrics-port", "0", *options, **{**AT_ONCE, **settings})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that all tests use after which it still runs."""
    place = tmp_path_factory.mktemp("doors")
    config = place / "tide.toml"
    config.write_text('notice = "before"\n')
    with doors(place, "--config", str(config)) as opened:
        yield opened


def kill(server: Server) -> None:
    """End the coordinator, and wait until both doors have found another one."""
    before = sum(each["event"] == "coordinator_found" for each in server.events)
    os.kill(serving(server), signal.SIGKILL)
    server.logged("coordinator_found", before + 2)


def found(server: Server, path: str) -> tuple[int, str]:
    (line,) = [line for line in server.said if "/metrics" in line]
    url = line.split()[2].removesuffix("/metrics") + path
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.slow
def test_a_screen_stays_when_the_coordinator_is_killed(server: Server) -> None:
    with playing(server, "eve") as eve:
        before = len(server.events)
        for _ in range(2):
            ended = serving(server)
            kill(server)
            assert serving(server) != ended
            eve.press("/")
            eve.wait_for("to the table:")
            eve.press("\x1b")
            eve.wait_for("your hand")
        assert not {"came_in", "left"} & {each["event"] for each in server.events[before:]}


@pytest.mark.slow
async def test_programs_at_both_doors_play_on(server: Server) -> None:
    async with (
        connect(server.ssh_port, "ada", local_addr=(FIRST, 0)) as one,
        connect(server.ssh_port, "bo", local_addr=(SECOND, 0)) as other,
    ):
        ada, bo = await program(one), await program(other)
        assert (await ada.do("new", options={"players": 3}))["ok"]
        await ada.until(lambda one: one.update.get("place") == "table")
        assert (await bo.do("join", table=ada.update["table"]["table"]))["ok"]
        shown = await asyncio.to_thread(tide, "doors", "--state", str(server.place / "state"))
        listed = [line.split() for line in shown.stdout.splitlines()]
        people = {row[1]: row[3] for row in listed if row[0] == "door"}
        assert people == {"1": "1", "2": "1"}
        await asyncio.to_thread(kill, server)
        await bo.until(lambda one: one.update.get("place") == "table")
        assert (await bo.do("touch"))["ok"]
        assert (await ada.do("add", seat=2))["ok"]
        assert (await ada.do("start"))["ok"]
        await asyncio.to_thread(kill, server)
        for each in (ada, bo):
            await each.until(lambda one: one.update.get("you", {}).get("legal"))
            assert (await each.bid())["ok"]
        updates = [each.get("update", {}) for each in ada.heard + bo.heard]
        kinds = {it["kind"] for each in updates for it in each.get("happenings", ())}
        assert "resumed" in kinds
        assert "reconnected" not in kinds, "nobody has been away"


@pytest.mark.slow
async def test_who_is_at_another_door_does_not_notice_that_one_dies(server: Server) -> None:
    async with connect(server.ssh_port, "bo", local_addr=(SECOND, 0)) as other:
        bo = await program(other)
        async with connect(server.ssh_port, "ada", local_addr=(FIRST, 0)) as one:
            ada = await program(one)
            await ada.do("new", options={"players": 3})
            (first,) = processes(server)["door 1"]
            os.kill(first, signal.SIGKILL)
            with suppress(Exception):
                await asyncio.wait_for(one.wait_closed(), PATIENCE)
        await bo.do("followed")
        # The same address comes to the door that is started in its place.
        async with connect(server.ssh_port, "ada", local_addr=(FIRST, 0)) as one:
            assert (await (await program(one)).do("followed"))["ok"]
        assert processes(server)["door 1"] != [first]


@pytest.mark.slow
async def test_an_upgrade_ends_no_connection(server: Server) -> None:
    async with connect(server.ssh_port, "ada", local_addr=(FIRST, 0)) as one:
        ada = await program(one)
        await ada.do("new", options={"players": 3})
        before = processes(server)
        state = str(server.place / "state")
        done = await asyncio.to_thread(tide, "upgrade", "--state", state)
        assert done.returncode == 0, done.stderr
        await asyncio.to_thread(server.logged, "door_closing", 2)
        await until(lambda: not set(processes(server)[COORDINATOR]) & set(before[COORDINATOR]))
        await ada.do("followed")
        # Who comes now comes to a new door; the old one has ada until she leaves.
        async with connect(server.ssh_port, "bo", local_addr=(FIRST, 0)) as other:
            await (await program(other)).do("followed")
        assert before["door 1"][0] in processes(server)["door 1"]
    await until(lambda: before["door 1"][0] not in processes(server)["door 1"])


@pytest.mark.slow
def test_the_whole_server_is_watched_in_one_place(server: Server) -> None:
    eventually(lambda: found(server, "/healthz") == (200, "ok\n"))
    status, metrics = found(server, "/metrics")
    assert status == 200
    for line in (
        'tide_tables{process="coordinator",status="open"}',
        'tide_sessions{face="screen",line="ssh",process="door 2"}',
        'process_resident_memory_bytes{process="door 1"}',
        'process_cpu_seconds_total{process="coordinator"}',
    ):
        assert line in metrics
    (first,) = processes(server)["door 1"]
    os.kill(first, signal.SIGSTOP)
    assert found(server, "/healthz") == (503, "door 1: no answer\n")
    os.kill(first, signal.SIGCONT)


@pytest.mark.slow
def test_it_stops_as_one_and_leaves_nothing_running(tmp_path: Path) -> None:
    with doors(tmp_path) as server:
        children = [each for found in processes(server).values() for each in found]
        with Window(server.ssh()) as ada:
            ada.wait_for("You are ada.")
            assert server.stop(signal.SIGTERM) == 0
            ada.wait_for("The server is shutting down")
        assert not [each for each in children if Path(f"/proc/{each}").exists()]


@pytest.mark.slow
def test_children_end_with_their_parent(tmp_path: Path) -> None:
    with doors(tmp_path) as server:
        children = [each for found in processes(server).values() for each in found]
        os.kill(server.process.pid, signal.SIGKILL)
        asyncio.run(
            until(lambda: not [each for each in children if Path(f"/proc/{each}/exe").exists()])
        )


@pytest.mark.slow
def test_one_server_uses_a_state_directory(server: Server) -> None:
    state, keys = str(server.place / "state"), str(server.place / "keys")
    where = ("--state", state, "--keys", keys, "--ssh-port", "0", "--no-telnet")
    for more in ([], ["--doors", "2"]):
        done = tide("serve", *where, *more)
        assert done.returncode == 1
        assert "already using" in done.stderr


@pytest.mark.slow
def test_a_damaged_database_ends_the_server(tmp_path: Path) -> None:
    with doors(tmp_path) as server:
        (server.place / "state" / "tide.db").write_bytes(b"no database" * 1000)
        os.kill(serving(server), signal.SIGKILL)
        assert server.wait() == 5


def test_there_is_nothing_to_list_or_to_upgrade_without_a_server(tmp_path: Path) -> None:
    for command in ("doors", "upgrade"):
        done = tide(command, "--state", str(tmp_path))
        assert done.returncode == 1
        assert "no server with doors is running" in done.stderr


@pytest.mark.slow
def test_an_operator_reloads_all_of_it(server: Server) -> None:
    (server.place / "tide.toml").write_text('notice = "after"\n')
    done = tide("admin", "--json", "--state", str(server.place / "state"), "reload")
    assert json.loads(done.stdout)["facts"]["changed"] == "notice"
    server.logged("settings_reread", 3)
    with Window(server.ssh()) as ada:
        ada.wait_for("after")
