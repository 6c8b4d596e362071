"""``python -m tests.e2e.monkeys MINUTES [SEED]`` at a real server, or in memory
``python -m tests.e2e.monkeys --memory FIRST [LAST] [--turns N]``: with these seeds.
"""

import argparse
import asyncio
import os
import random
import sys
import time
from collections.abc import Callable
from functools import partial

from tests.e2e.monkeys.company import Finding
from tests.e2e.monkeys.run import TURNS, at_a_server, in_memory


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.monkeys")
    parser.add_argument("minutes", nargs="?", type=float, default=1.0)
    parser.add_argument("seed", nargs="?", type=int)
    parser.add_argument(
        "--memory", nargs="+", type=int, metavar="SEED", help="the first, and the last"
    )
    parser.add_argument("--turns", type=int, default=TURNS)
    given = parser.parse_args()
    if given.memory:
        if os.environ.get("PYTHONHASHSEED") != "0":
            # Sets have an order, too.
            os.execve(sys.executable, [sys.executable, "-m", "tests.e2e.monkeys", *sys.argv[1:]],
                      {**os.environ, "PYTHONHASHSEED": "0"})  # fmt: skip
        sys.exit(_in_memory(given.memory[0], given.memory[-1], given.turns))
    seed = random.SystemRandom().randrange(1 << 32) if given.seed is None else given.seed
    sys.exit(_at_a_server(given.minutes, seed))


def _at_a_server(minutes: float, seed: int) -> int:
    print(f"{minutes:g} minutes, seed {seed}", flush=True)
    began = time.monotonic()
    tell = partial(_tell, seed, lambda: f"{time.monotonic() - began:.0f} s")
    company = asyncio.run(at_a_server(seed, minutes, tell))
    print(f"{company.turns} turns, {len(company.findings)} findings")
    if company.findings:
        print(f"once more, with the same seed: make soak KIND=monkeys ARGS='{minutes:g} {seed}'")
    return bool(company.findings)


def _in_memory(first: int, last: int, turns: int) -> int:
    wrong = 0
    for seed in range(first, last + 1):
        began = time.process_time()
        company = in_memory(seed, turns, partial(_tell, seed, partial(_cpu, began)))
        wrong += len(company.findings)
        print(
            f"seed {seed}: {company.turns} turns, {len(company.findings)} findings, {_cpu(began)}"
        )
    return bool(wrong)


def _cpu(since: float) -> str:
    return f"{time.process_time() - since:.1f} s of CPU"


def _tell(seed: int, took: Callable[[], str], finding: Finding) -> None:
    print(f"\n=== seed {seed}, turn {finding.turn}, after {took()}: {finding.kind}")
    print(finding.text, flush=True)


if __name__ == "__main__":
    main()
