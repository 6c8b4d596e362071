"""``tide serve`` as players reach it without SSH: by the system's telnet, nc, plink, tintin++ and openssl."""

import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from tests.support.certificates import made
from tests.support.patience import PATIENCE
from tests.support.servers import AT_ONCE, Server, tide
from tests.support.windows import Window

pytestmark = pytest.mark.slow

TINTIN = shutil.which("tt++") or shutil.which("tt++", path="/usr/games")


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(program), reason=f"no {program} here")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server"), **AT_ONCE) as one:
        yield one


def test_the_settings_can_do_without_it(tmp_path: Path) -> None:
    with Server(tmp_path, "--no-telnet") as server:
        assert not any("telnet" in line for line in server.said)


def test_a_certificate_that_is_none_is_said_in_one_line(tmp_path: Path) -> None:
    places = ["--state", str(tmp_path / "state"), "--keys", str(tmp_path / "keys")]
    done = tide("serve", *places, TIDE_TLS_CERT=str(tmp_path / "none.pem"), TIDE_SSH_PORT="0")
    assert (done.returncode, done.stdout) == (1, "")
    assert "none.pem" in done.stderr
    assert done.stderr.count("\n") == 1


@needs("telnet")
def test_the_systems_telnet_shows_the_screen(server: Server) -> None:
    command = ["telnet", "localhost", str(server.telnet_port)]
    with Window(command, columns=60, rows=20) as ada:
        ada.wait_for("not encrypted", "Your name")
        ada.press("ada\r")
        ada.wait_for("You are ada.")
        ada.press("b")
        ada.wait_for("your hand", "round 1/12")
        for number in (2, 3):
            before = chosen(ada)
            ada.press("\x1b[C")
            ada.wait_until(another_chosen(ada, than=before))
            card = hand(ada)[number]
            ada.press(f"{card}\r")
            ada.wait_for("Space next")
            ada.press(" ")
            ada.wait_for(f"round {number}/12")
            ada.wait_until(played(ada, card))
        ada.press("\x03")
        ada.wait_for("Disconnect, keep the seat")
        ada.press("d")
        ada.wait_for_end()
        assert "Goodbye, ada." in ada.text


@needs("telnet")
def test_from_the_screen_to_lines_and_back(server: Server) -> None:
    with Window(["telnet", "localhost", str(server.telnet_port)]) as ada:
        ada.wait_for("Your name")
        ada.press("jörg+plain\r")
        ada.wait_for("You are jörg.")
        ada.press("plax\x7fy\r")  # the telnet client edits, and shows what is typed
        ada.wait_for("Your hand:")
        assert ada.text.count("play\n") == 1
        ada.press("screen\r")
        ada.wait_for("your hand", "Esc leave")
        ada.press("o")
        ada.wait_for("Animation")
        ada.press("\x1b[F")
        ada.wait_for("Sent so far", "Plain lines")
        ada.press("k\x1b[C")
        ada.wait_for("Your hand:")
        ada.press("set\r")
        ada.wait_for("Sent to you so far:")
        ada.press("quit\r")
        ada.wait_for("yes")
        ada.press("yes\r")
        ada.wait_for_end()


@needs("plink")
def test_putty_shows_the_screen(server: Server) -> None:
    command = ["plink", "-telnet", "-P", str(server.telnet_port), "localhost"]
    with Window(command) as pia:
        pia.wait_for("Your name")
        pia.press("pia\r")
        pia.wait_for("You are pia.")
        pia.press("b")
        pia.wait_for("your hand", "round 1/12")
        pia.press(f"{hand(pia)[0]}\r")
        pia.wait_for("Space next")
        pia.press(" ")
        pia.wait_for("round 2/12")


@pytest.mark.skipif(not TINTIN, reason="no tintin++ here")
def test_tintin_plays_lines_and_hears_the_state(server: Server, tmp_path: Path) -> None:
    script = tmp_path / "tide.tin"
    script.write_text(
        "#event {IAC WILL GMCP} {#send {\\xFF\\xFD\\xC9\\}}\n"
        "#event {IAC WILL MSSP} {#send {\\xFF\\xFD\\x46\\}}\n"
        "#event {IAC SB MSSP} {#showme {MSSP %0 is %1}}\n"
        "#event {IAC SB GMCP Tide.State IAC SE} "
        "{#variable {state} {%0};#showme {STATE $state[place] $state[round] $state[you][bid]}}\n"
        f"#session tide localhost {server.telnet_port!s}\n"
    )
    assert TINTIN
    with Window([TINTIN, script], columns=100, rows=50, env={"HOME": str(tmp_path)}) as tina:
        tina.wait_for("Your name", "MSSP NAME is Turn the Tide")
        tina.press("tina\r")
        tina.wait_for("You are tina.")
        tina.press("play 3 players\r")
        tina.wait_for("Your hand:", "STATE table 1 null")
        card = re.search(r"Your hand: (\d+)", tina.text)
        assert card
        tina.press(f"{card[1]}\r")
        tina.wait_for("Round 2:", "STATE table 2 null")
        tina.press("screen\r")
        tina.wait_for("your hand", "Esc leave")


@needs("openssl")
def test_encrypted_on_a_port_of_its_own(tmp_path: Path) -> None:
    certificate, key, _ = made()
    (tmp_path / "both.pem").write_bytes(certificate + key)
    with socket.socket() as free:
        free.bind(("localhost", 0))
        tls_port = str(free.getsockname()[1])
    settings = {"TIDE_TLS_CERT": str(tmp_path / "both.pem"), "TIDE_TELNET_TLS_PORT": tls_port}
    with Server(tmp_path, **settings) as server:
        port = str(server.telnet_port)
        command = ["openssl", "s_client", "-quiet", "-CAfile", str(tmp_path / "both.pem")]
        with talking([*command, "-connect", f"localhost:{tls_port}"]) as talk:
            talk.say("ada")
            talk.hears("You are ada.")
            assert not any("not encrypted" in line for line in talk.heard)
        if shutil.which("nc"):
            with talking(["nc", "localhost", port]) as talk:
                talk.say("bo")
                talk.hears("You are bo.")
                assert any("not encrypted" in line for line in talk.heard)


class Talk:
    """A program that a script talks to, a line at a time."""

    def __init__(self, said: IO[str], heard: IO[str]) -> None:
        self._in = said
        self._out = heard
        self.heard: list[str] = []

    def say(self, line: str) -> None:
        self._in.write(f"{line}\n")
        self._in.flush()

    def lines(self) -> Iterator[str]:
        """What is said from now on."""
        for line in self._out:
            self.heard.append(line.strip())
            yield self.heard[-1]

    def hears(self, text: str) -> str:
        """Listen until a line has this text."""
        for line in self.lines():
            if text in line:
                return line
        raise AssertionError("\n".join(self.heard))


@contextmanager
def talking(command: list[str]) -> Iterator[Talk]:
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
    )
    assert process.stdin
    assert process.stdout
    patience = threading.Timer(4 * PATIENCE, process.kill)
    patience.start()
    try:
        yield Talk(process.stdin, process.stdout)
    finally:
        patience.cancel()
        process.kill()
        process.stdin.close()
        process.stdout.close()
        process.wait()


@needs("nc")
def test_a_script_plays_a_whole_game_from_the_sentences_alone(server: Server) -> None:
    with talking(["nc", "localhost", str(server.telnet_port)]) as talk:
        talk.say("nick")
        talk.hears("You are nick.")
        talk.say("play 3 players")
        held: list[str] = []
        rounds, due = 0, False
        for line in talk.lines():
            if found := re.match(r"Your hand: ([\d ]+)\.", line):
                held = found[1].split()
            if re.match(r"(Round \d+: t|T)ides \d", line) or line.startswith("Both tides"):
                rounds, due = rounds + 1, True
            if due and held:
                talk.say(held.pop(len(held) // 2))
                due = False
            if "out of this stage" in line and "nick" in line:
                held = []
            if line.startswith("Standings:"):
                break
        stages = [line for line in talk.heard if re.match(r"Stage \d is over", line)]
        assert len(stages) == 3, "\n".join(talk.heard)
        assert rounds >= 3
        assert re.search(r"nick -?\d+", talk.heard[-1])
        talk.say("leave")
        talk.say("quit")
        talk.hears("Goodbye, nick.")
    assert not any("\x1b" in line for line in talk.heard)


def hand(window: Window) -> list[int]:
    """The cards on the row of the hand."""
    row = next((row for row in window.rows if "your hand" in row), "")
    return [int(card) for card in re.findall(r"\d+", row)]


def chosen(window: Window) -> int:
    """The card in brackets; 0 when there is none."""
    row = next((row for row in window.rows if "your hand" in row), "")
    found = re.search(r"\[ *(\d+)\]", row)
    return int(found[1]) if found else 0


def played(window: Window, card: int) -> Callable[[], object]:
    """Whether the card has left ada's hand."""
    return lambda: card not in hand(window)


def another_chosen(window: Window, than: int) -> Callable[[], bool]:
    """Whether a card is chosen, and it is not that one."""
    return lambda: chosen(window) not in (than, 0)
