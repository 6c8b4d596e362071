"""``tide replay`` in a real terminal, without one, and as a recording."""

import json
import os
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.records.outcome import resolve
from tests.support.games import record
from tests.support.state_dirs import filled, tide
from tests.support.windows import Window

TIDE = str(Path(sys.executable).with_name("tide"))


def test_without_a_terminal_the_game_is_told(tmp_path: Path) -> None:
    told = tide("replay", "-", stdin=record(1).text)
    assert told.status == 0
    assert "Stage 4 of 4" in told.out
    state = filled(tmp_path / "state", 1)
    assert tide("replay", "1", "--plain", "--state", state).out.startswith("game 1")


@pytest.mark.slow
def test_in_a_terminal_it_is_shown_and_leaves_it_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(record(1, table="Harbour").text)
    environ = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    with Window([TIDE, "replay", str(file)], env=environ) as window:
        window.wait_for("Harbour")
        window.wait_for("paused")
        window.press("\x1b[C\x1b[C")
        window.wait_for("life preserver")
        window.press("g")
        window.wait_for("go there")
        window.press("2.3\r")
        window.wait_for("stage 2/4")
        window.wait_for("round 3/12")
        window.press("a")
        window.wait_for("All hands open")
        window.press("q")
        assert window.wait_for_end() == 0


def test_a_terminal_that_cannot_place_its_cursor_gets_sentences(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(record(1).text)
    with Window([TIDE, "replay", str(file)], env={**os.environ, "TERM": "dumb"}) as window:
        assert window.wait_for_end() == 0
        assert "scores:" in window.text


@pytest.mark.slow
def test_a_recording_is_written_once(tmp_path: Path) -> None:
    file = tmp_path / "game.cast"
    told = tide("replay", "-", "--asciicast", file, "--view", "2", stdin=record(1).text)
    assert (told.status, told.err) == (0, "")
    lines = file.read_text().splitlines()
    assert json.loads(lines[0])["version"] == 2
    assert all(json.loads(line)[1] == "o" for line in lines[1:])
    again = tide("replay", "-", "--asciicast", file, stdin=record(1).text)
    assert (again.status, "File exists" in again.err) == (1, True)


@pytest.mark.parametrize("viewpoint", ["5", "0", "ada", ""])
def test_views_that_nobody_has(tmp_path: Path, viewpoint: str) -> None:
    file = tmp_path / "game.cast"
    told = tide("replay", "-", "--asciicast", file, "--view", viewpoint, stdin=record(1).text)
    assert told.status == 2
    assert "--view" in told.err
    assert not file.exists()


def test_bad_records_and_too_many(tmp_path: Path) -> None:
    assert tide("replay", "-", stdin="rubbish").status == 1
    two = f"{record(1).text}\n{record(2).text}\n"
    told = tide("replay", "-", stdin=two)
    assert (told.status, "2 games" in told.err) == (1, True)
    state = filled(tmp_path / "state", 1)
    assert tide("replay", "9", "--state", state).status == 1


def test_names_in_a_recording_are_harmless(tmp_path: Path) -> None:
    file = tmp_path / "game.cast"
    names = ("\x1b]0;gotcha\x07", "\u202eevil", "b", "c")
    told = tide(
        "replay", "-", "--asciicast", file, stdin=record(1, names, table="\x1b[2Jboom").text
    )
    assert told.status == 0
    assert "gotcha\\u0007" not in file.read_text()
    assert "\\u202e" not in file.read_text()
    assert "u001b[2Jboom" not in file.read_text()


def test_a_picture_of_the_end_or_of_any_moment(tmp_path: Path) -> None:
    file, game = tmp_path / "end.svg", record(1, table="Harbour").text
    told = tide("replay", "-", "--svg", file, stdin=game)
    assert (told.status, told.err) == (0, "")
    assert told.lines == [f"Written: {file}"]

    def words_in(picture: Path) -> set[str]:
        texts = ElementTree.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}text")
        return {text.text.replace("\N{NO-BREAK SPACE}", " ") for text in texts if text.text}

    assert {"Final standings", "Key moments", "Harbour"} <= words_in(file)
    moment = tmp_path / "moment.svg"
    told = tide("replay", "-", "--svg", moment, "--at", "2.3", "--view", "1", stdin=game)
    assert told.status == 0
    assert any("stage 2/4 · round 3/12" in text for text in words_in(moment))
    again = tide("replay", "-", "--svg", file, stdin=game)
    assert (again.status, again.lines) == (1, [])
    wrong = tide("replay", "-", "--svg", tmp_path / "no.svg", "--at", "9", stdin=game)
    assert (wrong.status, wrong.err) == (2, "tide: --at: The game did not get there.\n")
    assert not (tmp_path / "no.svg").exists()


def test_a_summary_for_a_chat() -> None:
    over = record(1)
    told = tide("replay", "-", "--summary", stdin=over.text)
    assert told.lines[0].startswith("Turn the Tide (Amigo, 4 players): ")
    scores = sorted(resolve(over).scores, reverse=True)
    assert [int(line.split()[2]) for line in told.lines[1:5]] == scores
