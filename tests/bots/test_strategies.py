"""How the strategies think: situations in which one card is plainly right, and the sums behind it."""

import random
from itertools import combinations, permutations

import pytest

from engine.bots.counting import known_cards, ranks, rivals, unseen_cards
from engine.bots.simple import cautious, chances_by_rank, greedy
from engine.bots.tidal import bid_chances
from engine.bots.tidal import choose as tidal
from engine.views import NOTHING, OwnHand
from tests.support.bots import seat, view_of

HAND = [3, 9, 20, 31, 44, 59]


# ------------------------------------------------------------------------------------ counting


def test_who_and_what_is_left() -> None:
    view = view_of(
        [seat(4, played=[60]), seat(7, played=[1]), seat(0, 0, out=True, played=[2])],
        (3, 9),
        HAND,
    )
    assert [rival.level for rival in rivals(view)] == [7]
    assert unseen_cards(view) == [card for card in range(4, 59) if card not in HAND]


def test_what_assistance_tells() -> None:
    view = view_of(
        [seat(earlier=[3]), seat(played=[11], earlier=[11, 12]), seat(earlier=[50])],
        (3, 9),
        HAND,
        [OwnHand(2, (48, 49, 50, 51))],
    )
    assert known_cards(view, NOTHING) == [set(), {12}, {48, 49, 50, 51}]


def test_ranks_are_the_shares_of_all_ways_to_bid() -> None:
    unseen = range(8)
    for below in range(9):
        ways = list(combinations(unseen, 3))
        above = [sum(card >= below for card in bids) for bids in ways]
        expected = above.count(0) / len(ways), above.count(1) / len(ways)
        assert ranks(8, below, 3) == pytest.approx(expected)


# ------------------------------------------------------------------------------------ strategies


@pytest.mark.parametrize("number", range(10))
def test_cautious_flees_from_the_deep_and_ducks_otherwise(number: int) -> None:
    deep = view_of([seat(11), seat(5), seat(7)], (3, 9), HAND)
    dry = view_of([seat(2), seat(5), seat(7)], (3, 9), HAND)
    no_help = view_of([seat(8), seat(5), seat(7)], (8, 12), HAND)
    assert cautious(deep, NOTHING, random.Random(number)) in HAND[-2:]
    assert cautious(dry, NOTHING, random.Random(number)) in HAND[:2]
    assert cautious(no_help, NOTHING, random.Random(number)) in HAND[:2]


def test_chances_by_rank_by_hand() -> None:
    # At 5 beside 2 and 9: who takes the 1 is never the highest, who takes the 12 always; and when the others
    # take both, one of them has the 12.
    assert chances_by_rank((1, 12), 5, [2, 9]) == (0, 1, 0)
    # At 12 nobody can be deeper.
    assert chances_by_rank((1, 12), 12, [2, 9]) == (0, 1, 1)
    # The 9 stays the highest unless it takes one of the two: then the 5 is, or the 4.
    assert chances_by_rank((3, 4), 5, [2, 9, 0]) == pytest.approx((0, 1 / 3, 4 / 6))


def test_chances_by_rank_are_shares_of_who_takes_what() -> None:
    for offer in ((2, 2), (3, 8), (7, 12)):
        for own, *others in permutations((0, 3, 8, 11)):
            outcomes: list[list[bool]] = [[], [], []]
            for takers in permutations(range(4), 2):
                levels = [own, *others]
                levels[takers[0]], levels[takers[1]] = offer
                rank = takers.index(0) if 0 in takers else 2
                outcomes[rank].append(levels[0] == max(levels))
            expected = tuple(sum(which) / len(which) for which in outcomes)
            assert chances_by_rank(offer, own, others) == pytest.approx(expected)


@pytest.mark.parametrize("number", range(10))
def test_greedy_takes_the_low_tide_when_it_is_deepest(number: int) -> None:
    view = view_of([seat(12), seat(5), seat(7)], (1, 9), HAND)
    assert greedy(view, NOTHING, random.Random(number)) == 59


def test_greedy_does_not_mind_when_nothing_can_happen() -> None:
    view = view_of([seat(1), seat(12), seat(12), seat(12)], (2, 3), HAND)
    assert {greedy(view, NOTHING, random.Random(number)) for number in range(100)} == set(HAND)


def test_tidal_takes_the_low_tide_when_it_is_deepest() -> None:
    view = view_of([seat(12, 0), seat(5), seat(7), seat(8)], (1, 2), HAND)
    assert tidal(view, NOTHING, random.Random(1)) == 59


def test_tidal_gets_rid_of_middle_cards_when_nothing_can_happen() -> None:
    view = view_of([seat(1), seat(12), seat(12), seat(12)], (2, 3), HAND)
    assert tidal(view, NOTHING, random.Random(1)) in (20, 31)


def test_tidal_uses_what_assistance_tells() -> None:
    # Both rivals' hands are known. Only above the 40s does one flee from the deep.
    rest = [seat(10, 1), seat(2), seat(3)]
    hands = [OwnHand(1, (4, 5, 40)), OwnHand(2, (6, 7, 41))]
    told = view_of(rest, (1, 8), [10, 42, 60], hands)
    assert tidal(view_of(rest, (1, 8), [10, 42, 60]), NOTHING, random.Random(1)) == 60
    assert tidal(told, NOTHING, random.Random(1)) == 42


# ------------------------------------------------------------------------------------ tidal's sums


@pytest.mark.parametrize("size", [1, 3, 6])
def test_somebody_bids_exactly_one_card(size: int) -> None:
    costs = [0.5, 0.1, 0.1, 0.9, 0.0, 0.3, 0.3, 0.2]
    chances = bid_chances(costs, [False] * 8, [True] * 8, size, 0.2)
    assert sum(chances) == pytest.approx(1)
    assert chances[1] == chances[2]
    assert max(chances) == chances[4]


def test_a_known_card_is_bid_before_all_that_are_worse() -> None:
    sure = [False, True, False, False]
    loose = [True, False, True, True]
    chances = bid_chances([0.1, 0.2, 0.3, 0.4], sure, loose, 2, 0.2)
    assert sum(chances) == pytest.approx(1)
    # One of three unknown cards comes with it; now and then any of the two held is bid.
    assert chances == pytest.approx([0.8 / 3 + 0.1 / 3, 0.8 * 2 / 3 + 0.1, 0.1 / 3, 0.1 / 3])


def test_a_hand_that_is_known_altogether() -> None:
    chances = bid_chances([0.3, 0.2, 0.1], [True, True, False], [False] * 3, 2, 0.2)
    assert chances == pytest.approx([0.1, 0.9, 0])
