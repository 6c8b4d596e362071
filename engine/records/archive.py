"""A file of records cut into records: one a line, or one over several lines (docs/records.md)."""

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO, Final, NamedTuple

from engine.records.strict_json import MAX_BYTES

_BOM: Final = b"\xef\xbb\xbf"
_TELLING: Final = ("format", "players", "deal")
"""Fields that only a whole record has: a line with one of them is no part of a bigger record."""
_RUBBISH: Final = 16 * MAX_BYTES
"""After so many bytes of what cannot be a record, reading ends: /dev/zero has no end ..."""
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
    """The lines that are not blank. One that is too long for a record comes cut, but still too long."""
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
    """The value of ``data`` if it is JSON at all, however bad a record it may be; else ``None``."""
    try:
        return json.loads(data.decode())
    except (ValueError, RecursionError):
        return None


def _is_record(value: object) -> bool:
    return isinstance(value, dict) and any(name in value for name in _TELLING)


def _is_archive(lines: Iterable[Piece]) -> bool:
    """Whether these lines, none of them a record and together no JSON, are bad records each."""
    texts = [line.data.strip() for line in lines]
    if len(texts) > 1 and all(_json(text) is not None for text in texts):
        return True
    begun = [text for text in texts if text.startswith(b"{") and b'"format"' in text]
    # The first line of a hand-written record may well end with a closed brace, but not with the last one.
    closed = (text.endswith(b"}") and text.count(b"{") <= text.count(b"}") for text in begun)
    return len(begun) > 1 or any(closed)
