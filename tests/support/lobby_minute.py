"""A minute in a lobby where others play: what who looks is sent, and what it costs."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from prompt_toolkit.application import create_app_session

from bench.rounds import SIXTEEN, Seat, Tally, lobby_of
from engine.editions import Rules
from engine.state import Phase
from server.coordinator.contract import Visit
from server.coordinator.messages import Pace, PlaceBid, Player, QuickGame, TableOptions
from server.terminal.application import PlayerApplication
from server.terminal.capabilities import Capabilities, Size
from tests.support.fake_clock import FakeClock
from tests.support.through_frames import enter

TABLES: Final = 50
MINUTE: Final = 60
OPTIONS: Final = TableOptions(Rules(players=5), Pace.UNTIMED)


async def play(visits: Sequence[Visit], clock: FakeClock, seconds: int) -> None:
    """At each moment a third of them find that it is time to bid."""
    for second in range(seconds):
        for visit in visits[second % 3 :: 3]:
            shown = visit.feed.now.table
            own = shown.own if shown is not None else None
            if own is not None and own.table.phase is Phase.BIDDING and own.hand and not own.bid:
                await visit.submit(PlaceBid(own.hand[0], own.table.stage, own.table.round))
        await clock.advance(1)


async def minute(
    size: Size,
    able: Capabilities = SIXTEEN,
    *,
    tables: int = TABLES,
    looking: int = 0,
    seated: int = 0,
    keys: str = "l",
    cpu: Callable[[], float] = lambda: 0.0,
) -> tuple[Tally, float]:
    """What so many who look were sent in a minute, after a while, and the seconds of ``cpu`` in that minute:
    tests read no clock. So many of those who play against bots have a screen, too.
    """
    clock, tally, others, drawn = FakeClock(), Tally(), Tally(), PlayerApplication
    lobby = lobby_of(1, clock)
    players = [
        enter(lobby, Player(f"id-{number}", f"p{number}", False)) for number in range(tables)
    ]
    for visit in players:
        await visit.submit(QuickGame(OPTIONS))
    with create_app_session():
        seats = [Seat(each, clock, SIXTEEN, others, drawn, size) for each in players[:seated]]
        for number in range(looking):
            visit = enter(lobby, Player(f"id-eve{number}", f"eve{number}", False))
            seats.append(Seat(visit, clock, able, tally, drawn, size))
    await clock.settle()
    for seat in seats[seated:]:
        seat.press(keys)
    await play(players, clock, 10)
    assert tally.bytes or not looking, "they have a screen"
    tally.bytes.clear()
    tally.frames.clear()
    begin = cpu()
    await play(players, clock, MINUTE)
    seconds = cpu() - begin
    counted = Tally(bytes=tally.bytes.copy(), frames=tally.frames.copy())
    for seat in seats:
        seat.task.cancel()
    await asyncio.gather(*(seat.task for seat in seats), return_exceptions=True)
    await lobby.close()
    return counted, seconds
