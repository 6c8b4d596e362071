"""JSON text of records: cut out of files of one record a line or one over several lines, and decoded strictly
(docs/records.md).

The JSON module of the standard library takes the last of two equal keys, and NaN for a number. Here such
a thing becomes a ``_Flaw`` in the decoded value, so that the error can say where it stands.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain
from typing import BinaryIO, Final, NamedTuple

from engine.errors import RecordError

MAX_BYTES: Final = 1 << 20
"""Size of a record; a long game with times and names needs a hundredth of it."""
MAX_DEPTH: Final = 32
"""Objects and lists within each other."""
MAX_DIGITS: Final = 40
"""Most digits of a number in a field that nobody here reads."""

JsonObject = dict[str, object]
JsonList = list[object]


class _Flaw(NamedTuple):
    """Stands where the JSON holds something that we refuse, until it is known where that is."""

    code: str
    details: dict[str, int | str]


def decode(data: bytes | str) -> object:
    """Return the value of a JSON text, flaws included. Raises ``RecordError`` where it is no JSON at all.

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
    """Return the depth of the innermost object or list in the beginning of a JSON text."""
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
        """Return an error at this place, to be raised."""
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
        """Return the values of the fields that must be there; all others must only be JSON."""
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


_BOM: Final = b"\xef\xbb\xbf"
_TELLING: Final = ("format", "players", "deal")
"""Fields that only a whole record has: a line with one of them is no part of a bigger record."""
_RUBBISH: Final = 16 * MAX_BYTES
"""Bytes of what cannot be a record after which reading ends: /dev/zero has no end ..."""
_LINE: Final = 64
"""... where a line counts as so many more."""


class Piece(NamedTuple):
    """What should be one record."""

    number: int
    """Which record of the file, from 1; blank lines do not count."""
    line: int
    """The line on which it begins, from 1."""
    data: bytes


def pieces(stream: BinaryIO) -> Iterator[Piece]:
    """The records of ``stream``, good or bad: one a line, or one pretty-printed record; none when it holds
    nothing but blanks. Those of an archive come out while the rest is still being read. Raises ``OSError``.

    Nothing says which of the two a file is, so it is read off its lines. The hard cases are the broken ones:
    of an archive every bad line is a bad record, but a broken pretty-printed record is one bad record,
    however many lines it has. Memory stays bounded whatever comes in.
    """
    lines = _lines(stream)
    head: list[Piece] = []
    text = bytearray()
    reached = 1
    for line in lines:
        head.append(line)
        # With the blank lines, so that the place of an error is right.
        text += b"\n" * (line.line - reached) + line.data
        reached = line.line
        if _is_record(_json(line.data)):
            yield from chain(head, lines)
            return
        if len(text) > MAX_BYTES:
            break
    if not head:
        return
    if _json(text) is None and _is_archive(head):
        yield from chain(head, lines)
        return
    # One record, or rubbish. If it is too large for a record, there may still be good ones after it.
    yield Piece(1, 1, bytes(text))
    skipped = 0
    for line in lines:
        if _is_record(_json(line.data)):
            yield from chain([line], lines)
            return
        skipped += _LINE + len(line.data)
        if skipped > _RUBBISH:
            return


def _lines(stream: BinaryIO) -> Iterator[Piece]:
    """Return the lines that are not blank. One that is too long for a record comes cut, but still
    too long.
    """
    number = count = skipped = 0
    while skipped <= _RUBBISH and (data := stream.readline(MAX_BYTES + 2)):
        number += 1
        rest = data
        while len(rest) > MAX_BYTES and not rest.endswith(b"\n") and skipped <= _RUBBISH:
            rest = stream.readline(MAX_BYTES + 2)
            skipped += len(rest)
        if number == 1:
            data = data.removeprefix(_BOM)
        if not data.strip():
            skipped += _LINE + len(data)
        else:
            count += 1
            yield Piece(count, number, data.rstrip(b"\r\n"))


def _json(data: bytes | bytearray) -> object:
    """Return the value of ``data`` if it is JSON at all, however bad a record it may be; else ``None``."""
    try:
        return json.loads(data.decode())
    except (ValueError, RecursionError):
        return None


def _is_record(value: object) -> bool:
    return isinstance(value, dict) and any(name in value for name in _TELLING)


def _is_archive(lines: Iterable[Piece]) -> bool:
    """Return whether these lines, none of them a record and together no JSON, are bad records each."""
    texts = [line.data.strip() for line in lines]
    if len(texts) > 1 and all(_json(text) is not None for text in texts):
        return True
    begun = [text for text in texts if text.startswith(b"{") and b'"format"' in text]
    # The first line of a hand-written record may well end with a closed brace, but not with the last one.
    closed = (text.endswith(b"}") and text.count(b"{") <= text.count(b"}") for text in begun)
    return len(begun) > 1 or any(closed)
