"""How long it takes to have every running table back: `python -m bench.recovery [TABLES]`.

Tables of four are written to a state directory, spread evenly over the length of their games, as on a busy
evening. Then another process opens it as the server does. The time runs from its first line to all tables
running; starting Python and importing comes on top and is shown beside it.
"""

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from engine.deal import deal_game
from engine.editions import Rules
from server.coordinator.messages import Player, Status, TableOptions
from server.coordinator.table.model import Table, human
from server.coordinator.table.play import Action, Bid, play, start
from server.coordinator.table.stored import to_entries, to_row
from server.storage.store import StoredChange

GAMES: Final = 20
"""Different games; tables share them."""
BATCH: Final = 100
AS_SERVED: Final = "import gc; gc.disable(); from bench.recovery import main; main()"
"""The other process. A server does not look for garbage while it starts, either."""

RULES: Final = Rules()


def played(number: int) -> tuple[bytes, list[tuple[Action, ...]]]:
    """A seed, and its game to just before the end: what was done in each step that a table writes."""
    chance = random.Random(number)
    seed = chance.randbytes(32)
    deal = deal_game(seed, RULES)
    step = start(RULES, deal)
    steps = [step.actions]
    while True:
        # The first seat that the round waits for.
        seat, hand = next(
            (seat, hand)
            for seat, hand in enumerate(step.game.stage.hands)
            if hand and step.bids[seat] is None
        )
        bid = Bid(seat, chance.choice(hand))
        step = play(step.game, step.bids, deal, [bid])
        if step.game.over:
            return seed, steps
        steps.append(step.actions)


async def fill(state: Path, tables: int) -> int:
    """Write the tables; how many actions they have had."""
    from server.storage.statedir import open_state

    games = [played(number) for number in range(GAMES)]
    opened = await open_state(state)
    total = 0
    for first in range(0, tables, BATCH):
        changes = []
        for number in range(first, min(first + BATCH, tables)):
            seed, steps = games[number % GAMES]
            kept = steps[: 1 + len(steps) * number // tables]
            actions = [action for step in kept for action in step]
            total += len(actions)
            row = to_row(at_play(number, seed))
            changes.append(StoredChange(f"{number}", row, 1, 0, to_entries(actions, 0.0)))
        await asyncio.gather(*(opened.tables.append(change) for change in changes))
    await opened.close()
    return total


def at_play(number: int, seed: bytes) -> Table:
    """A table in play, but for its game."""
    people = [Player(f"account:{number}-{seat}", f"player{seat}", False) for seat in range(4)]
    seats, options = tuple(map(human, people)), TableOptions(RULES)
    place, how = (f"t{number}", f"Harbour {number}", options, 0.0, seats), Status.PLAYING
    return Table(*place, owner=0, status=how, number=1, seed=seed)


async def recover(state: Path) -> dict[str, float]:
    """Open the state directory and take up its tables, as ``tide serve`` does; seconds of each part."""
    from server.coordinator.lobby.lobby import Lobby
    from server.coordinator.time_source import SystemClock
    from server.storage.statedir import open_state

    began = time.perf_counter()
    opened = await open_state(state)
    checked = time.perf_counter()
    lobby = Lobby(opened.tables, SystemClock())
    tables = await lobby.recover()
    back = time.perf_counter()
    await lobby.close()
    await opened.close()
    assert tables
    return {"open and check": checked - began, "read and play again": back - checked}


def main() -> None:
    """Fill, and recover in other processes."""
    if sys.argv[1:2] == ["recover"]:
        print(json.dumps(asyncio.run(recover(Path(sys.argv[2])))))
        return
    tables = int(sys.argv[1]) if sys.argv[1:] else 1000
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder) / "state"
        actions = asyncio.run(fill(state, tables))
        best = min((again(state) for _ in range(3)), key=lambda run: run["process"])
    parts = ", ".join(f"{name} {value:.2f} s" for name, value in best.items())
    print(f"{tables:,} tables, {actions:,} actions; the best of three times: {parts}")
    print(f"\nfigures {json.dumps({'tables': tables, 'spread': best['process']})}")


def again(state: Path) -> dict[str, float]:
    """Seconds that a fresh process takes, and the parts of them."""
    start = time.perf_counter()
    command = [sys.executable, "-c", AS_SERVED, "recover", str(state)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {**json.loads(said), "process": time.perf_counter() - start}


if __name__ == "__main__":
    main()
