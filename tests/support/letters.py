"""Games by correspondence, and people who answer them."""

from dataclasses import replace
from typing import Final

from server.coordinator import messages as m
from tests.support.tables import UNTIMED, Guest, World

DAILY: Final = replace(UNTIMED, pace=m.Pace.CORRESPONDENCE, seconds=m.DAY)


async def letters(server: World, *players: Guest, start: bool = True) -> str:
    """A game of these and bots; its code. All are in the lobby afterwards."""
    await players[0].ok(m.CreateTable(DAILY))
    code = players[0].info.id
    for player in players[1:]:
        await player.ok(m.JoinTable(code))
    if start:
        for _ in range(3 - len(players)):
            await players[0].ok(m.AddBot())
        await players[0].ok(m.StartGame())
    for player in players:
        await player.ok(m.GoToLobby())
    await server.clock.settle()
    return code


async def bid_at(guest: Guest, code: str) -> m.Reply:
    """Without going there, as a program does."""
    seen = (await guest.submit(m.LookAt(code))).table
    assert seen is not None
    assert seen.own is not None
    view = seen.own.table
    return await guest.submit(m.AtTable(code, m.PlaceBid(seen.own.hand[0], view.stage, view.round)))
