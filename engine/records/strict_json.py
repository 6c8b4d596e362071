"""JSON read strictly, with the place of every flaw: the ground floor of ``engine.records.record_format``.

The JSON module of the standard library takes the last of two equal keys, and NaN for a number. Here such
a thing becomes a ``_Flaw`` in the decoded value, so that whoever walks it can say where it stands.
"""

import json
import math
import re
from itertools import accumulate
from typing import Final, NamedTuple

from engine.errors import RecordError

MAX_BYTES: Final = 1 << 20
"""Size of a record; a long game with times and names needs a hundredth of it."""
MAX_DEPTH: Final = 32
"""Objects and lists within each other."""
MAX_DIGITS: Final = 40
"""Of a number in a field that nobody here reads."""

JsonObject = dict[str, object]
JsonList = list[object]


class _Flaw(NamedTuple):
    """Stands where the JSON holds something that we refuse, until it is known where that is."""

    code: str
    details: dict[str, int | str]


def decode(data: bytes | str) -> object:
    """The value of a JSON text, flaws included. Raises ``RecordError`` where it is no JSON at all.

    Codes: ``empty``, ``too_large``, ``utf8``, ``json``, ``nesting``.
    """
    if len(data) > MAX_BYTES:
        raise RecordError("too_large", limit=MAX_BYTES)
    if isinstance(data, bytes):
        try:
            data = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordError("utf8", byte=error.start + 1) from None
    data = data.removeprefix("\ufeff")
    if not data.strip():
        raise RecordError("empty")
    try:
        return json.loads(
            data,
            object_pairs_hook=_object_hook,
            parse_int=_int_hook,
            parse_float=_float_hook,
            parse_constant=_constant_hook,
        )
    except json.JSONDecodeError as error:
        # How deep it can go at all depends on the version of Python.
        if _depth(data[: error.pos]) > MAX_DEPTH:
            raise RecordError("nesting", limit=MAX_DEPTH) from None
        # "Unterminated string starting at", and then its place, which is told here in another way.
        reason = error.msg.removesuffix(" at").removesuffix(" starting")
        raise RecordError("json", line=error.lineno, column=error.colno, reason=reason) from None
    except RecursionError:
        raise RecordError("nesting", limit=MAX_DEPTH) from None


def _depth(text: str) -> int:
    """Of the innermost object or list in the beginning of a JSON text."""
    brackets = re.sub(r'"(?:[^"\\]|\\.)*+"?', "", text)
    return max(accumulate((each in "[{") - (each in "]}") for each in brackets), default=0)


def _object_hook(pairs: list[tuple[str, object]]) -> object:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return _Flaw("duplicate_key", {"key": key})
        seen.add(key)
    raise AssertionError("fewer keys than pairs, and no key twice")


def _int_hook(digits: str) -> object:
    return int(digits) if len(digits) <= MAX_DIGITS else _Flaw("number_too_large", {})


def _float_hook(digits: str) -> object:
    value = float(digits)
    return value if math.isfinite(value) else _Flaw("number_too_large", {})


def _constant_hook(name: str) -> object:
    return _Flaw("not_a_number", {"found": name})


class JsonPath(NamedTuple):
    """Where in a record we are, counted from 0; reads values there and makes the errors.

    Codes: those of the flaws (``duplicate_key``, ``number_too_large``, ``not_a_number``) and
    ``missing_field``, ``not_an_object``, ``not_a_list``, ``not_an_integer``, ``not_a_boolean``,
    ``not_a_string``, ``nesting``.
    """

    stage: int | None = None
    round: int | None = None
    seat: int | None = None

    def error(self, code: str, **details: int | str) -> RecordError:
        """An error at this place, to be raised."""
        return RecordError(code, stage=self.stage, round_=self.round, seat=self.seat, **details)

    def fields_of(self, value: object, field: str) -> JsonObject:
        """``value``, which has to be an object."""
        self._sound(value)
        if isinstance(value, dict):
            return value
        raise self.error("not_an_object", field=field)

    def items_of(self, value: object, field: str) -> JsonList:
        """``value``, which has to be a list."""
        self._sound(value)
        if isinstance(value, list):
            return value
        raise self.error("not_a_list", field=field)

    def integer(self, value: object, field: str) -> int:
        """``value``, which has to be an integer of ordinary size."""
        self._sound(value)
        # To Python a boolean is an integer; to JSON it is none.
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error("not_an_integer", field=field)
        if abs(value) >= 1 << 31:
            raise self.error("number_too_large", field=field)
        return value

    def boolean(self, value: object, field: str) -> bool:
        """``value``, which has to be true or false."""
        self._sound(value)
        if isinstance(value, bool):
            return value
        raise self.error("not_a_boolean", field=field)

    def string(self, value: object, field: str) -> str:
        """``value``, which has to be a string."""
        self._sound(value)
        if isinstance(value, str):
            return value
        raise self.error("not_a_string", field=field)

    def needed(self, fields: JsonObject, *names: str) -> tuple[object, ...]:
        """The values of the fields that must be there; all others must only be JSON."""
        for name in names:
            if name not in fields:
                raise self.error("missing_field", field=name)
        for name, value in fields.items():
            if name not in names:
                self._keepable(value, 1)
        return tuple(fields[name] for name in names)

    def _sound(self, value: object) -> None:
        if isinstance(value, _Flaw):
            raise self.error(value.code, **value.details)

    def _keepable(self, value: object, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise self.error("nesting", limit=MAX_DEPTH)
        self._sound(value)
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            for item in value:
                self._keepable(item, depth + 1)
