"""A player's settings as a program reads and sets them: those that go with the account.

What goes with a terminal alone (its characters, its number of colours) is asked of nobody here.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from server.session.settings import SETTINGS, Setting, preferences_from, to_settings
from server.terminal.capabilities import Capabilities

_OF_THE_TERMINAL: Final = [each for each in SETTINGS if each.account and each.ability]
"""``None`` where nothing was chosen: then what the terminal says counts."""
_PREFERENCES: Final = [each for each in SETTINGS if each.account and not each.ability]


def _type(setting: Setting) -> Any:
    values = tuple(getattr(each, "value", each) for each in setting.values())
    kind: Any = bool if values == (False, True) else Literal.__getitem__(values)
    return kind | UnsetType | None if setting.ability else kind | UnsetType


if TYPE_CHECKING:
    SettingsRequest = Struct
else:
    # What is not mentioned stays; ``null`` takes a choice back.
    SettingsRequest = msgspec.defstruct(
        "SettingsRequest",
        [(each.name, _type(each), UNSET) for each in (*_OF_THE_TERMINAL, *_PREFERENCES)],
        frozen=True,
        forbid_unknown_fields=True,
    )


def choices_data(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that an account keeps, field by field."""
    found, usual = preferences_from(settings), Capabilities()
    told = {
        each.name: settings[each.name]
        if type(settings.get(each.name)) is type(getattr(usual, each.name))
        else None
        for each in _OF_THE_TERMINAL
    }
    return told | {each.name: getattr(found, each.name) for each in _PREFERENCES}


def with_choices(settings: Mapping[str, Any], wanted: SettingsRequest) -> dict[str, Any]:
    """All that the account is to keep then."""
    chosen: dict[str, Any] = {
        name: value for name, value in msgspec.structs.asdict(wanted).items() if value is not UNSET
    }
    prefers = {each.name: chosen[each.name] for each in _PREFERENCES if each.name in chosen}
    able = {each.name: chosen[each.name] for each in _OF_THE_TERMINAL if each.name in chosen}
    kept = to_settings(replace(preferences_from(settings), **prefers), able, settings)
    return {name: value for name, value in kept.items() if name not in able or value is not None}
