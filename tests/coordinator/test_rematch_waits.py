"""A line that drops between two games costs nobody the seat: another game waits five seconds."""

from collections import Counter

import pytest

from server.coordinator.messages import LeaveTable, Occupant, Rematch, Status
from server.settings.settings import Timing
from tests.support.tables import Guest, World, world

TIMING = Timing()


async def over(server: World, humans: int = 3) -> list[Guest]:
    """People at a table whose game is over; bots have its other seats."""
    guests = await server.table(humans=humans)
    await server.play_out(*guests)
    return guests


async def drops(server: World, *gone: Guest) -> None:
    for one in gone:
        one.visit.close()
    await server.clock.settle()


def people(guest: Guest) -> list[str]:
    return [seat.name for seat in guest.info.seats if seat.occupant is Occupant.HUMAN]


@pytest.mark.parametrize("asked", [False, True], ids=["before asking", "after asking"])
@pytest.mark.parametrize("first", [False, True], ids=["asks", "drops"])
async def test_who_is_back_in_time_plays(asked: bool, first: bool) -> None:
    """``first``: the line drops before the others ask for another game."""
    async with world() as server:
        ada, bo, cem = await over(server)
        if asked:
            await bo.ok(Rematch())
        if first:
            await drops(server, bo)
        await ada.ok(Rematch())
        if not first:
            await drops(server, bo)
        await cem.ok(Rematch())
        await server.clock.advance(4)
        assert ada.status() is Status.OVER
        bo = server.enter("bo")
        await server.clock.settle()
        assert bo.info.id == ada.info.id
        if not asked:
            assert ada.status() is Status.OVER, "bo is there, and has not asked"
            await bo.ok(Rematch())
        assert ada.status() is Status.PLAYING
        assert people(ada) == ["ada", "bo", "cem"]


async def test_it_begins_to_the_second_for_who_never_comes_back() -> None:
    async with world() as server:
        ada, bo, cem = await over(server)
        await ada.ok(Rematch())
        await drops(server, bo)
        await server.clock.advance(2)
        await cem.ok(Rematch())
        await server.clock.advance(2.9)
        assert ada.status() is Status.OVER
        await server.clock.advance(0.2)
        assert ada.status() is Status.PLAYING
        assert people(ada) == ["ada", "cem"]
        assert server.enter("bo").last.table is None


async def test_the_one_who_has_gone_last_is_waited_for() -> None:
    async with world() as server:
        ada, bo, cem = await over(server)
        await drops(server, bo)
        await server.clock.advance(3)
        await drops(server, cem)
        await ada.ok(Rematch())
        await server.clock.advance(4)
        assert ada.status() is Status.OVER
        bo, cem = server.enter("bo"), server.enter("cem")
        await bo.ok(Rematch())
        await cem.ok(Rematch())
        assert ada.status() is Status.PLAYING
        assert people(ada) == ["ada", "bo", "cem"]


async def test_bots_and_those_who_left_are_not_waited_for() -> None:
    async with world() as server:
        ada, bo, cem = await over(server)
        await bo.ok(LeaveTable())
        await ada.ok(Rematch())
        await cem.ok(Rematch())
        assert ada.status() is Status.PLAYING
    async with world() as server:
        (ada,) = await over(server, humans=1)
        await ada.ok(Rematch())
        assert ada.status() is Status.PLAYING


async def test_half_wait_for_the_others_until_the_countdown_is_over() -> None:
    async with world() as server:
        ada, bo, cem = await over(server)
        await ada.ok(Rematch())
        assert not ada.info.begins, "one of three"
        await server.clock.advance(20)
        await bo.ok(Rematch())
        assert cem.info.begins == server.clock.time() + TIMING.rematch
        await server.clock.advance(TIMING.rematch - 1)
        assert ada.status() is Status.OVER
        await server.clock.advance(2)
        assert ada.status() is Status.PLAYING
        assert people(ada) == ["ada", "bo"]
        assert cem.last.table is None


async def test_a_last_answer_starts_the_countdown_anew_or_ends_it() -> None:
    async with world() as server:
        ada, bo, cem = await over(server)
        await ada.ok(Rematch())
        await bo.ok(Rematch())
        await server.clock.advance(TIMING.rematch - 1)
        await bo.ok(LeaveTable())
        assert ada.info.begins, "one of two"
        await cem.ok(Rematch())
        assert ada.status() is Status.PLAYING
        assert people(ada) == ["ada", "cem"]


async def test_a_table_counts_who_has_won_its_games() -> None:
    async with world() as server:
        ada, bo = await over(server, humans=2)
        assert sum(count for _, count in ada.info.wins) >= 1
        counted = Counter(dict(ada.info.wins))
        await ada.ok(Rematch())
        await bo.ok(Rematch())
        await server.play_out(ada, bo)
        view = ada.table.table
        assert view is not None
        counted.update(ada.info.seats[seat].name for seat in view.winners)
        assert dict(ada.info.wins) == counted
        assert [count for _, count in ada.info.wins] == sorted(counted.values(), reverse=True)
