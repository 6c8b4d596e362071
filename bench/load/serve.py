"""``tide serve``, pinned to a core, with a profile on demand: ``python -P serve.py CORE FILE ...``.

It needs nothing but the standard library and what is served, so that it serves earlier versions as well.
SIGUSR1 begins to look, every few milliseconds of the processor's time, at what the main thread is doing;
SIGUSR2 writes the seconds of each subject to FILE. Until then nothing is different from ``tide serve``.
"""

import ctypes
import json
import os
import signal
import sys
import time
from collections import defaultdict
from pathlib import Path
from types import FrameType
from typing import Final

_EVERY: Final = 0.002  # seconds of CPU time between two looks
_PR_SET_PDEATHSIG: Final = 1  # from sys/prctl.h
_PAGES: Final = "fullscreen|viewmodels|text|i18n|session|playback|linemode"

SUBJECTS: Final[dict[str, tuple[str, ...]]] = {
    "pages": tuple(f"/server/{name}/" for name in _PAGES.split("|")),
    "drawing": ("/server/terminal/drawing/",),
    "keys and the application": ("/server/terminal/", "/prompt_toolkit/"),
    "SSH and its ciphers": ("/asyncssh/", "/cryptography/"),
    "connections and their limits": ("/server/transport/",),
    "tables, the lobby and the rules": ("/server/coordinator/", "/engine/"),
    "keeping things": ("/server/storage/", "/sqlalchemy/", "/sqlite3/"),
    "the log": ("/structlog/", "/logging/"),
    "the event loop and its sockets": ("/asyncio/", "/selectors.py"),
}
"""Parts of files' paths; a moment belongs to the innermost function whose file is in one."""
BESIDE: Final = "threads beside the event loop"
REST: Final = "the rest"


class Sampler:
    """Adds up the processor's time by subject."""

    def __init__(self, target: Path) -> None:
        self._target: Final = target
        self._seconds: Final[defaultdict[str, float]] = defaultdict(float)
        self._main = self._all = 0.0

    def begin(self, *_: object) -> None:
        """Start afresh."""
        self._seconds.clear()
        self._main, self._all = time.thread_time(), time.process_time()
        signal.setitimer(signal.ITIMER_PROF, _EVERY, _EVERY)

    def look(self, _number: int, frame: FrameType | None) -> None:
        """What the main thread is doing has taken its time since the last look, and other threads theirs."""
        main, everything = time.thread_time(), time.process_time()
        self._seconds[subject_of(frame)] += main - self._main
        self._seconds[BESIDE] += max(0.0, everything - self._all - (main - self._main))
        self._main, self._all = main, everything

    def write(self, *_: object) -> None:
        """Stop, and write it down."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        part = self._target.with_suffix(".part")
        part.write_text(json.dumps(self._seconds))
        part.rename(self._target)


def subject_of(frame: FrameType | None) -> str:
    """Return what this moment belongs to."""
    while frame is not None:
        file = frame.f_code.co_filename
        for subject, parts in SUBJECTS.items():
            if any(part in file for part in parts):
                return subject
        frame = frame.f_back
    return REST


def pinned(core: int) -> None:
    """On a core from now on, and ended by the system when the process that started this one is gone."""
    os.sched_setaffinity(0, {core})
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    pinned(int(sys.argv[1]))
    sampler = Sampler(Path(sys.argv[2]))
    signal.signal(signal.SIGPROF, sampler.look)
    signal.signal(signal.SIGUSR1, sampler.begin)
    signal.signal(signal.SIGUSR2, sampler.write)
    from server import cli

    # With doors, it starts the command again.
    sys.argv = [str(Path(sys.executable).with_name("tide")), "serve", *sys.argv[3:]]
    cli.main()
