"""The keys at the table: what each does, and the ones that a player has chosen instead.

Cards are chosen by their digits, and arrows, Enter, Esc, Tab and Ctrl-C stay what they are whatever a player
chooses: nobody can lock themselves out.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from server.i18n.catalogues import Words
from server.terminal.frame import cell_width


class Action(NamedTuple):
    """Something that a key does at the table."""

    name: str
    """As it is kept."""
    key: str
    """What does it unless the player has chosen otherwise: a sign, or the name of a key that prints none."""


ACTIONS: Final = (
    Action("left", "left"),
    Action("right", "right"),
    Action("bid", "enter"),
    Action("log", "L"),
    Action("played", "p"),
    Action("help", "?"),
    Action("settings", "o"),
    Action("vote", "v"),
    Action("guide", "t"),
    Action("account", "a"),
    Action("invite", "i"),
    Action("resume", "r"),
    Action("leave", "escape"),
)
_BY_NAME: Final = {action.name: action for action in ACTIONS}
_FIXED: Final = frozenset("hjlmq!/ ")
"""Keys that do something at the table and cannot be given away."""

NONE: Final[Mapping[str, str]] = MappingProxyType({})


def what(action: Action, words: Words) -> str:
    """What an action does, in few words."""
    return {
        "left": words.t("the card to the left"),
        "right": words.t("the card to the right"),
        "bid": words.t("bid"),
        "log": words.t("log"),
        "played": words.t("played cards"),
        "help": words.t("help"),
        "settings": words.t("settings"),
        "vote": words.t("vote"),
        "guide": words.t("the guide"),
        "account": words.t("your account"),
        "invite": words.t("invite"),
        "resume": words.t("go on after a pause"),
        "leave": words.t("leave"),
    }[action.name]


def label(action: Action, words: Words) -> str:
    """Its usual key as it is written on a keyboard."""
    names = {
        "left": words.t("Left"),
        "right": words.t("Right"),
        "enter": "Enter",
        "escape": "Esc",
    }
    return names.get(action.key, action.key)


@lru_cache(maxsize=256)
def chosen(kept: str) -> Mapping[str, str]:
    """The player's own keys by the actions' names, from how they are kept, but for what makes no sense."""
    own: dict[str, str] = {}
    for part in kept.split():
        name, _, key = part.partition("=")
        if name in _BY_NAME and usable(key) and key not in own.values():
            own[name] = key
    return MappingProxyType(own)


def to_keep(own: Mapping[str, str]) -> str:
    """The player's own keys in one text."""
    return " ".join(f"{name}={key}" for name, key in own.items())


def usable(key: str) -> bool:
    """Whether a key can be chosen at all: one that prints a narrow sign, and has no fixed meaning."""
    return (
        len(key) == 1
        and key.isprintable()
        and cell_width(key) == 1
        and not key.isdecimal()
        and key not in _FIXED
    )


def taken(key: str, own: Mapping[str, str]) -> Action | None:
    """What a key does already."""
    for action in ACTIONS:
        if own.get(action.name, action.key) == key:
            return action
    return None


def meant(name: str, own: Mapping[str, str]) -> str:
    """The usual key for the one that was pressed; empty for a usual one that has been given up."""
    if not own:
        return name
    for action in ACTIONS:
        if own.get(action.name) == name:
            return action.key
    given_up = (action.key for action in ACTIONS if action.name in own and len(action.key) == 1)
    return "" if name in given_up else name


def shown(action: str, own: Mapping[str, str]) -> str:
    """The key that does it now, for a footer; for actions whose usual key prints something."""
    return own.get(action, _BY_NAME[action].key)


def rows(own: Mapping[str, str], words: Words) -> tuple[str, ...]:
    """The player's own keys for the help page: key, tab, what it does."""
    return tuple(
        f"{own[action.name]}\t{what(action, words)}" for action in ACTIONS if action.name in own
    )


def without(texts: Iterable[str], own: Mapping[str, str]) -> tuple[str, ...]:
    """The help page's rows on keys, but for those that the player has given up."""
    given_up = {action.key for action in ACTIONS if action.name in own and len(action.key) == 1}
    return tuple(text for text in texts if text.partition("\t")[0].split(",")[0] not in given_up)
