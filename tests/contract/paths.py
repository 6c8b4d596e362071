"""JSON as a list of its fields: each path with the kind of what stands there."""

from collections.abc import Iterable
from typing import Any

_KINDS = {str: "text", bool: "bool", int: "number", float: "number", list: "list", dict: "object"}


def fields_of(values: Iterable[Any], at: str = "") -> list[str]:
    """A line a path. What is sometimes ``null`` has the kind that it has otherwise."""
    found: dict[str, set[str]] = {}
    for value in values:
        _walk(value, at, found)
    return sorted(
        f"{path}: {'|'.join(sorted(kinds - {'null'})) or 'null'}" for path, kinds in found.items()
    )


def _walk(value: Any, at: str, found: dict[str, set[str]]) -> None:
    if at:
        found.setdefault(at, set()).add("null" if value is None else _KINDS[type(value)])
    if isinstance(value, dict):
        for key, inner in value.items():
            # Keys that are names of somebody are no fields.
            name = "*" if ":" in key else key
            _walk(inner, f"{at}.{name}" if at else name, found)
    elif isinstance(value, list):
        for inner in value:
            # Numbers in a list are cards and seats: how many there are is a matter of the game.
            if isinstance(inner, dict | list):
                _walk(inner, f"{at}[]", found)
