"""All measurements, or the named ones: `python -m bench [engine] [frame] [recovery]`.

Each runs in a process of its own, so that none warms up or litters for the next.
"""

import subprocess
import sys
from typing import Final

MEASUREMENTS: Final = ("engine", "frame", "recovery")


def main(names: list[str]) -> int:
    """Run them one after the other; the first failure's exit status."""
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        print(f"no such measurement: {unknown[0]}; there are {', '.join(MEASUREMENTS)}")
        return 2
    for name in names or MEASUREMENTS:
        print(f"\n== {name}\n", flush=True)
        status = subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
