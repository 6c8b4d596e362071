"""A player's settings as a program reads and sets them: those that go with the account.

What goes with a terminal alone (its characters, its number of colours) is asked of nobody here.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from server.session.preferences import Preferences
from server.session.saved_settings import preferences_from, to_settings
from server.session.verbosity import Verbosity
from server.terminal.capabilities import Capabilities

_OF_THE_TERMINAL: Final = ("language", "theme", "thin", "lines")
"""``None`` where nothing was chosen: then what the terminal says counts."""
_PREFERENCES: Final = tuple(
    field.name for field in fields(Preferences) if field.name != "keys"  # which are for hands
)  # fmt: skip


class SettingsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What is not mentioned stays; ``null`` takes a choice back."""

    language: Literal["de", "en", "pt"] | UnsetType | None = UNSET
    theme: Literal["sea", "clear", "mono"] | UnsetType | None = UNSET
    thin: bool | UnsetType | None = UNSET
    lines: bool | UnsetType | None = UNSET
    sure: bool | UnsetType = UNSET
    reveal_seconds: Literal[0, 2, 4, 6, 10] | UnsetType = UNSET
    animation: bool | UnsetType = UNSET
    bell: bool | UnsetType = UNSET
    notify: bool | UnsetType = UNSET
    chat: Literal["all", "own", "none"] | UnsetType = UNSET
    talk: Verbosity | UnsetType = UNSET


def choices_data(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that an account keeps, field by field."""
    found = preferences_from(settings)
    usual = Capabilities()
    told = {
        name: settings[name] if type(settings.get(name)) is type(getattr(usual, name)) else None
        for name in _OF_THE_TERMINAL
    }
    return told | {name: getattr(found, name) for name in _PREFERENCES}


def with_choices(settings: Mapping[str, Any], wanted: SettingsRequest) -> dict[str, Any]:
    """All that the account is to keep then."""
    chosen: dict[str, Any] = {
        name: value.value if isinstance(value, Verbosity) else value
        for name, value in msgspec.structs.asdict(wanted).items()
        if value is not UNSET
    }
    prefers = {name: chosen[name] for name in _PREFERENCES if name in chosen}
    able: dict[str, Any] = {name: chosen[name] for name in _OF_THE_TERMINAL if name in chosen}
    kept = to_settings(replace(preferences_from(settings), **prefers), able, settings)
    return {name: value for name, value in kept.items() if name not in able or value is not None}
