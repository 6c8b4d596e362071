"""The end of a tournament on everybody's screen, and a screen that nobody touches."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from engine.editions import Rules
from server.coordinator import messages as m
from server.fullscreen.tournaments.page import TournamentPage
from server.settings.settings import Timing
from server.terminal.capabilities import Colours, Size
from tests.support.cups import PLAN, QUICK, Cup, cup
from tests.support.fakes import Player1
from tests.support.pilot import NORMAL
from tests.support.screens import WAY_IN, Screen
from tests.support.snapshots import Game, table_info
from tests.support.standings_shown import a_tournament
from tests.support.tables import UNTIMED, Guest


def at(held: Cup, name: str, size: Size = NORMAL, **abilities: str) -> Screen:
    """Somebody who takes a second for each key: one that was meant for what has gone does nothing."""
    made = Screen(held.server, name, size, colours=Colours.NONE, **abilities)
    made.pause = 1.0
    return made


@asynccontextmanager
async def in_the_last_round(
    size: Size = NORMAL, **abilities: str
) -> AsyncIterator[tuple[Cup, Screen]]:
    """Zoe has registered with eight others, and the second of two rounds goes on."""
    async with cup() as held:
        await held.registered(8)
        zoe = at(held, "zoe", size, **abilities)
        await zoe.do(m.EnterTournament(held.id))
        await held.direct(m.Directing.BEGIN)
        await held.play()
        await held.clock.advance(PLAN.pause)
        assert (await held.view()).info.round == 2
        yield held, zoe


SIZES = [Size(40, 15), Size(80, 24), Size(120, 40)]


@pytest.mark.parametrize("size", SIZES)
async def test_a_player_sees_the_podium_after_the_own_game_and_a_key_leads_on(size: Size) -> None:
    async with in_the_last_round(size) as (held, zoe):
        tv, eve = at(held, "tv", size), at(held, "eve", size)
        await tv.do(m.FollowBusiest(standings=True))
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
    async with in_the_last_round() as (held, zoe):
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
    async with in_the_last_round() as (held, zoe):
        await held.play()
        await zoe.until("wins Friday cup!")
        await zoe.press("escape")
        assert "Final standings" in zoe.text
        await zoe.until("Final standings", seconds=5)
        assert zoe.context.table is not None


async def test_whoever_looks_at_its_standings_sees_it_there_once() -> None:
    async with in_the_last_round() as (held, zoe):
        await zoe.do(m.LeaveTable())
        await zoe.press("e", "enter")
        assert "round 2 of 2" in zoe.text
        await held.play()
        await zoe.until("Friday cup!", seconds=4)
        await zoe.press("escape", "escape")
        await held.clock.advance(2)
        assert not zoe.context.overlays


async def test_it_waits_for_a_game_that_is_played() -> None:
    async with in_the_last_round() as (held, zoe):
        await zoe.do(m.LeaveTable())
        await zoe.do(m.QuickGame(PLAN.options))
        await held.play()
        await held.clock.advance(5)
        assert not zoe.context.overlays
        await zoe.do(m.LeaveTable())
        await zoe.until("Friday cup!", seconds=3)


@pytest.mark.parametrize("motion", ["full", "none"])
async def test_the_best_comes_last_unless_nothing_may_move(motion: str) -> None:
    async with in_the_last_round(motion=motion) as (held, zoe):
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


# ---------------------------------------------------------------- a screen for everybody


HOW = f"ssh {WAY_IN}"


def wide(held: Cup) -> Screen:
    return Screen(held.server, "tv", Size(120, 40), colours=Colours.SIXTEEN)


async def big_screen(held: Cup) -> Screen:
    """A screen for everybody."""
    tv = wide(held)
    await tv.do(m.FollowBusiest(standings=True))
    await held.clock.advance(1)
    return tv


async def sees(tv: Screen, *said: str, seconds: int = 3) -> None:
    """So much later, all of this is on the screen."""
    for _ in range(seconds):
        await tv.server.clock.advance(1)
    for each in said:
        assert each in tv.text, tv.text


async def game(held: Cup, name: str, options: m.TableOptions = UNTIMED) -> Guest:
    guest = held.server.enter(name)
    await guest.ok(m.QuickGame(options))
    return guest


async def test_while_nothing_is_played_it_says_how_to_join_what_was_played_and_who_was_best() -> (
    None
):
    async with cup() as held:
        tv = await big_screen(held)
        assert HOW in tv.text
        assert "▀" in tv.text
        assert "Esc lobby" in tv.text
        assert "Lobby" not in tv.text
        won = m.News(("ada",), ("bo",), bots=1, row=3)
        held.server.lobby.feed.tell_news((won,), m.TodayNow(7, "2025-11-20", (("bo", 9),), 3))
        await sees(
            tv,
            "ada won against bo and 1 bot",
            "7 players have begun",
            ": bo 9",
            "tv",
        )


async def test_it_decides_anew_whenever_something_changes() -> None:
    async with cup(timing=QUICK) as held:
        tv = await big_screen(held)
        ada = await game(held, "ada")
        await sees(tv, "You are watching.", "ada")
        # A tournament runs: its standings at once, between two rounds as well.
        await held.begun(8)
        await sees(tv, "Friday cup", "table 1")
        await held.play()
        await sees(tv, "Friday cup", "round 1 of 2 is over", "total")
        await held.direct(m.Directing.BEGIN)
        await held.play()
        await sees(tv, "Friday cup", "over", "1.")
        # It is over: for two minutes.
        await sees(tv, "Friday cup", seconds=110)
        await sees(tv, "You are watching.", "ada", seconds=15)
        assert "Friday cup" not in tv.text
        await ada.ok(m.LeaveTable())
        await sees(tv, HOW, seconds=125)
        # One that is to come.
        held.guests.clear()
        await held.opened(m.TournamentPlan("Next cup", PLAN.options))
        await sees(tv, HOW, "Next cup")


async def test_a_game_by_correspondence_is_shown_only_while_nothing_else_is() -> None:
    async with cup(timing=Timing()) as held:
        tv = await big_screen(held)
        slow = m.TableOptions(pace=m.Pace.CORRESPONDENCE, seconds=m.DAY)
        mia = await game(held, "mia", slow)
        await sees(tv, "You are watching.", "mia", "24 h")
        await game(held, "ada")
        await sees(tv, "You are watching.", "ada", seconds=17)
        assert "mia" not in tv.text
        await mia.ok(m.LeaveTable())


async def test_it_fits_every_screen() -> None:
    async with cup() as held:
        tv = await big_screen(held)
        for columns, rows in ((40, 15), (80, 24), (120, 40), (200, 60)):
            tv.size = Size(columns, rows)
            assert HOW in tv.text
            assert max(map(len, tv.text.splitlines())) <= columns
            assert ("▀" in tv.text) is (columns >= 80), tv.text


async def test_while_a_round_goes_on_each_table_says_how_far_it_is_and_for_whom_it_waits() -> None:
    async with cup(timing=QUICK) as held:
        tv = await big_screen(held)
        guests = await held.begun(8)
        await sees(tv, "table 1", "table 2", "stage 1, round 1", "waits for", HOW, "▀", seconds=5)
        first = next(guest for guest in guests if guest.owes())
        name = first.info.seats[first.table.seat].name
        assert any(name in line and "waits" in line for line in tv.text.splitlines())
        await first.bid()
        for _ in range(4):
            await held.clock.advance(1)
        waits = [line for line in tv.text.splitlines() if name in line and "waits" in line]
        assert not waits, "not for who has bid"


async def test_beside_a_game_it_is_told_how_to_join_at_every_size() -> None:
    async with cup(timing=QUICK) as held:
        tv = await big_screen(held)
        await game(held, "ada")
        for size in (Size(80, 24), Size(120, 40), Size(200, 60), Size(40, 15)):
            tv.size = size
            await sees(tv, "ada", HOW)
        tv.size = Size(120, 40)
        await tv.press("escape")
        await sees(tv, "Lobby" if "Lobby" in tv.text else "Leave")


async def test_a_key_in_the_lobby_leads_to_it_and_esc_ends_it() -> None:
    async with cup() as held:
        tv = wide(held)
        await tv.press("W")
        await sees(tv, HOW, "how to join")
        await tv.press("escape")
        await sees(tv, "Lobby")
        await game(held, "ada")
        await sees(tv, "Lobby", seconds=20)
