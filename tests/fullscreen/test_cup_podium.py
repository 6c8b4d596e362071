"""The end of a tournament: the podium on everybody's screen, and who has won in the lobby."""

import pytest
from msgspec.structs import replace

from engine.editions import Rules
from server.coordinator import messages as m
from server.fullscreen.tournaments.page import TournamentPage
from server.terminal.capabilities import Colours, Size
from tests.support.cups import PLAN, Cup, cup
from tests.support.fakes import Player1
from tests.support.pilot import NORMAL
from tests.support.screens import WAY_IN, Screen
from tests.support.snapshots import Game, table_info
from tests.support.standings_shown import a_tournament


def at(held: Cup, name: str, size: Size = NORMAL, **abilities: str) -> Screen:
    """Somebody who takes a second for each key: one that was meant for what has gone does nothing."""
    made = Screen(held.server, name, size, colours=Colours.NONE, **abilities)
    made.pause = 1.0
    return made


async def to_the_last_round(held: Cup, *screens: Screen) -> None:
    """These have registered with eight others, and the second of two rounds goes on."""
    for each in screens:
        await each.do(m.EnterTournament(held.id))
    await held.direct(m.Directing.BEGIN)
    await held.play()
    await held.clock.advance(PLAN.pause)
    assert (await held.view()).info.round == 2


SIZES = [Size(40, 15), Size(80, 24), Size(120, 40)]


@pytest.mark.parametrize("size", SIZES)
async def test_a_player_sees_the_podium_after_the_own_game_and_a_key_leads_on(size: Size) -> None:
    async with cup() as held:
        await held.registered(8)
        zoe, tv, eve = (at(held, name, size) for name in ("zoe", "tv", "eve"))
        await tv.do(m.FollowBusiest(standings=True))
        await to_the_last_round(held, zoe)
        await held.play()
        (won,) = (await held.view()).info.winners
        said = f"{won} wins Friday cup!"
        # Who is in the lobby reads a line, and stays there; a screen for everybody has the podium.
        await eve.until(said, seconds=3)
        assert not eve.context.overlays
        await tv.until(f"* {won} *", seconds=5)
        assert said in tv.text
        # Whoever has played is shown the end of that game first.
        assert zoe.context.reveal.scene is not None
        assert said not in zoe.text
        await zoe.until(f"* {won} *")
        assert said in zoe.text
        assert "Your place: " in zoe.text
        assert "Enter go on" in zoe.text
        await zoe.press("s")
        assert f"ssh {WAY_IN}" in zoe.text
        assert f"1. {won}: +" in zoe.text
        await zoe.press("end")
        assert f'"tide tournament export {held.id}"' in " ".join(zoe.text.split())
        await zoe.press("escape", "enter")
        assert zoe.context.table is None
        assert not zoe.context.overlays


async def test_space_that_was_meant_for_a_reveal_skips_no_podium() -> None:
    async with cup() as held:
        await held.registered(8)
        zoe = at(held, "zoe")
        await to_the_last_round(held, zoe)
        await held.direct(m.Directing.CLOSE)
        await zoe.until("Friday cup!", seconds=4)
        before = zoe.text.splitlines()[:20]
        await zoe.press(" ", " ")
        assert zoe.text.splitlines()[:20] == before


async def test_whose_game_is_over_reads_what_is_waited_for() -> None:
    player = Player1(Game(Rules(players=3)))
    player.game.play_rounds(40)
    info = table_info(player.game.rules, status=m.Status.OVER, event="tournament/kadubilo/2")
    snapshot = player.game.snapshot(0, info)
    told = "tables of Friday cup still play; then the standings follow."
    one = "1 table of Friday cup still plays; then the standings follow."
    for playing, said in ((2, f"2 {told}"), (1, one)):
        cup_now = replace(a_tournament().info, playing=playing)
        player.visit.feed.push(m.Update(None, snapshot, (), False, "", tournaments=(cup_now,)))
        await player.clock.advance(0)
        assert said in player.text
    over = a_tournament(m.TournamentPhase.BREAK).info
    player.visit.feed.push(m.Update(None, snapshot, (), False, "", tournaments=(over,)))
    await player.clock.advance(0)
    assert "then the standings follow" not in player.text


async def test_escape_leads_back_to_the_standings_of_the_last_game() -> None:
    async with cup() as held:
        await held.registered(8)
        zoe = at(held, "zoe")
        await to_the_last_round(held, zoe)
        await held.play()
        await zoe.until("wins Friday cup!")
        await zoe.press("escape")
        assert "Final standings" in zoe.text
        await zoe.until("Final standings", seconds=5)
        assert zoe.context.table is not None


async def test_whoever_looks_at_its_standings_sees_it_there_once() -> None:
    async with cup() as held:
        await held.registered(8)
        zoe = at(held, "zoe")
        await to_the_last_round(held, zoe)
        await zoe.do(m.LeaveTable())
        await zoe.press("e", "enter")
        assert "round 2 of 2" in zoe.text
        await held.play()
        await zoe.until("Friday cup!", seconds=4)
        await zoe.press("escape", "escape")
        await held.clock.advance(2)
        assert not zoe.context.overlays


async def test_it_waits_for_a_game_that_is_played() -> None:
    async with cup() as held:
        await held.registered(8)
        zoe = at(held, "zoe")
        await to_the_last_round(held, zoe)
        await zoe.do(m.LeaveTable())
        await zoe.do(m.QuickGame(PLAN.options))
        await held.play()
        await held.clock.advance(5)
        assert not zoe.context.overlays
        await zoe.do(m.LeaveTable())
        await zoe.until("Friday cup!", seconds=3)


@pytest.mark.parametrize("motion", ["full", "none"])
async def test_the_best_comes_last_unless_nothing_may_move(motion: str) -> None:
    async with cup() as held:
        await held.registered(8)
        zoe = at(held, "zoe", motion=motion)
        await to_the_last_round(held, zoe)
        await held.direct(m.Directing.CLOSE)
        seen: dict[int, set[bool]] = {}
        for _ in range(40):
            for page in zoe.context.overlays:
                assert isinstance(page, TournamentPage)
                seen.setdefault(page.standing, set()).add("Friday cup!" in zoe.text)
            await held.clock.advance(0.1)
        if motion == "full":
            assert seen == {0: {False}, 1: {False}, 2: {False}, 3: {True}}
        else:
            assert seen == {3: {True}}
