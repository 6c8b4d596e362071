"""Games that a command is given: as files of records, or by their numbers in what a server has kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from engine.errors import RecordError
from engine.replay import Replay, fold
from server.cli.games.reading import found_in
from server.cli.output import complain
from server.cli.state_dir import kept_record
from server.i18n.catalogues import Words
from server.text.records import record_error_in_words
from server.transport.access.sanitize import clean_text

_TABLE_WIDTH: Final = 24

Given = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE|ID",
        help="A file of records, - for standard input, or a number from tide records list.",
    ),
]


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
    from engine.record import parse

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
