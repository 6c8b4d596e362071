"""The table's keys with those that a player has chosen in their place."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from prompt_toolkit.key_binding import KeyBindings

from server.i18n.catalogues import Words
from server.session.key_preferences import ACTIONS, chosen
from server.terminal.key_bindings import bindings_of
from server.terminal.keys.key_table import Key


@lru_cache(maxsize=64)
def keys_with(keys: tuple[Key, ...], kept: str) -> Sequence[Key]:
    """``keys``, with the player's own as they are kept: in place of signs, beside keys that print none. A key
    with a fixed meaning is never an own one.
    """
    own = chosen(kept)
    fixed = fixed_names(keys)

    def adapted(key: Key) -> Key:
        name, (usual, *others) = own.get(key.action, ""), key.names
        if not name or name in fixed:
            return key
        return key.named(name, *others) if len(usual) == 1 else key.named(usual, *others, name)

    return tuple([adapted(key) for key in keys]) if own else keys


@lru_cache(maxsize=64)
def bindings_with(keys: tuple[Key, ...], kept: str) -> KeyBindings:
    """The same for prompt_toolkit."""
    return bindings_of(keys_with(keys, kept))


def by_action(keys: Sequence[Key]) -> Mapping[str, Key]:
    """The keys that can be chosen, by what they do."""
    return {key.action: key for key in reversed(keys) if key.action}


def fixed_names(keys: Sequence[Key]) -> frozenset[str]:
    """Keys that cannot be given away."""
    first = {key.names[0] for key in keys if key.action}
    return frozenset({name for key in keys for name in key.names if len(name) == 1}) - first


def action_on(name: str, keys: Sequence[Key], own: Mapping[str, str]) -> str:
    """What a key does already, of what can be chosen; empty for nothing."""
    usual = by_action(keys)
    for action in ACTIONS:
        if own.get(action, usual[action].names[0]) == name:
            return action
    return ""


def usual_label(key: Key, words: Words) -> str:
    """The usual key as it is written on a keyboard."""
    names = {"left": words.t("Left"), "right": words.t("Right"), "enter": "Enter", "escape": "Esc"}
    return names.get(key.names[0], key.names[0])
