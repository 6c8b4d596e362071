"""``tide statistics``: how somebody plays, in words and as JSON, from files and from kept games."""

import json
from pathlib import Path

from engine.records.outcome import resolve
from tests.support.games import record
from tests.support.state_dirs import filled, tide

SEATS = [{"kind": "human"}, {"kind": "bot", "strategy": "tidal"}, {"kind": "human"}]


def games(tmp_path: Path) -> Path:
    file = tmp_path / "games.jsonl"
    texts = [record(number, ("Ada", "bo", "cem"), seats=SEATS).text for number in range(1, 5)]
    file.write_text("\n".join([*texts, record(9, ("ada", "bo", "cem"), rounds=14).text, ""]))
    return file


def test_of_files_in_words(tmp_path: Path) -> None:
    told = tide("statistics", "ada", games(tmp_path))
    assert (told.status, told.err) == (0, "")
    assert told.lines[0] == "All in all"
    assert told.lines[1].startswith("  4 games, "), "one was broken off"
    (tidal,) = [line for line in told.lines if line.startswith("  tidal ")]
    assert "4 games" in tidal
    assert "rating 3390" in tidal
    assert "#" in tidal or "ahead 0" in tidal


def test_as_json(tmp_path: Path) -> None:
    told = tide("statistics", "cem", "--json", games(tmp_path))
    (line,) = told.lines
    found = json.loads(line)
    reports = [resolve(record(number, ("Ada", "bo", "cem"))) for number in range(1, 5)]
    assert found["points"] == sum(report.scores[2] for report in reports)
    assert found["games"] == 4
    assert [each["name"] for each in found["bots"]] == ["tidal"]
    assert [each["name"] for each in found["opponents"]] == ["Ada"]


def test_of_kept_games_and_of_nobody(tmp_path: Path) -> None:
    state = filled(tmp_path / "state", games=3)
    assert tide("statistics", "bo", "--state", state).lines[1].startswith("  3 games, ")
    told = tide("statistics", "zoe", "--state", state)
    assert (told.status, told.lines) == (1, [])
    assert "no finished game of zoe" in told.err


def test_a_bad_record_is_named_and_the_others_count(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    told = tide("statistics", "ada", bad, games(tmp_path))
    assert told.status == 1
    assert "bad.json" in told.err
    assert told.lines[1].startswith("  4 games, ")
