"""``tide serve`` as an operator runs it, and ``ssh`` as a player does."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE
from tests.support.servers import Server, tide
from tests.support.windows import Window

pytestmark = pytest.mark.slow

NO_SSH = not shutil.which("ssh")


def test_it_says_how_to_join_and_who_it_is_and_stops_in_good_order(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        key = next(line.removeprefix("Host key: ") for line in server.said if "Host key" in line)
        if shutil.which("ssh-keygen"):
            shown = subprocess.run(
                ["ssh-keygen", "-lf", tmp_path / "keys" / "ssh_host_ed25519_key"],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            assert shown.stdout.strip() == key
        assert re.fullmatch(r"256 SHA256:\S{43} \S+ \(ED25519\)", key)
        # A connection that is half open does not hold up the stop.
        with socket.create_connection(("127.0.0.1", server.ssh_port)) as half:
            assert half.recv(4) == b"SSH-"
            assert server.stop() == 0
    assert (tmp_path / "state").stat().st_mode & 0o077 == 0
    lines = (tmp_path / "log").read_text().splitlines()
    assert lines
    assert all(json.loads(line)["event"] for line in lines), "nobody watches"


def test_a_file_in_place_of_a_directory_is_told_in_the_language_of_its_user(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told = tide("serve", "--state", str(tmp_path / "file"), LC_ALL="de_DE.UTF-8").stderr
    assert told == f"tide: {tmp_path}/file ist eine Datei. Wähle mit --state ein Verzeichnis.\n"
    told = tide("serve", "--state", str(tmp_path), "--keys", str(tmp_path / "file")).stderr
    assert told == f"tide: {tmp_path}/file is a file; choose a directory with --keys\n"


@pytest.mark.skipif(NO_SSH, reason="no ssh here")
def test_a_player_comes_plays_and_the_server_stops_in_good_order(tmp_path: Path) -> None:
    with Server(tmp_path) as server, Window(server.ssh()) as ada:
        ada.wait_for("You are ada.")
        ada.press("b")
        ada.wait_for("your hand", "round 1/12", "Enter bid")
        assert server.stop() == 0
        assert ada.wait_for_end() == 0
        assert "The server is shutting down." in ada.text
        back = rf"To come back: ssh -p {server.ssh_port} ada\+\w{{4}}-\w{{4}}-\w{{4}}@localhost"
        assert re.search(back, ada.text)
        assert "your hand" not in ada.text


@pytest.mark.skipif(NO_SSH, reason="no ssh here")
def test_the_same_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    key = tmp_path / "ada"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    with (
        Server(tmp_path, TIDE_STOP_SECONDS="0") as server,
        Window(server.ssh("-i", str(key))) as ada,
    ):
        ada.wait_for("You are ada.")
        ada.press("b")
        ada.wait_for("your hand", "round 1/12", "Enter bid")
        hand = next(row for row in ada.rows if row.startswith(" your hand"))
        assert server.stop(signal.SIGTERM) == 0
    with Server(tmp_path) as server, Window(server.ssh("-i", str(key))) as ada:
        ada.wait_for("your hand", "round 1/12", "Enter bid")
        again = next(row for row in ada.rows if row.startswith(" your hand"))
        assert re.findall(r"\d+", again) == re.findall(r"\d+", hand)


def test_a_second_server_on_the_same_port_or_state_is_refused_in_one_line(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        other = str(tmp_path / "other")
        port = ["--ssh-port", str(server.ssh_port), "--telnet-port", "0"]
        done = tide("serve", *port, "--state", other, "--keys", other)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"port {server.ssh_port} is in use" in done.stderr
        assert done.stderr.count("\n") == 1
        free = ["--ssh-port", "0", "--telnet-port", "0"]
        done = tide("serve", *free, "--state", str(tmp_path / "state"), "--keys", other)
        assert done.returncode == 1
        assert "already using" in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--state", "--keys"])
def test_a_place_that_cannot_be_used_is_said_in_one_line(tmp_path: Path, option: str) -> None:
    (tmp_path / "file").write_text("")
    places = {"--state": str(tmp_path / "state"), "--keys": str(tmp_path / "keys")}
    places[option] = str(tmp_path / "file" / "below")
    free = ["--ssh-port", "0", "--telnet-port", "0"]
    done = tide("serve", *free, *(part for pair in places.items() for part in pair))
    assert (done.returncode, done.stdout) == (1, "")
    assert str(tmp_path / "file") in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_log_that_nobody_reads_holds_up_neither_players_nor_the_stop(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        with suppress(BlockingIOError):
            while os.write(writing, b"x" * 65536):
                pass
        os.set_blocking(writing, True)
        server = Server(tmp_path)
        server.stderr = writing
        with server:
            with socket.create_connection(("127.0.0.1", server.ssh_port)) as line:
                line.settimeout(PATIENCE)
                assert line.recv(4) == b"SSH-"
            assert server.stop() == 0
    finally:
        os.close(reading)
        os.close(writing)


def test_a_database_that_is_lost_during_the_start_is_named_in_a_line(tmp_path: Path) -> None:
    lost = """
import server.runtime.server
from server.cli import main
from server import StoreError

async def lost(*_, **__):
    raise StoreError("unreachable")

server.runtime.server.take_up = lost
main()
"""
    ended = subprocess.run(
        [sys.executable, "-c", lost, "serve", "--ssh-port", "0", "--telnet-port", "0", "--log", "json"],
        capture_output=True, text=True, check=False, timeout=PATIENCE,
        env={**os.environ, "TIDE_STATE": str(tmp_path / "state"), "TIDE_KEYS": str(tmp_path / "keys")},
    )  # fmt: skip
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert "unreachable" in last
    assert "Traceback" not in ended.stderr + ended.stdout
