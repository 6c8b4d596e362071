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
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from prompt_toolkit.application import create_app_session

from bench.stock import OwnContainer
from engine.deal import SEED_BYTES
from engine.editions import Rules
from engine.state import Phase
from server.coordinator.clock import Timer
from server.coordinator.feed import Visit
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
from server.storage.database import Database
from server.storage.sqlite import SqliteMemory
from server.storage.tables_sql import SqlStore
from server.terminal.application import PlayerApplication
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.output_budget import Budget
from tests.support.fake_clock import FakeClock

SEATS: Final = 5
NAMES: Final = ("ada", "bo", "cem", "dora", "eve")
SIZE: Final = Size(80, 24)
SIXTEEN: Final = Capabilities(colours=Colours.SIXTEEN)
KINDS: Final[dict[str, Capabilities]] = {
    "sixteen colours": SIXTEEN,
    "256 colours": Capabilities(colours=Colours.INDEXED),
    "true colour": Capabilities(colours=Colours.TRUE),
    "ASCII, no colours": Capabilities(colours=Colours.NONE, unicode=False),
    "low bandwidth": replace(SIXTEEN, thin=True),
    "lines": replace(SIXTEEN, lines=True),
}


class Timers:
    """What a screen needs of an event loop, on the clock that is moved."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock: Final = clock

    def time(self) -> float:
        """See ``tui.Timers``."""
        return self._clock.time()

    def call_later(self, delay: float, callback: Callable[[], object]) -> Timer:
        """See ``tui.Timers``."""

        def call() -> None:
            callback()

        return self._clock.call_at(self._clock.time() + delay, call)


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
        """Somebody was sent this."""
        self.bytes[self.going_on] += len(text.encode())
        self.frames[self.going_on] += 1

    def clear(self) -> None:
        """Begin anew."""
        self.bytes.clear()
        self.frames.clear()

    def add(self, other: "Tally", seconds: float, rounds: int = 1) -> None:
        """So many rounds more."""
        self.bytes += other.bytes
        self.frames += other.frames
        self.seconds += seconds
        self.rounds += rounds

    @property
    def per_round(self) -> float:
        """Bytes a player and round."""
        return sum(self.bytes.values()) / max(1, SEATS * self.rounds)

    @property
    def frame_ms(self) -> float:
        """Milliseconds a frame, with everything that led to it but for network and disk."""
        return 1000 * self.seconds / max(1, sum(self.frames.values()))


class Terminal:
    """Counts what is written to it. See ``server.terminal.capabilities.Terminal``."""

    budget = Budget()

    def __init__(self, abilities: Capabilities, tally: Tally) -> None:
        self.size: Final = SIZE
        self.abilities: Final = abilities
        self.writable: Final = True
        self._tally: Final = tally

    def write(self, text: str) -> None:
        """See ``Terminal``."""
        if text:
            self._tally.sent(text)

    def close(self) -> None:
        """See ``Terminal``."""


class Seat:
    """Somebody who plays."""

    def __init__(
        self,
        visit: Visit,
        clock: FakeClock,
        abilities: Capabilities,
        tally: Tally,
        screen: type[PlayerApplication],
    ) -> None:
        self._visit: Final = visit
        terminal = Terminal(abilities, tally)
        self._session: PlayerApplication | LineSession
        self._table: Callable[[], TableSnapshot | None]
        if abilities.lines:
            self._session = LineSession(terminal, visit, clock)
            self._table = lambda: self._lines.table
            run = self._session.run()
        else:
            self._controller = Router(visit, clock, abilities)
            self._session = screen(terminal, self._controller, Timers(clock))
            self._table = lambda: self._controller.context.table
            run = self._session.run_async()
        self.task: Final = asyncio.get_running_loop().create_task(run)
        self.lines: Final = abilities.lines

    @property
    def _lines(self) -> LineSession:
        assert isinstance(self._session, LineSession)
        return self._session

    @property
    def table(self) -> TableSnapshot:
        """As this player sees it."""
        table = self._table()
        assert table is not None
        return table

    def press(self, keys: str) -> None:
        """Type."""
        self._session.feed(keys)


async def play(
    abilities: Capabilities, seed: int, screen: type[PlayerApplication] = PlayerApplication
) -> Tally:
    """The first stage of a game, but for its last round."""
    tally = Tally()
    chance = random.Random(seed)
    clock = FakeClock()
    lobby = Lobby(
        SqlStore(Database(SqliteMemory())),
        clock,
        new_seed=lambda: chance.randbytes(SEED_BYTES),
        new_rng=lambda: random.Random(seed),
    )
    visits = [lobby.enter(Player(f"id-{name}", name, False)) for name in NAMES]
    await visits[0].submit(CreateTable(TableOptions(Rules(players=SEATS))))
    code = lobby.snapshot().tables[0].id
    for visit in visits[1:]:
        await visit.submit(JoinTable(code))
    with create_app_session():
        seats = [Seat(visit, clock, abilities, tally, screen) for visit in visits]
    await clock.settle()
    await visits[0].submit(StartGame())
    await clock.advance(5.0)
    counted = Tally()
    while True:
        tally.clear()
        begin = time.process_time()
        await _round(seats, clock, chance, tally)
        seconds = time.process_time() - begin
        view = seats[0].table.table
        if view is None or view.stage or view.phase is not Phase.BIDDING:
            break  # that was the stage's last round, which ends with another screen
        counted.add(tally, seconds)
    for seat in seats:
        seat.task.cancel()
    await asyncio.gather(*(seat.task for seat in seats), return_exceptions=True)
    await lobby.close()
    return counted


async def _round(seats: list[Seat], clock: FakeClock, chance: random.Random, tally: Tally) -> None:
    """16 seconds."""
    number = _round_of(seats)
    for seat in chance.sample(seats, SEATS):
        own = seat.table.own
        if own is None or not own.hand or own.bid:
            continue
        if seat.lines:
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
    await clock.advance(1.1)
    tally.going_on = "after the reveal"
    await clock.advance(5.0)


def _round_of(seats: list[Seat]) -> tuple[int, int]:
    view = seats[0].table.table
    assert view is not None
    return view.stage, view.round


def measure(
    abilities: Capabilities, games: int, screen: type[PlayerApplication] = PlayerApplication
) -> Tally:
    """So many stages."""
    total = Tally()
    for seed in range(games):
        tally = asyncio.run(play(abilities, seed, screen))
        total.add(tally, tally.seconds, tally.rounds)
    return total


def main() -> None:
    """Measure and print."""
    games = int(sys.argv[1]) if sys.argv[1:] else 4
    figures = {}
    print("| 80x24 | " + " | ".join(GOING_ON) + " | bytes a round | frames | ms a frame |")
    print("|---" * (len(GOING_ON) + 4) + "|")
    rows = [(name, abilities, PlayerApplication) for name, abilities in KINDS.items()]
    rows.insert(1, ("the same by prompt_toolkit's renderer", SIXTEEN, OwnContainer))
    for name, abilities, screen in rows:
        tally = measure(abilities, games, screen)
        share = SEATS * tally.rounds
        parts = [
            f"{tally.bytes[kind] / share:.0f} ({tally.frames[kind] / share:.1f})"
            for kind in GOING_ON
        ]
        frames = sum(tally.frames.values()) / share
        print(
            f"| {name} | {' | '.join(parts)} | **{tally.per_round:,.0f}** | {frames:.1f} "
            f"| {tally.frame_ms:.3f} |"
        )
        figures[name] = tally.per_round
    print("\nIn parentheses: frames.")
    print(f"\nfigures {json.dumps(figures)}")


GOING_ON: Final = ("an own key", "a bid", "the reveal", "after the reveal", "the clock")


if __name__ == "__main__":
    main()
