"""Ways to a table that another node has: quick games, kept seats, words, the busiest table; and what somebody
missed who comes back through another node.
"""

from server.coordinator.messages import (
    CreateTable,
    FollowBusiest,
    JoinTable,
    KeepSeat,
    QuickJoin,
    Refusal,
    RemoveSeat,
    SentBack,
    SetWord,
    StartGame,
    WatchAnother,
)
from tests.support.nodes import House, house
from tests.support.tables import UNTIMED, Guest


async def visitors(here: House, *names: tuple[str, str]) -> list[Guest]:
    guests = [here.nodes[node].guest(name) for node, name in names]
    await here.clock.advance(1.0)
    return guests


async def opened(here: House, guest: Guest) -> str:
    await guest.ok(CreateTable(UNTIMED))
    await here.clock.advance(1.0)
    return guest.info.id


async def test_a_quick_game_joins_a_table_of_another_node() -> None:
    async with house("a", "b") as here:
        ada, bo = await visitors(here, ("a", "ada"), ("b", "bo"))
        code = await opened(here, ada)
        await bo.ok(QuickJoin(UNTIMED))
        await here.clock.advance(1.0)
        assert (bo.info.id, bo.table.seat) == (code, 1)


async def test_a_seat_is_kept_for_somebody_on_another_node() -> None:
    async with house("a", "b") as here:
        ada, bo, cleo, dan = await visitors(
            here, ("a", "ada"), ("b", "bo"), ("b", "cleo"), ("a", "dan")
        )
        code = await opened(here, ada)
        await ada.ok(KeepSeat(1, "bo"))
        await here.seat(code, cleo)
        assert cleo.table.seat == 2
        assert await dan.code(JoinTable(code)) == Refusal.SEAT_KEPT
        await here.seat(code, bo)
        assert bo.table.seat == 1


async def test_words_are_needed_and_wrong_ones_counted_through_another_node() -> None:
    async with house("a", "b") as here:
        ada, bo = await visitors(here, ("a", "ada"), ("b", "bo"))
        code = await opened(here, ada)
        await ada.ok(SetWord("herring"))
        await here.clock.advance(1.0)
        codes = [await bo.code(JoinTable(code, word=f"sprat{n}")) for n in range(30)]
        assert codes[0] == Refusal.WRONG_WORD
        assert codes[-1] == Refusal.WORD_WAIT
        await here.clock.advance(600.0)
        await bo.ok(JoinTable(code, word="herring"))


async def test_who_follows_is_led_to_the_busiest_table_of_any_node() -> None:
    async with house("a", "b") as here:
        ada, bo, cleo, dan, eve = await visitors(
            here, ("a", "ada"), ("a", "bo"), ("b", "cleo"), ("b", "dan"), ("a", "eve")
        )
        first = await opened(here, ada)
        second = await opened(here, cleo)
        await here.seat(second, bo, eve)
        await cleo.ok(StartGame())
        await here.clock.advance(1.0)
        await dan.ok(FollowBusiest())
        await here.clock.advance(1.0)
        assert dan.info.id == second
        await dan.ok(WatchAnother())
        await here.clock.advance(1.0)
        assert dan.info.id == first


async def test_who_comes_back_through_another_node_hears_why_the_seat_is_gone() -> None:
    async with house("a", "b") as here:
        ada, bo = await visitors(here, ("a", "ada"), ("a", "bo"))
        code = await opened(here, ada)
        await here.seat(code, bo)
        bo.visit.close()
        await here.clock.advance(1.0)
        await ada.ok(RemoveSeat(1))
        await here.clock.advance(1.0)
        (again,) = await visitors(here, ("b", "bo"))
        assert [each.code for each in again.heard(SentBack)] == ["removed"]
        again.visit.close()
        await here.clock.advance(1.0)
        # Once.
        (once_more,) = await visitors(here, ("a", "bo"))
        assert once_more.heard(SentBack) == []
