"""Every row of the table of corners in docs/rules.md, one test each, in the order of the table."""

import pytest

from engine.editions import Edition, Rules
from engine.rules import (
    GameOver,
    StageScored,
    StageStarted,
    dealt_hand_of,
    legal_tides,
    score_stage,
)
from engine.state import Loss, LossEnd, Phase
from tests.support.engine import (
    NOBODY,
    RandomGame,
    in_the_middle,
    play_round,
    random_generator,
    result_of,
)

FOUR = Rules(players=4)
FIVE = Rules(players=5)
NOT_PASSING = [Rules(Edition.GAMEWRIGHT, 5), Rules(Edition.BGA, 5, modified_drowning=True)]


def test_two_share_the_highest_level_and_one_has_none_left() -> None:
    before = in_the_middle(FIVE, (50, 40, 30, 20, 10), (0, 0, 9, 9, 3), (2, 2, 1, 0, 2))
    after, events = play_round(before, (1, 2), (50, 40, 30, 20, 10))
    result = result_of(events)
    assert result.losses == (Loss(9, (2,), (3,)),)
    assert result.loss_end is LossEnd.PAID
    assert result.life_preservers == (2, 2, 0, 0, 2)
    assert result.levels == (1, 2, 9, None, 3)
    assert after.stage.eliminated == (False, False, False, True, False)


def test_two_share_the_highest_level_and_both_have_none() -> None:
    before = in_the_middle(FIVE, (50, 40, 30, 20, 10), (0, 0, 9, 9, 3), (2, 2, 0, 0, 2))
    _, events = play_round(before, (1, 2), (50, 40, 30, 20, 10))
    result = result_of(events)
    assert result.losses == (Loss(9, NOBODY, (2, 3)), Loss(3, (4,), NOBODY))
    assert result.loss_end is LossEnd.PAID
    assert result.life_preservers == (2, 2, 0, 0, 1)


def test_two_share_the_highest_level_both_have_none_and_only_two_are_left() -> None:
    before = in_the_middle(FOUR, (50, 40, 30, 20), (0, 0, 9, 9), (2, 2, 0, 0))
    _, events = play_round(before, (1, 2), (50, 40, 30, 20))
    result = result_of(events)
    assert result.losses == (Loss(9, NOBODY, (2, 3)),)
    assert result.loss_end is LossEnd.TWO_LEFT
    assert result.life_preservers == (2, 2, 0, 0)


@pytest.mark.parametrize("rules", NOT_PASSING, ids=lambda rules: rules.edition.value)
def test_an_edition_that_does_not_pass_the_loss_on(rules: Rules) -> None:
    before = in_the_middle(rules, (50, 40, 30, 20, 10), (0, 0, 9, 8, 3), (2, 2, 0, 2, 2))
    after, events = play_round(before, (1, 2), (50, 40, 30, 20, 10))
    result = result_of(events)
    assert result.losses == (Loss(9, NOBODY, (2,)),)
    assert result.loss_end is LossEnd.NOT_PASSED_ON
    assert result.life_preservers == (2, 2, 0, 2, 2)
    assert after.phase is Phase.TIDES


@pytest.mark.parametrize("edition", [Edition.AMIGO, Edition.BGA])
def test_an_edition_that_passes_the_loss_on(edition: Edition) -> None:
    before = in_the_middle(
        Rules(edition, 5), (50, 40, 30, 20, 10), (0, 0, 9, 8, 3), (2, 2, 0, 2, 2)
    )
    _, events = play_round(before, (1, 2), (50, 40, 30, 20, 10))
    assert result_of(events).losses == (Loss(9, NOBODY, (2,)), Loss(8, (3,), NOBODY))


def test_three_players_and_one_is_eliminated() -> None:
    before = in_the_middle(Rules(players=3), (50, 40, 30), (0, 0, 9), (2, 2, 0))
    after, events = play_round(before, (1, 2), (50, 40, 30))
    result = result_of(events)
    assert result.losses == (Loss(9, NOBODY, (2,)),)
    assert result.loss_end is LossEnd.TWO_LEFT
    assert [type(event) for event in events[-2:]] == [StageScored, StageStarted]
    assert after.finished[0].points == (3, 2, -1)
    assert after.stage.number == 1


def test_three_players_two_share_the_highest_level_and_one_of_them_has_none() -> None:
    before = in_the_middle(Rules(players=3), (50, 40, 30), (0, 9, 9), (2, 2, 0))
    after, events = play_round(before, (1, 9), (50, 40, 30))
    result = result_of(events)
    assert result.losses == (Loss(9, (1,), (2,)),)
    assert result.loss_end is LossEnd.PAID
    assert after.finished[0].points == (3, 1, -1)
    assert after.stage.number == 1


def test_everybody_still_in_has_no_tide_card() -> None:
    # Both takers drown one after the other; the three that are left are dry.
    before = in_the_middle(FIVE, (50, 40, 30, 20, 10), None, (0, 0, 2, 2, 2))
    after, events = play_round(before, (4, 7), (50, 40, 30, 20, 10))
    result = result_of(events)
    assert result.losses == (Loss(7, NOBODY, (1,)), Loss(4, NOBODY, (0,)))
    assert result.loss_end is LossEnd.NO_TIDE
    assert result.lost == NOBODY
    assert result.life_preservers == (0, 0, 2, 2, 2)
    assert result.levels == (None, None, 0, 0, 0)
    assert after.phase is Phase.TIDES
    assert after.stage.number == 0


def test_the_passed_on_loss_hits_a_player_with_none() -> None:
    before = in_the_middle(FIVE, (50, 40, 30, 20, 10), (0, 0, 9, 8, 7), (2, 2, 0, 0, 2))
    _, events = play_round(before, (1, 2), (50, 40, 30, 20, 10))
    result = result_of(events)
    assert result.losses == (Loss(9, NOBODY, (2,)), Loss(8, NOBODY, (3,)), Loss(7, (4,), NOBODY))
    assert result.life_preservers == (2, 2, 0, 0, 1)
    assert result.eliminated == (2, 3)


def test_the_passed_on_loss_stops_at_the_moment_when_two_are_left() -> None:
    before = in_the_middle(FOUR, (50, 40, 30, 20), (0, 0, 9, 8), (2, 2, 0, 0))
    after, events = play_round(before, (1, 2), (50, 40, 30, 20))
    result = result_of(events)
    assert result.losses == (Loss(9, NOBODY, (2,)), Loss(8, NOBODY, (3,)))
    assert result.loss_end is LossEnd.TWO_LEFT
    assert after.finished[0].points == (3, 2, -1, -1)


def test_the_passed_on_loss_hits_two_who_share_the_next_level() -> None:
    before = in_the_middle(FIVE, (50, 40, 30, 20, 10), (0, 0, 9, 5, 5), (2, 2, 0, 1, 0))
    _, events = play_round(before, (1, 2), (50, 40, 30, 20, 10))
    result = result_of(events)
    assert result.losses == (Loss(9, NOBODY, (2,)), Loss(5, (3,), (4,)))
    assert result.loss_end is LossEnd.PAID


def test_a_player_without_a_tide_card_is_lowest_and_several_such_all_are() -> None:
    state = in_the_middle(FOUR, (50, 40, 30, 20), (1, 0, 12, 0), (2, 2, 2, 0))
    result = score_stage(state.stage, (0, 0, 0, 0))
    assert result.bonus == (1, 3)
    assert result.points == (2, 3, 2, 1)


def test_the_bonus_goes_to_all_still_in_who_share_the_lowest_and_never_to_the_eliminated() -> None:
    # The eliminated seat has no level any more: it must not count as the lowest.
    state = in_the_middle(FOUR, (50, 40, 30, None), (5, 5, 12, 0), (2, 1, 2, 0))
    result = score_stage(state.stage, (0, 0, 0, 0))
    assert result.bonus == (0, 1)
    assert result.points == (3, 2, 2, -1)


def test_zero_life_preservers_but_not_eliminated_is_0_points_and_1_if_lowest() -> None:
    state = in_the_middle(FOUR, (50, 40, 30, 20), (5, 3, 12, 4), (0, 0, 2, 2))
    assert score_stage(state.stage, (0, 0, 0, 0)).points == (0, 1, 2, 2)


def test_eliminated_is_minus_one_point() -> None:
    state = in_the_middle(FOUR, (50, 40, 30, None), (5, 3, 12, 0), (0, 0, 2, 0))
    result = score_stage(state.stage, (4, 4, 4, 0))
    assert result.points[3] == -1
    assert result.scores == (4, 5, 6, -1)


def test_the_next_stage_passes_dealt_hands_left_reshuffles_the_tides_and_all_are_back_in() -> None:
    before = in_the_middle(Rules(players=3), (50, 40, 30), (0, 0, 9), (2, 2, 0))
    before = before._replace(turned=(0, 0, 0, 2, *before.turned[4:]))
    assert (3, 3) not in list(legal_tides(before))
    after, _ = play_round(before, (1, 2), (50, 40, 30))
    stage = after.stage
    assert stage.number == 1
    assert stage.hands == (after.deal[2], after.deal[0], after.deal[1])
    assert [len(hand) for hand in stage.hands] == [12, 12, 12]
    assert [dealt_hand_of(seat, 1, 3) for seat in range(3)] == [2, 0, 1]
    assert stage.life_preservers == stage.start
    assert stage.eliminated == (False, False, False)
    assert stage.levels == (0, 0, 0)
    assert len(list(legal_tides(after))) == 12 * 13 // 2
    assert not any(after.turned)


def test_a_hand_starts_with_the_same_life_preservers_whoever_plays_it() -> None:
    game = RandomGame(Rules(players=5), random_generator()).play()
    starts = [result.start for result in game.state.finished]
    for stage, start in enumerate(starts):
        for seat in range(5):
            assert start[seat] == starts[0][(seat - stage) % 5]


def test_the_game_ends_after_as_many_stages_as_players_and_the_highest_total_wins() -> None:
    game = RandomGame(FOUR, random_generator()).play()
    scored = [event for event in game.events if isinstance(event, StageScored)]
    assert [event.stage for event in scored] == [0, 1, 2, 3]
    over = game.events[-1]
    assert isinstance(over, GameOver)
    totals = tuple(sum(event.result.points[seat] for event in scored) for seat in range(4))
    assert over.scores == game.state.scores == totals
    best = max(totals)
    assert over.winners == tuple(seat for seat in range(4) if totals[seat] == best)


def test_equal_totals_share_the_win() -> None:
    rules = Rules(players=3, stages=1)
    before = in_the_middle(rules, (50, 40, 30), (0, 0, 9), (2, 3, 0))
    after, events = play_round(before, (1, 2), (50, 40, 30))
    assert after.phase is Phase.OVER
    assert after.scores == (3, 3, -1)
    assert events[-1] == GameOver((3, 3, -1), (0, 1))
    assert after.winners == (0, 1)


def test_everybody_can_be_gone_but_one() -> None:
    # Three are left, the two that take equal tides drown together: one remains, and is the lowest.
    before = in_the_middle(Rules(players=3), (50, 40, 30), None, (0, 0, 2))
    after, events = play_round(before, (6, 6), (50, 40, 30))
    assert result_of(events).losses == (Loss(6, NOBODY, (0, 1)),)
    assert after.finished[0].points == (-1, -1, 3)
