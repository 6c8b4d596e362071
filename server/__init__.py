"""The server: tables, sessions, screens and what carries them."""

from functools import cache
from typing import ClassVar


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
