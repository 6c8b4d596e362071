"""Fuzz for as long as wanted: ``python -m tests.fuzz MINUTES [NAME ...]``.

Each harness runs in a process of its own, with atheris where it is installed: it changes the bytes of
inputs and keeps those that reach new code, in ``.fuzz/NAME/``. Elsewhere, and for the tables, hypothesis
makes the inputs up. An input that breaks an invariant is shown, and belongs among the ``known`` ones of
its harness once what it found is mended; until then it is tried first whenever the harness runs.
"""

import re
import subprocess
import sys
import time

from tests.fuzz.every import HARNESSES, TABLES

_CHATTER = (
    "INFO: ",
    "WARNING: Failed to find function",
    "WARNING: no interesting inputs",
    "This may also happen if the target rejected",
    "stat::",
    "Done ",
    "######",
    '"',
)
"""How lines of the fuzzer begin that tell nothing."""
_TRIED = re.compile(r"^stat::number_of_executed_units:\s*(\d+)", re.MULTILINE)
_KEPT = re.compile(r"^stat::new_units_added:\s*(\d+)", re.MULTILINE)


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
        tried, kept = _TRIED.search(run.stderr), _KEPT.search(run.stderr)
        if tried and kept:
            print(f"{tried[1]} inputs, {kept[1]} of which reached new code")
        if run.returncode:
            found.append(name)
        print(
            f"{name}: {time.monotonic() - begun:.0f} s, {'FOUND SOMETHING' if name in found else 'ok'}"
        )
    for name in found:
        print(f"found something: {name}; once more: make fuzz MINUTES=1 NAME={name}")
    if not found:
        print("nothing found")
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
