"""``tide referee``: resolve records from files or standard input."""

import json
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Annotated

import typer

from engine.referee import resolve_text, to_json
from server.cli.games.reading import STDIN, FilesArgument, read_each
from server.cli.games.transcript import account
from server.cli.output import own_words, progress, run, say
from server.i18n.catalogues import Words


def referee(
    files: FilesArgument = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One line of JSON for each record.")
    ] = False,
) -> None:
    """Score games, including those played with real cards.

    A file has one record per line, or one pretty-printed record. Rounds are resolved one by one. A bad record
    is reported on standard error with record, stage, round and seat, all counted from 1; good records are
    scored all the same, and the exit status is 1.
    """
    words = own_words()
    names = [str(file) for file in files or ()] or [STDIN]
    # On a terminal the report itself shows that it goes on.
    watched = sys.stdout is not None and sys.stdout.isatty()

    def resolve_all() -> int:
        with nullcontext(lambda: None) if watched else progress("Scoring") as advance:
            return _resolve_each(names, as_json, words, advance)

    raise typer.Exit(run(resolve_all))


def _resolve_each(
    names: list[str], as_json: bool, words: Words, advance: Callable[[], None]
) -> int:
    status, first = 0, True
    for found in read_each(names, resolve_text, words):
        advance()
        if found is None:
            status = 1
            continue
        title, report = found
        if as_json:
            say(json.dumps(to_json(report)))
            continue
        if not first:
            say("")
        first = False
        for line in account(report, title, words):
            say(line)
    return status
