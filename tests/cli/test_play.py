"""``tide play`` in a terminal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE
from tests.support.windows import Window

pytestmark = pytest.mark.slow

TIDE = Path(sys.executable).with_name("tide")


def test_a_game_against_bots_begins_at_once_and_the_terminal_is_given_back(tmp_path: Path) -> None:
    script = f"before=$(stty -g); {TIDE} play --name ada --players 3; s=$?; "
    script += 'test "$before" = "$(stty -g)" && echo "status $s, as before"'
    with Window(["sh", "-c", script], cwd=tmp_path) as ada:
        ada.wait_for("your hand", "round 1/12", "ada", "First game? t brings a guide.")
        ada.press("a")
        ada.wait_for("Nothing is kept here")
        ada.press("\x1b")
        ada.wait_for("your hand")
        cards = next(row for row in ada.rows if "your hand" in row).split()[2:]
        ada.press(f"{cards[0]}\r")
        ada.wait_for("round 1 ", "took")
        ada.press("\x03")
        ada.wait_for("End the game and leave")
        ada.press("d")
        assert ada.wait_for_end() == 0
        assert "Goodbye, ada." in ada.text
        assert "status 0, as before" in ada.text
    assert not list(tmp_path.iterdir())


def test_a_terminal_that_cannot_place_its_cursor_gets_sentences(tmp_path: Path) -> None:
    env = {**os.environ, "TERM": "dumb", "LC_ALL": "C", "LANGUAGE": ""}
    with Window([TIDE, "play", "--name", "ada"], cwd=tmp_path, env=env) as ada:
        ada.wait_for("Turn the Tide. You are ada.", "Your hand: ")
        ada.press("account\r")
        ada.wait_for("Nothing is kept here")
        ada.press("games\r")  # those of this visit, to replay and review
        ada.wait_for("You have not finished a game yet")
        ada.press("\x03\x03")
        ada.wait_for("Goodbye, ada.")
        assert ada.wait_for_end() == 0


def test_a_closed_window_ends_it(tmp_path: Path) -> None:
    with Window([TIDE, "play"], cwd=tmp_path) as ada:
        ada.wait_for("your hand")
        ada.hang_up()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--players", "6"], "amigo edition cannot be played like that"),
        ([], "needs a terminal"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(options: list[str], message: str) -> None:
    done = subprocess.run(
        [TIDE, "play", *options], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode in {1, 2}
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("language", "options", "message"),
    [
        ("de", ["play", "--players", "6"], "so lässt sich die Ausgabe amigo nicht spielen: Diese"),
        ("pt_BR", ["play", "--bots", "wizard"], 'não há robô "wizard"; há random,'),
        ("de", ["play", "--deal", "?"], "„?“ ist weder ein Code für Karten noch ein Wort dafür"),
        ("pt", ["replay", "--state", ".", "9"], "Nenhum servidor guardou nada em"),
        ("de", ["statistics", "ada", "--state", "."], "hat kein Server etwas aufbewahrt"),
    ],
)
def test_players_read_in_their_language_what_is_wrong(
    tmp_path: Path, language: str, options: list[str], message: str
) -> None:
    env = {**os.environ, "LC_ALL": f"{language}.UTF-8", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [TIDE, *options], cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True,
        encoding="utf-8", timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode in {1, 2}
    assert message in done.stderr


@pytest.mark.parametrize(
    ("run", "needless"),
    [
        (
            "from server.cli.commands import tide; tide(['--help'], standalone_mode=False)",
            ["asyncssh", "prompt_toolkit", "sqlite3", "babel"],
        ),
        ("import server.runtime.local_game", ["asyncssh", "cryptography", "zeroconf"]),
    ],
    ids=["help", "alone"],
)
def test_nothing_is_loaded_that_is_not_needed(run: str, needless: list[str]) -> None:
    program = f"import sys; {run}; print([name for name in {needless!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_word_is_the_same_deal_for_everybody(tmp_path: Path) -> None:
    hands = []
    for name in ("ada", "bo"):
        with Window(
            [TIDE, "play", "--name", name, "--deal", "Club Friday"], cwd=tmp_path
        ) as window:
            window.wait_for("your hand", "round 1/12")
            hands.append(next(row for row in window.rows if "your hand" in row).split()[2:])
            window.press("\x03")
            window.wait_for("Leave")
            window.press("d")
            assert window.wait_for_end() == 0
    assert hands[0] == hands[1]
    assert len(hands[0]) == 12


def test_what_is_no_deal_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "no.json").write_text("{}")
    for deal, said in (
        ("!!", "neither the code of a deal"),
        ("no.json", "not a record with the seed"),
    ):
        run = [str(TIDE), "play", "--deal", deal]
        ended = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ended.returncode == 2
        assert said in ended.stderr


def test_who_says_no_name_is_called_as_the_system_does(tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name not in ("USER", "LC_ALL")}
    env |= {"TERM": "dumb", "LOGNAME": "zoe", "LC_ALL": "C", "LANGUAGE": ""}
    with Window([TIDE, "play"], cwd=tmp_path, env=env) as zoe:
        zoe.wait_for("Turn the Tide. You are zoe.", "Your hand: ")
        zoe.press("\x03\x03")
        zoe.wait_for("Goodbye, zoe.")
        assert zoe.wait_for_end() == 0
