"""How long it takes to have every running table back: `python -m bench.recovery [TABLES]`.

Tables of four are written to a state directory, spread evenly over the length of their games, as on a busy
evening. Then another process opens it as the server does. The time runs from its start, Python's included, to
its end, with all tables running.
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
from server.coordinator.table.play import Action, Bid, play, start
from server.coordinator.table.state import Table, human
from server.coordinator.table.stored import to_entries, to_row
from server.storage.table_store import StoredChange

GAMES: Final = 20  # different ones; tables share them
AS_SERVED: Final = (
    "import gc, sys; gc.disable(); sys.modules['rich'] = None; "
    "from bench.recovery import main; main()"
)
"""The other process: as a server's, it has no rich, which structlog would load, and looks for no garbage."""

RULES: Final = Rules()


def played(number: int) -> tuple[bytes, list[tuple[Action, ...]]]:
    """Return a seed, and its game to just before the end: what was done in each step that a table writes."""
    chance = random.Random(number)
    seed = chance.randbytes(32)
    deal = deal_game(seed, RULES)
    step = start(RULES, deal)
    steps = [step.actions]
    while True:
        # The first seat that the round waits for.
        hands = enumerate(step.game.stage.hands)
        seat, hand = next((n, hand) for n, hand in hands if hand and step.bids[n] is None)
        bid = Bid(seat, chance.choice(hand))
        step = play(step.game, step.bids, deal, [bid])
        if step.game.over:
            return seed, steps
        steps.append(step.actions)


async def fill(state: Path, tables: int) -> int:
    """Write the tables; how many actions they have had."""
    from tests.support.state import open_state

    games = [played(number) for number in range(GAMES)]
    opened, total = await open_state(state), 0
    for number in range(tables):
        seed, steps = games[number % GAMES]
        actions = [it for step in steps[: 1 + len(steps) * number // tables] for it in step]
        total += len(actions)
        row = to_row(at_play(number, seed))
        await opened.tables.append(StoredChange(f"{number}", row, 1, 0, to_entries(actions, 0.0)))
    await opened.aclose()
    return total


def at_play(number: int, seed: bytes) -> Table:
    """Return a table in play, but for its game."""
    people = [Player(f"account:{number}-{seat}", f"player{seat}", False) for seat in range(4)]
    seats, options = tuple(map(human, people)), TableOptions(RULES)
    place, how = (f"t{number}", f"Harbour {number}", options, 0.0, seats), Status.PLAYING
    return Table(*place, owner=0, status=how, number=1, seed=seed)


async def recover(state: Path) -> None:
    """Open the state directory and take up its tables, as ``tide serve`` does."""
    from server.coordinator.lobby.lobby import Lobby
    from server.timers import SystemClock
    from tests.support.state import open_state

    opened = await open_state(state)
    lobby = Lobby(opened.tables, SystemClock())
    assert await lobby.recover()
    await lobby.close()
    await opened.aclose()


def main() -> None:
    """Fill, and recover in other processes."""
    if sys.argv[1:2] == ["recover"]:
        asyncio.run(recover(Path(sys.argv[2])))
        return
    tables = int(sys.argv[1]) if sys.argv[1:] else 1000
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder) / "state"
        actions = asyncio.run(fill(state, tables))
        best = min(again(state) for _ in range(3))
    print(f"{tables:,} tables, {actions:,} actions; the best of three times: {best:.2f} s")
    print(f"\nfigures {json.dumps({'tables': tables, 'spread': best})}")


def again(state: Path) -> float:
    """Return seconds that a fresh process takes."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", AS_SERVED, "recover", str(state)], check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
