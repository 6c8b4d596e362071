"""The manners of the bots at a table: known to everybody there, and what they are asked to bid by."""

import random

from engine.bots.manners import MANNER_OF
from engine.deal import deal_code
from engine.editions import Rules
from engine.views import History, SeatView
from server.coordinator.messages import Pace, QuickGame, TableOptions
from tests.support.tables import world

OPTIONS = TableOptions(Rules(players=4, stages=1), Pace.UNTIMED, bots="greedy")


class Asked:
    """Bids the lowest card, and keeps by which manner."""

    def __init__(self) -> None:
        self.manners: set[str] = set()

    def __call__(self, _: str, view: SeatView, __: History, ___: random.Random, manner: str) -> int:
        self.manners.add(manner)
        return view.hand[0]


async def test_a_bot_bids_by_the_manner_of_its_name_and_everybody_is_told() -> None:
    asked = Asked()
    async with world(choose=asked) as server:
        ada = await server.quick(OPTIONS)
        names = [seat.name for seat in ada.info.seats[1:]]
        told = [seat.manner for seat in ada.info.seats]
        assert told == ["", *(MANNER_OF[name] for name in names)]
        await server.play_out(ada)
        assert asked.manners == set(told[1:])


async def test_where_all_meet_the_same_bots_they_have_no_manners() -> None:
    asked = Asked()
    async with world(choose=asked) as server:
        ada = server.enter("ada")
        code = deal_code(bytes(32), OPTIONS.rules)
        await ada.ok(QuickGame(OPTIONS, deal=code))
        assert [seat.manner for seat in ada.info.seats] == [""] * 4
        await server.play_out(ada)
        assert asked.manners == {""}
