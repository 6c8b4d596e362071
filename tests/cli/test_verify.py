"""``tide verify``: honest games pass, and one changed card does not."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.games import record
from tests.support.state_dirs import filled, tide

GOOD = record(1)


def test_honest_games_pass(tmp_path: Path) -> None:
    state = filled(tmp_path / "state")
    told = tide("verify", "1", "3", "--state", state)
    assert (told.status, told.err) == (0, "")
    assert told.lines[0].startswith("game 1: fair")
    assert "4 hands" in told.lines[0]
    assert told.lines[1].strip() == GOOD.fields()["commitment"]
    file = tmp_path / "games.jsonl"
    file.write_text(f"{GOOD.text}\n{record(2).text}\n")
    assert len(tide("verify", file).lines) == 4
    assert tide("verify", "-", stdin=GOOD.text).status == 0


def tide_on_offer(fields: dict[str, Any]) -> None:
    pair = fields["stages"][1]["tides"][3]
    pair[0] = pair[0] % 12 + 1


def bid(fields: dict[str, Any]) -> None:
    rows = fields["stages"][0]["bids"]
    rows[0][0] = rows[1][0]


def seed_and_commitment(fields: dict[str, Any]) -> None:
    fields |= {key: record(2).fields()[key] for key in ("seed", "commitment")}


@pytest.mark.parametrize("change", [tide_on_offer, bid, seed_and_commitment])
def test_a_changed_game_does_not(change: Callable[[dict[str, Any]], None]) -> None:
    fields = GOOD.fields()
    change(fields)
    told = tide("verify", "-", stdin=json.dumps(fields))
    assert told.status == 1
    assert "fair" not in told.out
    assert told.out.count("NOT VERIFIED") or len(told.errors) == 1


def test_the_good_ones_beside_a_bad_one_are_verified(tmp_path: Path) -> None:
    bad = GOOD.fields()
    tide_on_offer(bad)
    file = tmp_path / "games.jsonl"
    file.write_text(f"{GOOD.text}\n{json.dumps(bad)}\nrubbish\n{record(3).text}\n")
    told = tide("verify", file, tmp_path / "missing")
    assert told.status == 1
    assert told.out.count(": fair") == 2
    assert len(told.errors) >= 2


def test_every_card_of_a_finished_game_counts() -> None:
    """Change each number of the deal and of the tides, one at a time: none goes unnoticed."""
    fields = GOOD.fields()
    places = list(fields["deal"])
    places += [pair for stage in fields["stages"] for pair in stage["tides"]]
    chosen = [(place, at) for place in places for at in range(len(place))][::11]
    for place, at in chosen:
        before = place[at]
        place[at] = before % 12 + 1
        assert tide("verify", "-", stdin=json.dumps(fields)).status == 1
        place[at] = before
    assert tide("verify", "-", stdin=json.dumps(fields)).status == 0


def test_a_number_is_a_game_unless_there_is_such_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    state = filled(tmp_path / "state", 1)
    assert tide("verify", "1", "--state", state).lines[0].startswith("game 1")
    (tmp_path / "1").write_text(record(5).text)
    assert tide("verify", "1", "--state", state).lines[0].startswith("1, record 1")
    assert "there is no game 2" in tide("verify", "2", "--state", state).err
