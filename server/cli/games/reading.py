"""Records from files, standard input and what a server has kept, for every command that takes some."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TypeVar

import click

from engine.errors import RecordError
from engine.records.json_text import Piece, pieces
from engine.records.record_format import parse
from engine.records.replay import Replay, fold
from server.cleaning import clean_text
from server.cli.output import complain, hint
from server.cli.state_dir import PATH, kept_record
from server.i18n.lookup import Words
from server.text.records import record_error_in_words, table_of

STDIN: Final = "-"
_NAME_WIDTH: Final = 200
_COMPLAINTS: Final = 100
"""Records of one file about which it is said what is wrong with them; the others are counted ..."""
_GIVES_UP: Final = 100_000
"""... until there have been so many in a row: then the rest is not read."""

T = TypeVar("T")

files_argument = click.argument(
    "files",
    metavar="[FILE]...",
    type=PATH,
    nargs=-1,
    help="- is standard input.  [default: standard input]",
)
given_argument = click.argument(
    "given",
    metavar="FILE|ID...",
    nargs=-1,
    required=True,
    help="A file of records, - for standard input, or a number from tide records list.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="One line of JSON for each game."
)


def read_each(
    names: Iterable[str], read: Callable[[bytes], T], words: Words
) -> Iterator[tuple[str, T] | None]:
    """What ``read`` makes of every record in these files, and which one that is; ``None`` after a complaint
    about a record, or about a file.
    """
    for name in names:
        source = words.t("standard input") if name == STDIN else _shown(name)
        nothing, bad, in_a_row = True, 0, 0
        try:
            with _opened(name, words) as stream:
                for piece in pieces(stream):
                    nothing = False
                    if in_a_row > _GIVES_UP:
                        break
                    which = _which(piece, words)
                    try:
                        found = read(piece.data)
                    except RecordError as error:
                        bad, in_a_row = bad + 1, in_a_row + 1
                        if bad <= _COMPLAINTS:
                            placed = {error.stage, error.round, error.seat} != {None}
                            why = record_error_in_words(error, words, piece.line)
                            complain(f"{source}: {which}{', ' if placed else ': '}{why}")
                        yield None
                    else:
                        in_a_row = 0
                        yield f"{source}, {which}", found
        except OSError as error:
            complain(f"{source}: {error.strerror or error}")
            yield None
        else:
            if nothing:
                complain(f"{source}: " + words.t("there is no record in it"))
                yield None
        if (more := bad - _COMPLAINTS) > 0:
            told = words.n("and {count} more bad record", "and {count} more bad records", more)
            complain(f"{source}: {told}")


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
