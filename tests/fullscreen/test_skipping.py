"""Out of a stage: the key that goes on to its end, in the footer only while it does that."""

import pytest
from msgspec import structs

from engine.editions import Rules
from server.coordinator import messages as m
from server.playback import SummaryScene
from server.terminal.capabilities import Size
from tests.support.at_a_screen import Sitting, sitting
from tests.support.fakes import Player1
from tests.support.snapshots import Game
from tests.support.tables import world

SEED = bytes([7] * 32)
SIZES = [Size(40, 15), Size(80, 24), Size(120, 40)]


async def until_out(ada: Sitting) -> None:
    """Ada bids the highest card until she has to watch the bots."""
    for _ in range(300):
        table = ada.controller.page.table
        assert table.table is not None
        if table.info.skip is not None:
            return
        assert "end of stage" not in ada.keys
        await ada.press("end", "enter", " ")
    raise AssertionError("she is never out")


@pytest.mark.parametrize("size", SIZES)
async def test_a_key_leads_to_the_end_of_the_stage_and_no_round_is_shown(size: Size) -> None:
    async with world(seed=lambda: SEED) as server, sitting(server, size, play=True) as ada:
        await until_out(ada)
        reveal = ada.controller.context.reveal
        while reveal.scene is not None:
            await ada.press(" ")
        assert "s end of stage" in ada.keys
        ada.pilot.press("s")
        while not isinstance(reveal.scene, SummaryScene):
            assert reveal.scene is None, "no round that was skipped is shown"
            assert await server.clock.next()
        await ada.wait()
        assert "is over" in ada.text
        assert "end of stage" not in ada.keys


async def test_who_has_asked_and_waits_for_others_is_told_so() -> None:
    game = Game(Rules(players=5), bytes([1] * 32))
    out = game.play_until_somebody_is_out()
    player = Player1(game)
    player.viewer = out
    info = game.snapshot(out).info
    await player.table(info=structs.replace(info, skip=m.SkipInfo((), 2)))
    assert "s end of stage" in player.text
    assert "Waiting for the others" not in player.text
    await player.press("s")
    assert player.visit.commands == [m.Skip()]
    asked = structs.replace(info, skip=m.SkipInfo((out,), 2))
    await player.table(m.Skipped(out, info.seats[out].name), info=asked)
    assert "end of stage" not in player.text.splitlines()[-1]
    together = " ".join(player.text.split())
    assert "Waiting for the others who are out of this stage." in together
    assert "The rest of the stage is skipped once the others who are out agree." in together
