"""The ``tide`` command. Its modules are imported when somebody waits for them."""

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
    """While modules are imported, Ctrl-C ends the process silently; afterwards each command handles it.

    A signal that is ignored (``nohup``) stays so.
    """
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # What is imported stays: looking for garbage in it takes an eighth of the time to start.
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
