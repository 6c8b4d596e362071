"""The end of a stage and of a game: podium, chart, what is said, and this very game again."""

import pytest
from typing_extensions import override

from engine.editions import Rules
from engine.records.record_format import parse
from engine.records.replay import fold
from engine.views import seat_view, table_view
from server.coordinator.messages import Status, TableSnapshot, Update, WatchTable
from server.fullscreen.standings.view import Line, chart_rows
from server.fullscreen.widgets.drawing import look_for
from server.playback import ReplayedGame, SummaryScene
from server.storage.history import GameRow
from server.terminal.capabilities import Size
from server.text.rounds import signed
from tests.support.accounts import NAMES, FakeAccount, FakeLibrary
from tests.support.at_a_screen import sitting
from tests.support.fake_clock import FakeClock
from tests.support.fakes import Player1
from tests.support.gallery import SCREENS, SIZES
from tests.support.games import record
from tests.support.snapshots import Game, table_info
from tests.support.tables import world

LINES = (Line(1, "ada", (3, 2, 6)), Line(2, "bo", (0, 4, 4)), Line(3, "cem", (3, 2, -1)))


def test_no_chart_of_one_stage_or_without_room() -> None:
    look = look_for("en", True, False)
    assert chart_rows([Line(1, "ada", ())], 60, 12, look) == []
    assert chart_rows([Line(1, "ada", (3,))], 60, 12, look) == []
    assert chart_rows(LINES, 12, 12, look) == []
    assert chart_rows(LINES, 60, 3, look) == []


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_game_ended_in_its_first_stage_is_shown_to_players_and_spectators(
    size: Size,
) -> None:
    async with (
        world() as server,
        sitting(server, size, play=True) as ada,
        sitting(server, size, name="zoe") as zoe,
    ):
        table = ada.controller.page.table
        zoe.controller.context.do(WatchTable(table.info.id))
        await zoe.wait()
        await ada.press("v", "2")
        for each in (ada, zoe):
            await each.wait()
            assert "Everybody agreed to end it." in each.text
            await each.press("L", "escape")
            assert "Everybody agreed to end it." in each.text
        async with sitting(server, size) as again:
            assert "Everybody agreed to end it." in again.text


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_end_has_verdict_points_and_chart_in_every_size(size: Size) -> None:
    player = await SCREENS["standings"]({"language": "en", "unicode": True, "thin": False})
    player.size = size
    seen = player.text
    for _ in range(20):
        await player.press("pagedown")
        seen += player.text
    assert "Sprat wins with 15 points." in seen
    assert "totals, by letter" in seen
    assert "Key moments" in seen
    assert ("* Sprat *" in seen) is (size.columns >= 76), "the podium needs room"


async def test_the_end_of_a_stage_says_why_the_bonus_and_what_was_made_of_whose_hand() -> None:
    player = Player1(Game(Rules(players=4)))
    scenes: list[SummaryScene] = []
    told: list[str] = []
    while not player.game.state.winners:
        player.game.play_round()
        await player.table()
        await player.press(" ")
        if isinstance(scene := player.controller.context.reveal.scene, SummaryScene):
            scenes.append(scene)
            told.append(" ".join(player.text.split()))
            player.size = Size(40, 15)
            assert ("Bonus: " in player.text) is bool(scene.result.bonus), "also in little room"
            player.size = Size(80, 24)
            await player.press(" ")
    assert "Points with the same hands" not in told[0], "everybody had the own one"
    for scene, text in zip(scenes, told, strict=True):
        assert ("Bonus: " in text) is bool(scene.result.bonus)
        assert ("You get the hand that was dealt to" in text) is not scene.last
    # In the second stage one has the hand that was dealt to the last seat, which gets the first one's.
    assert "You get the hand that was dealt to dora" in told[0]
    first, second = (scene.result.points for scene in scenes[:2])
    best = "*" if second[0] >= first[3] else ""
    assert (
        f"Points with the same hands > dealt to dora ada {signed(second[0])}{best}"
        f" before: dora {signed(first[3])}"
    ) in told[1]


class TwoAlike(FakeLibrary):
    """The newest game has come to the same as the one before, which is that of the table."""

    def __init__(self, now: float) -> None:
        super().__init__(now, 3)
        first, second, third = self.rows
        self.rows = [first._replace(seats=second.seats), second, third]
        self.opened: list[int] = []

    @override
    async def games(self, *, mine: bool, before: int = 0) -> tuple[GameRow, ...]:
        return tuple(self.rows)

    @override
    async def game(self, number: int) -> ReplayedGame | None:
        self.opened.append(number)
        return await super().game(number)


async def after_a_game() -> tuple[Player1, TwoAlike]:
    """Somebody who sits at the table of game 98, which is over."""
    library = TwoAlike(FakeClock().time())
    player = Player1(account=FakeAccount(library=library))
    replay = fold(parse(record(2).text))
    commitment = str(replay.record.fields()["commitment"])
    info = table_info(replay.record.rules, NAMES, status=Status.OVER, commitment=commitment)
    view = table_view(replay.last)
    snapshot = TableSnapshot(info, 0, view, seat_view(replay.last, 0, view))
    player.visit.feed.push(Update(None, snapshot, (), False, ""))
    await player.clock.advance(0)
    return player, library


async def test_g_replays_this_very_game_even_beside_another_with_the_same_points() -> None:
    player, library = await after_a_game()
    await player.press("g")
    assert "Replay, as everybody could see it." in player.text
    assert "game 98" in player.text
    assert library.opened[:2] == [99, 98]
    await player.press("escape")
    assert "Final standings" in player.text


async def test_without_its_record_g_shows_the_list() -> None:
    player, library = await after_a_game()
    library.rows = library.rows[2:]
    await player.press("g")
    assert "Your games" in player.text


async def test_the_end_of_a_stage_says_who_was_out_and_what_goes_on_when() -> None:
    player = Player1(Game(Rules(players=5), bytes([1] * 32)))
    out = player.game.play_until_somebody_is_out()
    player.game.taken()
    await player.table()
    while not isinstance(player.controller.context.reveal.scene, SummaryScene):
        player.game.play_round()
        await player.table()
        await player.press(" ")
    text = " ".join(player.text.split())
    name = player.game.snapshot().info.seats[out].name
    assert f"{name}; back in the next stage" in text or f"{name} and" in text
    assert "Press Space to go on (or wait 20 s)." in text
    await player.clock.advance(19.9)
    assert "is over" in player.text
    await player.clock.advance(0.2)
    assert "is over" not in player.text
