"""The measurements of strength and the training, with very little of everything."""

import random
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from bench.strength import accuracy, bot_ratings, calibration, exploit, imitate, report
from bench.strength.__main__ import main
from bench.strength.calibration import correction, outcome, table, told_in
from bench.strength.deals import held_out
from bench.strength.heldout import HELD_OUT, NAIVE
from bench.strength.matches import DealResult, Player, figures, play_deal
from bench.strength.train import (
    Learning,
    best_response,
    cost_of_standing_highest,
    imitation,
    random_types,
)
from engine.bots import LADDER, STRATEGIES, bot
from engine.bots.analysis import Correction, analyse, corrected
from engine.bots.policies import policies
from engine.bots.review import reviewed
from engine.editions import Rules
from engine.views import History, SeatView
from server.storage.ratings import SIGMA
from tests.support.bots import seat, view_of
from tests.support.patience import PATIENCE


def watched(name: str) -> Player:
    def choose(view: SeatView, _: History, rng: random.Random) -> int:
        card = {**HELD_OUT, **NAIVE}[name](view, rng)
        assert card in view.hand
        return card

    return choose


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_rule_of_thumb_bids_cards_of_its_hand(players: int) -> None:
    names = [*HELD_OUT, *NAIVE]
    for first in range(0, len(names), players - 1):
        some = [watched(name) for name in (names + names)[first : first + players - 1]]
        rules = Rules(players=players, stages=1)
        play_deal(rules, bot("random"), partial(at_the_table, some), f"{first}")


def at_the_table(players: list[Player], _: random.Random) -> list[Player]:
    return players


def test_figures_of_equal_players() -> None:
    rules = Rules(players=3, stages=2)
    cautious = bot("cautious")
    results = [play_deal(rules, cautious, lambda _: [cautious] * 2, f"{n}") for n in range(3)]
    one = figures(results)
    assert one.points == pytest.approx(sum(one.stages) / 2)
    assert 0 < one.wins < 1
    assert one.median <= one.p99 <= one.longest


def test_a_difference_is_of_the_same_deals() -> None:
    one, other = (
        figures([DealResult(points, 0, 0, (points,), [1]) for points in by_deal])
        for by_deal in ((3.0, 5.0, 1.0), (1.0, 2.0))
    )
    assert one.less(other) == (2, 2.5, 0.5)
    assert other.less(one) == (2, -2.5, 0.5)
    unknown = [report.Match(4, name, "") for name in ("expert", "tidal")]
    lines = report.tables(dict(zip(unknown, (one, other), strict=True)), [])
    assert "| 4 | `expert` | `tidal` | 2 | 2.50 ± 0.50 |" in lines


def test_opponents_are_drawn_by_the_generator() -> None:
    assert len(held_out(4, random.Random(1))) == 4


def test_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    main(["greedy", "random", "--players", "3", "--deals", "2"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "## 3 players, 2 deals, against held-out opponents"
    assert [line.split()[1] for line in lines[4:6]] == ["`greedy`", "`random`"]


def test_processes_that_share_a_match_play_the_same_deals(
    capsys: pytest.CaptureFixture[str],
) -> None:
    match = ["random", "--players", "3", "--deals", "2"]
    main(match)
    alone = capsys.readouterr().out.splitlines()[4].split("|")
    command = [sys.executable, "-m", "bench.strength", *match, "--jobs", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.splitlines()[4].split("|")[:6] == alone[:6]  # then come times


def test_the_report_leaves_out_what_takes_too_long(tmp_path: Path) -> None:
    target = tmp_path / "strength.md"
    short = ["--seconds", "0.08", "--closer", "1", "--pairs", "0", "0", "0", "--jobs", "1"]
    report.main([*short, "--target", str(target)])
    rows = [line.split("|") for line in target.read_text().splitlines() if line.startswith("|")]
    first, last = rows[2], rows[len(LADDER) + 1]
    assert "(2)" in first[2]
    assert last[1:3] == [" `master` ", " – "]


def test_more_time_is_more_deals() -> None:
    match = report.Match(4, "tidal", "greedy")
    assert report.deals_of(match, 1) < report.deals_of(match, 10) <= report.deals_of(match, 1000)
    assert report.deals_of(match, 0.001) == 0


def test_what_is_asked_about_most_gets_deals_of_its_own() -> None:
    paired = [match for match in report.matches() if match.paired]
    assert paired == [(players, bot_, "") for players in (3, 4, 5) for bot_ in ("expert", "master")]


def test_a_report_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match, other = report.Match(3, "greedy", "novice"), report.Match(3, "novice", "greedy")
    first, second = (report.played_deal(tmp_path, match, number) for number in (0, 1))

    def played_again(*_: object) -> DealResult:
        raise LookupError

    monkeypatch.setattr(report, "deal_of", played_again)
    assert [report.played_deal(tmp_path, match, number) for number in (0, 1)] == [first, second]
    with pytest.raises(LookupError):
        report.played_deal(tmp_path, other, 0)


def test_a_best_response_is_better_than_any_card() -> None:
    rng = np.random.default_rng(1)
    types = random_types(4, rng)
    first = np.zeros(types.shape[1:], np.float32)
    prior = np.full(4, 0.25)
    rules = Rules(players=3)
    _, before = best_response(rules, types, prior, first, Learning(1, stages=400), rng)
    how = Learning(40, stages=400, rate=0.1)
    found, after = best_response(rules, types, prior, first, how, rng)
    assert after > before + 0.3
    again, _ = best_response(
        rules, types, prior, found, Learning(2, stages=100, informed=True), rng
    )
    assert np.isfinite(again).all()


def test_an_imitation_heeds_what_its_model_heeds() -> None:
    rng = np.random.default_rng(1)
    model = cost_of_standing_highest(8)
    copy = imitation(Rules(players=3), model[None], np.ones(1), rng, steps=25)
    assert (copy * model).sum() > 5


def test_what_a_best_response_gains(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploit, "ROLLOUTS", 60)
    exploit.main(["greedy", "--players", "3", "--deals", "2", "--steps", "2"])
    said = capsys.readouterr().out
    assert "copies of greedy" in said
    assert "searching response" in said


def test_one_deal_says_nothing_of_a_gain(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        exploit.main(["greedy", "--deals", "1"])
    assert "at least 2" in capsys.readouterr().err


def test_the_imitation_of_a_bot_bids_like_it() -> None:
    rules = Rules(players=3)
    known = policies(3)
    games = [imitate.played(rules, [bot("cautious")] * 3, f"{number}") for number in range(3)]
    seats = [(game, seat) for game in games for seat in range(3)]
    policy = imitate.imitation(known, seats)
    assert policy.shape == known.typical.shape
    assert np.isfinite(policy).all()


def test_what_hints_tell_is_compared_with_what_came_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "analyse", partial(analyse, rollouts=40))
    found = list(told_in(Rules(players=3), "here"))
    lines = list(table(found))
    numbers = [int(line.split("|")[2]) for line in lines if "% | " in line]
    hinted = sum(each.hinted for each in found)
    reasons = sum(each.reason is not None for each in found)
    assert sum(numbers) == 2 * (hinted + len(found)) + reasons
    assert 0 < reasons < hinted


def test_the_correction_is_found_from_what_came_of_what_was_told() -> None:
    rng = np.random.default_rng(1)
    said = rng.dirichlet((1, 1, 1), 20000)
    how = Correction(0.7, (1.2, 0.8, 1.0))
    true = corrected(said.T, np.ones_like(said.T, np.bool_), how).T
    drawn = (rng.random((20000, 1)) > true.cumsum(axis=1)).sum(axis=1)
    power, odds, _ = correction(said, np.eye(3)[drawn])
    assert power == pytest.approx(how.power, abs=0.05)
    assert odds == pytest.approx(how.odds, abs=0.1)


def test_the_doubt_is_found_by_fits_to_other_deals() -> None:
    rng = np.random.default_rng(1)
    first = rng.choice((0.002, 0.1, 0.5, 0.9, 0.998), 20000)
    said = np.stack([first, 1 - first], axis=1)
    true = corrected(said.T, np.ones_like(said.T, np.bool_), Correction(0.9, (0.8, 1.0), 0.08)).T
    came = np.eye(2)[(rng.random(20000) > true[:, 0]).astype(int)]
    halves = np.split(np.array([said, came]), 2, axis=1)
    power, odds, doubt = calibration.validated(halves)
    assert doubt == 0.08
    assert power == pytest.approx(0.9, abs=0.05)
    assert odds == pytest.approx((0.8, 1.0), abs=0.1)


def test_what_a_card_would_have_led_to() -> None:
    view = view_of([seat(5, 0), seat(7), seat(2)], (3, 9), [10, 20, 30])
    assert outcome(view, [10, 25, 15], 10) == (10, 0, False, False, False, False)
    assert outcome(view, [10, 25, 15], 20) == (20, 0, False, True, True, True)
    assert outcome(view, [10, 25, 15], 30) == (30, 0, True, False, False, False)


def test_reviews_of_bots_are_told_by_bot(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(accuracy, "reviewed", partial(reviewed, rollouts=40))
    accuracy.main(["--games", "1", "--bots", "random", "cautious", "greedy"])
    _judge, _, _heads, _line, *rows = capsys.readouterr().out.splitlines()
    assert [row.split("|")[1].strip() for row in rows] == ["`random`", "`cautious`", "`greedy`"]
    for row in rows:
        _name, games, *shares = [cell.strip() for cell in row.strip("|").split("|")]
        assert games == "1"
        kept, _ends, *grades = [cell.removesuffix("%") for cell in shares]
        assert 0 <= int(kept) <= 100
        assert sum(map(int, grades)) == pytest.approx(100, abs=2)


def test_ratings_of_bots_are_what_the_games_were_drawn_from() -> None:
    """Scores with noise of a Gumbel distribution come out in the order of Plackett and Luce."""
    rng, above = np.random.default_rng(1), np.array([-7.0, 0.0, 6.0, 14.0, 20.0])
    played = []
    for number in range(150):
        bots = np.array([rng.permutation(np.arange(4) + number % 2) for _ in range(4)])
        luck = rng.gumbel(scale=SIGMA, size=bots.shape)
        played.append(bot_ratings.Deal(bots, (above[bots] + luck).argsort(axis=1).argsort(axis=1)))
    found, deviations = bot_ratings.fit(played, len(above), 1)
    assert (found[1], deviations[1]) == (0, 0)
    assert all(abs(found - above) <= 2.5 * deviations)
    assert deviations.max() < 2


def test_ratings_of_bots_come_from_tables_of_neighbours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["bot_ratings", "16", *STRATEGIES[:5]])
    bot_ratings.main()
    games, *lines = capsys.readouterr().out.splitlines()
    assert games == "64 games"
    assert [line.split(":")[0] for line in lines] == list(STRATEGIES[:5])
    assert "greedy: (25.0, 0.0)" in lines


def test_bots_that_search_meet_the_same_three_others(monkeypatch: pytest.MonkeyPatch) -> None:
    met = set[frozenset[str]]()

    def play(bots: list[str], _seed: bytes, _chance: random.Random) -> tuple[int, ...]:
        met.add(frozenset(bots))
        return tuple(range(len(bots)))

    monkeypatch.setattr(bot_ratings, "play", play)
    bot_ratings.deals(list(STRATEGIES), range(8 * 3))
    assert frozenset(STRATEGIES[-4:]) in met
