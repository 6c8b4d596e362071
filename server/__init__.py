"""The server: tables, sessions, screens and what carries them."""

from functools import cache
from typing import ClassVar, Final


@cache
def version() -> str:
    """Which version of the program this is, as the installed package says; 0 when it is not installed."""
    from importlib import metadata

    try:
        return metadata.version("turn-the-tide")
    except metadata.PackageNotFoundError:
        return "0"


class Problem(Exception):
    """A problem with a machine, its files or its settings, which the operator can solve.

    The message is one line that says what is wrong, and the way out; it ends a command.
    """

    status: ClassVar = 1
    """The exit status of that command."""


class StoreError(Exception):
    """Nothing could be written (or read): a full disk, a locked or damaged database, one that is away.

    ``code`` is a short stable word (``full``, ``locked``, ``damaged``, ``unreachable``, ``failed``); what was
    asked has not happened, and may be asked again.
    """

    def __init__(self, code: str = "failed") -> None:
        super().__init__(code)
        self.code: Final = code
