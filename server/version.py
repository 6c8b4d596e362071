"""Which version of the program this is."""

from functools import cache
from importlib import metadata


@cache
def version() -> str:
    """As the installed package says; 0 when it is not installed."""
    try:
        return metadata.version("turn-the-tide")
    except metadata.PackageNotFoundError:
        return "0"
