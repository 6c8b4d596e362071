"""After a game: the result first and in sight, who wants another game, and who is waited for."""

from collections.abc import Sequence

import pytest
from msgspec import structs

from engine.editions import Rules
from server.coordinator.messages import Rematch, Status, TablePublic
from server.fullscreen.standings.podium import podium_rows, steps_of
from server.fullscreen.standings.view import Line, chart_rows
from server.fullscreen.widgets.drawing import look_for
from server.terminal.capabilities import Size
from tests.support.fakes import Player1
from tests.support.gallery import SIZES
from tests.support.snapshots import Game, plain, table_info

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
    totals = {"eve": (0, -2, -2, 0), "Puffin": (3, 3, 4, 9), "Tern": (3, 3, 4, 6)}
    totals["Otter"] = (0, 3, 6, 6)
    lines = [Line(number, name, points) for number, (name, points) in enumerate(totals.items(), 1)]
    rows = plain(chart_rows(lines, width, 14, look)).splitlines()
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
