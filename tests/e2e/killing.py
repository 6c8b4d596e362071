"""Kill a real server again and again while real clients play, and look at what is left.

python -m tests.e2e.killing 500 [SEED]
"""

import asyncio
import random
import sqlite3
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.records.record_format import Record, parse
from tests.e2e.players import Player, Table
from tests.support.kept import Bids, entries_of, played_again
from tests.support.patience import PATIENCE
from tests.support.servers import AT_ONCE, Server, tide

TABLES = 3
"""At which people play at any time."""
LONGEST = 1.0
"""Seconds that a server lives at most, once it is open."""
HASTY = 0.2
"""Share of servers that are killed while they are starting."""

GENTLE = 0.1
"""Share of servers that are asked to stop, and do, in the middle of everything."""


@dataclass
class Outcome:
    """What a run has come to."""

    kills: int = 0
    starts: int = 0
    visits: int = 0
    games: int = 0
    sealed: int = 0
    """Bids that the server had acknowledged on a screen."""
    wrong: list[str] = field(default_factory=list)
    """Everything that was lost, or is not as it should be."""


USUAL: Final = {
    **AT_ONCE,
    # Tables stay, so that in the end their actions can be compared with the records.
    "TIDE_TIMING_OVER": "86400",
    "TIDE_STOP_SECONDS": "0",
    "TIDE_LIMITS_ATTEMPTS": "100000",
    # Their games last for seconds.
    "TIDE_TABLES_GAMES_PER_PLAYER": "100000",
    "TIDE_TABLES_GAMES_PER_ADDRESS": "100000",
    "TIDE_LIMITS_WAITING_PER_ADDRESS": "1000",
}
"""Settings of a server that is killed and started again."""


def new_server(place: Path, *options: str, **settings: str) -> Server:
    """One with all its state in ``place``."""
    return Server(place, *options, **{**USUAL, **settings})


async def run(place: Path, kills: int, seed: int, url: str = "") -> Outcome:
    """Play, kill, start again; in the end let everybody finish, and compare. ``url`` is that of a database,
    if it is not a file.
    """
    chance = random.Random(seed)
    settings = {"TIDE_DATABASE_URL": url} if url else {}
    server, outcome = new_server(place, **settings), Outcome()
    tables = [Table(number, chance) for number in range(TABLES)]
    while outcome.kills < kills:
        await _one_life(server, tables, chance, outcome)
        playing = sum(not table.over for table in tables)
        tables += [Table(len(tables) + extra, chance) for extra in range(TABLES - playing)]
    outcome.starts += 1
    try:
        port = (await server.started()).ssh_port
        async with asyncio.timeout(PATIENCE):
            while not all(table.over for table in tables):
                await asyncio.gather(*(table.visit(port) for table in tables))
    except TimeoutError:
        players = [player for table in tables for player in table.players if not player.over]
        outcome.wrong += [f"{player.name} is stuck at:\n{player.seen}" for player in players]
        if status := await server.stopped():
            outcome.wrong.append(f"the last server ended with {status}")
    finally:
        server.close()
    kept = place / "state" / "tide.db"
    if url:
        copied = tide("database", "copy", url, str(kept))
        assert not copied.returncode, copied.stderr
    judge(server, kept, tables, outcome)
    return outcome


async def _one_life(
    server: Server, tables: list[Table], chance: random.Random, outcome: Outcome
) -> None:
    """Start a server, and kill it at some instant of its life: starting, recovering, playing."""
    server.launch()
    starting = asyncio.create_task(asyncio.to_thread(server.wait_until_open))
    outcome.starts += 1
    if outcome.kills and chance.random() < HASTY:
        await asyncio.sleep(chance.uniform(0.0, 0.8))
        if not starting.done():
            server.kill()
            await asyncio.gather(starting, return_exceptions=True)
            outcome.kills += 1
            return
    port = (await starting).ssh_port
    playing = asyncio.gather(*(table.visit(port) for table in tables))
    # Any instant will do; the clients are in the middle of something at every one of them.
    await asyncio.sleep(chance.uniform(0.0, LONGEST))
    if chance.random() < GENTLE:
        if status := await server.stopped():
            outcome.wrong.append(f"a server that was asked to stop ended with {status}")
    else:
        server.kill()
        server.wait()
        outcome.kills += 1
    await playing


# ---------------------------------------------------------------- what is left


def judge(server: Server, kept: Path, tables: list[Table], outcome: Outcome) -> None:
    database = sqlite3.connect(kept)
    records: dict[str, list[tuple[str, Record]]] = {}
    for origin, content in database.execute("SELECT origin, content FROM records"):
        record = parse(content)
        records.setdefault(record.players[0], []).append((origin, record))
    for table in tables:
        found = records.pop(table.players[0].name, [])
        if len(found) != 1:
            outcome.wrong.append(f"{table.players[0].name} has {len(found)} records")
            continue
        outcome.games += 1
        origin, record = found[0]
        bids, wrong = played_again(record, entries_of(database, origin), origin)
        outcome.wrong += wrong
        for player in table.players:
            outcome.visits += player.visits
            outcome.sealed += len(player.sealed)
            outcome.wrong += player.lost
            outcome.wrong += _missing(player, record.players.index(player.name), bids)
    outcome.wrong += [f"a record of nobody: {name}" for name in records]
    database.close()
    for line in server.log.read_text().splitlines():
        if '"level": "error"' in line or "Traceback" in line:
            outcome.wrong.append(line[:500])


def _missing(player: Player, seat: int, bids: Bids) -> list[str]:
    """Acknowledged bids that were never written down. (What came after them may have replaced them.)"""
    return [
        f"{player.name}: {card} was sealed in {when}; kept are {bids.get((*when, seat))}"
        for when, cards in player.sealed.items()
        for card in cards
        if card not in bids.get((*when, seat), ())
    ]


def kills_and_seed() -> tuple[int, int]:
    """Return what was asked for on the command line, 20 kills and any seed if nothing was, and print it."""
    kills = int(sys.argv[1]) if sys.argv[1:] else 20
    seed = int(sys.argv[2]) if sys.argv[2:] else random.SystemRandom().randrange(1 << 32)
    print(f"{kills} kills, seed {seed}")
    return kills, seed


def main() -> None:
    kills, seed = kills_and_seed()
    with tempfile.TemporaryDirectory() as place:
        outcome = asyncio.run(run(Path(place), kills, seed))
    print(
        f"{outcome.kills} kills, {outcome.starts} starts, {outcome.visits} visits, "
        f"{outcome.games} games, {outcome.sealed} acknowledged bids"
    )
    for wrong in outcome.wrong:
        print(wrong)
    if outcome.wrong:
        print(f"once more, with the same seed: make kill KILLS={kills} SEED={seed}")
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()
