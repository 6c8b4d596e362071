"""What is passed on about a game: never more than others may know; readable where it is pasted."""

import random
from datetime import UTC, datetime
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as some

from engine.editions import Rules
from engine.records.own_game import own_replay
from engine.records.replay import Replay, fold
from engine.results import RoundResult
from engine.state import GameState
from engine.views import table_view
from server.coordinator import messages as m
from server.coordinator.events.days import Try
from server.i18n.lookup import languages, words_for
from server.playback.replayed_game import ReplayedGame, shown
from server.session.client import SessionClient, Visitor
from server.session.sharing import Shared, shared_day, shared_game, shared_here
from server.terminal.capabilities import Capabilities, ConnectionStats
from server.terminal.drawing.frame import text_width
from server.text.sharing import shared_own, strip_of
from tests.support.accounts import ME, NAMES, FakeAccount, FakeLibrary
from tests.support.days import a_day
from tests.support.fake_clock import FakeClock
from tests.support.games import played, record
from tests.support.snapshots import table_info

NOON = datetime(2025, 11, 21, 12, tzinfo=UTC).timestamp()
DAY = "day-2025-11-21"
WAY_IN = "-p 2222 tide.example"
KEPT = fold(record(7, event=DAY))
LAST = 2
"""The seat whose player looks."""


def somebody(library: FakeLibrary | None, language: str = "en", now: float = NOON) -> SessionClient:
    able, account = Capabilities(language=language), FakeAccount(library=library)
    facts = partial(ConnectionStats, way_in=WAY_IN)
    return SessionClient(Visitor(ME, FakeClock(now), able, account, facts=facts))


def the_day(*points: int, closed: bool = False, others: tuple[int, ...] = (8, 4, 2)) -> FakeLibrary:
    """A library in which this player, third of three, has made so much of the day."""
    library = FakeLibrary(NOON, 0)
    library.viewpoint = LAST
    tries = (
        Try(1, "bo", 99, (30, 30, 30, 9), others, 99, "account:2"),
        Try(2, "cem", 90, (30, 30, 30, 0), others, 98, "account:3"),
        Try(3, "ada", sum(points), points, others, 97, ME.id),
    )
    library.days[0] = a_day("played", closed=closed)._replace(tries=tries)
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
        ("en", "Turn the Tide 2025-11-21: 2 points (-1 -1 +2 +2), place 3 of 3"),
        ("de", "Land unter 2025-11-21: 2 Punkte (-1 -1 +2 +2), Rang 3 von 3"),
        ("pt", "Maré Alta 2025-11-21: 2 pontos (-1 -1 +2 +2), posição 3 de 3"),
    ],
)
async def test_a_day_is_told_in_two_lines(language: str, line: str) -> None:
    told = await told_of_day(the_day(-1, -1, 2, 2), language)
    assert told == Shared([line, f"ssh {WAY_IN}"])


async def test_nothing_is_read_of_the_game_while_the_day_is_open() -> None:
    class Watched(FakeLibrary):
        async def game(self, number: int) -> ReplayedGame | None:
            raise AssertionError("read")

    library = the_day(3, 0, -1, 4)
    library.__class__ = Watched
    assert (await told_of_day(library)).lines[0].endswith("6 points (+3 0 -1 +4), place 3 of 3")


def open_game(state: GameState, seat: int) -> tuple[SessionClient, FakeLibrary]:
    """At the table where the game of a day is over."""
    library = the_day(*(stage.points[seat] for stage in state.finished))
    client = somebody(library)
    info = table_info(state.rules, status=m.Status.OVER, event=DAY)
    client.table = m.TableSnapshot(info, seat, table_view(state), None)
    return client, library


@given(first=some.integers(0, 10_000), second=some.integers(0, 10_000), seat=some.integers(0, 3))
async def test_two_games_of_an_open_day_with_the_same_points_are_told_the_same(
    first: int, second: int, seat: int
) -> None:
    rules = Rules(players=4)
    states = []
    for number in (first, second):
        chance = random.Random(number)
        states.append(played(rules, chance.randbytes(32), chance))
    # The second one as if its stages had brought this seat as much as in the first: the deal, the
    # bids, who was out and what the others have made stay different.
    points = [stage.points[seat] for stage in states[0].finished]
    finished = tuple(
        stage._replace(points=(*stage.points[:seat], mine, *stage.points[seat + 1 :]))
        for stage, mine in zip(states[1].finished, points, strict=True)
    )
    states[1] = states[1]._replace(finished=finished)
    told = []
    for state in states:
        client, library = open_game(state, seat)
        told.append(await shared_here(client, unicode=True))
        library.broken = True
        told.append(await shared_here(client, unicode=True))
        own = own_replay(KEPT, seat)
        replay = Replay(own.record, (own.steps[-1]._replace(state=state),))
        assert client.table is not None
        game = ReplayedGame(replay, client.table.info, (), seat, held=True)
        library.broken, library.days[0] = False, None
        told.append(await shared_game(client, library, game, unicode=True))
    assert told[:3] == told[3:]
    assert len(told[0].lines) == 2


async def test_from_the_close_on_each_round_has_a_sign() -> None:
    library = the_day(-1, -1, 2, 2, closed=True)
    game = await library.game(97)
    assert game is not None
    stages = game.replay.last.finished
    for unicode, signs in ((True, "·▂█×"), (False, ".oOx")):
        told = await told_of_day(library, unicode=unicode)
        line, address, strip = told.lines
        assert (line[:9], address) == ("Turn the ", f"ssh {WAY_IN}")
        assert strip.isascii() is not unicode
        groups = strip.split(" ")
        assert len(groups) == len(stages) == 4
        for group, stage in zip(groups, stages, strict=True):
            played_in = [each for each in stage.rounds if each.bids[LAST]]
            assert "".join(signs[went(each)] for each in played_in) == group
        assert all(sign in told.note for sign in signs)
        assert text_width(strip) == len(strip)


def went(each: RoundResult) -> int:
    """Worked out another way: from the bids and the losses alone."""
    if any(LAST in (*loss.lost, *loss.eliminated) for loss in each.losses):
        return 3
    above = sum(bid > (each.bids[LAST] or 0) for bid in each.bids if bid)
    return {0: 1, 1: 2}.get(above, 0)


async def test_all_signs_occur_and_a_stage_ends_for_who_is_out() -> None:
    strips = [strip_of(fold(record(number)).last.finished, 0) for number in range(1, 30)]
    assert set("".join(strips)) == set("·▂█× ")
    groups = [group for strip in strips for group in strip.split(" ")]
    assert {len(group) for group in groups} > {12}
    assert all(group.endswith("×") for group in groups if len(group) < 6)


async def test_a_game_of_last_week_is_told_as_its_day() -> None:
    library = the_day(-1, -1, 2, 2, closed=True)
    library.days[:0] = [None] * 7
    over = shown(fold(record(3, event=DAY)), NAMES, "2025-11-21", LAST)
    client = somebody(library, now=NOON + 7 * 86_400)
    told = await shared_game(client, library, over, unicode=True)
    assert told.lines[0].startswith("Turn the Tide 2025-11-21: 2 points")
    # Of somebody else's game of that day there is all that is public by now.
    others = over._replace(viewpoint=-1)
    told = await shared_game(client, library, others, unicode=True)
    assert told.lines[0].startswith("Turn the Tide (Amigo, 4 players): ")


@pytest.mark.parametrize("language", languages())
async def test_any_other_game_says_who_won_and_where(language: str) -> None:
    over = shown(fold(record(3)), NAMES, "Harbour")
    client = somebody(FakeLibrary(NOON, 0), language)
    told = await shared_game(client, FakeLibrary(NOON, 0), over, unicode=False)
    winners = tuple(NAMES[seat] for seat in over.final_view.winners)
    said = {"en": "won", "de": "hat gewonnen", "pt": "venceu"}[language]
    assert told.lines[0].endswith(f"): {words_for(language).listed(winners)} {said}")
    assert told.lines[-1] == f"ssh {WAY_IN}"


async def test_a_bot_that_played_on_has_won_and_not_who_left() -> None:
    over = shown(fold(record(3, seats=[{"kind": "left"}] * 4)), NAMES, "Harbour")
    told = await shared_game(somebody(None), FakeLibrary(NOON, 0), over, unicode=False)
    assert told.lines[0].endswith(" (bot) won")


def test_a_round_of_a_tournament_is_told_by_its_name() -> None:
    told = shared_own((1, -1), "tournament/kadubilo/1", "Friday cup 1.2", words_for("en"))
    assert told == ["Turn the Tide, Friday cup 1.2: 0 points (+1 -1)"]
