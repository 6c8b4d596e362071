"""What a round of five players on three nodes puts on the bus: `python -m bench.bus`.

The nodes share one process, a database in memory and a bus that counts: nothing here depends on the machine.
The owner of the table has two of the players, the other nodes have two and one.
"""

import asyncio
from collections import Counter
from math import ceil
from typing import Final, NamedTuple

from engine.editions import Rules
from server.coordinator.messages import CreateTable, Pace, StartGame, TableOptions
from tests.support.nodes import house
from tests.support.tables import Guest

NODES: Final = "abcab"
"""To which of them each player is connected; the first one's has the table."""
ROUNDS: Final = 6
AWAY: Final = 3
"""Players who are not connected to the table's node."""
A_NODE: Final = 1_900
"""Players that one takes: so many were measured at a p99 below 25 ms (RESULTS.md)."""
ROUND_SECONDS: Final = 15


async def measure() -> tuple[Counter[str], Counter[str]]:
    """Messages and bytes by topic, of all rounds together."""
    async with house(*sorted(set(NODES))) as here:
        guests = [here.nodes[node].guest(f"p{seat}") for seat, node in enumerate(NODES)]
        await here.clock.advance(1.0)
        options = TableOptions(Rules(players=len(NODES)), Pace.TIMED, 60)
        await guests[0].ok(CreateTable(options))
        await here.clock.advance(1.0)
        await here.seat(guests[0].info.id, *guests[1:])
        await guests[0].ok(StartGame())
        await here.settle()
        here.hub.sent.clear()
        for _ in range(ROUNDS):
            await play(guests)
            await here.clock.advance(5.0)
        messages: Counter[str] = Counter()
        size: Counter[str] = Counter()
        for _, _, topic, message in here.hub.sent:
            kind = topic.partition(".")[0]
            messages[kind] += 1
            size[kind] += len(message)
        return messages, size


async def play(guests: list[Guest]) -> None:
    """Everybody bids who can."""
    for guest in guests:
        if guest.owes():
            assert (await guest.bid()).ok


class House(NamedTuple):
    """What so many players come to."""

    nodes: int
    rounds: float
    """A second."""
    shown_by: float
    """Nodes that show a table, its own included."""
    tables: float
    """Bytes a second, of pictures, seats and bids."""
    lobby: float
    """Bytes a second."""


def house_of(players: int, size: Counter[str]) -> House:
    """``size``: of all that was measured. Players are spread over the nodes by chance."""
    seats, nodes = len(NODES), ceil(players / A_NODE)
    rounds, others = players / seats / ROUND_SECONDS, len(set(NODES)) - 1
    shown_by = nodes * (1 - (1 - 1 / nodes) ** seats)
    away = seats * (1 - 1 / nodes)
    per_player = (size["seat"] + size["ask"] + size["answer"]) / ROUNDS / AWAY
    tables = (shown_by - 1) * size["table"] / ROUNDS / others + away * per_player
    lobby = (nodes - 1) * size["changed"] / ROUNDS / others
    return House(nodes, rounds, shown_by, rounds * tables, rounds * lobby)


def main() -> None:
    """Print what a round takes, on average, and what that comes to with many players."""
    messages, size = asyncio.run(measure())
    messages.pop("beat"), size.pop("beat")
    print("| a round | messages | bytes |")
    print("|---|---|---|")
    for kind in messages:
        print(f"| {kind} | {messages[kind] / ROUNDS:.0f} | {size[kind] / ROUNDS:,.0f} |")
    print(f"| all | {messages.total() / ROUNDS:.0f} | {size.total() / ROUNDS:,.0f} |")
    print("\n| players | nodes | rounds/s | shown by | tables MB/s | lobby MB/s |")
    print("|---|---|---|---|---|---|")
    for players in (10_000, 100_000, 1_000_000):
        it = house_of(players, size)
        print(
            f"| {players:,} | {it.nodes} | {it.rounds:,.0f} | {it.shown_by:.1f} "
            f"| {it.tables / 1e6:,.1f} | {it.lobby / 1e6:,.1f} |"
        )


if __name__ == "__main__":
    main()
