"""The engine against a second, independent reading of the rules, in every edition."""

import json
import random
from collections import Counter

import pytest

from engine.records.outcome import resolve, resolve_text, to_json
from engine.records.record_format import parse, record_of
from engine.records.replay import fold
from engine.state import LossEnd
from tests.engine.oracle import play_game

GAMES = [
    (edition, players, stages, modified)
    for edition, most in (("amigo", 5), ("gamewright", 5), ("bga", 6))
    for modified in ((False, True) if edition == "bga" else (False,))
    for players in range(3, most + 1)
    for stages in range(1, players + 1)
]


@pytest.mark.parametrize(("edition", "players", "stages", "modified"), GAMES)
def test_whole_games_come_out_alike(
    edition: str, players: int, stages: int, modified: bool
) -> None:
    rng = random.Random(f"{edition} {players} {stages} {modified}")
    for _ in range(12):
        record, expected = play_game(edition, players, stages, modified, rng)
        assert to_json(resolve_text(json.dumps(record))) == expected


@pytest.mark.parametrize(("edition", "players", "stages", "modified"), GAMES)
def test_unfinished_games_come_out_alike(
    edition: str, players: int, stages: int, modified: bool
) -> None:
    rng = random.Random(f"unfinished {edition} {players} {stages} {modified}")
    for _ in range(8):
        stop = rng.randrange(stages * 10)
        record, expected = play_game(edition, players, stages, modified, rng, stop, stop % 2 == 0)
        assert to_json(resolve_text(json.dumps(record))) == expected


@pytest.mark.slow
def test_the_random_games_meet_the_rare_cases() -> None:
    """The comparison would be worth little if nobody ever drowned in it."""
    rng = random.Random("rare")
    seen: Counter[str] = Counter()
    for edition in ("amigo", "gamewright"):
        for _ in range(400):
            record, _ = play_game(edition, 5, 1, False, rng)
            for stage in resolve_text(json.dumps(record)).stages:
                for result in stage.rounds:
                    seen[result.loss_end] += 1
                    seen["passed on"] += len(result.losses) > 1
                    seen["passed on twice"] += len(result.losses) > 2
                    for loss in result.losses:
                        seen["two lose"] += len(loss.lost) == 2
                        seen["two drown"] += len(loss.eliminated) == 2
                        seen["one of two drowns"] += bool(loss.lost and loss.eliminated)
    looked_for = (
        *LossEnd,
        "passed on",
        "passed on twice",
        "two lose",
        "two drown",
        "one of two drowns",
    )
    assert not [case for case in looked_for if seen[case] < 3], seen


@pytest.mark.parametrize(("edition", "players", "stages", "modified"), GAMES[::3])
def test_a_record_of_the_folded_game_is_the_same_game(
    edition: str, players: int, stages: int, modified: bool
) -> None:
    rng = random.Random(f"again {edition} {players} {stages} {modified}")
    record, _ = play_game(edition, players, stages, modified, rng)
    first = parse(json.dumps(record))
    state = fold(first).last
    again = record_of(state, first.players)
    assert fold(again).last == state
    assert to_json(resolve(again)) == to_json(resolve(first))
    assert again.stages == tuple(
        stage._replace(tides=tuple((min(pair), max(pair)) for pair in stage.tides))
        for stage in first.stages
    )
