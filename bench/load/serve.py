"""``tide serve``, pinned to a core, with a profile on demand: ``python -m bench.load.serve CORE FILE ...``.

SIGUSR1 begins to look, every few milliseconds of the processor's time, at what the main thread is doing;
SIGUSR2 writes to FILE what was seen. Until then nothing is different from ``tide serve``.
"""

import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Final

from bench.load.processes import end_with_parent

_EVERY: Final = 0.002
"""Seconds of CPU time between two looks."""
_ROOT: Final = str(Path(__file__).resolve().parents[2])
_LAYERS: Final = {
    "/asyncssh/": "SSH and its ciphers (asyncssh)",
    "/telnetlib3/": "telnet options (telnetlib3)",
    "/prompt_toolkit/": "editing and the application (prompt_toolkit)",
    "/sqlalchemy/": "keeping things (SQLAlchemy, SQLite)",
    "/sqlite3/": "keeping things (SQLAlchemy, SQLite)",
    "/structlog/": "the log (structlog)",
    "/server/storage/": "keeping things (SQLAlchemy, SQLite)",
    "/server/transport/": "lines and sessions (server.transport)",
    "/server/fullscreen/": "screens (server.fullscreen)",
    "/server/terminal/": "drawing (server.terminal)",
    "/server/coordinator/": "tables and the lobby (server.coordinator)",
    f"{_ROOT}/engine/": "the rules (engine)",
    "/asyncio/": "the event loop, reading and writing sockets (asyncio)",
    "/selectors.py": "the event loop, reading and writing sockets (asyncio)",
}
"""Parts of files' paths, and what they are; a sample counts for the innermost function that is in one."""
_REST: Final = "the rest"


class Sampler:
    """Counts which functions were at work: at the very top, and anywhere on the stack."""

    def __init__(self, target: Path) -> None:
        self._target: Final = target
        self._own: Counter[str] = Counter()
        self._all: Counter[str] = Counter()
        self._layers: Counter[str] = Counter()
        self._samples = 0

    def begin(self, *_: object) -> None:
        """Start afresh."""
        self._own.clear()
        self._all.clear()
        self._layers.clear()
        self._samples = 0
        signal.setitimer(signal.ITIMER_PROF, _EVERY, _EVERY)

    def look(self, _number: int, frame: FrameType | None) -> None:
        """What is being done now."""
        self._samples += 1
        if frame is not None:
            self._own[_name(frame)] += 1
        seen = set()
        layer = ""
        while frame is not None:
            seen.add(_name(frame))
            layer = layer or _layer(frame.f_code.co_filename)
            frame = frame.f_back
        self._all.update(seen)
        self._layers[layer or _REST] += 1

    def write(self, *_: object) -> None:
        """Stop, and write it down."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        found = {
            "samples": self._samples,
            "own": self._own,
            "all": self._all,
            "layers": self._layers,
        }
        part = self._target.with_suffix(".part")
        part.write_text(json.dumps(found))
        part.rename(self._target)


def _layer(file: str) -> str:
    """What a function in this file belongs to; empty for what serves them all."""
    return next((layer for part, layer in _LAYERS.items() if part in file), "")


def _name(frame: FrameType) -> str:
    code = frame.f_code
    file = code.co_filename
    if file.startswith(_ROOT) and "site-packages" not in file:
        file = file[len(_ROOT) + 1 :]
    else:
        file = "/".join(file.split("/")[-2:])
    return f"{file.removesuffix('.py')}:{code.co_qualname}"


def main() -> None:
    """Serve."""
    end_with_parent()
    core, profile, *arguments = sys.argv[1:]
    os.sched_setaffinity(0, {int(core)})
    sampler = Sampler(Path(profile))
    signal.signal(signal.SIGPROF, sampler.look)
    signal.signal(signal.SIGUSR1, sampler.begin)
    signal.signal(signal.SIGUSR2, sampler.write)
    from server import cli

    sys.argv = ["tide", "serve", *arguments]
    cli.main()


if __name__ == "__main__":
    main()
