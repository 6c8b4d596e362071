"""The examples that are printed in the rules."""

import pytest

from engine.editions import Edition, Rules, half_preservers, hand_life_preservers
from engine.rules import new_game, score_stage
from engine.state import Loss, LossEnd
from tests.support.engine import in_the_middle, play_round, result_of

PRINTED = [Rules(Edition.AMIGO, 4), Rules(Edition.GAMEWRIGHT, 4), Rules(Edition.BGA, 4)]


@pytest.mark.parametrize("rules", PRINTED, ids=lambda rules: rules.edition.value)
def test_the_44_takes_the_4_and_the_27_takes_the_7_and_loses_a_life_preserver(rules: Rules) -> None:
    before = in_the_middle(rules, (44, 27, 16, 2))
    after, events = play_round(before, (7, 4), (44, 27, 16, 2))
    result = result_of(events)
    assert result.offer == (4, 7)
    assert result.takers == (0, 1)
    assert result.levels == (4, 7, 0, 0)
    assert result.losses == (Loss(7, (1,), ()),)
    assert result.loss_end is LossEnd.PAID
    assert result.life_preservers == (3, 2, 3, 3) == after.stage.life_preservers


def test_a_10_covered_by_a_5_counts_as_5() -> None:
    before = in_the_middle(Rules(players=4), (44, 27, 16, 2), levels=(10, 0, 6, 3))
    _, events = play_round(before, (5, 7), (44, 27, 16, 2))
    result = result_of(events)
    assert result.levels == (5, 7, 6, 3)
    assert result.lost == (1,)


def test_who_loses_need_not_have_taken_a_tide_card_in_this_round() -> None:
    before = in_the_middle(Rules(players=4), (44, 27, 16, 2), levels=(0, 0, 6, 9))
    _, events = play_round(before, (5, 7), (44, 27, 16, 2))
    assert result_of(events).lost == (3,)


@pytest.mark.parametrize(
    ("halves", "expected"),
    [(10, 5), (7, 3), (13, 6)],
    ids=["5 in all", "3 and a half", "6 and a half"],
)
def test_half_life_preservers_are_added_up_and_rounded_down(halves: int, expected: int) -> None:
    half, one, none = range(13, 25), range(25, 37), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    hand = [*one[: halves // 2], *half[: halves % 2]]
    hand += none[: 12 - len(hand)]
    assert len(hand) == 12
    assert hand_life_preservers(hand) == expected
    rules = Rules(players=3)
    others = [card for card in range(1, 61) if card not in hand]
    state = new_game(rules, (tuple(hand), tuple(others[:12]), tuple(others[12:24])))
    assert state.stage.start[0] == state.stage.life_preservers[0] == expected


def test_the_life_preservers_on_all_cards_are_the_24_in_the_box() -> None:
    shown = [half_preservers(card) for card in range(1, 61)]
    assert sum(shown) == 2 * 24
    assert shown == [0] * 12 + [1] * 12 + [2] * 12 + [1] * 12 + [0] * 12
    for stranger in (0, 61, -1):
        with pytest.raises(ValueError, match="no weather card"):
            half_preservers(stranger)


def test_the_scores_of_a_stage_3_0_2_1_with_the_last_also_lowest_are_3_0_2_2() -> None:
    state = in_the_middle(Rules(players=4), (44, 27, 16, 2), levels=(5, 7, 6, 2), left=(3, 0, 2, 1))
    result = score_stage(state.stage, (0, 0, 0, 0))
    assert result.points == (3, 0, 2, 2)
    assert result.bonus == (3,)
