"""Games of a round a day: nobody is connected all the time, so votes and rematches wait for people."""

import pytest

from server.coordinator import messages as m
from tests.support.tables import SHORT, UNTIMED, Guest, World, restarted, world

DAILY = m.TableOptions(SHORT, m.Pace.CORRESPONDENCE, 24 * 3600)


@pytest.mark.parametrize("motion", [m.Motion.END, m.Motion.PAUSE])
async def test_votes_are_kept_of_who_is_not_looking(motion: m.Motion) -> None:
    async with world() as server:
        players = await server.table(DAILY, humans=3)
        for player in players[:2]:
            await player.ok(m.Vote(motion))
            player.visit.close()
            await server.clock.advance(60)
        cem = players[2]
        assert (cem.status(), cem.info.pause) == (m.Status.PLAYING, m.Pause.NONE)
        assert (cem.info.votes[0].agreed, cem.info.votes[0].needed) == ((0, 1), 3)
        await cem.ok(m.Vote(motion))
        assert (cem.info.ended, cem.info.pause) != (m.Ended.NO, m.Pause.NONE)


async def test_votes_outlast_rounds_and_a_restart() -> None:
    async with world() as server:
        players = await server.table(DAILY, humans=3)
        await players[0].ok(m.Vote(m.Motion.END))
        for player in players:
            await player.bid()
        assert players[0].own.table.round == 1
    async with restarted(server) as server:
        ada = await server.back("ada")
        await server.clock.settle()
        assert ada.info.votes[0].agreed == (0,)
        await ada.ok(m.Vote(m.Motion.END, agree=False))
        assert not ada.info.votes


async def over_by_day(server: World) -> list[Guest]:
    """A game of a round a day that is over; only the first of three players looks."""
    players = await server.table(DAILY, humans=3)
    await server.play_out(*players)
    for player in players[1:]:
        player.visit.close()
    await server.clock.settle()
    return players


def sitting(guest: Guest) -> list[str]:
    return [seat.name for seat in guest.info.seats]


async def test_another_game_waits_for_who_is_not_looking() -> None:
    async with world() as server:
        ada, *_ = await over_by_day(server)
        await ada.ok(m.Rematch())
        ada.visit.close()
        await server.clock.advance(DAILY.seconds / 3)
        bo = await server.back("bo")
        await bo.ok(m.Rematch())
        assert bo.status() is m.Status.OVER
        bo.visit.close()
        await server.clock.advance(DAILY.seconds / 3)
        cem = await server.back("cem")
        await cem.ok(m.Rematch())
        assert (cem.status(), cem.info.game) == (m.Status.PLAYING, 2)
        assert sitting(cem) == ["ada", "bo", "cem"]


@pytest.mark.parametrize("restart", [False, True])
async def test_nobody_is_waited_for_longer_than_for_a_bid(restart: bool) -> None:
    async with world() as server:
        ada, *_ = await over_by_day(server)
        await server.clock.advance(3 * DAILY.seconds)
        await ada.ok(m.Rematch())
        await server.clock.advance(DAILY.seconds - 1)
        assert ada.status() is m.Status.OVER
        if not restart:
            await server.clock.advance(1)
            assert (ada.status(), ada.info.seats[1].occupant) == (m.Status.PLAYING, m.Occupant.BOT)
            return
    async with restarted(server) as server:
        ada = await server.back("ada")
        await server.clock.advance(DAILY.seconds - 1)
        assert ada.status() is m.Status.OVER
        await server.clock.advance(1)
        assert sitting(ada)[0] == "ada"
        assert (ada.status(), ada.info.seats[2].occupant) == (m.Status.PLAYING, m.Occupant.BOT)


async def test_who_has_gone_away_is_not_waited_for() -> None:
    async with world() as server:
        ada, bo, cem = await server.table(DAILY, humans=3)
        cem.visit.close()
        while not ada.info.seats[2].away:
            for player in (ada, bo):
                if player.owes():
                    await player.bid()
            await server.clock.next()
        await server.play_out(ada, bo)
        bo.visit.close()
        await server.clock.settle()
        await ada.ok(m.Rematch())
        assert ada.status() is m.Status.OVER
        bo = await server.back("bo")
        await server.clock.settle()
        await bo.ok(m.Rematch())
        assert (bo.status(), bo.info.seats[2].occupant) == (m.Status.PLAYING, m.Occupant.BOT)


@pytest.mark.parametrize("options", [UNTIMED, DAILY])
async def test_any_game_is_none_that_takes_days(options: m.TableOptions) -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await ada.ok(m.CreateTable(DAILY))
        await bo.ok(m.QuickJoin(options))
        assert bo.info.id != ada.info.id
