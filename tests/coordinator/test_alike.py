"""Bots as strong as the people at the table."""

from dataclasses import replace

from engine.bots import ALIKE, BOTS, DEFAULT_STRATEGY, LADDER
from engine.deal import deal_code
from engine.editions import Rules
from server.coordinator import messages as m
from tests.support.tables import Guest, World, world

OPTIONS = m.TableOptions(Rules(players=4, stages=1), m.Pace.UNTIMED)


class Levels:
    """Of accounts that have played against bots, by id; others have not."""

    def __init__(self, **levels: int) -> None:
        self.by_name = levels

    async def strength(self, player: str) -> tuple[int | None, int]:
        return None, self.by_name.get(player.removeprefix("id-"), 0)


def bots(guest: Guest) -> list[str]:
    return [seat.strategy for seat in guest.info.seats if seat.strategy]


async def quick(server: World, name: str) -> Guest:
    guest = server.enter(name)
    await server.clock.settle()
    await guest.ok(m.QuickGame(replace(OPTIONS, bots=ALIKE)))
    return guest


async def test_bots_are_as_strong_as_who_plays_them() -> None:
    async with world(strength=Levels(ada=5, bo=1).strength) as server:
        for name, wanted in (("ada", LADDER[4]), ("bo", LADDER[0]), ("cem", DEFAULT_STRATEGY)):
            assert bots(await quick(server, name)) == [wanted] * 3


async def test_several_people_get_what_lies_between_them() -> None:
    async with world(strength=Levels(ada=6, bo=2).strength) as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await server.clock.settle()
        await ada.ok(m.CreateTable(OPTIONS))
        await ada.ok(m.AddBot(strategy=ALIKE))
        assert bots(ada) == [LADDER[5]]
        await bo.ok(m.JoinTable(ada.info.id))
        await ada.ok(m.AddBot(strategy="master"))
        await ada.ok(m.StartGame())
        assert bots(ada) == [LADDER[3], "master"]


async def test_the_next_game_is_against_bots_as_strong_as_one_is_by_then() -> None:
    levels = Levels(ada=3)
    async with world(strength=levels.strength) as server:
        ada = await quick(server, "ada")
        levels.by_name["ada"] = 4
        await server.play_out(ada)
        assert BOTS[bots(ada)[0]].level == 3
        await ada.ok(m.Rematch())
        assert BOTS[bots(ada)[0]].level == 4


async def test_a_deal_that_others_may_know_has_the_same_bots_for_everybody() -> None:
    async with world(strength=Levels(ada=7).strength) as server:
        ada = server.enter("ada")
        await server.clock.settle()
        await ada.ok(
            m.QuickGame(replace(OPTIONS, bots=ALIKE), deal=deal_code(bytes(32), OPTIONS.rules))
        )
        assert bots(ada) == [DEFAULT_STRATEGY] * 3
