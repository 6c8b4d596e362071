"""``tide referee``: resolve records from files or standard input."""

import json
import sys
from contextlib import nullcontext
from pathlib import Path

import click
from click.exceptions import Exit

from engine.records.outcome import resolve_text, to_json
from server.cli.games.reading import STDIN, files_argument, read_each
from server.cli.games.transcript import account
from server.cli.output import own_words, progress, run, say


@click.command()
@files_argument
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each record.")
def referee(files: tuple[Path, ...], as_json: bool) -> None:
    """Score games, including those played with real cards.

    A file has one record per line, or one pretty-printed record. Rounds are resolved one by one. A bad record
    is reported on standard error with record, stage, round and seat, all counted from 1; good records are
    scored all the same, and the exit status is 1.
    """
    words = own_words()
    names = [str(file) for file in files] or [STDIN]
    # On a terminal the report itself shows that it goes on.
    watched = sys.stdout is not None and sys.stdout.isatty()

    def resolve_all() -> int:
        status, first = 0, True
        with nullcontext() if watched else progress("Scoring") as advance:
            for found in read_each(names, resolve_text, words):
                if advance:
                    advance()
                if found is None:
                    status = 1
                elif as_json:
                    say(json.dumps(to_json(found[1])))
                else:
                    if not first:
                        say("")
                    first = False
                    for line in account(found[1], found[0], words):
                        say(line)
        return status

    raise Exit(run(resolve_all))
