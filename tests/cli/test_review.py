"""``tide review``: which seats it tells of, in words and as JSON."""

import json
from pathlib import Path

import pytest

from engine.bots import review
from engine.editions import Rules
from tests.support.games import record
from tests.support.state_dirs import filled, tide

SEATS = [{"kind": "bot", "strategy": "tidal"}, {"kind": "human"}, {"kind": "left"}]


@pytest.fixture(autouse=True)
def _few_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less is estimated than for people, in the same way."""
    monkeypatch.setattr(review.reviewed, "__defaults__", (20,))


def game(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    rules = Rules(players=3, stages=1)
    file.write_text(record(5, ("ada", "bo", "cem"), rules=rules, seats=SEATS).text)
    return file


def test_the_bids_of_people_and_of_one_seat(tmp_path: Path) -> None:
    told = tide("review", game(tmp_path))
    assert (told.status, told.err) == (0, "")
    heads = [line for line in told.lines if not line.startswith(" ")]
    assert [head.rsplit(", ", 1)[1] for head in heads] == ["bo", "cem"]
    assert "bids with a choice" in told.lines[1]
    assert any(line.startswith("  Stage 1, round 1: ") for line in told.lines)
    told = tide("review", "--seat", "1", game(tmp_path))
    assert told.lines[0].endswith(", ada")


def test_a_line_of_json_for_each_game(tmp_path: Path) -> None:
    told = tide("review", "--json", game(tmp_path))
    assert (told.status, told.err) == (0, "")
    (line,) = told.lines
    seats = json.loads(line)["seats"]
    assert [(seat["seat"], seat["name"]) for seat in seats] == [(1, "bo"), (2, "cem")]
    for seat in seats:
        assert {bid["stage"] for bid in seat["bids"]} == {0}
        for bid in seat["bids"]:
            assert bid["difference"] >= 0
            assert bid["sure"] == (bid["difference"] > 2 * bid["error"])


def test_a_kept_game_and_a_bad_one(tmp_path: Path) -> None:
    state = filled(tmp_path / "state", games=1)
    assert tide("review", "1", "--seat", "2", "--state", state).status == 0
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    told = tide("review", bad)
    assert (told.status, told.lines) == (1, [])
    assert "bad.json" in told.err
