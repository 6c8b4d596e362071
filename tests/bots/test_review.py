"""Reviews of games in which somebody made a mistake that is known by the rules alone."""

import random
from itertools import product
from pathlib import Path

import pytest

from engine.bots.analysis import analyse
from engine.bots.estimates import CardReason, Why
from engine.bots.review import (
    GRADES,
    Grade,
    ReviewedBid,
    accuracy,
    costliest,
    decisions,
    reviewed,
)
from engine.editions import Edition, Rules
from engine.records.record_format import record_of
from engine.records.replay import Replay, fold
from engine.rules import reveal, turn_tides
from engine.state import GameState, Phase
from engine.views import history_of, seat_view
from tests.support.endings import last_choice, points_after
from tests.support.engine import RandomGame
from tests.support.games import NAMES

ROLLOUTS = 800


def folded(state: GameState) -> Replay:
    return fold(record_of(state, NAMES[: state.rules.players]))


def least_gap(game: RandomGame, state: GameState, seat: int, better: int, worse: int) -> int:
    """How many points of the stage ``better`` brings more than ``worse`` at least, whatever is bid by the
    others. The tides of the last round are those that are left.
    """
    hands = [hand or (None,) for hand in state.stage.hands]
    hands[seat] = (worse,)
    return min(
        points_after(game, state, [*bids[:seat], better, *bids[seat + 1 :]], seat)
        - points_after(game, state, bids, seat)
        for bids in product(*hands)
    )


def certain_mistakes(players: int, wanted: int) -> list[tuple[RandomGame, int, int, int]]:
    """A game before its last choice, a seat, its better card, and its worse one: by at least a point."""
    found = []
    for number in range(2000):
        game, state = last_choice(number, Rules(players=players))
        if state.phase is Phase.OVER:
            continue
        for seat, hand in enumerate(state.stage.hands):
            for better, worse in (hand, hand[::-1]) if hand else ():
                if least_gap(game, state, seat, better, worse) > 0:
                    found.append((game, seat, better, worse))
        if len(found) >= wanted:
            break
    return found[:wanted]


def finished_with(game: RandomGame, seat: int, card: int) -> Replay:
    """The game to its end, with this bid of the seat and any others."""
    bids = [*game.any_bids()]
    bids[seat] = card
    state = reveal(game.state, bids)
    if state.phase is Phase.TIDES:
        stage = state.stage
        state = turn_tides(state, game.deal.offer(stage.number, len(stage.rounds)))
        state = reveal(state, [hand[0] if hand else None for hand in state.stage.hands])
    return folded(state)


def last_of(replay: Replay, seat: int) -> ReviewedBid:
    *_, decision = decisions(replay, seat)
    return reviewed(decision, ROLLOUTS)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_certain_mistakes_are_found_and_right_bids_are_not_blamed(players: int) -> None:
    for game, seat, better, worse in certain_mistakes(players, wanted=6):
        mistake = last_of(finished_with(game, seat, worse), seat)
        assert (mistake.bid, mistake.best) == (worse, better)
        assert mistake.sure
        assert mistake.difference >= 0.95
        right = last_of(finished_with(game, seat, better), seat)
        assert (right.bid, right.best, right.difference) == (better, better, 0)
        assert not right.sure


@pytest.mark.parametrize("number", [4, 15])
def test_a_wasted_card_is_the_costliest_bid_of_a_game(number: int) -> None:
    """One seat bids the best card in each round, but once the worst; the others bid any card."""
    game = RandomGame(Rules(players=4, stages=1), random.Random(number))
    wasted = (-1, 0)
    while game.state.phase is not Phase.OVER:
        game.step()
        bids, round_ = [*game.any_bids()], len(game.state.stage.rounds)
        if game.state.phase is not Phase.BIDDING:
            continue
        view = seat_view(game.state, 0)
        if len(view.hand) > 1:
            found = analyse(view, history_of(game.state, 0), game.rng, rollouts=ROLLOUTS)
            worst = min(found.cards, key=lambda each: each.points)
            bids[0] = found.best
            if wasted[0] < 0 and found.of(found.best).points - worst.points > 1:
                bids[0] = worst.card
                wasted = round_, worst.card
        game.state = reveal(game.state, bids)
    told = [reviewed(each, ROLLOUTS) for each in decisions(folded(game.state), 0)]
    first, *others = costliest(told)
    assert (first.round, first.bid) == wasted
    assert first.difference > 0.8
    assert len(others) <= 2
    assert all(other.difference < first.difference / 2 for other in others)


def bid_that_cost(cost: float, stake: float = 2.0, error: float = 0.05) -> ReviewedBid:
    return ReviewedBid(
        *(0, 0, 1, 2, cost + 2 * error, error, 0.1, 0.1, 2), stake, CardReason(Why.LATER)
    )


def test_grades_begin_where_the_document_says() -> None:
    document = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
    for least, grade in GRADES:
        assert f"| {grade} | from {least} points |" in document
        assert bid_that_cost(least + 0.001).grade is grade
        assert bid_that_cost(least - 0.001).grade is not grade
    assert bid_that_cost(-0.1).grade is Grade.GOOD
    assert bid_that_cost(-0.1).cost == 0


def test_the_accuracy_is_what_was_kept_of_what_was_at_stake() -> None:
    assert accuracy([]) is None
    assert accuracy([bid_that_cost(0, 0)]) is None
    assert accuracy([bid_that_cost(-0.05)]) == 1
    assert accuracy([bid_that_cost(0.5), bid_that_cost(0, 3.0)]) == pytest.approx(0.9)
    assert accuracy([bid_that_cost(2.5)]) == 0, "no more is lost than was at stake"


def test_who_bids_the_best_cards_is_more_accurate_than_who_bids_any() -> None:
    game = RandomGame(Rules(players=3, stages=2), random.Random(5))
    while game.state.phase is not Phase.OVER:
        game.step()
        if game.state.phase is not Phase.BIDDING:
            continue
        bids, view = [*game.any_bids()], seat_view(game.state, 0)
        if len(view.hand) > 1:
            history = history_of(game.state, 0)
            bids[0] = analyse(view, history, game.rng, rollouts=ROLLOUTS).best
        game.state = reveal(game.state, bids)
    replay = folded(game.state)
    best, any_card = (
        accuracy([reviewed(each, ROLLOUTS) for each in decisions(replay, seat)]) or 0
        for seat in (0, 1)
    )
    assert best > 0.95
    assert best > any_card + 0.1


def test_the_reason_is_what_most_often_comes_of_the_two_cards() -> None:
    kinds = set[Why]()
    for number, rounds in product(range(4), (3, 7)):
        game = RandomGame(Rules(players=4), random.Random(number)).play(2 * rounds + 1)
        for seat in range(4):
            view = seat_view(game.state, seat)
            if len(view.hand) < 2:
                continue
            found = analyse(view, history_of(game.state, seat), random.Random(1), rollouts=ROLLOUTS)
            best, other = found.of(found.best), found.of(found.other)
            kind, tide, left_to, share = found.reason
            kinds.add(kind)
            assert (tide is None) == (share is None) == (kind in (Why.SAFER, Why.LATER))
            assert left_to is None or kind is Why.LEAVES
            if tide is None:
                continue
            assert view.table.offer is not None
            assert tide in view.table.offer
            assert share is not None
            assert 0 < share <= 1
            if left_to is not None:
                assert left_to != seat
                assert share >= 0.5
                assert not view.table.seats[left_to].eliminated
                # The other card takes a tide more often than the better one.
                assert other.highest + other.second > best.highest + best.second - 0.1
            elif kind is Why.TAKES:
                assert best.highest + best.second > other.highest + other.second - 0.1
    assert kinds == set(Why)


def test_a_review_is_always_the_same() -> None:
    game = RandomGame(Rules(players=3, stages=2), random.Random(1)).play()
    told = [*decisions(folded(game.state), 1)][4]
    assert reviewed(told, 100) == reviewed(told, 100)


@pytest.mark.parametrize("players", [3, 5, 6])
def test_every_choice_is_reviewed_and_nothing_else(players: int) -> None:
    rules = Rules(Edition.BGA, players, 2)
    state = RandomGame(rules, random.Random(players)).play().state
    for seat in range(players):
        found = [*decisions(folded(state), seat)]
        assert [(each.stage, each.round, each.bid) for each in found] == [
            (number, round_, told.bids[seat])
            for number, stage in enumerate(state.finished)
            for round_, told in enumerate(stage.rounds)
            if told.bids[seat] is not None and round_ < rules.hand_size - 1
        ]
        for each in found:
            assert each.bid in each.view.hand
            assert len(each.history.stages) == each.stage
            assert each.view.seat == seat


def test_a_review_begins_with_the_stage_in_which_the_player_joined() -> None:
    state = RandomGame(Rules(players=3), random.Random(5)).play().state
    seats = [{"kind": "joined", "since": 2}, {"kind": "human"}, {"kind": "joined", "since": "x"}]
    replay = fold(record_of(state, NAMES[:3], more={"seats": seats}))
    assert [next(decisions(replay, seat)).stage for seat in range(3)] == [1, 0, 0]


def test_a_game_that_was_broken_off_is_reviewed_as_far_as_it_went() -> None:
    state = RandomGame(Rules(players=3), random.Random(5)).play(2 * 2 + 1).state
    replay = fold(record_of(state, NAMES[:3], ended_early=True))
    assert [each.round for each in decisions(replay, 2)] == [0, 1]


def test_estimates_of_a_card_that_is_certain_to_be_the_highest() -> None:
    game = RandomGame(Rules(players=4), random.Random(2)).play(1)
    seat = next(seat for seat, hand in enumerate(game.state.stage.hands) if 60 in hand)
    view = seat_view(game.state, seat)
    found = analyse(view, history_of(game.state, seat), random.Random(1), rollouts=ROLLOUTS)
    assert [each.card for each in found.cards] == list(view.hand)
    assert found.of(60).highest == 1
    for each in found.cards:
        assert 0 <= each.eliminated <= each.risk <= 1
        assert each.highest + each.second <= 1 + 1e-9
    assert found.best in view.hand
    assert found.other in view.hand
    assert found.error >= 0


def test_a_hint_compares_with_the_best_card_that_can_be_told_apart() -> None:
    for number, rounds in ((4, 6), (8, 6), (5, 14)):
        game = RandomGame(Rules(players=3), random.Random(number)).play(2 * rounds + 1)
        view = seat_view(game.state, 0)
        found = analyse(view, history_of(game.state, 0), random.Random(1))
        assert found.life_preservers == view.table.seats[0].life_preservers
        assert found.sure
        between = [found.of(card).points for card in found.alike]
        assert found.of(found.best).points >= max(between)
        assert min(between) > found.of(found.other).points
