"""Records from files, standard input and what a server has kept, for every command that takes some."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from pathlib import Path
from typing import Annotated, BinaryIO, Final, NamedTuple, TypeVar

import typer

from engine.errors import RecordError
from engine.record import parse
from engine.replay import Replay, fold
from engine.strict_json import MAX_BYTES
from server.cleaning import clean_text
from server.cli.output import complain, hint
from server.cli.state_dir import kept_record
from server.i18n.catalogues import Words
from server.text.records import record_error_in_words, table_of

STDIN: Final = "-"
_NAME_WIDTH: Final = 200
_BOM: Final = b"\xef\xbb\xbf"
_TELLING: Final = ("format", "players", "deal")
"""Fields that only a whole record has: a line with one of them is no part of a bigger record."""

T = TypeVar("T")

FilesArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILE", help="- is standard input.", show_default="standard input"),
]
GivenArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE|ID",
        help="A file of records, - for standard input, or a number from tide records list.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One line of JSON for each game.")]


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
    for line in lines:
        if _is_record(_json(line.data)):
            yield from chain([line], lines)
            return


def _lines(stream: BinaryIO) -> Iterator[Piece]:
    """The lines that are not blank. One that is too long for a record comes cut, but still too long."""
    number = count = 0
    while data := stream.readline(MAX_BYTES + 2):
        number += 1
        rest = data
        while len(rest) > MAX_BYTES and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_BYTES + 2)
        if number == 1:
            data = data.removeprefix(_BOM)
        if data.strip():
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


def read_each(
    names: Iterable[str], read: Callable[[bytes], T], words: Words
) -> Iterator[tuple[str, T] | None]:
    """What ``read`` makes of every record in these files, and which one that is; ``None`` after a complaint
    about a record, or about a file.
    """
    for name in names:
        source = words.t("standard input") if name == STDIN else _shown(name)
        nothing = True
        try:
            with _opened(name, words) as stream:
                for piece in pieces(stream):
                    nothing = False
                    which = _which(piece, words)
                    try:
                        found = read(piece.data)
                    except RecordError as error:
                        placed = {error.stage, error.round, error.seat} != {None}
                        why = record_error_in_words(error, words, piece.line)
                        complain(f"{source}: {which}{', ' if placed else ': '}{why}")
                        yield None
                    else:
                        yield f"{source}, {which}", found
        except OSError as error:
            complain(f"{source}: {error.strerror or error}")
            yield None
        else:
            if nothing:
                complain(f"{source}: " + words.t("there is no record in it"))
                yield None


def _opened(name: str, words: Words) -> AbstractContextManager[BinaryIO]:
    if name != STDIN:
        return open(name, "rb")
    if sys.stdin is None:
        raise OSError(words.t("it is closed"))
    if sys.stdin.isatty():
        hint(words.t("Reading records from standard input; Ctrl-D ends them."))
    return nullcontext(sys.stdin.buffer)


def _which(piece: Piece, words: Words) -> str:
    if piece.line == piece.number:
        return words.t("record {number}", number=piece.number)
    return words.t("record {number} (line {line})", number=piece.number, line=piece.line)


def _shown(name: str) -> str:
    return clean_text(os.fsencode(name).decode("utf-8", "replace"), _NAME_WIDTH) or "?"


class Game(NamedTuple):
    """A record that the rules accept."""

    title: str
    """Which one it is, fit for a terminal."""
    replay: Replay

    @property
    def table(self) -> str:
        """What its table was called, or else the title; fit for a terminal."""
        return table_of(self.replay.record) or self.title


def games_of(given: str, state: Path | None, words: Words) -> Iterator[Game | None]:
    """The games that ``given`` stands for; ``None`` after a complaint about a bad one.

    A number is a kept game, unless there is a file of that name. Ends the command when nothing was kept.
    """
    if given.isdecimal() and given.isascii() and len(given) < 19 and not Path(given).exists():
        title = words.t("game {number}", number=int(given))
        text = kept_record(state, int(given))
        try:
            yield Game(title, fold(parse(text)))
        except RecordError as error:
            complain(f"{title}: {record_error_in_words(error, words)}")
            yield None
        return
    for found in read_each([given], lambda data: fold(parse(data)), words):
        yield found and Game(*found)
