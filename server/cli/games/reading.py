"""Records from files and standard input, for every command that takes some."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO, Final, NamedTuple

from engine.errors import RecordError
from server.cli.games.archive import Piece, pieces
from server.cli.output import complain, hint
from server.i18n.catalogues import Words, words_for
from server.text.records import record_error_in_words
from server.transport.access.sanitize import clean_text

STDIN: Final = "-"
_NAME_WIDTH: Final = 200


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


def own_words() -> Words:
    """The words for whoever typed the command."""
    asked = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return words_for(next(filter(None, asked), ""))


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
