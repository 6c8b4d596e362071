"""``tide admin``: against a real server, with a real ssh whose key is an operator's."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from server.runtime.process import ORDERED
from tests.support.patience import PATIENCE
from tests.support.servers import Server
from tests.support.state_dirs import Outcome, tide
from tests.support.windows import Window

pytestmark = pytest.mark.slow

NEEDS_SSH = pytest.mark.skipif(
    not (shutil.which("ssh") and shutil.which("ssh-keygen")), reason="no ssh here"
)


def admin(place: Path, *order: str) -> Outcome:
    return tide("admin", "--state", place / "state", *order)


def made_key(place: Path, name: str) -> Path:
    path = place / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
    return path


def came(server: Server, key: Path, name: str) -> Window:
    window = Window(server.ssh("-t", "-i", str(key), name=f"{name}+plain"))
    window.wait_for(f"You are {name}.")
    return window


def test_without_a_server_it_says_so(tmp_path: Path) -> None:
    told = admin(tmp_path, "people")
    assert told.status == 1
    assert "no server is running" in told.err
    assert "tide serve" in told.err


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (("fly",), 'no command "fly"'),
        (("kick",), "kick NAME [REASON]"),
        (("ban", "name", "bo", "soon"), "How long?"),
        (("unban", "x"), "Which number?"),
        (("mute", "bo", "ever"), "How long?"),
    ],
)
def test_what_is_not_understood_is_not_asked(
    tmp_path: Path, order: tuple[str, ...], said: str
) -> None:
    told = admin(tmp_path, *order)
    assert told.status == 2
    assert said in told.err


def test_the_orders_are_listed() -> None:
    told = tide("admin", "help")
    assert tide("admin", "help", "kick").out == told.out
    assert told.status == 0
    assert told.out == tide("admin").out
    assert {line.split()[0] for line in told.lines} >= {"people", "kick", "ban", "audit", "drain"}


@NEEDS_SSH
def test_operators_on_both_ways_see_and_do_the_same(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    operator, player = made_key(tmp_path, "op"), made_key(tmp_path, "bo")
    listed = tmp_path / "keys" / "authorized_keys"
    shutil.copy(operator.with_suffix(".pub"), listed)
    listed.chmod(0o600)
    with Server(tmp_path) as server:
        assert admin(tmp_path, "tables").lines == ["There is no table."]
        ada, bo = came(server, operator, "ada"), came(server, player, "bo")
        ada.wait_for("You are an operator here")
        assert "operator" not in bo.text
        here = admin(tmp_path, "people").lines
        assert [line.split(",")[:2] for line in sorted(here)] == [
            ["ada: account", " operator"],
            ["bo: account", " in the lobby"],
        ]
        bo.press("admin kick ada\r")
        bo.wait_for("not, or no longer, an operator's")
        ada.press("admin say cake at five\r")
        ada.wait_for("Told 2 people.")
        bo.wait_for("From the server: cake at five")
        ada.press("admin kick bo too loud\r")
        ada.wait_for('Type "yes" to confirm: kick bo too loud.')
        ada.press("yes\r")
        ada.wait_for("bo has been kicked.")
        bo.wait_for("An operator has ended your connection", "The reason: too loud")
        bo.wait_for_end()
        assert "Ban 1: bo, until" in admin(tmp_path, "ban", "name", "bo", "2h", "too loud").out
        again = Window(server.ssh("-t", "-i", str(player), name="bo+plain+de"))
        again.wait_for("gesperrt. Der Grund: too")
        again.wait_for_end()
        found = json.loads(admin(tmp_path, "--json", "audit").out)
        done = [
            (row["name"] == "ada", row["action"], row["about"], row["outcome"])
            for row in reversed(found["rows"])
        ]
        assert done == [
            (False, "tables", "", "ok"),
            (False, "people", "", "ok"),
            (True, "say", "", "ok"),
            (True, "kick", "bo", "ok"),
            (False, "ban", "bo", "ok"),
            (False, "audit", "", "ok"),
        ]
        listed.write_text("")
        ada.press("admin people\r")
        ada.wait_for("not, or no longer, an operator's")
        assert admin(tmp_path, "unban", "7").err.startswith("tide: There is no ban")
        (tmp_path / "state" / "tide.toml").write_text("stop_seconds = 5\nhost = 'nowhere'\n")
        told = admin(tmp_path, "reload").out
        assert told == "Settings applied: stop_seconds. These need a restart: host.\n"
        assert admin(tmp_path, "drain", "stop").status == 0
        assert server.wait() == ORDERED
        for window in (ada, bo, again):
            window.hang_up()
    assert not (tmp_path / "state" / "admin.sock").exists()


@NEEDS_SSH
def test_who_comes_from_a_banned_network_hears_why(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert admin(tmp_path, "ban", "network", "127.0.0.0/8", "1h", "too many").status == 0
        assert admin(tmp_path, "ban", "address", "::1", "1h", "too many").status == 0
        told = subprocess.run(
            server.ssh("-v"), check=False, capture_output=True, text=True, timeout=PATIENCE
        )
        assert told.returncode == 255
        assert "You are banned from this server until" in told.stderr
        assert "The reason: too many" in told.stderr
        for number in ("1", "2"):
            assert admin(tmp_path, "unban", number).status == 0
        words = [*server.ssh("-i", str(made_key(tmp_path, "ada"))), "help"]
        subprocess.run(words, check=True, capture_output=True, timeout=PATIENCE)
