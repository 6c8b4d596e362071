"""How long tables are without an owner when their node is killed: `python -m bench.takeover [KILLS]`.

Twelve programs play on three nodes through HAProxy (as in `make cluster-kill`); a node that has tables is
killed and started again, one after the other. In the end nothing may be lost.
"""

import asyncio
import random
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.e2e.cluster import Cluster
from tests.e2e.cluster_faults import KILLED, happen
from tests.e2e.cluster_kill import run
from tests.e2e.service import quantile, told_of

KILLS: Final = 50
GAP_SECONDS: Final = 0.5, 4.0
"""Between two of them."""


async def kill_owners(cluster: Cluster, kills: int) -> None:
    """Until so many owners were killed, and their tables have others."""
    while len(cluster.ownerless) < kills:
        await asyncio.sleep(cluster.chance.uniform(*GAP_SECONDS))
        if cluster.owning and not cluster.dead:
            name = cluster.chance.choice(sorted(cluster.owning.values()))
            await happen(cluster, KILLED, cluster.nodes[name])


def main() -> None:
    kills = int(sys.argv[1]) if sys.argv[1:] else KILLS
    with tempfile.TemporaryDirectory(prefix="tide-takeover-") as place:
        seed = random.SystemRandom().randrange(1 << 32)
        outcome = asyncio.run(run(Path(place), kills, seed, 3, kill_owners))
    times = [*outcome.ownerless, *outcome.ownerless_else]
    print(
        f"{len(times)} kills in {outcome.seconds:.0f} s, {outcome.acknowledged} acknowledged bids"
    )
    for part in (0.5, 0.9, 0.99):
        print(f"p{100 * part:.0f} {quantile(times, part):.2f} s without an owner")
    print("\n".join(told_of(outcome.times)))
    print("\n".join(outcome.wrong) or "nothing is lost")
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()
