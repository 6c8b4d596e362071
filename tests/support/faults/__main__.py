"""FIRST LAST STEPS: with these seeds, FIRST to LAST - 1; one alone also prints what happens."""

import asyncio
import sys
import traceback
from collections import Counter

from tests.support.faults import Faults


def main() -> None:
    first, last, steps = (int(it) for it in sys.argv[1:4])
    failed, done = [], Counter[str]()
    for seed in range(first, last):
        faults = Faults(seed, verbose=last == first + 1)
        try:
            asyncio.run(faults.run(steps))
        except Exception as error:
            text = str(error).splitlines()
            wrong = [line for line in text if not line[:8].strip().replace(".", "").isdigit()]
            failed.append(seed)
            print(seed, type(error).__name__, *wrong[:6], sep="\n   ", flush=True)
            if not isinstance(error, AssertionError):
                traceback.print_exc()
        done += faults.done
    for kind, times in sorted(done.items()):
        print(f"{times:7} {kind}")
    print("failed:", failed)


if __name__ == "__main__":
    main()
