"""A server's process: what is set up in it before anything else."""

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import structlog

from server import logs
from server.runtime.server import RunningServer
from server.settings.loading import unknown_variables
from server.settings.settings import Settings

log = structlog.get_logger("server")


def run(read: Callable[[], Settings], hung_up: Sequence[int] = ()) -> int:
    """Serve until told to stop; the exit status. ``read`` reads the settings, now and whenever they are to be
    read again, or raises ``ConfigError``; ``hung_up`` has the SIGHUPs that have come so far.

    Raises ``Problem`` or ``StoreError``.
    """
    settings = read()
    try:
        Path.home()
    except RuntimeError:
        # A user in a container may have none; asyncssh needs one, and uses nothing in it.
        os.environ["HOME"] = str(settings.state)
    logs.set_up(settings.log, settings.log_level)
    logs.adjust(settings.log_level, settings.log_addresses)
    for problem in unknown_variables():
        log.warning("unknown_variable", reason=problem)
    try:
        with suppress(KeyboardInterrupt):
            return asyncio.run(RunningServer(settings, read).serve(hung_up))
        return 0
    finally:
        # Before the command prints why the server has ended.
        logs.drain()
