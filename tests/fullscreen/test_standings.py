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
from server.terminal.capabilities import Capabilities, Size
from server.terminal.drawing.frame import row_width
from server.text.rounds import signed
from tests.support.accounts import NAMES, FakeAccount, FakeLibrary
from tests.support.at_a_screen import sitting
from tests.support.fakes import Player1, router_for
from tests.support.gallery import SCREENS, SIZES
from tests.support.games import record
from tests.support.snapshots import Game, plain, table_info
from tests.support.tables import world

LINES = (Line(1, "ada", (3, 2, 6)), Line(2, "bo", (0, 4, 4)), Line(3, "cem", (3, 2, -1)))


@pytest.mark.parametrize("unicode", [True, False])
def test_a_chart_shows_every_seat_where_it_stands(unicode: bool) -> None:
    look = look_for("en", unicode, False)
    rows = chart_rows(LINES, 60, 12, look)
    text = plain(rows)
    assert text.isascii() is not unicode
    assert max(map(row_width, rows)) <= 60
    lines = text.splitlines()
    # The best at the top, who has fewest at the bottom; names and totals stand at the ends.
    assert lines[0].split()[0] == "6"
    assert "ada 6" in lines[0]
    assert "cem -1" in lines[-2]
    assert lines[-1].split() == ["1", "2", "3"]
    # Who stands in the same place has the letter beside the other's: the names say whose it is.
    assert "AC" in text
    assert not set(text) & set("13") - set(lines[-1])
    assert [
        f"{letter} {name}" in text for letter, name in zip("ABC", ("ada", "bo", "cem"), strict=True)
    ]
    styles = {style for row in rows for style, _ in row}
    assert {"line.1", "line.2", "line.3"} <= styles


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
        table = ada.controller.context.table
        assert table is not None
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


async def to_the_end(rules: Rules = Rules(players=3)) -> Player1:  # noqa: B008 - it never changes
    player = Player1(Game(rules))
    while not player.game.state.winners:
        player.game.play_round()
        await player.table()
        await player.press(" ")
        if isinstance(player.controller.context.reveal.scene, SummaryScene):
            await player.press(" ")
    return player


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


async def test_the_end_of_a_stage_says_why_the_bonus_and_whose_hand_comes_next() -> None:
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
            await player.press(" ")
    assert "Points with the same hands" not in told[0], "everybody had the own one"
    assert "Points with the same hands" in told[1]
    for scene, text in zip(scenes, told, strict=True):
        assert ("Bonus: " in text) is bool(scene.result.bonus)
        assert ("You get the hand that was dealt to" in text) is not scene.last
    # In the second stage one has the hand that was dealt to the last seat, which gets the first one's.
    assert "You get the hand that was dealt to dora" in told[0]


async def test_a_text_to_share_lies_over_the_standings() -> None:
    player = await to_the_end()
    await player.press("s")
    assert "Share this game" in player.text
    assert "Turn the Tide (Amigo, 3 players): " in player.text
    assert "1. " in player.text
    await player.press("s")
    assert "Share this game" not in player.text


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
    player = Player1()
    library = TwoAlike(player.clock.time())
    player.controller = router_for(
        player.visit, player.clock, Capabilities(), FakeAccount(library=library)
    )
    player.controller.attach(lambda **_: None)
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


async def test_hands_of_earlier_stages_stand_beside_what_others_made_of_them() -> None:
    player = Player1(Game(Rules(players=4)))
    stages: list[SummaryScene] = []
    while len(stages) < 2:
        player.game.play_round()
        await player.table()
        await player.press(" ")
        if isinstance(scene := player.controller.context.reveal.scene, SummaryScene):
            stages.append(scene)
            if len(stages) < 2:
                await player.press(" ")
    first, second = (scene.result.points for scene in stages)
    line = " ".join(player.row_with("> dealt to dora").split())
    best = "*" if second[0] >= first[3] else ""
    assert line == f"> dealt to dora ada {signed(second[0])}{best} before: dora {signed(first[3])}"
    player.size = Size(40, 15)
    assert "Bonus: " in player.text, "the reason also stands where there is little room"
    assert "You get the hand that was dealt to" in player.text


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
