"""The server: tables, sessions, screens and what carries them."""

from functools import cache


@cache
def version() -> str:
    """Which version of the program this is, as the installed package says; 0 when it is not installed."""
    from importlib import metadata

    try:
        return metadata.version("turn-the-tide")
    except metadata.PackageNotFoundError:
        return "0"
