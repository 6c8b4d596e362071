"""``tide referee``: resolve records from files or standard input."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import typer

from engine.errors import RecordError
from engine.referee import resolve_text, to_json
from server.cli.account import account
from server.cli.archive import Piece, pieces
from server.cli.output import complain, run, say
from server.transport.sanitize import clean_text
from server.ui.i18n import Words, words_for
from server.ui.record_words import record_error_in_words

_STDIN: Final = "-"
_NAME_WIDTH: Final = 200


def register(app: typer.Typer) -> None:
    """Add ``tide referee``."""
    app.command("referee")(referee)


def referee(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Standard input without any, and for -."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One line of JSON for each record, for programs.")
    ] = False,
) -> None:
    """Resolve game records round by round, also of games played with real cards.

    A file has one record a line, or one pretty-printed record. A bad record gets one line on standard
    error that says which record, stage, round and seat, all counted from 1. The good ones beside it are
    resolved all the same; the exit status is then 1.
    """
    names = [str(file) for file in files or ()]
    status = run(lambda: _resolve_all(names or [_STDIN], as_json, _own_words()))
    raise typer.Exit(status)


def _own_words() -> Words:
    asked = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return words_for(next(filter(None, asked), ""))


def _resolve_all(names: list[str], as_json: bool, words: Words) -> int:
    failed = False
    first = True
    for name in names:
        shown = words.t("standard input") if name == _STDIN else _shown(name)
        for piece in _pieces(name, shown, words):
            if piece is None:
                failed = True
                continue
            try:
                report = resolve_text(piece.data)
            except RecordError as error:
                failed = True
                complain(_bad(shown, piece, error, words))
                continue
            if as_json:
                say(json.dumps(to_json(report)))
                continue
            if not first:
                say("")
            first = False
            for line in account(report, f"{shown}, {_which(piece, words)}", words):
                say(line)
    return int(failed)


def _pieces(name: str, shown: str, words: Words) -> Iterator[Piece | None]:
    """What should be the records of a file; ``None`` after a complaint that there is none."""
    nothing = True
    try:
        with _opened(name, words) as stream:
            for piece in pieces(stream):
                nothing = False
                yield piece
    except OSError as error:
        complain(f"{shown}: {error.strerror or error}")
        yield None
        return
    if nothing:
        complain(f"{shown}: " + words.t("there is no record in it"))
        yield None


def _opened(name: str, words: Words) -> AbstractContextManager[BinaryIO]:
    if name != _STDIN:
        return open(name, "rb")
    if sys.stdin is None:
        raise OSError(words.t("it is closed"))
    if sys.stdin.isatty():
        complain(words.t("Reading records from standard input; Ctrl-D ends them."))
    return nullcontext(sys.stdin.buffer)


def _which(piece: Piece, words: Words) -> str:
    if piece.line == piece.number:
        return words.t("record {number}", number=piece.number)
    return words.t("record {number} (line {line})", number=piece.number, line=piece.line)


def _bad(shown: str, piece: Piece, error: RecordError, words: Words) -> str:
    why = record_error_in_words(error, words, piece.line)
    at_a_place = error.stage is not None or error.round is not None or error.seat is not None
    return f"{shown}: {_which(piece, words)}{', ' if at_a_place else ': '}{why}"


def _shown(name: str) -> str:
    return clean_text(os.fsencode(name).decode("utf-8", "replace"), _NAME_WIDTH) or "?"
