"""Start of a server's process: its log and its part."""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import NamedTuple

import structlog
from msgspec.structs import replace

from server import logs
from server.runtime.server import RunningServer
from server.settings.loading import unknown_variables
from server.settings.settings import Settings

log = structlog.get_logger("server")


class Part(NamedTuple):
    """The part of a child process of a server with doors."""

    kind: str
    """``coordinator`` or ``door`` ..."""
    number: int
    """... and its number."""
    sockets: str
    """Descriptors of sockets that the parent has left open: ``7,8/9,10`` for two ports."""

    @property
    def name(self) -> str:
        """``coordinator``, ``door 2``."""
        return f"{self.kind} {self.number}" if self.number else self.kind


def run(read: Callable[[], Settings], hung_up: Sequence[int] = (), part: Part | None = None) -> int:
    """Serve until told to stop; the exit status. ``read`` reads the settings, now and whenever they are to be
    read again, or raises ``ConfigError``; ``hung_up`` has the SIGHUPs that have come so far. ``part`` is for
    children.

    Raises ``Problem`` or ``StoreError``.
    """
    settings = read()
    try:
        Path.home()
    except RuntimeError:
        # A user in a container may have none; asyncssh needs one, and uses nothing in it.
        os.environ["HOME"] = str(settings.state)
    logs.set_up(settings.log, settings.log_level, part.name if part else "")
    logs.adjust(settings.log_level, settings.log_addresses)
    for problem in unknown_variables():
        log.warning("unknown_variable", reason=problem)
    try:
        with suppress(KeyboardInterrupt):
            return asyncio.run(_serve(settings, read, hung_up, part))
        return 0
    finally:
        # Before the command prints why the server has ended.
        logs.drain()


async def _serve(
    settings: Settings, read: Callable[[], Settings], hung_up: Sequence[int], part: Part | None
) -> int:
    if part is None and not (settings.doors or settings.doors_listen or settings.door_of):
        return await RunningServer(settings, read).serve(hung_up)
    from server.runtime.doors import CoordinatorProcess, run_door, serve_with_doors

    if part is None:
        return await serve_with_doors(settings, _command)
    if part.kind == "coordinator":
        return await CoordinatorProcess(settings, read).serve()
    descriptors = [[int(one) for one in port.split(",")] for port in part.sockets.split("/")]
    return await run_door(
        _of_one_door(settings), lambda: _of_one_door(read()), part.name, descriptors
    )


def _of_one_door(settings: Settings) -> Settings:
    """Return the settings with a door's share of the sessions of the whole server."""
    limits = settings.limits
    share = ceil(limits.sessions / max(1, settings.doors))
    return replace(settings, limits=replace(limits, sessions=share))


def _command(kind: str, number: str, sockets: str = "") -> Sequence[str]:
    """Return the command line of a child: that of this process, and its part."""
    serve = sys.argv.index("serve") + 1
    told = ["--part", kind, number, sockets]
    return [sys.executable, "-P", *sys.argv[:serve], *told, *sys.argv[serve:]]
