"""``tide join``, and what ``tide serve --lan`` prints for it; on this machine's loopback."""

import io
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli import join
from server.cli.commands import tide
from server.cli.join import choose, listing, reachable, ssh_to
from server.i18n.lookup import words_for
from server.terminal.drawing.svg import qr_code
from server.transport.lan import Neighbour
from tests.support.network import needs_multicast
from tests.support.servers import SSH, Server
from tests.support.windows import Window

pytestmark = pytest.mark.slow

TIDE = str(Path(sys.executable).with_name("tide"))
FINGERPRINT = "SHA256:" + "x" * 43
MARTA = Neighbour("marta", ("192.168.1.5",), 2222, FINGERPRINT, 3, 1)
SVEN = Neighbour("sven", ("fd00::5",), 2223, "", None, None, "open")

needs_ssh = pytest.mark.skipif(not shutil.which("ssh"), reason="there is no ssh here")


def port_in_list(window: Window, port: int) -> str | None:
    """The number before the server with this port, in the list shown last."""
    last = window.text.rpartition("Looking for")[2]
    found = re.search(rf"(\d+)  \S+ · 127\.0\.0\.1:{port} ", last)
    return found[1] if found else None


def look_until_found(window: Window, *ports: int) -> None:
    """On a busy machine an answer may come too late for the first look."""
    for look in range(1, 6):
        window.wait_until(lambda look=look: window.text.count("q leaves:") == look)  # type: ignore[misc]
        if all(port_in_list(window, port) for port in ports):
            return
        window.press("r\r")
    raise AssertionError(window.text)


@needs_ssh
@needs_multicast
def test_two_servers_are_found_and_one_is_joined(tmp_path: Path) -> None:
    places = [tmp_path / "one", tmp_path / "two"]
    for place in places:
        place.mkdir()
    with (
        Server(places[0], TIDE_LAN="true", TIDE_HOST="localhost") as one,
        Server(places[1], TIDE_LAN="true", TIDE_HOST="localhost") as two,
    ):
        for server in (one, two):
            assert "tide join" in server.told
            assert ".local" in server.told
            server.logged("announced")
        # The ssh that is found first is the system's, with nothing of the user's.
        ssh = tmp_path / "bin" / "ssh"
        ssh.parent.mkdir()
        ssh.write_text(f'#!/bin/sh\nexec {shlex.join(SSH)} "$@"\n')
        ssh.chmod(0o755)
        path = f"{ssh.parent}{os.pathsep}{os.environ['PATH']}"
        command = [TIDE, "join", "--at", "127.0.0.1", "--name", "ada", "--wait", "1.5"]
        with Window(command, env={"PATH": path, "LC_ALL": "C.UTF-8"}, rows=60) as window:
            look_until_found(window, one.ssh_port, two.ssh_port)
            key = re.search(r"SHA256:\S{43}", two.told)
            assert key
            assert key[0] in window.text
            window.press(f"{port_in_list(window, two.ssh_port)}\r")
            window.wait_for("You are ada.", "Enter learn")


def test_without_a_terminal_it_only_lists() -> None:
    done = subprocess.run(
        [TIDE, "join", "--at", "127.0.0.1", "--wait", "0.2"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    )
    # Another test's server may be about.
    assert done.returncode in {0, 1}
    assert "q leaves" not in done.stdout
    assert ("tide serve --lan" in done.stdout) == (done.returncode == 1)


@pytest.mark.parametrize("address", ["-x", "example.com", "1.2.3"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    done = subprocess.run(
        [TIDE, "join", f"--at={address}"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tide: --at: this machine does not have that address\n"


def test_the_list_tells_what_there_is() -> None:
    assert listing([MARTA, SVEN], words_for("en")) == [
        "  1  marta · 192.168.1.5:2222 · 3 people · 1 table",
        f"     {FINGERPRINT}",
        "  2  sven · [fd00::5]:2223",
        "Anybody can announce a name: compare the key with your host's.",
    ]
    doors = [MARTA._replace(access="password"), SVEN._replace(access="keys")]
    word, _, keys, *_ = listing(doors, words_for("en"))
    assert word.endswith(" · 1 table · asks for a password")
    assert keys.endswith(":2223 · only for listed keys")
    assert listing([], words_for("en"))[0] == "No server answers on this network."


def test_one_chooses_by_number_or_name() -> None:
    found = [MARTA, SVEN, MARTA._replace(name="martin")]
    assert choose(found, "2") is SVEN
    assert choose(found, "S") is SVEN
    assert choose(found, "marta") is MARTA
    for nothing in ("0", "4", "9" * 5000, "", "mart", "nobody", "²"):
        assert choose(found, nothing) is None


def test_what_the_network_says_is_never_an_option_of_ssh() -> None:
    assert ssh_to("10.0.0.5", 22, None) == ["-a", "-x", "-p", "22", "--", "10.0.0.5"]
    assert ssh_to("fe80::1%eth0", 2222, "ada+de")[-4:] == ["-l", "ada+de", "--", "fe80::1%eth0"]


def test_an_address_that_does_not_answer_is_passed_over() -> None:
    with socket.create_server(("127.0.0.1", 0)) as here:
        port = here.getsockname()[1]
        server = MARTA._replace(addresses=("127.0.0.2", "127.0.0.1"), port=port)
        assert reachable(server) == "127.0.0.1"
    assert reachable(server) is None


class Typed(io.StringIO):
    def isatty(self) -> bool:
        return True


class Scene:
    """`tide join` with a network, a keyboard and an ssh of our own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *networks: list[Neighbour]) -> None:
        self.commands: list[list[str]] = []
        self.answering = True
        self._monkeypatch = monkeypatch
        self._networks = list(networks)
        monkeypatch.setenv("LC_ALL", "C")
        monkeypatch.setattr("server.transport.lan.look_around", self._look)
        monkeypatch.setattr(join, "reachable", self._knock)
        monkeypatch.setattr("server.cli.join.shutil.which", lambda program: f"/bin/{program}")
        monkeypatch.setattr(
            "server.cli.join.os.execv", lambda _, command: self.commands.append(command)
        )

    async def _look(self, addresses: list[str], seconds: float) -> list[Neighbour]:
        assert addresses
        return self._networks.pop(0)

    def _knock(self, server: Neighbour) -> str | None:
        return server.addresses[0] if self.answering else None

    def join(self, keys: str, which: str | None = None, *, only_list: bool = False) -> object:
        self._monkeypatch.setattr("sys.stdin", Typed(keys))
        typed = ["--wait", "1", *["--list"] * only_list, *filter(None, [which])]
        return tide(["join", *typed], standalone_mode=False)


MARTAS = ["ssh", "-a", "-x", "-p", "2222", "--", "192.168.1.5"]


def test_the_only_server_is_shown_and_takes_enter(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = Scene(monkeypatch, [MARTA])
    scene.join("\n")
    assert scene.commands == [MARTAS]
    said = capsys.readouterr().out
    assert "1  marta · 192.168.1.5:2222" in said
    assert said.endswith(
        f"It says that its key is {FINGERPRINT}\nWhat counts is the key on your host's screen.\n"
    )


def test_of_several_one_is_chosen_after_another_look(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(monkeypatch, [], [SVEN, MARTA])
    scene.join("r\n\n7\nmarta\n")
    assert scene.commands == [MARTAS]


@pytest.mark.parametrize("keys", ["q\n", "Q\n", ""])
def test_one_may_also_leave(monkeypatch: pytest.MonkeyPatch, keys: str) -> None:
    scene = Scene(monkeypatch, [MARTA], [])
    assert scene.join(keys) == 0
    assert scene.join(keys) == 1
    assert scene.commands == []


def test_who_was_named_is_joined_without_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(monkeypatch, [SVEN, MARTA], [SVEN], [])
    scene.join("", "mar")
    assert scene.commands == [MARTAS]
    assert scene.join("", "marta") == 1
    assert scene.join("", "marta") == 1
    assert scene.commands == [MARTAS]


def test_only_looking_asks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(monkeypatch, [MARTA], [])
    assert scene.join("1\n", only_list=True) == 0
    assert scene.join("1\n", only_list=True) == 1
    assert scene.commands == []


def test_what_keeps_one_from_joining_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = Scene(monkeypatch, [MARTA], [MARTA])
    scene.answering = False
    assert scene.join("1\n") == 1
    assert capsys.readouterr().err == "tide: marta does not answer any more.\n"
    monkeypatch.setattr("server.cli.join.shutil.which", lambda _: None)
    assert scene.join("1\n") == 1
    said = capsys.readouterr()
    assert "no ssh on this machine" in said.err
    assert said.out.endswith("192.168.1.5 2222\n")
    assert scene.commands == []


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def terminal(encoding: str = "utf-8") -> Terminal:
    return Terminal(io.BytesIO(), encoding=encoding)


def code(
    monkeypatch: pytest.MonkeyPatch, stream: io.TextIOBase, columns: int, **environ: str
) -> str:
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    return "\n".join(qr_code("ssh://192.168.1.20:2222", stream, columns))  # type: ignore[arg-type]


def test_a_code_is_shown_only_where_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    term = {"TERM": "xterm-256color", "LANG": "de_DE.UTF-8"}
    small = code(monkeypatch, terminal(), 80, **term)
    assert "▀" in small
    assert {len(row) for row in small.splitlines()} == {29}
    for ascii_rows in (
        code(monkeypatch, terminal("ascii"), 80, **term),
        code(monkeypatch, terminal(), 80, **term, LC_ALL="C"),
        code(monkeypatch, terminal(), 80, TERM="xterm"),
        code(monkeypatch, terminal(), 80, **{**term, "TERM": "linux"}),
    ):
        assert ascii_rows.isascii()
        assert ascii_rows
    assert not code(monkeypatch, terminal(), 28, **term)
    assert not code(monkeypatch, terminal("ascii"), 57, **term)
    assert not code(monkeypatch, terminal(), 80, TERM="dumb")
    assert not code(monkeypatch, terminal(), 80)
    assert not code(monkeypatch, io.StringIO(), 80, **term)


def test_programs_get_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Scene(monkeypatch, [MARTA, SVEN])
    assert tide(["join", "--at", "127.0.0.1", "--json"], standalone_mode=False) == 0
    marta, sven = map(json.loads, capsys.readouterr().out.splitlines())
    assert marta == {
        "name": "marta",
        "addresses": ["192.168.1.5"],
        "port": 2222,
        "fingerprint": FINGERPRINT,
        "people": 3,
        "tables": 1,
        "access": None,
    }
    assert (sven["access"], sven["people"]) == ("open", None)
