"""Statistics of a player, counted again in another way from what the referee says."""

from collections import Counter
from statistics import mean
from typing import Any

import pytest

from engine.editions import HIGHEST_TIDE
from engine.records.outcome import resolve
from engine.records.record_format import Record
from engine.records.replay import fold
from engine.records.statistics import MOST_LEFT, Collector, Statistics
from engine.rules import dealt_hand_of
from tests.support.games import record

NAMES = ("ada", "bo", "cem", "dora")


def counted(*games: tuple[Record, int], players: tuple[str, ...] = ()) -> Statistics:
    collector = Collector()
    for number, (game, seat) in enumerate(games, 1):
        collector.add(fold(game), seat, number, players)
    return collector.statistics()


GAMES = [(record(number, NAMES), number % 4) for number in range(1, 13)]


def test_nothing_of_no_games() -> None:
    found = counted()
    assert (found.games, found.bids, found.opponents, found.best_hand) == (0, (), (), None)
    assert found.tides == (0,) * HIGHEST_TIDE
    assert found.stage_points == ()


def test_games_stages_and_points() -> None:
    found, reports = counted(*GAMES), [(resolve(game), seat) for game, seat in GAMES]
    stages = [(stage.result, seat) for report, seat in reports for stage in report.stages]
    assert found.games == 12
    assert found.wins == sum(seat in report.winners for report, seat in reports)
    assert found.stages == len(stages) == 48
    assert found.points == sum(report.scores[seat] for report, seat in reports)
    points = Counter(result.points[seat] for result, seat in stages if result)
    assert dict(enumerate(found.stage_points, -1)) == {
        each: points[each] for each in range(-1, max(points) + 1)
    }
    assert found.eliminated == points[-1]
    assert found.bonuses == sum(seat in result.bonus for result, seat in stages if result)


def test_tides_and_bids_by_life_preservers_left() -> None:
    found = counted(*GAMES)
    tides: Counter[int] = Counter()
    bids: Counter[int] = Counter()
    lost: Counter[int] = Counter()
    heights: dict[int, list[float]] = {}
    for game, seat in GAMES:
        for number, stage in enumerate(resolve(game).stages):
            hand = sorted(game.deal[dealt_hand_of(seat, number, 4)])
            left = stage.life_preservers[seat]
            for result in stage.rounds:
                card = result.bids[seat]
                if card is None:
                    continue
                for taker, tide in zip(result.takers, result.offer, strict=True):
                    tides[tide] += taker == seat
                lower = sum(other < card for other in hand)
                if len(hand) > 1:
                    bids[min(left, MOST_LEFT)] += 1
                    heights.setdefault(min(left, MOST_LEFT), []).append(lower / (len(hand) - 1))
                    lost[min(left, MOST_LEFT)] += seat in result.lost + result.eliminated
                hand = [other for other in hand if other != card]
                left = result.life_preservers[seat]
    assert found.tides == tuple(tides[tide] for tide in range(1, HIGHEST_TIDE + 1))
    assert {each.left: each.bids for each in found.bids} == dict(bids)
    assert {each.left: each.lost for each in found.bids} == {left: lost[left] for left in bids}
    for each in found.bids:
        assert each.height == pytest.approx(mean(heights[each.left]))
        assert each.took_low + each.took_high <= each.bids


def test_hands_against_those_who_had_the_same() -> None:
    found, more = counted(*GAMES), []
    for game, seat in GAMES:
        made: dict[int, list[tuple[int, int]]] = {}
        for number, stage in enumerate(resolve(game).stages):
            assert stage.result is not None
            for there, points in enumerate(stage.result.points):
                made.setdefault(dealt_hand_of(there, number, 4), []).append((there, points))
        for played in made.values():
            own = next(points for there, points in played if there == seat)
            more.append(own - mean(points for there, points in played if there != seat))
    hands = found.hands
    assert hands.played == len(more) == 48
    assert (hands.better, hands.worse) == (
        sum(each > 0 for each in more),
        sum(each < 0 for each in more),
    )
    assert hands.better + hands.same + hands.worse == hands.played
    assert hands.mean == pytest.approx(mean(more))
    assert found.best_hand is not None
    assert found.worst_hand is not None
    assert found.best_hand.points - found.best_hand.others == pytest.approx(max(more))
    assert found.worst_hand.points - found.worst_hand.others == pytest.approx(min(more))


SEATS: list[dict[str, Any]] = [
    {"kind": "human"},
    {"kind": "bot", "strategy": "tidal"},
    {"kind": "left"},
    {"kind": "program"},
]


def test_people_and_bots_are_counted_apart_and_who_left_not_at_all() -> None:
    games = [(record(number, NAMES, seats=SEATS), 0) for number in range(1, 7)]
    found = counted(*games)
    scores = [resolve(game).scores for game, _ in games]
    (bot,), (program,) = found.bots, found.opponents
    assert (bot.name, program.name) == ("tidal", "dora")
    for each, other in ((bot, 1), (program, 3)):
        assert each.games == 6
        assert each.ahead == sum(score[0] > score[other] for score in scores)
        assert each.behind == sum(score[0] < score[other] for score in scores)
        assert each.ahead + each.level + each.behind == 6
        assert each.mean == pytest.approx(mean(score[0] - score[other] for score in scores))


def test_an_opponent_of_another_name_is_the_same_person_and_is_called_by_the_newest() -> None:
    collector = Collector()
    for number, name in enumerate(("bo", "Bodo"), 1):
        game = record(number, ("ada", name, "cem"), seats=["human"] * 3)
        collector.add(fold(game), 0, number, ("id-ada", "id-bo", ""))
    found = collector.statistics()
    assert {(each.name, each.games) for each in found.opponents} == {("Bodo", 2), ("cem", 2)}


def test_streaks() -> None:
    won = [game for game in GAMES if game[1] in resolve(game[0]).winners]
    lost = [game for game in GAMES if game[1] not in resolve(game[0]).winners]
    assert len(won) >= 2
    found = counted(*won[:2], lost[0], won[0]).wins_in_a_row
    assert (found.longest, found.now) == (2, 1)
    assert counted(*won[:2], lost[0]).wins_in_a_row.now == 0
    found = counted(*GAMES).without_elimination
    run = longest = 0
    for game, seat in GAMES:
        for stage in resolve(game).stages:
            assert stage.result is not None
            run = 0 if stage.result.eliminated[seat] else run + 1
            longest = max(longest, run)
    assert (found.longest, found.now) == (longest, run)
