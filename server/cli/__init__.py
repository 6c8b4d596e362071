"""The ``tide`` command."""

import gc
import signal
import sys


def main() -> None:
    """Entry point of the ``tide`` script."""
    # Ctrl-C during the imports ends the process silently; afterwards each command handles it. A signal that
    # is ignored (``nohup``) stays so.
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # What is imported stays: looking for garbage in it takes an eighth of the time to start.
    gc.disable()
    from server.cli.commands import COMMANDS, tide

    # A subcommand needs no other; all of them take a third longer to import.
    asked = sys.argv[1:2]
    app = tide(asked if asked and asked[0] in COMMANDS else COMMANDS)
    gc.enable()
    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    app()


__all__ = ["main"]
