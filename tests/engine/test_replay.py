"""Folding records, walking through them, and checking them against their seed."""

import json
from typing import Any

import pytest

from engine.editions import Edition, Rules
from engine.errors import RecordError
from engine.records.record_format import Record, parse, record_of, write
from engine.records.replay import Doubt, Finding, Replay, StepKind, check_seed, fold
from engine.rules import RoundResolved, StageStarted, TidesTurned
from engine.state import Phase
from tests.support.engine import RandomGame, random_generator

FOUR = Rules(players=4)


def recorded(rules: Rules = FOUR, steps: int = 1 << 30) -> tuple[RandomGame, Record]:
    game = RandomGame(rules, random_generator()).play(steps)
    names = tuple(f"player {seat}" for seat in range(rules.players))
    return game, record_of(game.state, names, seed=game.seed, ended_early=True)


def changed(record: Record, **fields: Any) -> Record:
    whole = record.fields() | fields
    return parse(json.dumps({name: value for name, value in whole.items() if value is not None}))


# --------------------------------------------------------------------------------------- folding


def test_the_steps_of_a_game() -> None:
    game, record = recorded()
    replay = fold(record)
    assert replay.last == game.state
    assert replay.steps[0].kind is StepKind.START
    rounds = sum(len(stage.bids) for stage in record.stages)
    assert len(replay.steps) == 1 + 2 * rounds
    for number, step in enumerate(replay.steps[1:], 1):
        if number % 2:
            assert step.kind is StepKind.TIDES
            (turned,) = step.events
            assert isinstance(turned, TidesTurned)
            assert (turned.stage, turned.round) == (step.stage, step.round)
            assert step.state.phase is Phase.BIDDING
        else:
            assert step.kind is StepKind.REVEAL
            (resolved,) = [event for event in step.events if isinstance(event, RoundResolved)]
            assert (resolved.stage, resolved.round) == (step.stage, step.round)
            assert step.state.phase is not Phase.BIDDING
    starts = [event for step in replay.steps for event in step.events]
    assert [event.stage for event in starts if isinstance(event, StageStarted)] == [0, 1, 2, 3]


def test_a_record_without_a_stage_is_the_deal() -> None:
    _, record = recorded()
    replay = fold(changed(record, stages=[]))
    assert [step.kind for step in replay.steps] == [StepKind.START]


def test_stepping_stays_within_the_game() -> None:
    replay = fold(recorded(steps=5)[1])
    assert replay.back(0) == 0
    assert replay.forward(0) == 1
    end = len(replay.steps) - 1
    assert replay.forward(end) == end
    assert replay.back(end) == end - 1


def step_found(replay: Replay, stage: int, round_: int) -> tuple[int, int, StepKind]:
    step = replay.steps[replay.find(stage, round_)]
    return step.stage, step.round, step.kind


def test_jumping_to_a_stage_or_a_round() -> None:
    game, record = recorded()
    replay = fold(record)
    lengths = [len(result.rounds) for result in game.state.finished]
    for stage, length in enumerate(lengths):
        for round_ in range(length):
            assert step_found(replay, stage, round_) == (stage, round_, StepKind.TIDES)
    assert step_found(replay, 2, 99) == (2, lengths[2] - 1, StepKind.TIDES)
    assert step_found(replay, 99, 0) == (3, lengths[3] - 1, StepKind.TIDES)
    assert replay.find(-1) == 0


# ------------------------------------------------------------------------------- play that is bad


Stages = list[dict[str, Any]]


def broken(stages: Stages, **fields: Any) -> RecordError:
    _, record = recorded(steps=2 * 20)
    with pytest.raises(RecordError) as caught:
        fold(changed(record, stages=stages, **fields))
    return caught.value


def stages_of(rules: Rules = FOUR, steps: int = 1 << 30) -> Stages:
    found: Stages = recorded(rules, steps)[1].fields()["stages"]
    return found


def where(error: RecordError) -> tuple[str, int | None, int | None, int | None]:
    return error.code, error.stage, error.round, error.seat


def test_a_card_that_is_not_in_the_hand() -> None:
    stages = stages_of()
    stages[0]["bids"][1][2] = 99
    assert where(broken(stages)) == ("not_in_hand", 0, 1, 2)


def test_tides_that_do_not_exist() -> None:
    stages = stages_of()
    stages[0]["tides"][4] = [13, 1]
    assert where(broken(stages)) == ("tide_range", 0, 4, None)


def test_a_third_copy_of_a_tide() -> None:
    stages = stages_of()
    stages[0]["tides"][:3] = [[3, 4], [3, 5], [6, 3]]
    assert where(broken(stages)) == ("tide_copies", 0, 2, None)


def test_a_missing_bid() -> None:
    stages = stages_of()
    stages[0]["bids"][2][1] = None
    assert where(broken(stages)) == ("missing_bid", 0, 2, 1)


def test_a_missing_bid_of_the_last_seat_leaves_no_round_half_done() -> None:
    stages = stages_of(steps=2)
    stages[0]["bids"][0][3] = None
    assert where(broken(stages)) == ("missing_bid", 0, 0, 3)


def test_a_bid_of_an_eliminated_player() -> None:
    game, record = recorded(Rules(players=5))
    for number, result in enumerate(game.state.finished):
        for round_, told in enumerate(result.rounds[:-1]):
            if told.eliminated:
                fields = record.fields()
                seat = told.eliminated[0]
                fields["stages"][number]["bids"][round_ + 1][seat] = 5
                with pytest.raises(RecordError) as caught:
                    fold(parse(json.dumps(fields)))
                assert where(caught.value) == ("eliminated", number, round_ + 1, seat)
                return
    pytest.fail("nobody is eliminated in this game")


def test_bids_without_tides() -> None:
    stages = stages_of(steps=4)
    del stages[0]["tides"][1]
    assert where(broken(stages)) == ("missing_tides", 0, 1, None)


def test_tides_without_bids_and_play_after_them() -> None:
    stages = stages_of(steps=2 + 2 + 1)
    del stages[0]["bids"][1]
    assert where(broken(stages)) == ("missing_bids", 0, 1, None)


def test_play_after_the_end_of_a_stage() -> None:
    stages = stages_of()
    length = len(stages[0]["bids"])
    stages[0]["tides"].append([1, 2])
    assert where(broken(stages)) == ("stage_over", 0, length, None)
    stages = stages_of()
    length = len(stages[3]["bids"])
    stages[3]["tides"].append([1, 2])
    stages[3]["bids"].append([1, 2, 3, 4])
    assert where(broken(stages)) == ("stage_over", 3, length, None)


def test_play_after_the_end_of_the_game() -> None:
    stages = [*stages_of(), {"tides": [], "bids": []}]
    assert where(broken(stages)) == ("game_over", 4, None, None)


def test_a_stage_that_is_left_before_its_end() -> None:
    first, second, *_ = stages_of()
    del first["tides"][3:], first["bids"][3:]
    assert where(broken([first, second])) == ("stage_not_over", 0, 3, None)
    del first["bids"][2:]
    assert where(broken([first, second])) == ("stage_not_over", 0, 2, None)


@pytest.mark.parametrize(
    ("deal", "code", "seat"),
    [
        (lambda hands: hands[:3], "hands", None),
        (lambda hands: [hands[0][:-1], *hands[1:]], "hand_size", 0),
        (lambda hands: [*hands[:3], [61, *hands[3][1:]]], "no_such_card", 3),
        (lambda hands: [*hands[:3], [hands[0][0], *hands[3][1:]]], "card_twice", 3),
        (lambda hands: [*hands[:3], [hands[3][1], *hands[3][1:]]], "card_twice", 3),
    ],
)
def test_a_deal_that_cannot_be(deal: Any, code: str, seat: int | None) -> None:
    hands = recorded()[1].fields()["deal"]
    assert where(broken([], deal=deal(hands))) == (code, None, None, seat)


# ---------------------------------------------------------------------------------- the seed


@pytest.mark.parametrize(
    "rules",
    [FOUR, Rules(Edition.BGA, 6, 2, True), Rules(Edition.GAMEWRIGHT, 3, assistance=True)],
    ids=lambda rules: rules.edition.value,
)
def test_a_fair_game_leaves_no_doubt(rules: Rules) -> None:
    record = recorded(rules)[1]
    assert check_seed(record) == ()
    assert check_seed(changed(record, seed=record.fields()["seed"].upper())) == ()
    assert check_seed(parse(write(record))) == ()


def test_the_order_of_a_pair_and_of_a_hand_leave_no_doubt() -> None:
    fields = recorded()[1].fields()
    fields["deal"][0].reverse()
    for stage in fields["stages"]:
        for pair in stage["tides"]:
            pair.reverse()
    assert check_seed(parse(json.dumps(fields))) == ()


@pytest.mark.parametrize(
    ("fields", "doubts"),
    [
        ({"seed": None}, [Doubt.NO_SEED]),
        ({"commitment": None}, [Doubt.NO_COMMITMENT]),
        ({"algorithm": None}, []),
        ({"algorithm": 2}, [Doubt.UNKNOWN_ALGORITHM]),
        ({"algorithm": True}, [Doubt.UNKNOWN_ALGORITHM]),
        ({"algorithm": "1"}, [Doubt.UNKNOWN_ALGORITHM]),
        ({"seed": 5}, [Doubt.BAD_SEED]),
        ({"seed": "00" * 31}, [Doubt.BAD_SEED]),
        ({"seed": "0g" * 32}, [Doubt.BAD_SEED]),
        ({"seed": "00 " * 32}, [Doubt.BAD_SEED]),
        ({"seed": " " + "00" * 31 + " "}, [Doubt.BAD_SEED]),
        ({"commitment": "00" * 32}, [Doubt.COMMITMENT]),
        ({"commitment": ["x"]}, [Doubt.COMMITMENT]),
        ({"assistance": True}, [Doubt.COMMITMENT]),
        ({"rules": {"edition": "gamewright"}}, [Doubt.COMMITMENT]),
    ],
)
def test_doubts_about_the_seed(fields: dict[str, Any], doubts: list[Doubt]) -> None:
    assert [finding.doubt for finding in check_seed(changed(recorded()[1], **fields))] == doubts


def test_another_seed_is_found_out_everywhere() -> None:
    record = recorded()[1]
    doubts = {finding.doubt for finding in check_seed(changed(record, seed="00" * 32))}
    assert doubts == {Doubt.COMMITMENT, Doubt.HAND, Doubt.TIDES}


def test_one_changed_card_of_a_hand() -> None:
    fields = recorded()[1].fields()
    dealt = {card for hand in fields["deal"] for card in hand}
    fields["deal"][2][5] = next(card for card in range(1, 61) if card not in dealt)
    assert check_seed(parse(json.dumps(fields))) == (Finding(Doubt.HAND, seat=2),)


def test_one_changed_tide() -> None:
    fields = recorded()[1].fields()
    pair = fields["stages"][1]["tides"][3]
    pair[0] = pair[0] % 12 + 1
    assert check_seed(parse(json.dumps(fields))) == (Finding(Doubt.TIDES, 1, 3),)


def test_more_stages_and_rounds_than_there_are_do_no_harm() -> None:
    fields = recorded()[1].fields()
    fields["deal"].pop()
    fields["stages"] = [{"tides": [[1, 2]] * 40, "bids": []}] * 9
    doubts = {finding.doubt for finding in check_seed(parse(json.dumps(fields)))}
    assert doubts == {Doubt.HAND, Doubt.TIDES}
