"""Fuzz for as long as wanted: ``python -m tests.fuzz MINUTES [NAME ...]``.

Each harness runs in a process of its own, with atheris where it is installed: it changes the bytes of
inputs and keeps those that reach new code, in ``.fuzz/NAME/``. Elsewhere, and for the tables, hypothesis
makes the inputs up. An input that breaks an invariant is shown, and belongs among the ``known`` ones of
its harness once what it found is mended; until then it is tried first whenever the harness runs.
"""

import subprocess
import sys

from tests.fuzz.every import HARNESSES, TABLES


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
        print(f"{name}: {seconds} s", flush=True)
        command = [sys.executable, "-m", "tests.fuzz.one", name, str(seconds)]
        run = subprocess.run(
            command, check=False, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        if run.returncode:
            found.append(name)
            sys.stderr.write(run.stderr)
    for name in found:
        print(f"found something: {name}; once more: make fuzz MINUTES=1 NAME={name}")
    if not found:
        print("nothing found")
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
