"""What the referee answers: the fields, finished and unfinished games, the page's own example."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.errors import RecordError
from engine.records.outcome import Report, resolve_text, to_json
from tests.engine.oracle import play_game
from tests.support.engine import random_generator

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "records.md").read_text()


def game(stop: int | None = None, offer: bool = False, stages: int = 3) -> dict[str, Any]:
    return play_game("amigo", 3, stages, False, random_generator("referee d"), stop, offer)[0]


def report(record: dict[str, Any]) -> dict[str, Any]:
    return to_json(resolve_text(json.dumps(record)))


def resolved(record: dict[str, Any]) -> Report:
    return resolve_text(json.dumps(record))


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


def test_a_finished_game() -> None:
    answer = report(game())
    assert answer["complete"] is True
    assert len(answer["stages"]) == 3
    totals = [sum(stage["points"][seat] for stage in answer["stages"]) for seat in range(3)]
    assert answer["scores"] == answer["stages"][-1]["scores"] == totals
    assert answer["winners"] == [seat for seat in range(3) if totals[seat] == max(totals)]


def test_an_incomplete_stage_has_no_points_and_the_scores_before_it() -> None:
    whole = game()
    first = len(whole["stages"][0]["bids"])
    answer = report(game(stop=first + 2))
    assert len(answer["stages"]) == 2
    assert answer["stages"][1]["points"] is None
    assert len(answer["stages"][1]["rounds"]) == 2
    assert answer["stages"][1]["scores"] == answer["stages"][0]["scores"] == answer["scores"]
    assert answer["complete"] is False
    assert answer["winners"] == []


@pytest.mark.parametrize("offer", [False, True])
def test_a_stage_without_a_round_yet_is_listed(offer: bool) -> None:
    record = game(stop=len(game()["stages"][0]["bids"]), offer=offer)
    assert record["stages"][1]["bids"] == []
    assert len(record["stages"][1]["tides"]) == offer
    answer = report(record)
    assert len(answer["stages"]) == 2
    last = answer["stages"][1]
    assert last["rounds"] == []
    assert last["points"] is None
    assert (resolved(record).offer is not None) == offer


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


def test_a_short_game_is_complete_after_its_stages() -> None:
    answer = report(game(stages=1))
    assert answer["complete"] is True
    assert answer["winners"]


def test_levels_are_null_without_a_tide_card_and_when_eliminated() -> None:
    rng = random_generator("levels")
    eliminated = 0
    for _ in range(20):
        record, _ = play_game("amigo", 5, 1, False, rng)
        (stage,) = report(record)["stages"]
        assert stage["rounds"][0]["levels"].count(None) >= 3
        gone: set[int] = set()
        for told in stage["rounds"]:
            gone.update(told["eliminated"])
            for seat in gone:
                assert told["levels"][seat] is None
                assert told["life_preservers"][seat] == 0
        eliminated += len(gone)
    assert eliminated


def test_a_bad_record_gives_nothing_but_the_error() -> None:
    record = game()
    record["stages"][2]["bids"][0][1] = 61
    with pytest.raises(RecordError) as caught:
        resolve_text(json.dumps(record))
    assert (caught.value.stage, caught.value.round, caught.value.seat) == (2, 0, 1)
