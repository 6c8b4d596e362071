"""``tide arena``: fair deals, honest figures, clear refusals."""

import json
import random
import signal
from collections import Counter
from collections.abc import Generator
from functools import partial
from typing import Any

import pytest

from engine.bots import matches
from engine.bots.matches import Match, MatchTally, figures_of, play_deal
from engine.editions import Edition, Rules
from engine.views import History, SeatView
from server.cli import play
from server.cli.commands import INTERRUPTED
from tests.support.state_dirs import tide

pytestmark = pytest.mark.slow


arena = partial(tide, "arena")


def report(*arguments: str) -> dict[str, Any]:
    result = arena(*arguments, "--json")
    assert result.status == 0, result.err
    (line,) = result.out.splitlines()
    told: dict[str, Any] = json.loads(line)
    return told


def without_times(told: dict[str, Any]) -> dict[str, Any]:
    for bot in told["bots"]:
        del bot["ms_a_choice"]
    return told


# ------------------------------------------------------------------------------------ the games


@pytest.mark.parametrize("players", [3, 5])
def test_everybody_plays_every_hand_with_every_order_of_tides(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: Counter[tuple[str, int, tuple[int, ...], tuple[int, int] | None]] = Counter()

    def lowest(strategy: str, view: SeatView, history: History, rng: random.Random) -> int:
        if len(view.hand) == len(view.dealt):
            seen[strategy, view.table.stage, view.dealt, view.table.offer] += 1
        return view.hand[0]

    monkeypatch.setattr(matches, "choose", lowest)
    bots = tuple("abcde"[:players])
    play_deal(Match(bots, Rules(players=players), 1), 0)
    assert set(seen.values()) == {1}
    situations = {situation[1:] for situation in seen}
    assert len(situations) == players * players
    assert set(seen) == {(bot, *situation) for bot in bots for situation in situations}


def test_a_deal_is_the_same_whoever_plays_it_when() -> None:
    match = Match(("random", "cautious", "greedy"), Rules(players=3), 7)

    def counted(tallies: dict[str, MatchTally]) -> dict[str, MatchTally]:
        return {name: tally._replace(seconds=0) for name, tally in tallies.items()}

    first = counted(play_deal(match, 3))
    play_deal(match, 4)
    assert counted(play_deal(match, 3)) == first
    assert counted(play_deal(match, 4)) != first


def test_figures_by_hand() -> None:
    """Three deals of 3 games of 3 stages with 9, 18 and 27 points: 1, 2 and 3 a stage."""
    match = Match(("greedy", "random", "random"), Rules(players=3), 1)
    tally = MatchTally()
    for points in (9, 18, 27):
        tally = tally.plus(MatchTally(1, points, points * points, 90, 11, 0.022))
    figures = figures_of(match, "greedy", tally)
    assert figures.points == pytest.approx(2)
    # The standard deviation of 1, 2, 3 is 1.
    assert figures.margin == pytest.approx(1.96 / 3**0.5)
    assert figures.wins == pytest.approx(3 * 90 / 60 / 9)
    assert figures.milliseconds == pytest.approx(2)


# ------------------------------------------------------------------------------------ the command


def test_the_table() -> None:
    result = arena("cautious", "random", "random", "--games", "10", "--seed", "5", "--jobs", "1")
    assert result.status == 0
    title, _, heading, first, second, _, note = result.out.splitlines()
    assert title == "amigo, 3 players, 12 games (4 deals, each from every seat), seed 5"
    assert " ".join(heading.split()) == "bot points a stage 95% games won ms a choice"
    assert first.split()[0] == "cautious"
    assert second.split()[0] == "random"
    assert note == "random: the mean of the seats taken."
    assert result.err == ""


def test_the_same_seed_gives_the_same_figures_in_any_number_of_processes() -> None:
    arguments = ("greedy", "cautious", "random", "--games", "12", "--seed", "9")
    alone = without_times(report(*arguments, "--jobs", "1"))
    assert without_times(report(*arguments, "--jobs", "2")) == alone
    assert without_times(report(*arguments[:-1], "10", "--jobs", "1")) != alone


def test_editions_and_options() -> None:
    six = report(*(("random",) * 6), "--edition", "bga", "--games", "1", "--jobs", "1")
    assert (six["edition"], six["players"], six["modified_drowning"]) == (Edition.BGA, 6, False)
    result = arena(
        *(("random",) * 3),
        *("--edition", "bga", "--modified-drowning", "--games", "1", "--jobs", "1"),
    )
    assert result.out.startswith("bga, modified drowning, 3 players, ")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("random", "greedy", "wizard"), "there is no bot 'wizard'; there are random, "),
        (("random", "greedy"), "3 to 6 bots make a game, not 2"),
        (("random",) * 7, "3 to 6 bots make a game, not 7"),
        (("random",) * 6, "the amigo edition does not seat 6"),
        (("random",) * 3 + ("--edition", "solo"), "'solo' is not one of 'amigo', "),
        (("random",) * 3 + ("--modified-drowning",), "the amigo edition has no modified drowning"),
    ],
)
def test_what_cannot_be_played(arguments: tuple[str, ...], complaint: str) -> None:
    result = arena(*arguments)
    assert result.status == 2
    assert result.out == ""
    assert complaint in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("over", [0, 2])
def test_ctrl_c_shows_what_there_is(over: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(
        match: Match, deals: int, jobs: int
    ) -> Generator[dict[str, MatchTally], None, None]:
        for number in range(over):
            yield play_deal(match, number)
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "_played", interrupted)
    result = arena("cautious", "random", "random", "--games", "300")
    assert result.status == INTERRUPTED
    assert ("6 games (2 deals" in result.out) == bool(over)
    assert "interrupted" in result.err


def test_processes_leave_ctrl_c_as_it_was() -> None:
    before = signal.getsignal(signal.SIGINT)
    report("random", "random", "random", "--games", "6", "--jobs", "2")
    assert signal.getsignal(signal.SIGINT) is before
