"""What is drawn anew, and what is not."""

from dataclasses import replace
from typing import Any
from unittest.mock import patch

from msgspec import structs

from server.coordinator import messages as m
from server.fullscreen.table.page import TablePage
from server.fullscreen.widgets.chrome import Keys
from tests.fullscreen.at_a_table import hand, seated


async def test_nobody_waits_for_a_step_of_a_show_or_a_tick_of_a_clock_but_for_a_bid_they_do() -> (
    None
):
    player = await seated()
    hurried = player.hurried
    player.game.play_round()
    await player.table()
    assert player.hurried > hurried
    hurried, asked = player.hurried, player.frames_asked
    await player.clock.advance(1.0)
    assert player.frames_asked > asked + 3
    assert player.hurried == hurried


async def test_the_keys_that_are_told_are_kept_as_long_as_they_are_those_that_can_be_pressed() -> (
    None
):
    player = await seated()
    game, context = player.game, player.controller.context
    page = player.controller.page
    assert isinstance(page, TablePage)
    told, made = set[object](), TablePage._made_footer
    calls = list[TablePage]()

    def counted(page: TablePage, *_: object) -> Keys:
        calls.append(page)
        return made(page)

    async def look(**changes: Any) -> None:
        await player.table(info=structs.replace(game.snapshot(player.viewer).info, **changes))
        assert page.whole_footer() == made(page)
        told.add(page.whole_footer())

    with patch.object(TablePage, "_made_footer", counted):
        await look()
        calls.clear()
        for key in ("right", "left"):
            await player.press(key)
            await look()
        game.bid(2)
        await look()
        assert not calls
        for vote in (m.Pause.VOTED, m.Pause.NONE):
            await look(pause=vote)
        options = game.snapshot(player.viewer).info.options
        await look(options=replace(options, hints=not options.hints))
        game.play_round()
        await look()  # a reveal
        await player.press(str(min(hand(player)))[0], "left", " ")
        await look()
        context.switch_guide()
        await look()
        game.play_until_somebody_is_out()
        for seat in (*range(5), -1):
            player.viewer = seat
            await look()
            context.reveal.stop()
            await look()
    assert len(told) > 5
