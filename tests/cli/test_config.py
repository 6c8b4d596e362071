"""``tide config``."""

import json
import tomllib
from functools import partial
from pathlib import Path

import pytest

from server.settings.loading import load
from server.settings.settings import declared
from tests.support.state_dirs import tide


@pytest.fixture(autouse=True)
def _environ(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIDE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("TIDE_KEYS", str(tmp_path / "keys"))


config = partial(tide, "config")


def test_what_is_in_force_is_shown_with_where_it_comes_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "any.toml"
    file.write_text('notice = "a \\"b\\""\n[limits]\nchannels = 9\n')
    monkeypatch.setenv("TIDE_SSH_PORT", "7")
    shown = config("show", "--config", file).out
    assert "\nssh_port = 7  # environment\n" in shown
    assert f"\nchannels = 9  # {file}\n" in shown
    assert "\ntelnet_port = 2323\n" in shown
    # It is a file that means the same.
    again = tmp_path / "again.toml"
    again.write_text(shown)
    assert load({}, {}, again) == load(None, None, file)
    assert tomllib.loads(shown)["notice"] == 'a "b"'
    told = json.loads(config("show", "--config", file, "--json").out)
    assert told.keys() == declared().keys()
    assert told["ssh_port"] == {"value": 7, "from": "environment"}
    assert told["tls_cert"] == {"value": None, "from": "default"}


def test_a_server_could_start_or_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fine = config("check")
    assert (fine.status, fine.out) == (0, "No problems found in: environment.\n")
    file = tmp_path / "any.toml"
    file.write_text("ssh_prt = 1\n")
    wrong = config("check", "--config", file)
    assert wrong.status == 2
    assert wrong.err == (
        f"tide: {file}: ssh_prt: there is no such setting; did you mean ssh_port?\n"
    )
    file.write_text('access = "password"\ntls_cert = "none.pem"\n')
    assert config("check", "--config", file).err.startswith("tide: ")
    assert config("check", "--config", file).status == 1
    file.write_text('access = "password"\n')
    assert "tide password" in config("check", "--config", file).err
    monkeypatch.setenv("TIDE_SSH_PRT", "1")
    assert "warning: TIDE_SSH_PRT: there is no such setting" in config("check").out


def test_a_url_that_everybody_can_read_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "database").write_text("postgresql://tide:x@db/tide")
    (tmp_path / "database").chmod(0o644)
    file = tmp_path / "any.toml"
    file.write_text(f'database_file = "{tmp_path}/database"\n')
    told = config("check", "--config", file)
    warned, found = told.out.splitlines()
    assert warned == (
        f"warning: database_file: every user of this machine can read {tmp_path}/database: "
        f"chmod o-rwx {tmp_path}/database"
    )
    assert (told.status, found) == (0, f"No other problems found in: {file}, environment.")
    (tmp_path / "database").chmod(0o640)
    assert config("check", "--config", file).out.startswith("No problems found")
