"""What the referee answers: the fields, finished and unfinished games, the page's own example."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.errors import RecordError
from engine.records.outcome import resolve_text, to_json
from tests.engine.oracle import play_game
from tests.support.engine import random_generator

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "records.md").read_text()


def game(stop: int | None = None, offer: bool = False, stages: int = 3) -> dict[str, Any]:
    return play_game("amigo", 3, stages, False, random_generator("referee d"), stop, offer)[0]


def report(record: dict[str, Any]) -> dict[str, Any]:
    return to_json(resolve_text(json.dumps(record)))


def test_the_example_of_the_page() -> None:
    record, answer = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert to_json(resolve_text(record)) == json.loads(answer)


def test_the_fields_and_their_order() -> None:
    answer = report(game())
    assert list(answer) == ["complete", "stages", "scores", "winners"]
    for stage in answer["stages"]:
        assert list(stage) == ["life_preservers", "rounds", "points", "scores"]
        for told in stage["rounds"]:
            assert list(told) == ["levels", "life_preservers", "lost", "eliminated"]
    assert json.loads(json.dumps(answer)) == answer


def test_a_record_that_ends_with_a_complete_stage_lists_no_other() -> None:
    record = game()
    del record["stages"][1:]
    answer = report(record)
    assert len(answer["stages"]) == 1
    assert answer["stages"][0]["points"] is not None
    assert answer["scores"] == answer["stages"][0]["points"]
    assert answer["complete"] is False
    assert answer["winners"] == []


def test_a_record_of_the_deal_alone() -> None:
    assert report(game() | {"stages": []}) == {
        "complete": False,
        "stages": [],
        "scores": [0, 0, 0],
        "winners": [],
    }


def test_a_bad_record_gives_nothing_but_the_error() -> None:
    record = game()
    record["stages"][2]["bids"][0][1] = 61
    with pytest.raises(RecordError) as caught:
        resolve_text(json.dumps(record))
    assert (caught.value.stage, caught.value.round, caught.value.seat) == (2, 0, 1)
