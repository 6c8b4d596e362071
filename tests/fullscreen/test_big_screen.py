"""A screen for everybody, which nobody touches: standings, the liveliest table, how to join."""

from server.coordinator import messages as m
from server.settings.settings import Timing
from server.terminal.capabilities import Colours, Size
from tests.support.cups import PLAN, QUICK, Cup, cup
from tests.support.screens import WAY_IN, Screen
from tests.support.tables import UNTIMED, Guest

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


async def test_esc_ends_it() -> None:
    async with cup() as held:
        tv = await big_screen(held)
        await tv.press("escape")
        await sees(tv, "Lobby")
        await game(held, "ada")
        await sees(tv, "Lobby", seconds=20)


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


async def test_a_key_in_the_lobby_leads_to_the_big_screen() -> None:
    async with cup() as held:
        tv = wide(held)
        await tv.press("W")
        await sees(tv, HOW, "how to join")
        await tv.press("escape")
        await sees(tv, "Lobby")
