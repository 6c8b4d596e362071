"""Three nodes on machines with clocks ten minutes apart play while PostgreSQL stops for seconds.

python -m tests.e2e.wrong_clocks 10 [SEED]
"""

import asyncio
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

from tests.e2e import cluster_kill
from tests.e2e.cluster import NAMES, Cluster
from tests.e2e.cluster_kill import ClusterOutcome, told

FAST = dict(zip(NAMES, (300.0, -300.0, 0.0), strict=True))
"""By how many seconds."""
STOPPED_SECONDS = 4.0
"""Longer than a lease."""
_PLAYED_SECONDS = (3.0, 8.0)
"""Between two stops."""


async def run(place: Path, stops: int, seed: int) -> ClusterOutcome:
    """Play, and compare what is left, and what the nodes say of their clocks."""
    settings = {
        "PYTHONPATH": str(Path(__file__).with_name("wrong_clock")),
        "WRONG_CLOCKS": ",".join(f"{name}={seconds}" for name, seconds in FAST.items()),
    }
    with patch.dict(os.environ, settings):
        outcome = await cluster_kill.run(place, stops, seed, 3, _stop_postgres)
    for name in NAMES:
        lines = (place / name / "log").read_text().splitlines()
        logged = [json.loads(line) for line in lines if line.startswith("{")]
        fast = sum(it["seconds"] for it in logged if it["event"] == "clock_differs")
        if abs(fast - FAST[name]) > 1.0:
            outcome.wrong.append(f"{name} believes that its machine is {fast} seconds fast")
        outcome.wrong += [f"{name}: {it}" for it in logged if it["event"] == "nodes_differ"]
    return outcome


async def _stop_postgres(cluster: Cluster, times: int) -> None:
    for _ in range(times):
        await asyncio.sleep(cluster.chance.uniform(*_PLAYED_SECONDS))
        cluster.postgres.send(signal.SIGSTOP)
        await asyncio.sleep(STOPPED_SECONDS)
        cluster.postgres.send(signal.SIGCONT)


def main() -> None:
    stops = int(sys.argv[1]) if sys.argv[1:] else 10
    seed = int(sys.argv[2]) if sys.argv[2:] else random.SystemRandom().randrange(1 << 32)
    print(f"{stops} stops of PostgreSQL, seed {seed}", flush=True)
    place = Path(tempfile.mkdtemp(prefix="tide-clocks-"))
    outcome = asyncio.run(run(place, stops, seed))
    print("\n".join([*told(outcome), *outcome.wrong]))
    if outcome.wrong:
        print(f"logs are in {place}")
    else:
        shutil.rmtree(place)
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()
