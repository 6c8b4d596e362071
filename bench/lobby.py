"""What who looks at the lobby is sent in a minute, and what that costs: ``python -m bench.lobby``.

Fifty people play against bots at tables of their own; a clock is moved, as in ``bench.rounds``. The cost is
the difference to the same minute without those sessions, a session.
"""

import asyncio
import json
from functools import partial
from time import process_time
from typing import Final

from bench.load.figures import table
from server.terminal.capabilities import Size
from tests.support.lobby_minute import minute

SIZES: Final = (Size(80, 24), Size(120, 40), Size(200, 60))
SESSIONS: Final = 10
"""So many of a kind, for what they cost."""
HEADS: Final = ("screen", "bytes", "frames", "ms of CPU", "ms of who plays", "bytes when quiet")


def main() -> None:
    """Measure and print."""
    figures, rows, timed = {}, [], partial(minute, cpu=process_time)
    _, without = asyncio.run(timed(SIZES[0]))
    for size in SIZES:
        _, playing = asyncio.run(timed(size, seated=SESSIONS))
        quiet, _ = asyncio.run(minute(size, tables=0, looking=1))
        tally, looking = asyncio.run(timed(size, looking=SESSIONS))
        sent, drawn = (sum(each.values()) / SESSIONS for each in (tally.bytes, tally.frames))
        costs = [f"{1000 * (each - without) / SESSIONS:.0f}" for each in (looking, playing)]
        name, still = f"{size.columns}x{size.rows}", str(sum(quiet.bytes.values()))
        rows.append((name, f"{sent:,.0f}", f"{drawn:.0f}", *costs, still))
        figures[name] = sent
    print(table(HEADS, rows))
    print(f"\nfigures {json.dumps(figures)}")


if __name__ == "__main__":
    main()
