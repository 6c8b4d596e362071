"""The ``tide`` command. A subcommand's module is imported when it is needed."""

import gc
import signal
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["importing", "main"]


def main() -> None:
    """Entry point of the ``tide`` script."""
    with importing():
        from server.cli.commands import tide
    tide(prog_name="tide")


@contextmanager
def importing() -> Iterator[None]:
    """Have Ctrl-C end the process silently while modules are imported; afterwards each command handles it.

    An ignored signal (``nohup``) stays ignored.
    """
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Modules are no garbage: collecting takes an eighth of the time to start.
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
