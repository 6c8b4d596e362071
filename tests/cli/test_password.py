"""``tide password``: setting the server's password."""

import os
import sys
from pathlib import Path
from subprocess import run

import pytest
from click.testing import CliRunner

from server.cli.commands import tide as command
from server.transport.access import password
from tests.support.patience import PATIENCE
from tests.support.windows import Window

pytestmark = pytest.mark.slow

TIDE = Path(sys.executable).with_name("tide")


def environment(place: Path, **env: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TIDE_")}
    return {**kept, "TIDE_STATE": str(place / "state"), "TIDE_KEYS": str(place / "keys"), **env}


def word(place: Path, *arguments: str, typed: str = "", **env: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(
        command, ["password", *arguments], input=typed.encode(), env=environment(place, **env)
    )
    return done.exit_code, done.stdout, done.stderr


def kept(place: Path) -> password.HashedPassword:
    found = password.read(place / "keys" / password.FILE)
    assert found is not None
    return found


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_word_is_read_from_standard_input_and_taken_away(tmp_path: Path, mark: str) -> None:
    status, said, err = word(tmp_path, typed=f"{mark}Überfahrt am Abend\n")
    assert (status, err) == (0, "")
    assert 'access = "password"' in said
    assert "Abend" not in said
    assert kept(tmp_path).fits("Überfahrt am Abend")
    status, said, _ = word(tmp_path, "--none", TIDE_ACCESS="password")
    assert status == 0
    assert "only listed keys can log in" in said
    assert not (tmp_path / "keys" / "password").exists()


@pytest.mark.parametrize("typed", ["", "\n", "abc\n", "   \n"])
def test_too_short_a_word_changes_nothing(tmp_path: Path, typed: str) -> None:
    word(tmp_path, typed="the old one\n")
    status, _, err = word(tmp_path, typed=typed)
    assert status == 2
    assert "nothing has been changed" in err
    assert kept(tmp_path).fits("the old one")


def test_of_input_without_end_only_a_line_is_read_and_no_more_of_it_than_a_password(
    tmp_path: Path,
) -> None:
    for source, status in (("/dev/zero", 2), ("yes 'high water' | tr -d '\\n'", 0)):
        typed = f"{TIDE} password <{source}" if status else f"{source} | {TIDE} password"
        done = run(
            ["bash", "-c", typed], capture_output=True, text=True, timeout=PATIENCE,
            env=environment(tmp_path), check=False,
        )  # fmt: skip
        assert done.returncode == status
        assert ("nothing has been changed" in done.stderr) == (status == 2)
        assert (tmp_path / "keys" / password.FILE).exists() == (status == 0)


def test_at_a_terminal_it_is_typed_twice_and_not_shown(tmp_path: Path) -> None:
    with Window([TIDE, "password"], env=environment(tmp_path), columns=200) as window:
        window.wait_for("Server password")
        window.press("high water\r")
        window.wait_for("Once more")
        window.press("high water\r")
        assert window.wait_for_end() == 0
        assert "high water" not in window.text
    assert kept(tmp_path).fits("high water")


def test_a_server_that_asks_for_a_word_needs_one(tmp_path: Path) -> None:
    done = run(
        [TIDE, "serve", "--ssh-port", "0", "--no-telnet"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment(tmp_path, TIDE_ACCESS="password"),
        check=False,
    )
    assert done.returncode == 1
    assert "set one with: tide" in done.stderr
