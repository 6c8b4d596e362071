"""Votes in progress, which everybody sees until they are decided, and the key to the end of a stage."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from engine.editions import Rules
from server.coordinator import messages as m
from server.fullscreen.context import NOTICE_SECONDS
from server.playback import SummaryScene
from server.terminal.capabilities import Size
from tests.support.at_a_screen import Sitting, sitting
from tests.support.fakes import Player1
from tests.support.snapshots import NAMES, Game, table_info
from tests.support.tables import world

END = m.VoteInfo(m.Motion.END, -1, (1, 2), 3)
SIZES = [Size(40, 15), Size(80, 24), Size(100, 30), Size(120, 40), Size(200, 60)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "de", "pt"])
async def test_the_footer_counts_and_a_line_says_who_until_it_is_decided(
    size: Size, language: str
) -> None:
    player = Player1(language=language)
    player.size = size
    quiet = table_info(player.game.rules)
    await player.table(info=quiet)
    assert "2/3" not in player.text
    voted = m.Voted(2, NAMES[2], m.Motion.END, -1, True)
    open_ = replace(quiet, votes=(END,))
    await player.table(voted, info=open_)
    await player.clock.advance(NOTICE_SECONDS + 60)
    footer = player.text.splitlines()[-1]
    said = {"en": "v vote 2/3", "de": "v Abstimmung 2/3", "pt": "v votar 2/3"}[language]
    assert said in footer or (size.columns == 40 and "v 2/3" in footer)
    for _ in range(2):
        said = " ".join(player.text.replace(footer, "").split())
        assert "2/3: " in said
        assert f"({NAMES[1]}, {NAMES[2]})" in said
        await player.press("right")
    await player.table(info=quiet)
    assert "2/3" not in player.text


async def test_of_several_votes_the_one_is_told_that_lacks_least() -> None:
    player = Player1()
    pause = m.VoteInfo(m.Motion.PAUSE, -1, (1,), 3)
    await player.table(info=replace(table_info(player.game.rules), votes=(pause, END)))
    assert "v vote 2/3" in player.text
    assert f"Vote 2/3: end the game ({NAMES[1]}, {NAMES[2]})" in player.text
    assert "pause the game" not in player.text


async def test_who_watches_sees_who_votes_but_has_no_key_for_it() -> None:
    player = Player1()
    player.viewer = -1
    await player.table(info=replace(table_info(player.game.rules), votes=(END,)))
    assert "Vote 2/3: end the game" in player.text
    assert "v vote" not in player.text


async def test_where_others_play_the_same_deal_no_vote_is_offered_and_its_key_says_why() -> None:
    player = Player1()
    await player.table(info=replace(table_info(player.game.rules), event="cup.1"))
    assert "v vote" not in player.text
    await player.press("v")
    assert "in a game whose deal others play, too" in player.text
    assert "end the game" not in player.text


# ---------------------------------------------------------------- the rest of a stage


SEED = bytes([7] * 32)


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


@pytest.mark.parametrize("size", [Size(40, 15), Size(80, 24), Size(120, 40)])
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
