"""What who looks at the lobby is sent in a minute, and what that costs: ``python -m bench.lobby``.

Fifty people play against bots at tables of their own; a clock is moved, as in ``bench.rounds``. A session
costs what the same minute takes less without ten of its kind.
"""

import asyncio
import json
from functools import partial
from statistics import median
from time import process_time
from typing import Final

from bench.load.figures import table
from server.terminal.capabilities import Size
from tests.support.lobby_minute import minute

SIZES: Final = (Size(80, 24), Size(120, 40), Size(200, 60))
SESSIONS: Final = 10
PAIRS: Final = 5
HEADS: Final = ("screen", "bytes", "frames", "ms of CPU", "ms of who plays", "bytes when quiet")


def main() -> None:
    """Measure and print."""
    figures, rows, timed = {}, [], partial(minute, cpu=process_time)
    for size in SIZES:
        quiet, _ = asyncio.run(minute(size, tables=0, looking=1))
        tally, _ = asyncio.run(minute(size, looking=1))
        name, costs = f"{size.columns}x{size.rows}", []
        for looks in (SESSIONS, 0):
            whole = partial(timed, size, looking=looks, seated=SESSIONS - looks)
            more = [asyncio.run(whole())[1] - asyncio.run(timed(size))[1] for _ in range(PAIRS)]
            costs.append(f"{1000 * median(more) / SESSIONS:.0f}")
        figures[name], drawn = sum(tally.bytes.values()), sum(tally.frames.values())
        still = f"{sum(quiet.bytes.values())}"
        rows.append((name, f"{figures[name]:,}", f"{drawn}", *costs, still))
    print(table(HEADS, rows))
    print(f"\nfigures {json.dumps(figures)}")


if __name__ == "__main__":
    main()
