"""Fuzz for as long as wanted: ``python -m tests.fuzz MINUTES [NAME ...]``.

Each harness runs in a process of its own, with atheris where it is installed: it changes the bytes of
inputs and keeps those that reach new code, in ``.fuzz/NAME/``. Elsewhere, and for the tables, hypothesis
makes the inputs up. An input that breaks an invariant is shown, and belongs among the ``known`` ones of
its harness once what it found is mended.
"""

import subprocess
import sys
import time

from tests.fuzz.every import HARNESSES, TABLES

_CHATTER = ("INFO: ", "WARNING: Failed to find function")
"""How lines of the fuzzer begin that tell nothing."""


def main() -> int:
    """The exit status: how many harnesses have found something."""
    minutes, *names = sys.argv[1:] or ["1"]
    chosen = names or [*HARNESSES, TABLES]
    unknown = set(chosen) - {*HARNESSES, TABLES}
    if unknown:
        print(
            f"there is no {', '.join(sorted(unknown))}; there are {', '.join([*HARNESSES, TABLES])}"
        )
        return 2
    seconds = max(1, int(float(minutes) * 60 / len(chosen)))
    found = []
    for name in chosen:
        begun = time.monotonic()
        print(f"{name}: {seconds} s", flush=True)
        command = [sys.executable, "-m", "tests.fuzz.one", name, str(seconds)]
        run = subprocess.run(
            command, check=False, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        sys.stderr.writelines(
            line for line in run.stderr.splitlines(True) if not line.startswith(_CHATTER)
        )
        if run.returncode:
            found.append(name)
        print(
            f"{name}: {time.monotonic() - begun:.0f} s, {'FOUND SOMETHING' if name in found else 'ok'}"
        )
    print(f"found something: {', '.join(found)}" if found else "nothing found")
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
