"""A player at a table in the full screen, for tests of what keys do there."""

from typing import Any

from engine.views import SeatView
from server.coordinator.messages import PlaceBid
from server.fullscreen.pages.page import ENTER_RESTS
from tests.support.fakes import Player1
from tests.support.snapshots import Game


def bids(player: Player1) -> list[PlaceBid]:
    return [command for command in player.visit.commands if isinstance(command, PlaceBid)]


def own(player: Player1) -> SeatView:
    found = player.controller.context.own
    assert found is not None
    return found


def hand(player: Player1) -> tuple[int, ...]:
    return own(player).hand


async def seated(game: Game | None = None, **abilities: Any) -> Player1:
    player = Player1(game, **abilities)
    player.game.taken()
    await player.table()
    await player.clock.advance(ENTER_RESTS)
    return player


async def revealing(**abilities: Any) -> Player1:
    player = await seated(**abilities)
    player.game.play_round()
    await player.table()
    return player
