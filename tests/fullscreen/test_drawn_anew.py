"""What is drawn anew, and what is not."""

from tests.fullscreen.at_a_table import seated


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
