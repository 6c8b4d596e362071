"""One person's games by correspondence are on several nodes, and move from one to another."""

import pytest

from server.coordinator import messages as m
from tests.support.letters import DAILY, bid_at
from tests.support.nodes import House, hand_over, house
from tests.support.tables import UNTIMED, Guest

ADA = "account:ada"


async def two_games(here: House) -> tuple[Guest, list[str]]:
    """Of ada, who is connected to node c, at a and b; each waits for her and for its owner."""
    codes = []
    ada = here.nodes["c"].guest("ada")
    await here.clock.advance(1.0)
    for node, name in (("a", "bo"), ("b", "cem")):
        owner = here.nodes[node].guest(name)
        await owner.ok(m.CreateTable(DAILY))
        await here.clock.advance(1.0)
        codes.append(owner.info.id)
        await ada.ok(m.JoinTable(codes[-1]))
        await owner.ok(m.AddBot())
        await owner.ok(m.StartGame())
        await here.clock.advance(1.0)
    await ada.ok(m.GoToLobby())
    await here.settle()
    return ada, codes


def away(here: House, code: str) -> bool:
    tables = [it.lobby.tables.actors for it in here.nodes.values()]
    table = next(actors[code].table for actors in tables if code in actors)
    return table.absent_since(table.seat_of(ADA)) > 0


def waiting(guest: Guest) -> list[str]:
    return [game.table for game in guest.last.correspondence if game.waits]


async def test_one_answers_games_of_two_nodes_from_a_third() -> None:
    async with house("a", "b", "c") as here:
        ada, (first, second) = await two_games(here)
        assert sorted(waiting(ada)) == sorted((first, second))
        assert away(here, first)
        assert away(here, second)
        await ada.ok(m.JoinTable(first))
        assert (ada.info.id, away(here, first)) == (first, False)
        assert (await ada.bid()).ok
        assert (await bid_at(ada, second)).ok
        await here.settle()
        assert (ada.info.id, waiting(ada)) == (first, [])
        await ada.ok(m.JoinTable(second))
        await here.settle()
        assert (ada.info.id, away(here, first), away(here, second)) == (second, True, False)
        assert ada.own.bid


async def test_who_comes_in_elsewhere_is_in_the_lobby_and_looks_at_no_table() -> None:
    async with house("a", "b", "c") as here:
        ada, (first, _) = await two_games(here)
        await ada.ok(m.JoinTable(first))
        again = here.nodes["b"].guest("ada")
        await here.clock.advance(1.0)
        assert ada.last.closed == "taken_over"
        assert again.last.lobby is not None
        assert away(here, first)
        assert len(waiting(again)) == 2


async def test_a_live_game_elsewhere_and_a_call_from_another_node() -> None:
    async with house("a", "b", "c") as here:
        ada, (first, second) = await two_games(here)
        await ada.ok(m.QuickGame(UNTIMED))
        live = ada.info.id
        assert (await bid_at(ada, first)).ok
        bo = here.nodes["a"].guest("bo")
        await bo.ok(m.JoinTable(first))
        assert (await bid_at(bo, first)).ok
        await here.clock.advance(10.0)
        said = [word.about for update in ada.read().updates for word in update.said]
        assert said.count(first) == 2, "when the game began, and now"
        assert ada.info.id == live
        assert sorted(waiting(ada)) == sorted((first, second))


@pytest.mark.parametrize("how", ["handed over", "killed"])
async def test_games_that_move_are_still_looked_at_or_not(how: str) -> None:
    async with house("a", "b", "c") as here:
        ada, (first, second) = await two_games(here)
        await ada.ok(m.JoinTable(first))
        await here.settle()
        for name in "ab":
            if how == "handed over":
                await hand_over(here, here.nodes[name].node)
            else:
                await here.kill(name)
                here.lapse(name)
            await here.clock.advance(6.0)
        assert (away(here, first), away(here, second)) == (False, True)
        assert ada.info.id == first
        assert (await ada.bid()).ok
        assert (await bid_at(ada, second)).ok
        await here.clock.advance(4.0)
        assert ada.own.bid
        assert not waiting(ada)


async def test_that_somebody_looked_away_is_told_again_when_it_was_lost() -> None:
    async with house("a", "b", "c") as here:
        ada, (first, _) = await two_games(here)
        await ada.ok(m.JoinTable(first))
        bus = here.nodes["c"].bus
        bus.lost = lambda _topic: True
        await ada.ok(m.GoToLobby())
        await here.clock.advance(0.2)
        assert not away(here, first)
        bus.lost = lambda _topic: False
        await here.clock.advance(3.0)
        assert away(here, first)
        assert ada.last.lobby is not None


async def test_who_gives_up_one_game_is_in_the_lobby_with_the_other() -> None:
    async with house("a", "b", "c") as here:
        ada, (first, second) = await two_games(here)
        await ada.ok(m.JoinTable(first))
        await ada.ok(m.LeaveTable())
        await here.settle()
        assert ada.last.lobby is not None
        assert [game.table for game in ada.last.correspondence] == [second]
        await here.clock.advance(7.0)
        assert ada.last.lobby is not None
