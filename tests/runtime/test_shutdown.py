"""SIGTERM, Ctrl-C and SIGHUP, and what players and operators see of them."""

import asyncio
import os
import shutil
import signal
from pathlib import Path

import pytest

from server.coordinator.messages import Closing
from server.runtime.process import Shutdown
from tests.support.patience import PATIENCE
from tests.support.servers import TIDE, Server, playing
from tests.support.tables import world
from tests.support.windows import Window

pytestmark = pytest.mark.slow

NEEDS_SSH = pytest.mark.skipif(not shutil.which("ssh"), reason="no ssh here")


async def test_each_signal_is_more_urgent_than_the_one_before() -> None:
    ends: list[int] = []
    stopping = Shutdown(ends.append)
    stopping.politely()
    await asyncio.wait_for(stopping.asked(), PATIENCE)
    stopping.politely()
    assert not ends
    stopping.politely()
    assert ends == [130]
    stopping = Shutdown(ends.append)
    stopping.at_once()
    await asyncio.wait_for(stopping.asked(), PATIENCE)
    assert ends == [130]
    stopping.at_once()
    assert ends == [130, 130]


async def test_an_order_is_no_more_urgent_for_being_given_again() -> None:
    ends: list[int] = []
    stopping = Shutdown(ends.append)
    for _ in range(3):
        stopping.order()
    await asyncio.wait_for(stopping.asked(), PATIENCE)
    assert stopping.ordered
    async with world() as server:
        await server.quick()
        call = asyncio.create_task(stopping.last_call(server.lobby, server.clock, 600))
        await server.clock.advance(1)
        assert not call.done()
        call.cancel()
    assert not ends


async def test_the_last_call_ends_when_nobody_is_in_a_game_any_more() -> None:
    async with world() as server:
        ada = await server.quick()
        stopping = Shutdown()
        stopping.politely()
        call = asyncio.create_task(stopping.last_call(server.lobby, server.clock, 600))
        await server.clock.advance(1)
        assert [closing.when for closing in ada.heard(Closing)] == [ada.info.closing]
        assert ada.info.closing > server.clock.time()
        assert not call.done()
        ada.visit.close()
        await asyncio.wait_for(call, PATIENCE)


async def test_there_is_no_last_call_where_nobody_plays() -> None:
    async with world() as server:
        server.enter("ada")
        stopping = Shutdown()
        stopping.politely()
        await asyncio.wait_for(stopping.last_call(server.lobby, server.clock, 600), PATIENCE)


@NEEDS_SSH
def test_sigterm_leaves_time_says_so_and_gives_every_terminal_back(tmp_path: Path) -> None:
    with Server(tmp_path, TIDE_STOP_SECONDS="3600") as server:
        with playing(server) as ada, Window(server.ssh(name="bo")) as bo:
            bo.wait_for("You are bo.")
            server.send(signal.SIGTERM)
            for window in (ada, bo):
                window.wait_for("The server shuts down in")
            # The game goes on, a new one does not begin.
            ada.press("\r")
            bo.press("b")
            bo.wait_for("No new games begin")
            server.send(signal.SIGTERM)
            assert ada.wait_for_end() == bo.wait_for_end() == 0
            for window in (ada, bo):
                assert "Running games are kept" in window.text
                assert "your hand" not in window.text
        assert server.wait() == 0
    assert server.events[-1]["event"] == "closed"


@NEEDS_SSH
def test_when_the_time_is_over_the_server_stops_by_itself(tmp_path: Path) -> None:
    with Server(tmp_path, TIDE_STOP_SECONDS="0.3") as server:
        with playing(server) as ada:
            server.send(signal.SIGTERM)
            assert ada.wait_for_end() == 0
        assert server.wait() == 0


def test_sighup_reads_what_can_change(tmp_path: Path) -> None:
    file = tmp_path / "any.toml"
    file.write_text("[limits]\nsessions = 5\n")
    with Server(tmp_path, "--config", str(file)) as server:
        server.logged("open")
        file.write_text('host = "::1"\nlog_level = "debug"\n[limits]\nsessions = 7\n')
        server.send(signal.SIGHUP)
        assert server.logged("settings_reread")["changed"] == ["log_level", "limits.sessions"]
        assert server.logged("settings_need_restart")["settings"] == ["host"]
        file.write_text("[limits]\nsesions = 9\n")
        server.send(signal.SIGHUP)
        assert "limits.sesions" in str(server.logged("settings_not_reread")["reason"])
        file.write_text('log_level = "debug"\n[limits]\nsessions = 7\n')
        server.send(signal.SIGHUP)
        assert server.logged("settings_reread", 2)["changed"] == [], "the mistake changed nothing"
        assert server.stop() == 0


def test_sighup_while_the_server_starts_is_heard(tmp_path: Path) -> None:
    file = tmp_path / "any.toml"
    os.mkfifo(file)
    server = Server(tmp_path, "--config", file)
    server.launch()
    try:
        # Opens when the server reads, and not before.
        with file.open("w"):
            server.send(signal.SIGHUP)
        server.logged("keys_reread")
        with file.open("w") as pipe:
            pipe.write('log_level = "debug"\n')
        assert server.logged("settings_reread")["changed"] == ["log_level"]
        server.logged("open")
        assert server.stop() == 0
    finally:
        server.close()


@NEEDS_SSH
def test_a_limit_that_was_reread_is_in_force(tmp_path: Path) -> None:
    file = tmp_path / "any.toml"
    file.write_text("")
    with Server(tmp_path, TIDE_CONFIG=str(file)) as server:
        file.write_text("[tables]\ntables = 1\n")
        server.send(signal.SIGHUP)
        server.logged("settings_reread")
        with playing(server), Window(server.ssh(name="bo")) as bo:
            bo.wait_for("You are bo.")
            bo.press("b")
            bo.wait_for("no room for another table")
        assert server.stop() == 0


def test_a_server_whose_window_is_closed_stops(tmp_path: Path) -> None:
    options = ("--ssh-port", "0", "--telnet-port", "0", "--state", tmp_path, "--keys", tmp_path)
    with Window([TIDE, "serve", *options], columns=120) as window:
        window.wait_for("Ctrl-C stops the server.")
        # Fails when the process does not end by itself.
        window.hang_up()
