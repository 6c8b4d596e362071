"""How long it takes to have every running table back: `python -m bench.recovery [TABLES]`.

Tables of four are written to a state directory: once spread evenly over the length of their games, as on
a busy evening, and once all in the last round of the last stage, the most there can be to read. Then
another process opens it as the server does. The time runs from its first line
to all tables folded; starting Python and importing comes on top and is shown beside it.
"""

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from engine.actions import Action, Bid, SubstituteBid, TurnTides
from engine.deal import deal_game
from engine.editions import Rules
from engine.rules import apply, legal_actions, new_game
from engine.state import GameState, Phase

GAMES: Final = 20
"""Different games; tables share them."""
BATCH: Final = 100


def played(seed: int) -> tuple[bytes, list[Action]]:
    """A seed, and the actions of its game up to the last round."""
    chance = random.Random(seed)
    secret = chance.randbytes(32)
    rules = Rules()
    deal = deal_game(secret, rules)
    state, _ = new_game(rules, deal.hands)
    done: list[Action] = []

    def act(action: Action) -> None:
        nonlocal state
        state, _ = apply(state, action)
        done.append(action)

    while True:
        stage, round_ = state.stage.number, len(state.stage.rounds)
        act(TurnTides(*deal.offer(stage, round_)))
        seats = [seat for seat in range(rules.players) if not state.stage.eliminated[seat]]
        last = (stage, round_) == (rules.stages - 1, rules.rounds - 1)
        for seat in seats[: -1 if last else None]:
            act(chance.choice(list(legal_actions(state, seat))))
        if last:
            return secret, done
        if (
            state.phase is Phase.OVER
        ):  # the last stage ended early: good enough, but for its last bid
            done.pop()
            return secret, done


def shown(actions: list[Action], number: int, tables: int, *, spread: bool) -> list[list[Any]]:
    """As many of a game's actions as this table has had."""
    kept = actions[: 1 + len(actions) * number // tables] if spread else actions
    return [[type(action).__name__, *action] for action in kept]


async def fill(state: Path, tables: int, *, spread: bool) -> int:
    """Write the tables; how many actions they have had."""
    from server.storage.sql import open_state
    from server.storage.store import Change

    games = [played(seed) for seed in range(GAMES)]
    opened = await open_state(state)
    total = 0
    for start in range(0, tables, BATCH):
        changes = []
        for number in range(start, min(start + BATCH, tables)):
            seed, actions = games[number % GAMES]
            row = {"seed": seed.hex(), "title": f"table {number}", "seats": ["name"] * 4}
            entries = shown(actions, number, tables, spread=spread)
            total += len(entries)
            changes.append(Change(f"{number}", row, 1, 0, entries))
        await asyncio.gather(*(opened.tables.write(change) for change in changes))
    await opened.close()
    return total


async def recover(state: Path) -> dict[str, float]:
    from server.storage.sql import open_state

    start = time.perf_counter()
    opened = await open_state(state)
    checked = time.perf_counter()
    tables = await opened.tables.load()
    loaded = time.perf_counter()
    kinds = {kind.__name__: kind for kind in (TurnTides, Bid, SubstituteBid)}
    rules = Rules()
    running: list[GameState] = []
    for table in tables:
        deal = deal_game(bytes.fromhex(table.row["seed"]), rules)
        game, _ = new_game(rules, deal.hands)
        for kind, first, second in table.entries:
            game, _ = apply(game, kinds[kind](first, second))
        running.append(game)
    folded = time.perf_counter()
    await opened.close()
    assert all(game.phase is not Phase.OVER for game in running)
    return {
        "tables": len(running),
        "open and check": checked - start,
        "read": loaded - checked,
        "fold": folded - loaded,
        "all": folded - start,
    }


def main() -> None:
    if sys.argv[1:2] == ["recover"]:
        print(json.dumps(asyncio.run(recover(Path(sys.argv[2])))))
        return
    tables = int(sys.argv[1]) if sys.argv[1:] else 1000
    for spread in (True, False):
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder) / "state", tables, spread=spread)


def measure(state: Path, tables: int, *, spread: bool) -> None:
    actions = asyncio.run(fill(state, tables, spread=spread))
    size = sum(path.stat().st_size for path in state.iterdir())
    where = "spread over their games" if spread else "in their last round"
    print(f"{tables} tables {where}: {actions} actions, {size / 1e6:.1f} MB")
    for _ in range(3):
        start = time.perf_counter()
        command = [sys.executable, "-m", "bench.recovery", "recover", str(state)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        process = time.perf_counter() - start
        figures = json.loads(said)
        assert figures.pop("tables") == tables
        parts = "  ".join(f"{name} {value:.2f} s" for name, value in figures.items())
        print(f"  {parts}  (process {process:.2f} s)")


if __name__ == "__main__":
    main()
