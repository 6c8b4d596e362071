"""Records from files, standard input and what a server has kept, for every command that takes some."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, BinaryIO, Final, NamedTuple

import typer

from engine.errors import RecordError
from engine.record import parse
from engine.replay import Replay, fold
from server.cleaning import clean_text
from server.cli.games.archive import Piece, pieces
from server.cli.output import complain, hint
from server.cli.state_dir import kept_record
from server.i18n.catalogues import Words
from server.text.records import record_error_in_words

STDIN: Final = "-"
_NAME_WIDTH: Final = 200
_TABLE_WIDTH: Final = 24

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


class FoundRecords(NamedTuple):
    """What should be a record."""

    source: str
    """The file's name, fit for a terminal."""
    piece: Piece

    def title(self, words: Words) -> str:
        """Which record this is: the file, and where in it."""
        return f"{self.source}, {_which(self.piece, words)}"

    def complaint(self, error: RecordError, words: Words) -> str:
        """What is wrong with it, and where, as one line."""
        why = record_error_in_words(error, words, self.piece.line)
        at_a_place = error.stage is not None or error.round is not None or error.seat is not None
        comma = ", " if at_a_place else ": "
        return f"{self.source}: {_which(self.piece, words)}{comma}{why}"


def found_in(name: str, words: Words) -> Iterator[FoundRecords | None]:
    """What should be the records of a file; ``None`` after a complaint that there is none."""
    source = words.t("standard input") if name == STDIN else _shown(name)
    nothing = True
    try:
        with _opened(name, words) as stream:
            for piece in pieces(stream):
                nothing = False
                yield FoundRecords(source, piece)
    except OSError as error:
        complain(f"{source}: {error.strerror or error}")
        yield None
        return
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
        named = self.replay.record.fields().get("table")
        return (clean_text(named, _TABLE_WIDTH) if isinstance(named, str) else "") or self.title


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
    for found in found_in(given, words):
        if found is None:
            yield None
            continue
        try:
            yield Game(found.title(words), fold(parse(found.piece.data)))
        except RecordError as error:
            complain(found.complaint(error, words))
            yield None
