"""The keys at the table that a player has chosen instead of the usual ones, and how they are kept.

Cards are chosen by their digits, and arrows, Enter, Esc, Tab and Ctrl-C stay what they are whatever a player
chooses: nobody can lock themselves out.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from server.terminal.drawing.frame import cell_width

ACTIONS: Final = (
    *("left", "right", "bid", "log", "played", "help", "settings"),
    *("vote", "guide", "account", "invite", "resume", "leave"),
)
"""What can have another key, as it is kept; the page of the table says what it is."""


@lru_cache(maxsize=256)
def chosen(kept: str) -> Mapping[str, str]:
    """The player's own keys by the actions' names, from how they are kept, but for what makes no sense."""
    own: dict[str, str] = {}
    for part in kept.split():
        name, _, key = part.partition("=")
        if name in ACTIONS and is_bindable(key) and key not in own.values():
            own[name] = key
    return MappingProxyType(own)


def to_keep(own: Mapping[str, str]) -> str:
    """The player's own keys in one text."""
    return " ".join(f"{name}={key}" for name, key in own.items())


def is_bindable(key: str) -> bool:
    """Whether a key can be chosen at all: one that prints a narrow sign, and is no digit."""
    printable = len(key) == 1 and key.isprintable() and cell_width(key) == 1
    return printable and not key.isdecimal() and key != " "
