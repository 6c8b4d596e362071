"""The text that is passed on about a game: while others may play its deal, only the own result."""

import pytest

from engine.editions import Rules
from engine.outcome import result_of
from engine.record import Record, record_of
from engine.replay import fold
from server.coordinator import messages as m
from server.fullscreen.router import Router
from server.playback.recorded_game import RecordedGame, shown
from server.storage.history import GameRow, replay_code
from server.terminal.capabilities import Capabilities, ConnectionStats, Size
from tests.support.accounts import FakeAccount, FakeLibrary
from tests.support.days import a_day
from tests.support.fakes import ADA, Player1
from tests.support.snapshots import NAMES, SEED, Game, table_info
from tests.support.transcript import Reader

RULES = Rules(players=3)
WAY_IN = "-p 2222 192.0.2.7"


def library_of(now: float) -> FakeLibrary:
    library = FakeLibrary(now)
    found = a_day("played", tries=True)
    own = found.tries[1]._replace(player=ADA.id)
    library.days[0] = found._replace(tries=(found.tries[0], own))
    return library


def result(game: Game) -> str:
    points = [stage.points[0] for stage in game.state.finished]
    signed = " ".join(f"{each:+d}" if each else "0" for each in points)
    return f"{sum(points)} points ({signed})"


async def told_at_the_table(
    event: str, title: str = "harbour", *, broken: bool = False
) -> tuple[str, Game]:
    """What the page says to somebody for whom a game is over."""
    player = Player1(Game(RULES))
    library = library_of(player.clock.time())
    library.broken = broken
    account = FakeAccount(library=library)
    player.controller = Router(player.visit, player.clock, Capabilities(), account)
    player.controller.context.facts = lambda: ConnectionStats(way_in=WAY_IN)
    player.controller.attach(lambda *, in_background=False: None)
    player.size = Size(120, 40)
    player.game.play_rounds(40)
    info = table_info(RULES, status=m.Status.OVER, event=event, title=title)
    await player.table(info=info)
    await player.press("s")
    return player.text, player.game


@pytest.mark.parametrize("broken", [False, True])
async def test_todays_tide_tells_the_day_points_place_and_the_way_in(broken: bool) -> None:
    text, game = await told_at_the_table("day-2025-11-21", broken=broken)
    said = ["Turn the Tide", "Today's tide 2025-11-21", result(game), "place 2 of 2"]
    told = " - ".join([*(said[:3] if broken else said), f"ssh {WAY_IN}"])
    assert told in text
    assert "stage" not in text
    assert not [name for name in NAMES if name in text]


async def test_a_round_of_a_tournament_tells_the_own_points_alone() -> None:
    text, game = await told_at_the_table("tournament/kadubilo/1", "Friday cup 1/2")
    assert f"Turn the Tide - Friday cup 1/2 - {result(game)} - ssh {WAY_IN}" in text
    assert "stage" not in text
    assert not [name for name in NAMES if name in text]


async def test_any_other_game_is_told_whole_and_where_it_was_played() -> None:
    text, _ = await told_at_the_table("")
    assert "1. " in text
    assert f"ssh {WAY_IN}" in text
    assert "replay" not in text.replace("tide replay", ""), "it is not kept"


class Kept(FakeLibrary):
    """The game that has just been played is the newest one, number 7."""

    def __init__(self, now: float, over: Record) -> None:
        super().__init__(now)
        self.over = fold(over)

    async def games(self, *, mine: bool, before: int = 0) -> tuple[GameRow, ...]:
        _, found = result_of(self.over.record.text)
        return (GameRow(7, 1.0, "amigo", True, False, found.seats, 0),)

    async def game(self, number: int) -> RecordedGame | None:
        assert number == 7
        return shown(self.over, self.over.record.players, "harbour", number=7)


@pytest.mark.parametrize("private", [False, True])
async def test_whoever_reads_it_can_see_the_game_again_unless_it_was_private(private: bool) -> None:
    game = Game(RULES)
    game.play_rounds(40)
    more = {"id": "ab" * 16 + "-1", **({"private": True} if private else {})}
    over = record_of(game.state, NAMES[:3], seed=SEED, more=more)
    player = Player1(game)
    account = FakeAccount(library=Kept(player.clock.time(), over))
    player.controller = Router(player.visit, player.clock, Capabilities(), account)
    player.controller.context.facts = lambda: ConnectionStats(way_in=WAY_IN)
    player.controller.attach(lambda *, in_background=False: None)
    commitment = over.fields()["commitment"]
    info = table_info(RULES, status=m.Status.OVER, commitment=commitment)
    await player.table(info=info)
    await player.press("s")
    line = f"ssh -t {WAY_IN} replay {replay_code(7, over)}"
    assert (line in player.text) is not private
    async with Reader(player.visit, player.clock, account, way_in=WAY_IN) as ada:
        player.visit.feed.push(m.Update(None, game.snapshot(0, info), (), False, ""))
        await player.clock.advance(0)
        assert (line in await ada.say("share")) is not private


async def test_line_mode_tells_the_same() -> None:
    player = Player1(Game(RULES))
    player.game.play_rounds(40)
    info = table_info(RULES, status=m.Status.OVER, event="day-2025-11-21")
    player.visit.feed.push(m.Update(None, player.game.snapshot(0, info), (), False, ""))
    library = library_of(player.clock.time())
    async with Reader(player.visit, player.clock, FakeAccount(library=library)) as ada:
        (told,) = await ada.say("share")
    assert told == (
        f"Turn the Tide - Today's tide 2025-11-21 - {result(player.game)} - place 2 of 2"
    )
