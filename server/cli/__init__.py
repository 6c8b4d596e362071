"""The ``tide`` command."""

import signal


def main() -> None:
    """Entry point of the ``tide`` script."""
    # Ctrl-C while all that is imported ends the process there and then, without a word; afterwards each
    # command says itself what it means. A signal that is ignored (``nohup``) stays so.
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from server.cli.app import app

    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    app()


__all__ = ["main"]
