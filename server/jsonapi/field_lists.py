"""What programs are told of one kind of thing: its data and its place in the schema, from one declaration."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, get_type_hints

from msgspec import defstruct

Read = Callable[[Any], Any]


class Part:
    """The ``fields`` of a ``source`` by their names, separated by spaces: ``new=old`` is told under another
    name, ``old`` may lead on (``info.id``), and what has a ``?`` is ``null`` when it is empty. ``more`` are
    those that take more than that: a type and a function each. Nothing else of a source is told.
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
    """Of a field or a property."""
    for name in path.split("."):
        found = getattr(source, name, None)
        if isinstance(found, property):
            source = get_type_hints(found.fget)["return"]
        else:
            source = get_type_hints(source, include_extras=True)[name]
    return source
