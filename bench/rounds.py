"""What a player is sent in a round, and what drawing it costs: ``python -m bench.rounds [GAMES]``.

Five people play whole stages in one process: the real tables, controllers, screens and renderers, but no
network, no disk, and a clock that is moved. So the bytes are the same on every machine; the time is not.
Of every round counts all from one reveal to the next: five bids (everybody moves to a card first), the
reveal, the next tides, the countdown.
"""

import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

from msgspec.structs import replace
from prompt_toolkit.application import create_app_session

from bench.load.figures import table
from bench.stock import OwnContainer
from engine.deal import SEED_BYTES
from engine.editions import Rules
from engine.state import Phase
from server.coordinator.contract import Visit
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import (
    CreateTable,
    JoinTable,
    Player,
    StartGame,
    TableOptions,
    TableSnapshot,
)
from server.fullscreen.router import Router
from server.linemode.session import LineSession
from server.session.client import Visitor
from server.storage.databases.database import Database
from server.storage.databases.sqlite import SqliteMemory
from server.storage.table_store import TableStore
from server.terminal.application import PlayerApplication
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame import Frame
from server.terminal.meter import unlimited
from tests.support.fake_clock import FakeClock

Drawn = Callable[[Any, Any, Any], PlayerApplication]
"""What draws: of a terminal, a screen and timers."""
SEATS: Final = 5
GOING_ON: Final = ("an own key", "a bid", "the reveal", "the clock")
NAMES: Final = ("ada", "bo", "cem", "dora", "eve")
SIZE: Final = Size(80, 24)
STOCK: Final = "prompt_toolkit's renderer"
SIXTEEN: Final = Capabilities(colours=Colours.SIXTEEN)
KINDS: Final[dict[str, Capabilities]] = {
    "sixteen colours": SIXTEEN,
    "256 colours": Capabilities(colours=Colours.INDEXED),
    "true colour": Capabilities(colours=Colours.TRUE),
    "ASCII, no colours": Capabilities(colours=Colours.NONE, unicode=False),
    "low bandwidth": replace(SIXTEEN, thin=True),
    "lines": replace(SIXTEEN, lines=True),
}


@dataclass
class Tally:
    """What all five were sent, by what was going on."""

    going_on: str = ""
    bytes: Counter[str] = field(default_factory=Counter)
    frames: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    seconds: float = 0.0
    """CPU time."""

    def sent(self, text: str) -> None:
        """Count what somebody was sent."""
        if text:
            self.bytes[self.going_on] += len(text.encode())
            self.frames[self.going_on] += 1

    def add(self, other: "Tally") -> None:
        """Count so many rounds more."""
        self.bytes += other.bytes
        self.frames += other.frames
        self.seconds += other.seconds
        self.rounds += other.rounds

    @property
    def per_round(self) -> float:
        """Bytes a player and round."""
        return sum(self.bytes.values()) / max(1, SEATS * self.rounds)

    @property
    def frame_ms(self) -> float:
        """Milliseconds a frame, with everything that led to it but for network and disk."""
        return 1000 * self.seconds / max(1, sum(self.frames.values()))


class Seat:
    """Somebody who plays."""

    def __init__(
        self,
        visit: Visit,
        clock: FakeClock,
        abilities: Capabilities,
        tally: Tally,
        drawn: Drawn,
        size: Size = SIZE,
    ) -> None:
        # Counts what is written to it: see `server.terminal.capabilities.Terminal`.
        terminal: Any = SimpleNamespace(
            meter=unlimited(), size=size, abilities=abilities, writable=True, write=tally.sent
        )

        who = Visitor(visit.player, clock, abilities, visit=visit)
        self.lines: Final = LineSession(terminal, who) if abilities.lines else None
        self.router: Final = None if abilities.lines else Router(who)
        if self.router is not None:
            session: Any = drawn(terminal, self.router, clock)
            run = session.play()
        else:
            session = self.lines
            run = session.run()
        self.press: Final[Callable[[str], None]] = session.feed
        self.task: Final[asyncio.Task[None]] = asyncio.get_running_loop().create_task(run)

    @property
    def table(self) -> TableSnapshot:
        """Return the table as this player sees it."""
        shows = self.router.context if self.router is not None else self.lines
        assert shows is not None
        assert shows.table is not None
        return shows.table


def lobby_of(seed: int, clock: FakeClock) -> Lobby:
    """Nobody is there yet."""
    chance = random.Random(seed)
    return Lobby(
        TableStore(Database(SqliteMemory())),
        clock,
        new_seed=lambda: chance.randbytes(SEED_BYTES),
        new_rng=lambda: random.Random(seed),
    )


@asynccontextmanager
async def at_a_table(
    abilities: Capabilities, seed: int, tally: Tally, drawn: Drawn = PlayerApplication
) -> AsyncIterator[tuple[list[Seat], FakeClock]]:
    """Five who sit at a table of theirs, at the beginning of a game."""
    clock = FakeClock()
    lobby = lobby_of(seed, clock)
    visits = [lobby.enter(Player(f"id-{name}", name, False)) for name in NAMES]
    await visits[0].submit(CreateTable(TableOptions(Rules(players=SEATS))))
    code = lobby.feed.snapshot().tables[0].id
    for visit in visits[1:]:
        await visit.submit(JoinTable(code))
    with create_app_session():
        seats = [Seat(visit, clock, abilities, tally, drawn) for visit in visits]
    await clock.settle()
    await visits[0].submit(StartGame())
    await clock.advance(5.0)
    yield seats, clock
    for seat in seats:
        seat.task.cancel()
    await asyncio.gather(*(seat.task for seat in seats), return_exceptions=True)
    await lobby.close()


async def play(abilities: Capabilities, seed: int, drawn: Drawn) -> Tally:
    """Return the first stage of a game, but for its last round."""
    tally, counted, chance = Tally(), Tally(), random.Random(seed)
    async with at_a_table(abilities, seed, tally, drawn) as (seats, clock):
        while True:
            tally.bytes.clear()
            tally.frames.clear()
            start = time.process_time()
            await _round(seats, clock, chance, tally)
            tally.seconds, tally.rounds = time.process_time() - start, 1
            view = seats[0].table.table
            if view is None or view.stage or view.phase is not Phase.BIDDING:
                return counted  # that was the stage's last round, which ends with another screen
            counted.add(tally)


async def frames() -> list[Frame]:
    """Return what each seat shows in the first round, in sixteen colours."""
    async with at_a_table(SIXTEEN, 0, Tally()) as (seats, _):
        return [seat.router.frame(SIZE) for seat in seats if seat.router is not None]


async def _round(seats: list[Seat], clock: FakeClock, chance: random.Random, tally: Tally) -> None:
    """16 seconds."""
    number = _round_of(seats)
    for seat in chance.sample(seats, SEATS):
        own = seat.table.own
        if own is None or not own.hand or own.bid:
            continue
        if seat.lines is not None:
            tally.going_on = "a bid"
            seat.press(f"{chance.choice(own.hand)}\r")
        else:
            tally.going_on = "an own key"
            seat.press(chance.choice(("\x1b[C", "\x1b[D")))
            await clock.advance(0.5)
            tally.going_on = "a bid"
            seat.press("\r")
        await clock.advance(0.1)
        tally.going_on = "the reveal" if _round_of(seats) != number else "the clock"
        await clock.advance(1.4)
    if _round_of(seats) == number:
        raise RuntimeError("a round was bid for, and not revealed")
    await clock.advance(6.1)


def _round_of(seats: list[Seat]) -> tuple[int, int]:
    view = seats[0].table.table
    assert view is not None
    return view.stage, view.round


def measure(abilities: Capabilities, games: int, drawn: Drawn = PlayerApplication) -> Tally:
    """Play so many stages, and measure them."""
    total = Tally()
    for seed in range(games):
        total.add(asyncio.run(play(abilities, seed, drawn)))
    return total


def main() -> None:
    """Measure and print."""
    games = int(sys.argv[1]) if sys.argv[1:] else 2
    figures, rows = {}, []
    kinds = [(name, able, PlayerApplication) for name, able in KINDS.items()]
    for name, abilities, drawn in (*kinds, (STOCK, SIXTEEN, OwnContainer)):
        tally = measure(abilities, games, drawn)
        share = SEATS * tally.rounds
        sent = [
            f"{tally.bytes[kind] / share:.0f} ({tally.frames[kind] / share:.1f})"
            for kind in GOING_ON
        ]
        frames = f"{sum(tally.frames.values()) / share:.1f}"
        rows.append((name, *sent, f"**{tally.per_round:,.0f}**", frames, f"{tally.frame_ms:.3f}"))
        figures[name] = tally.per_round
        if abilities is SIXTEEN:
            figures["frame_ms, stock" if name == STOCK else "frame_ms"] = tally.frame_ms
    print(table(("80x24", *GOING_ON, "bytes a round", "frames", "ms a frame"), rows))
    print(f"\nIn parentheses: frames.\n\nfigures {json.dumps(figures)}")


if __name__ == "__main__":
    main()
