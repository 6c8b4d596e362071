"""A player's settings as a program reads and sets them: those that go with the account.

What goes with a terminal alone (its characters, its number of colours) is asked of nobody here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from server.session.settings import SETTINGS, PlayerSetting, preferences_from, to_settings
from server.terminal.capabilities import Capabilities


def _type(setting: PlayerSetting) -> Any:
    values = tuple(getattr(each, "value", each) for each in setting.values())
    kind: Any = bool if values == (False, True) else Literal.__getitem__(values)
    return kind | UnsetType | None if setting.ability else kind | UnsetType


def request_type(settings: Iterable[PlayerSetting]) -> type[Struct]:
    """What a program may set of these: what is not mentioned stays; ``null`` takes a choice back."""
    return msgspec.defstruct(
        "SettingsRequest",
        [
            (each.name, _type(each), UNSET)
            for each in sorted(settings, key=lambda each: not each.ability)
            if each.account
        ],
        frozen=True,
        forbid_unknown_fields=True,
    )


if TYPE_CHECKING:
    SettingsRequest = Struct
else:
    SettingsRequest = request_type(SETTINGS)


def _of_the_terminal() -> list[str]:
    """``None`` where nothing was chosen: then what the terminal says counts."""
    return [each.name for each in SETTINGS if each.account and each.ability]


def _preferences() -> list[str]:
    return [each.name for each in SETTINGS if each.account and not each.ability]


def choices_data(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that an account keeps, field by field."""
    found, usual = preferences_from(settings), Capabilities()
    told = {
        name: settings[name] if type(settings.get(name)) is type(getattr(usual, name)) else None
        for name in _of_the_terminal()
    }
    return told | {name: getattr(found, name) for name in _preferences()}


def with_choices(settings: Mapping[str, Any], wanted: SettingsRequest) -> dict[str, Any]:
    """All that the account is to keep then."""
    chosen: dict[str, Any] = {
        name: value for name, value in msgspec.structs.asdict(wanted).items() if value is not UNSET
    }
    prefers = {name: chosen[name] for name in _preferences() if name in chosen}
    able = {name: chosen[name] for name in _of_the_terminal() if name in chosen}
    kept = to_settings(replace(preferences_from(settings), **prefers), able, settings)
    return {name: value for name, value in kept.items() if name not in able or value is not None}
