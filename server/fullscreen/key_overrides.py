"""The keys at the table that a player has chosen instead of the usual ones, and how they are kept.

Cards are chosen by their digits, and arrows, Enter, Esc, Tab and Ctrl-C stay what they are whatever a player
chooses: nobody can lock themselves out.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from server.i18n.lookup import Words
from server.terminal.drawing.frame import cell_width
from server.terminal.keys.key_table import AnyKey

ACTIONS: Final = (
    *("left", "right", "bid", "log", "played", "hint", "help", "settings"),
    *("vote", "guide", "account", "invite", "resume", "skip", "leave"),
)
"""What can have another key, as it is kept; the page of the table says what it is."""


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


def keys_with(keys: tuple[AnyKey, ...], kept: str) -> Sequence[AnyKey]:
    """``keys``, with the player's own as they are kept: in place of signs, beside keys that print none.

    A key with a fixed meaning is never an own one.
    """
    if not (own := chosen(kept)):
        return keys
    fixed = fixed_names(keys)

    def adapted(key: AnyKey) -> AnyKey:
        name, (usual, *others) = own.get(key.action, ""), key.names
        if not name or name in fixed:
            return key
        return key.named(name, *others) if len(usual) == 1 else key.named(usual, *others, name)

    return tuple([adapted(key) for key in keys])


def by_action(keys: Sequence[AnyKey]) -> Mapping[str, AnyKey]:
    """The keys that can be chosen, by what they do."""
    return {key.action: key for key in reversed(keys) if key.action}


def fixed_names(keys: Sequence[AnyKey]) -> frozenset[str]:
    """Keys that cannot be given away."""
    first = {key.names[0] for key in keys if key.action}
    return frozenset({name for key in keys for name in key.names if len(name) == 1}) - first


def action_on(name: str, usual: Mapping[str, AnyKey], own: Mapping[str, str]) -> str:
    """What a key does already, of what can be chosen; empty for nothing."""
    on = {own.get(action, usual[action].names[0]): action for action in reversed(ACTIONS)}
    return on.get(name, "")


def usual_label(key: AnyKey, words: Words) -> str:
    """The usual key as it is written on a keyboard."""
    names = {"left": words.t("Left"), "right": words.t("Right"), "enter": "Enter", "escape": "Esc"}
    return names.get(key.names[0], key.names[0])
