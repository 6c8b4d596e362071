"""All measurements, or the named ones: `python -m bench [NAME ...] [--no-write] [...]`.

The names are engine, rounds, lobby, recovery and load; the last options are those of `python -m bench.load`,
whose `--help` tells them. Each runs in a process of its own, so that none warms up or litters for the next.
What they say goes into RESULTS.md beside this file, where what was not measured stays.
`python -m bench price` compares two commits, and writes nothing.
"""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench import price
from bench.results import Results, Section

MEASUREMENTS: Final = ("engine", "rounds", "lobby", "recovery", "load")
TARGET: Final = Path(__file__).with_name("RESULTS.md")
_FIGURES: Final = "figures "
_NO_WRITE: Final = "--no-write"


def main(arguments: list[str]) -> int:
    """Run them one after the other; the first failure's exit status."""
    if arguments[:1] == ["price"]:
        return price.main(arguments[1:])
    if {"-h", "--help"} & {*arguments}:
        print(__doc__)
        return 0
    names = [each for each in arguments if not each.startswith("-") and each in MEASUREMENTS]
    options = [each for each in arguments if each not in names and each != _NO_WRITE]
    if unknown := [each for each in options[:1] if not each.startswith("-")]:
        print(f"no such measurement: {unknown[0]}; there are {', '.join(MEASUREMENTS)}, price")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to stop"))
    results = Results.read(TARGET)
    for name in names or MEASUREMENTS:
        print(f"\n== {name}\n", flush=True)
        command = [sys.executable, "-m", f"bench.{name}", *(options if name == "load" else [])]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                said = list(_shown(process.stdout))
            except BaseException:
                process.terminate()  # it ends what it has started, and this waits for that
                raise
        if process.returncode:
            return process.returncode
        for section, found in sections(name, said):
            results.put(section, found)
        if _NO_WRITE not in arguments:
            results.write(TARGET)
    return 0


def sections(name: str, said: list[str]) -> Iterator[tuple[str, Section]]:
    """A line "figures [SECTION] JSON" ends each; a measurement of one section need not name it."""
    text = ""
    for line in said:
        if line.startswith(_FIGURES):
            section, _, figures = line.removeprefix(_FIGURES).partition("{")
            yield section.strip() or name, Section(text.strip(), "{" + figures.strip())
            text = ""
        else:
            text += line


def _shown(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith(_FIGURES):
            print(line, end="", flush=True)
        yield line


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
