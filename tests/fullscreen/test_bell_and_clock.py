"""The bell, the clock in the corner, and which frames somebody waits for."""

import pytest
from msgspec import structs

from server.coordinator.messages import Occupant
from tests.fullscreen.at_a_table import seated
from tests.support.snapshots import seat, table_info


async def test_the_last_ten_seconds_are_counted_beside_the_hand() -> None:
    player = await seated()
    due = player.clock.time() + 30
    info = structs.replace(player.game.snapshot().info, deadline=due)
    await player.table(info=info)
    prompt = "Choose a card; Enter bids it."
    await player.clock.advance(19)
    assert prompt in player.text
    assert f"s \u00b7 {prompt}" not in player.text
    await player.clock.advance(1.5)
    assert f"9 s \u00b7 {prompt}".replace("9", "10") in player.text
    await player.clock.advance(1)
    assert f" 9 s \u00b7 {prompt}" in player.text
    frames, before = player.frames_asked, player.frame.rows
    await player.clock.advance(1)
    assert f" 8 s \u00b7 {prompt}" in player.text
    assert player.frames_asked == frames + 1
    new = [
        n for n, (row, was) in enumerate(zip(player.frame.rows, before, strict=True)) if row != was
    ]
    assert new == [0, 18], "the clock and the prompt, and no other row is made anew"
    player.game.bid(0)
    await player.table(info=info)
    assert "8 s \u00b7" not in player.text, "nobody waits for a bid of this player"


async def test_the_clock_is_drawn_anew_when_it_says_something_else() -> None:
    player = await seated()
    info = table_info(player.game.rules, deadline=player.clock.time() + 60)
    await player.table(info=info)
    due = player.clock.due
    assert due is not None
    for spectators in range(1, 20):
        await player.clock.advance(0.1)
        await player.table(info=structs.replace(info, spectators=spectators))
    assert player.clock.due == pytest.approx(due, abs=0.01)
    await player.table(info=structs.replace(info, deadline=info.deadline + 3))
    assert player.clock.due == pytest.approx(info.deadline + 3 - 49, abs=0.01)


async def test_the_bell_rings_once_when_all_wait_for_you() -> None:
    player = await seated()
    for other in range(1, 5):
        player.game.bid(other)
        await player.table()
    assert player.controller.context.bells == 1
    assert "Waiting for you" in player.text
    await player.table()
    assert player.controller.context.bells == 1


async def test_bots_do_not_ring() -> None:
    player = await seated()
    names = [who.name for who in player.game.snapshot().info.seats]
    bots = tuple(seat(name, occupant=Occupant.BOT) for name in names)
    info = player.game.snapshot().info
    info = structs.replace(info, seats=(info.seats[0], *bots[1:]))
    for other in range(1, 5):
        player.game.bid(other)
        await player.table(info=info)
    assert "Waiting for you" in player.text
    assert player.controller.context.bells == 0


async def test_the_bell_rings_once_when_time_is_short() -> None:
    player = await seated()
    info = player.game.snapshot().info
    due = player.clock.time() + 60
    await player.table(info=structs.replace(info, deadline=due))
    await player.clock.advance(49)
    assert player.controller.context.bells == 0
    for _ in range(4):
        await player.clock.advance(2)
    assert player.controller.context.bells == 1
    assert player.controller.context.called_for == "Your time is nearly over."
    player.game.bid(0)
    await player.table(info=structs.replace(info, deadline=due + 60))
    await player.clock.advance(60)
    assert player.controller.context.bells == 1


# ---------------------------------------------------------------- what somebody waits for


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
