"""What is told of a game that is over, from its points alone."""

import random
from collections import Counter

from engine.deal import deal_game
from engine.editions import Rules
from engine.rules import dealt_hand_of
from engine.standings import MOST, Highlight, Kind, highlights, stage_hands, totals_after
from engine.state import Phase
from engine.views import TableView, table_view
from tests.support.games import played


def finished(
    points: tuple[tuple[int, ...], ...], bonuses: tuple[tuple[int, ...], ...] | None = None
) -> TableView:
    """A game that has come to these points, whoever held what."""
    rules = Rules(players=len(points[0]), stages=len(points))
    view = table_view(played(rules, bytes(32), random.Random(1)))
    totals = [sum(stage[seat] for stage in points) for seat in range(rules.players)]
    winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    return view._replace(
        points=points, bonuses=bonuses or ((),) * len(points), winners=winners, deal=()
    )


def kinds(view: TableView) -> dict[Kind, Highlight]:
    return {each.kind: each for each in highlights(view)}


def test_the_most_of_a_hand() -> None:
    # Seat 1 plays the hand of seat 0 in the second stage, seat 2 in the third.
    view = finished(((1, 0, 0), (0, 5, 0), (0, 0, 2)))
    assert Highlight(Kind.BEST_OF_HAND, 1, 1, 0, 5, 2) in highlights(view)


def test_eliminated_with_a_hand_of_which_others_made_much() -> None:
    view = finished(((4, 0, 0), (0, -1, 0), (0, 0, 4)))
    assert kinds(view)[Kind.LOST_HAND] == Highlight(Kind.LOST_HAND, 1, 1, 0, -1, 4)


def test_who_took_the_lead_for_good_and_who_came_back() -> None:
    view = finished(((5, 0, 1), (0, 1, 1), (0, 1, 5)))
    assert kinds(view)[Kind.TOOK_LEAD] == Highlight(Kind.TOOK_LEAD, 2, 2, 0, 2, 0)
    # Four points behind after the first stage, three after the second.
    assert kinds(view)[Kind.COMEBACK] == Highlight(Kind.COMEBACK, 0, 2, 2, 4, 0)


def test_nobody_took_a_lead_that_was_there_from_the_beginning_or_is_shared() -> None:
    assert Kind.TOOK_LEAD not in kinds(finished(((2, 0, 0), (1, 0, 0), (1, 0, 0))))
    assert Kind.TOOK_LEAD not in kinds(finished(((2, 0, 0), (0, 1, 0), (0, 1, 0))))


def test_the_bonus_that_decided() -> None:
    points = ((1, 1, 0), (1, 1, 0), (1, 2, 0))
    decided = finished(points, ((), (), (1,)))
    assert kinds(decided)[Kind.BONUS_DECIDED].seat == 1
    assert Kind.BONUS_DECIDED not in kinds(finished(points, ((), (), (2,))))


def test_all_life_preservers_kept() -> None:
    rules = Rules(players=3, stages=1)
    state = played(rules, bytes(32), random.Random(1))
    start = state.finished[0].start[0]
    assert start >= 3
    view = table_view(state)._replace(points=((start + 1, 0, 0),), bonuses=((0,),), winners=(0,))
    assert kinds(view)[Kind.KEPT_ALL] == Highlight(Kind.KEPT_ALL, 0, 0, 0, start + 1, start)
    lost_one = view._replace(points=((start, 0, 0),))
    assert Kind.KEPT_ALL not in kinds(lost_one), "the bonus is not a life preserver"


def test_few_are_told_in_order_and_none_before_the_end() -> None:
    for number in range(40):
        rules = Rules(players=3 + number % 3)
        state = played(rules, bytes([number] * 32), random.Random(number))
        told = highlights(table_view(state))
        assert len(told) <= MOST
        assert [each.stage for each in told] == sorted(each.stage for each in told)
        assert max(Counter(each.kind for each in told).values(), default=0) <= 2
        for each in told:
            assert each.hand == dealt_hand_of(each.seat, each.stage, rules.players)
        running = played(rules, bytes([number] * 32), random.Random(number), rounds=20)
        assert running.phase is not Phase.OVER
        assert highlights(table_view(running)) == ()


def test_who_made_how_much_of_which_hand() -> None:
    rules = Rules(players=4)
    state = played(rules, bytes(32), random.Random(2))
    view = table_view(state)
    deal = deal_game(bytes(32), rules).hands
    for number, result in enumerate(state.finished):
        hands = stage_hands(view, number, result)
        assert [hand.points for hand in hands] == list(result.points)
        assert [hand.start for hand in hands] == list(result.start)
        for hand in hands:
            assert view.deal[hand.hand] == deal[hand.hand]
            assert [seat for seat, _ in hand.earlier] == [
                (hand.hand + stage) % 4 for stage in range(number)
            ]
            for stage, (seat, points) in enumerate(hand.earlier):
                assert view.points[stage][seat] == points
    assert totals_after(view)[-1] == state.scores
