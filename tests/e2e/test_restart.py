"""SIGTERM with fifty tables in play, and a new server: everybody is back in the seat, nothing is lost."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.e2e.players import Table
from tests.support.patience import PATIENCE
from tests.support.servers import LASTING, Server

TABLES = 50


def tables_of_one() -> list[Table]:
    """One person and bots each; half of the people have a key, the others a code to come back with."""
    chance = random.Random(50)
    tables = [Table(number, chance) for number in range(TABLES)]
    for table in tables:
        table.players = [table.players[table.number % 2]]
    return tables


def progress(table: Table) -> int:
    (player,) = table.players
    return len(player.sealed) + len(player.rounds)


async def play(server: Server, tables: list[Table]) -> int:
    """Play until everybody has made at least one bid more, and seen that it is sealed or, who bids last, that
    the round is over; stop politely. Returns the exit status.
    """
    port = (await server.started()).ssh_port
    before = [progress(table) for table in tables]
    visits = asyncio.gather(*(table.visit(port) for table in tables))

    def waiting() -> list[str]:
        """The screens of those who have not come so far."""
        return [
            table.players[0].seen
            for table, had in zip(tables, before, strict=True)
            if progress(table) < had + 2 and not table.over
        ]

    try:
        async with asyncio.timeout(2 * PATIENCE):
            while waiting():
                assert not visits.done()
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError("\n\n".join(waiting())) from None
    status = await server.stopped()
    await visits
    return status


@pytest.mark.slow
async def test_a_restart_under_load_loses_no_table(tmp_path: Path) -> None:
    server, tables = Server(tmp_path, **{**LASTING, "TIDE_STOP_SECONDS": "0.5"}), tables_of_one()
    assert await play(server, tables) == 0
    assert await play(server, tables) == 0
    log = server.events
    assert not [line for line in log if line["level"] == "error"]
    _, again = (line for line in log if line["event"] == "open")
    over = sum(line["event"] == "game_over" for line in log)
    assert again["tables"] + over >= TABLES
    assert sum(line["event"] == "last_call" for line in log) == 2
    players = [table.players[0] for table in tables]
    assert not [lost for player in players for lost in player.lost]
    assert all(player.visits == 2 or player.over for player in players)
