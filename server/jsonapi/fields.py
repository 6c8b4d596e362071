"""Fields that programs are told or give: their data and their place in the schema, declared once.

Of the settings those that go with the account: what goes with a terminal alone (its characters, its number
of colours) is asked of nobody here.
"""

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, structs

from server.coordinator.messages import TableOptions
from server.session.preferences import SETTINGS, PlayerSetting, preferences_from, to_settings
from server.terminal.capabilities import Capabilities
from server.viewmodels.table_options import OPTIONS, TableOption

Read = Callable[[Any], Any]


class Part:
    """The ``fields`` of a ``source`` by their names, separated by spaces.

    ``new=old`` is told under another name, ``old`` may lead on (``info.id``), and what has a ``?`` is
    ``null`` when it is empty. ``more`` are those that take more than that: a type and a function each.
    Nothing else of a source is told.
    """

    def __init__(self, source: Any, fields: str, **more: tuple[Any, Read]) -> None:
        told: dict[str, tuple[Any, Read]] = {}
        for field in fields.split():
            name, _, path = field.rstrip("?").partition("=")
            kind, read = _type_of(source, path or name), attrgetter(path or name)
            told[name] = (kind | None, _or_null(read)) if field.endswith("?") else (kind, read)
        self._told = {name: read for name, (_, read) in (told | more).items()}
        self.fields: Final = tuple(self._told)
        # What has to have another name in Python has it back in JSON.
        types = [(f"{name}_", kind) for name, (kind, _) in (told | more).items()]
        self.type: Any = defstruct(source.__name__, types, rename=lambda name: name[:-1])

    def __call__(self, thing: Any) -> dict[str, Any]:
        """What is told of ``thing``."""
        found = {name: read(thing) for name, read in self._told.items()}
        return {name: list(it) if isinstance(it, tuple) else it for name, it in found.items()}


def each(part: Part, path: str, most: int | None = None) -> tuple[Any, Read]:
    """A field for ``more``: all that lie there, or so many."""
    return made(list_of(part.type), path, lambda found: [part(one) for one in found[:most]])


def made(kind: Any, path: str, make: Read) -> tuple[Any, Read]:
    """A field for ``more``: of that type, made of what lies there."""
    read = attrgetter(path)
    return kind, lambda thing: make(read(thing))


def list_of(kind: Any) -> Any:
    """The type of a list of a type that is made here."""
    return list[kind]


def _or_null(read: Read) -> Read:
    return lambda thing: read(thing) or None


def _type_of(source: Any, path: str) -> Any:
    """Return the type of a field or a property."""
    for name in path.split("."):
        found = getattr(source, name, None)
        if isinstance(found, property):
            source = get_type_hints(found.fget)["return"]
        else:
            source = get_type_hints(source, include_extras=True)[name]
    return source


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
    """The settings that an account keeps, field by field.

    Of the terminal's ``None`` where nothing was chosen: then what the terminal says counts.
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
