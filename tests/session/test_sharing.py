"""What is passed on about a game: never more than others may know; readable where it is pasted."""

import random
from datetime import UTC, datetime
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as some

from engine.editions import Rules
from engine.records.outcome import own_replay
from engine.records.replay import fold
from engine.state import GameState, RoundResult
from engine.views import table_view
from server.coordinator import messages as m
from server.coordinator.events.days import OPTIONS, Apart, Try
from server.playback import ReplayedGame, shown
from server.session.client import SessionClient, Visitor
from server.session.sharing import Shared, shared_day, shared_game, shared_here
from server.terminal.capabilities import Capabilities, ConnectionStats
from server.terminal.drawing.frame import text_width
from server.text.history import strip_of
from tests.support.accounts import ME, NAMES, FakeAccount, FakeLibrary
from tests.support.days import a_day
from tests.support.fake_clock import FakeClock
from tests.support.games import played, record
from tests.support.snapshots import table_info

NOON = datetime(2025, 11, 21, 12, tzinfo=UTC).timestamp()
DAY = "day-2025-11-21"
WAY_IN = "-p 2222 tide.example"
BOARD = "tournament/kadubilo/1"
RULES = OPTIONS.rules
LAST = 2
"""The seat whose player looks."""


def somebody(library: FakeLibrary | None, language: str = "en", now: float = NOON) -> SessionClient:
    able, account = Capabilities(language=language), FakeAccount(library=library)
    facts = partial(ConnectionStats, way_in=WAY_IN)
    return SessionClient(Visitor(ME, FakeClock(now), able, account, facts=facts))


class OneStage(FakeLibrary):
    """Games of a day."""

    async def game(self, number: int) -> ReplayedGame | None:
        replay = fold(record(number, rules=RULES, event=DAY))
        held = own_replay(replay, LAST) if self.held else replay
        return shown(held, NAMES, DAY, LAST, held=self.held, number=number)


def the_day(points: int, *, apart: Apart = Apart.NO) -> OneStage:
    """A library in which this player, third of three, has made so much of the day."""
    library, others = OneStage(NOON, 0), (8, 4, 2)
    library.held = True
    tries = (
        Try(1, "bo", 99, others, 99, "account:2"),
        Try(2, "cem", 90, others, 98, "account:3"),
        Try(3, "ada", points, others, 97, ME.id, apart=apart),
    )
    library.days[0] = a_day("played")._replace(tries=tries)
    return library


async def told_of_day(
    library: FakeLibrary, language: str = "en", *, unicode: bool = True
) -> Shared:
    page = library.days[0]
    assert page is not None
    told = await shared_day(somebody(library, language), library, page, unicode=unicode)
    assert told is not None
    return told


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Turn the Tide 2025-11-21: 2 points, place 3 of 3"),
        ("de", "Land unter 2025-11-21: 2 Punkte, Rang 3 von 3"),
        ("pt", "Maré Alta 2025-11-21: 2 pontos, posição 3 de 3"),
    ],
)
async def test_a_day_is_told_in_two_lines(language: str, line: str) -> None:
    first, second = (await told_of_day(the_day(2), language)).lines
    assert first == line
    signs, way_in = second.split(" ", 1)
    assert way_in == "ssh -p 2222 today@tide.example"
    assert set(signs) <= set("▁▃▅▇×")
    assert 1 < len(signs) <= 12


async def test_a_streak_is_told_and_a_try_out_of_competition_says_why() -> None:
    library = the_day(2, apart=Apart.SEEN)
    page = library.days[0]
    assert page is not None
    library.days[0] = page._replace(streak=5)
    told = await told_of_day(library)
    line = "Turn the Tide 2025-11-21: 2 points, would be place 3 of 3, 5 days in a row"
    assert told.lines[0] == line
    assert told.counts.startswith("A guest has played this deal from your address")


@given(number=some.integers(0, 10_000), seat=some.integers(0, 3))
def test_what_is_shared_of_a_day_says_nothing_of_cards_and_tides(number: int, seat: int) -> None:
    """Other cards and other tides with which everybody stood as now are told the same."""
    chance = random.Random(number)
    (stage,) = played(RULES, chance.randbytes(32), chance).finished
    other = [
        each._replace(
            offer=(0, 0),
            bids=tuple(bid and 1 for bid in each.bids),
            takers=(0, 0),
            levels=tuple(level if not level else 12 * level for level in each.levels),
            life_preservers=(),
        )
        for each in stage.rounds
    ]
    assert strip_of(stage, seat) == strip_of(stage._replace(rounds=tuple(other)), seat)


def stands(each: RoundResult, seat: int) -> int:
    """Worked out another way: how deep in the water among those who are still in; 4 for a loss."""
    if any(seat in (*loss.lost, *loss.eliminated) for loss in each.losses):
        return 4
    levels = [level for level in each.levels if level is not None]
    return sorted(levels).index(each.levels[seat] or 0)


@pytest.mark.parametrize(("unicode", "signs"), [(True, "▁▃▅▇×"), (False, "_-=#x")])
def test_each_round_has_a_sign_until_one_is_out(unicode: bool, signs: str) -> None:
    seen = set[str]()
    for number in range(1, 60):
        (stage,) = fold(record(number, rules=RULES)).last.finished
        for seat in range(4):
            strip = strip_of(stage, seat, unicode=unicode)
            took_part = [each for each in stage.rounds if each.bids[seat]]
            assert strip == "".join(signs[stands(each, seat)] for each in took_part)
            assert text_width(strip) == len(strip)
            assert strip.isascii() is not unicode
            assert not stage.eliminated[seat] or strip.endswith(signs[4])
            seen |= set(strip)
    assert seen >= {*signs[:3], signs[4]}


def open_game(state: GameState, seat: int) -> SessionClient:
    """At the table where a game of a tournament's round is over."""
    client = somebody(FakeLibrary(NOON, 0))
    info = table_info(state.rules, status=m.Status.OVER, event=BOARD, title="Friday cup 1.2")
    client.table = m.TableSnapshot(info, seat, table_view(state), None)
    return client


@given(first=some.integers(0, 10_000), second=some.integers(0, 10_000), seat=some.integers(0, 3))
async def test_two_games_of_an_open_round_with_the_same_points_are_told_the_same(
    first: int, second: int, seat: int
) -> None:
    states = []
    for number in (first, second):
        chance = random.Random(number)
        states.append(played(Rules(players=4), chance.randbytes(32), chance))
    # The second one as if its stages had brought this seat as much as in the first: the deal, the
    # bids, who was out and what the others have made stay different.
    points = [stage.points[seat] for stage in states[0].finished]
    finished = tuple(
        stage._replace(points=(*stage.points[:seat], mine, *stage.points[seat + 1 :]))
        for stage, mine in zip(states[1].finished, points, strict=True)
    )
    states[1] = states[1]._replace(finished=finished)
    told = [await shared_here(open_game(state, seat), unicode=True) for state in states]
    assert told[0] == told[1]
    assert len(told[0].lines) == 2


async def test_a_game_of_last_week_is_told_as_its_day() -> None:
    library = the_day(2)
    library.days[:0] = [None] * 7
    over = shown(fold(record(3, event=DAY)), NAMES, "2025-11-21", LAST)
    client = somebody(library, now=NOON + 7 * 86_400)
    told = await shared_game(client, library, over, unicode=True)
    assert told.lines[0].startswith("Turn the Tide 2025-11-21: 2 points")
    # Of somebody else's game of that day there is all that is public by now.
    others = over._replace(viewpoint=-1)
    told = await shared_game(client, library, others, unicode=True)
    assert told.lines[0].startswith("Turn the Tide (Amigo, 4 players): ")


async def test_a_bot_that_played_on_has_won_and_not_who_left() -> None:
    over = shown(fold(record(3, seats=[{"kind": "left"}] * 4)), NAMES, "Harbour")
    told = await shared_game(somebody(None), FakeLibrary(NOON, 0), over, unicode=False)
    assert told.lines[0].endswith(" (bot) won")
