"""The end of a stage and of a game: podium, chart, what is said, this game again, another game."""

from collections.abc import Sequence

import pytest
from msgspec import structs
from typing_extensions import override

from engine.editions import Rules
from engine.records.record_format import parse
from engine.records.replay import fold
from engine.standings import Standing
from engine.views import seat_view, table_view
from server.coordinator.messages import (
    Rematch,
    Status,
    TablePublic,
    TableSnapshot,
    Update,
    WatchTable,
)
from server.fullscreen.standings.podium import podium_rows, steps_of
from server.fullscreen.standings.view import chart_rows
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
from tests.support.snapshots import Game, plain, table_info
from tests.support.tables import world


def test_no_chart_of_one_stage_or_without_room() -> None:
    look = look_for("en", True, False)
    for points, width, height in (((), 60, 12), ((3,), 60, 12), ((3, 1), 12, 12), ((3, 1), 60, 3)):
        assert chart_rows([Standing(0, points, (), False)], ["ada"], width, height, look) == []


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


# ---------------------------------------------------------------- after a game


RULES = Rules(players=4, stages=1)


def after(wants: Sequence[int], game: int = 1) -> TablePublic:
    info = table_info(RULES, status=Status.OVER, game=game)
    seats = tuple(
        structs.replace(seat, rematch=number in wants) for number, seat in enumerate(info.seats)
    )
    return structs.replace(info, seats=seats)


async def finished(size: Size) -> Player1:
    player = Player1(Game(RULES))
    player.size = size
    while not player.game.state.winners:
        player.game.play_round()
    await player.table(info=after(()), resynced=True)
    await player.clock.advance(3)  # until all stand on the podium
    return player


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_next_result_opens_at_the_top_again(size: Size) -> None:
    player = await finished(size)
    first = player.text
    await player.press("down", "down", "down", "down", "pagedown")
    player.game = Game(RULES)
    await player.table(info=table_info(RULES, game=2), resynced=True)
    assert "Final standings" not in player.text
    while not player.game.state.winners:
        player.game.play_round()
    await player.table(info=after((), game=2), resynced=True)
    await player.clock.advance(3)
    assert player.text == first


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_space_and_enter_leave_the_result_in_sight(size: Size) -> None:
    player = await finished(size)
    before = player.text
    await player.press(" ", "enter", " ")
    assert player.text == before
    assert not player.visit.commands


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_everybody_sees_who_wants_another_game_and_is_called_once(size: Size) -> None:
    player = await finished(size)
    bells = player.controller.context.bells
    for wants, count in (((2,), 1), ((2, 3), 2), ((2,), 1), ((2, 3), 2)):
        await player.table(info=after(wants))
        assert f"r another game ({count} of 3)" in player.text.splitlines()[-1]
        assert player.controller.context.bells == bells + 1
    assert "cem and dora want another game (2 of 3)." in " ".join(player.text.split())
    assert player.controller.context.called_for.endswith("Waiting for ada and dora.")
    await player.press("r")
    assert player.visit.commands == [Rematch()]
    await player.table(info=after((0, 2)))
    assert "r another game (2 of 3)" in player.text.splitlines()[-1]
    # On a page above it as well.
    await player.table(info=after((2,)))
    await player.press("L")
    assert "cem wants another game (1 of 3)." in player.text


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_what_the_guide_still_has_to_say_comes_after_the_result(size: Size) -> None:
    player = Player1(Game(RULES))
    player.size = size
    player.controller.context.call_guide()
    await player.table()
    while not player.game.state.winners:
        player.game.play_round()
        await player.table()
        await player.press(" ")
    await player.table(info=after(()))
    await player.press(" ", " ")
    assert len(player.controller.context.guide.unread) > 1
    rows = [line.strip() for line in player.text.splitlines()]
    points = next(number for number, line in enumerate(rows) if line.startswith("stage"))
    assert not any("Guide:" in line for line in rows[:points])
    assert player.text.count("Guide:") == 1


@pytest.mark.parametrize(
    ("totals", "rows"),
    [
        ((6, 4, 2, 1), ["a"]),
        ((6, 6, 2, 2), ["a", "b"]),
        ((6, 2, 2, 2), ["b", "c", "d"]),
        ((3, 2, 1, 1), ["c", "d"]),
        ((2, 2, 2, 2), ["a", "b", "c", "d"]),
    ],
)
def test_equal_totals_share_a_step(totals: tuple[int, ...], rows: list[str]) -> None:
    names = "abcd"
    ranked = [
        (totals.index(total), str(total), name) for name, total in zip(names, totals, strict=True)
    ]
    look = look_for("en", True, False)
    steps = steps_of(ranked)
    text = plain(podium_rows(steps, 40, look))
    for place, total, name in ranked:
        assert (name in text) == (place < 3), f"{name} with {total}"
    shared = next(step for step in steps if len(step.names) == max(len(s.names) for s in steps))
    assert list(shared.names) == rows


def test_on_a_step_for_too_many_the_others_are_counted() -> None:
    look = look_for("en", True, False)
    text = plain(podium_rows(steps_of([(0, "3", f"n{each}") for each in range(9)]), 60, look))
    assert "n4" in text
    assert "n5" not in text
    assert "4 more" in text


@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize("width", [40, 60, 100])
def test_lines_of_equal_totals_are_drawn_as_one_and_every_letter_is_there(
    width: int, unicode: bool
) -> None:
    look = look_for("en", unicode, False)
    points = ((0, -2, 0, 2), (3, 0, 1, 5), (3, 0, 1, 2), (0, 3, 3, 0))
    seats = [Standing(seat, points[seat], (), False) for seat in (1, 2, 3, 0)]
    names = ("eve", "Puffin", "Tern", "Otter")
    rows = plain(chart_rows(seats, names, width, 14, look)).splitlines()
    drawn = [row[5 : row.find("  D ")] if "  D " in row else row[5:] for row in rows]
    text = "\n".join(drawn)
    assert [group in text for group in ("BC", "AD", "BCD", "CD")] == [True] * 4
    # From where both lines stand to where both go on: one stroke.
    flat = next(row for row in drawn if "BCD" in row)
    between = flat[flat.index("BC") + 2 : flat.index("BCD")]
    assert set(between) <= set("─┤├┼│┬┴┘┐└┌-+|.' ")


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_countdown_and_the_games_won_here_are_in_sight(size: Size) -> None:
    player = await finished(size)
    begins, wins = player.clock.time() + 30, (("ben", 2), ("anna", 1))
    info = structs.replace(after((2, 3)), wins=wins, begins=begins)
    await player.table(info=info)
    said = " ".join(player.text.split())
    assert "Games won at this table: ben 2 and anna 1." in said
    assert "It begins in 30 seconds, with bots for those who are missing." in said
    await player.clock.advance(22)
    assert "It begins in 8 seconds" in " ".join(player.text.split())
