"""The options of a table and the settings of a player, as a program gives them and is told them.

Of the settings those that go with the account: what goes with a terminal alone (its characters, its number
of colours) is asked of nobody here.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, structs

from server.coordinator.messages import TableOptions
from server.session.preferences import SETTINGS, PlayerSetting, preferences_from, to_settings
from server.terminal.capabilities import Capabilities
from server.viewmodels.table_options import OPTIONS, TableOption

Number = Annotated[int, Meta(ge=0, le=999)]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a line asks for."""


def _request_type(name: str, fields: list[tuple[str, Any, Any]]) -> type[Struct]:
    return defstruct(name, fields, frozen=True, forbid_unknown_fields=True)


# ------------------------------------------------------------------- options of a table


def options_type(options: Iterable[TableOption]) -> type[Struct]:
    """What a program may give of these: what is not said stays as it is, or is as usual at a new table."""
    fields = [(each.name, each.type | None, None) for each in options]
    return _request_type("OptionsRequest", fields)


def chosen(start: TableOptions, wanted: "OptionsRequest") -> TableOptions:
    """``start`` with what is wanted otherwise. Raises ``BadRules`` for a game that does not exist."""
    return start.changed(**structs.asdict(wanted))


OptionsData: Any = defstruct("Options", [(option.name, option.type) for option in OPTIONS])
"""All of them, as they are told."""


def options_data(options: TableOptions) -> dict[str, Any]:
    """All of them. Hints are told as they are given: choosing them does not bring any to a rated game."""
    return {each.name: each.of(options) for each in OPTIONS} | {"hints": options.gives_hints}


# ------------------------------------------------------------------- settings of a player


def _type(setting: PlayerSetting) -> Any:
    values = tuple(getattr(each, "value", each) for each in setting.values())
    kind: Any = bool if values == (False, True) else Literal.__getitem__(values)
    return kind | UnsetType | None if setting.ability else kind | UnsetType


def settings_type(settings: Iterable[PlayerSetting]) -> type[Struct]:
    """What a program may set of these: what is not mentioned stays; ``null`` takes a choice back."""
    ordered = sorted(settings, key=lambda each: not each.ability)
    fields = [(each.name, _type(each), UNSET) for each in ordered if each.account]
    return _request_type("SettingsRequest", fields)


if TYPE_CHECKING:
    OptionsRequest = Struct
    SettingsRequest = Struct
else:
    OptionsRequest, SettingsRequest = options_type(OPTIONS), settings_type(SETTINGS)


def _names(*, ability: bool) -> list[str]:
    return [each.name for each in SETTINGS if each.account and each.ability is ability]


def choices_data(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that an account keeps, field by field; of the terminal's ``None`` where nothing was
    chosen: then what the terminal says counts.
    """
    found, usual = preferences_from(settings), Capabilities()
    told = {
        name: settings[name] if type(settings.get(name)) is type(getattr(usual, name)) else None
        for name in _names(ability=True)
    }
    return told | {name: getattr(found, name) for name in _names(ability=False)}


def with_choices(settings: Mapping[str, Any], wanted: "SettingsRequest") -> dict[str, Any]:
    """All that the account is to keep then."""
    given = {name: each for name, each in structs.asdict(wanted).items() if each is not UNSET}
    if "animation" in given:
        given.setdefault("motion", None)
    able = {name: given.pop(name) for name in _names(ability=True) if name in given}
    kept = to_settings(structs.replace(preferences_from(settings), **given), able, settings)
    return {name: value for name, value in kept.items() if name not in able or value is not None}
