"""``tide records``, how every command finds the records that it is given, and their transcripts."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, TypeVar

import click

from engine.errors import RecordError
from engine.records.json_text import Piece, pieces
from engine.records.outcome import (
    Report,
    SeatResult,
    StageReport,
    bot_bids_of,
    kinds_of,
    resolve_text,
    result_of,
    to_json,
)
from engine.records.record_format import Record, parse
from engine.records.replay import Replay, fold
from engine.state import RoundResult
from server.cleaning import clean_text
from server.cli.commands import (
    complain,
    counted,
    fail,
    finish,
    hint,
    own_words,
    progress,
    write_new,
)
from server.cli.config import PATH, kept_record, no_such_game, state_option, with_archive
from server.i18n.lookup import Words
from server.storage.history import GameRow
from server.storage.ratings import SeasonStore
from server.text.history import notes_in_words, record_error_in_words, table_of
from server.text.rounds import (
    Names,
    bids_in_words,
    left_in_words,
    losses_in_words,
    signed,
    stage_end_in_words,
    winner_name,
)
from server.viewmodels.table_options import rules_in_words

if TYPE_CHECKING:
    from server.storage.history_store import HistoryStore


_NAME_WIDTH: Final = 24
_SEPARATOR = " · "


def shown_names(record: Record, words: Words) -> Names:
    """Return the players' names, safe for a terminal, none empty and no two the same."""
    cleaned = [clean_text(name, _NAME_WIDTH) for name in record.players]
    return tuple(
        name if name and cleaned.count(name) == 1 else _numbered(name, seat, words)
        for seat, name in enumerate(cleaned)
    )


def _numbered(name: str, seat: int, words: Words) -> str:
    if not name:
        return words.t("seat {seat}", seat=seat + 1)
    return words.t("{name} (seat {seat})", name=name, seat=seat + 1)


def account(report: Report, title: str, words: Words) -> Iterator[str]:
    """Yield the lines of a transcript. ``title`` says which record it is."""
    record = report.record
    rules = record.rules
    names = shown_names(record, words)
    yield _SEPARATOR.join(
        (
            title,
            rules.edition.called,
            words.n("{count} player", "{count} players", rules.players),
            *rules_in_words(rules, words),
        )
    )
    for seat, name in enumerate(names):
        cards = " ".join(map(str, sorted(record.deal[seat])))
        yield words.t("  seat {seat}  {name}: {cards}", seat=seat + 1, name=name, cards=cards)
    for number, stage in enumerate(report.stages):
        yield ""
        yield from _stage(report, number, stage, names, words)
    yield ""
    yield from _outcome(report, names, words)


def _stage(
    report: Report, number: int, stage: StageReport, names: Names, words: Words
) -> Iterator[str]:
    rules = report.record.rules
    yield words.t("Stage {stage} of {stages}", stage=number + 1, stages=rules.stages)
    yield "  " + words.t(
        "life preservers: {each}", each=_each(names, map(str, stage.life_preservers))
    )
    bots = bot_bids_of(report.record.fields(), len(names))
    for round_, result in enumerate(stage.rounds):
        low, high = result.offer
        yield ""
        yield "  " + words.t(
            "Round {round}: tides {low} and {high}", round=round_ + 1, low=low, high=high
        )
        yield "    " + _SEPARATOR.join(
            bids_in_words(
                result, names, words, [n for n, at in enumerate(bots) if (number, round_) in at]
            )
        )
        for reason in losses_in_words(result, names, rules, words):
            yield "    " + reason
        yield "    " + words.t("now: {each}", each=_each(names, _standing(result, words)))
    yield ""
    if stage.result is None:
        yield "  " + words.t("The stage is not over.")
        if report.offer:
            low, high = report.offer
            yield "  " + words.t(
                "On offer for the next round: {low} and {high}", low=low, high=high
            )
        return
    done = stage.result
    yield "  " + words.t(
        "End of the stage: {reason}",
        reason=stage_end_in_words(done.rounds[-1], len(done.rounds), rules, words),
    )
    yield "  " + words.t("points: {each}", each=_each(names, map(signed, done.points)))
    if done.bonus:
        yield "  " + words.t(
            "one point more for the lowest tide: {names}",
            names=words.listed(tuple(names[seat] for seat in done.bonus)),
        )
    yield "  " + words.t("scores: {each}", each=_each(names, map(str, done.scores)))


def _each(names: Names, values: Iterator[str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))


def _standing(result: RoundResult, words: Words) -> Iterator[str]:
    for level, left in zip(result.levels, result.life_preservers, strict=True):
        if level is None:
            yield words.t("out")
        elif level == 0:
            yield f"{words.t('dry')} ({left_in_words(left, words)})"
        else:
            yield f"{words.t('at {tide}', tide=level)} ({left_in_words(left, words)})"


def _outcome(report: Report, names: Names, words: Words) -> Iterator[str]:
    if report.complete:
        best = max(report.scores)
        kinds = kinds_of(report.record.fields(), len(names))
        winners = words.listed(
            tuple(winner_name(names[seat], kinds[seat] == "left", words) for seat in report.winners)
        )
        if len(report.winners) == 1:
            yield words.n(
                "{name} wins with {count} point",
                "{name} wins with {count} points",
                best,
                name=winners,
            )
        else:
            yield words.n(
                "{names} share the win with {count} point",
                "{names} share the win with {count} points",
                best,
                names=winners,
            )
    else:
        yield words.t("The game is not over.")
    yield words.t("scores: {each}", each=_each(names, map(str, report.scores)))


STDIN: Final = "-"
_FILE_WIDTH: Final = 200
_COMPLAINTS: Final = 100
"""Maximum errors that are reported about the records of a file; further ones are counted ..."""
_GIVES_UP: Final = 100_000
"""... until there are so many in a row: then the rest is not read."""

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
    """Read every record in these files; yields which one it is, and the result of ``read``.

    Yields ``None`` after an error of a record, or of a file.
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
    return clean_text(os.fsencode(name).decode("utf-8", "replace"), _FILE_WIDTH) or "?"


class Game(NamedTuple):
    """A record that the rules accept."""

    title: str
    """Which one it is; safe for a terminal."""
    replay: Replay

    @property
    def table(self) -> str:
        """The title of its table, or else its own; safe for a terminal."""
        return table_of(self.replay.record) or self.title


def games_of(given: str, state: Path | None, words: Words) -> Iterator[Game | None]:
    """Yield the games in a file, or the stored one with a number; ``None`` after an error of a record.

    A number is a file if there is one of that name. Ends the command if there is no such game.
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


commands = click.Group(help="List, show, export, import or delete finished games.")


@commands.command("list")
@state_option
@click.option(
    "--limit", "-n", metavar="N", type=click.IntRange(1), default=20, help="Number of games."
)
@json_option
def list_(state: Path | None, limit: int, as_json: bool) -> None:
    """List finished games, newest first."""
    rows = with_archive(state, lambda history: history.games(limit=limit, private=True))
    words = own_words()
    if as_json:
        finish(json.dumps(_as_json(row)) for row in rows)
    finish([_line(row, words) for row in rows] or [words.t("No game has been finished yet.")])


@commands.command()
@click.argument("game", metavar="ID", type=int, help="Number from the list.")
@state_option
@json_option
def show(game: int, state: Path | None, as_json: bool) -> None:
    """Show a game round by round, with explanations."""
    report, words = resolve_text(kept_record(state, game)), own_words()
    if as_json:
        finish([json.dumps(to_json(report))])
    finish(account(report, words.t("game {number}", number=game), words))


@commands.command()
@click.argument(
    "games",
    metavar="[ID]...",
    type=int,
    nargs=-1,
    help="Numbers from the list.  [default: all games]",
)
@state_option
@click.option(
    "--output",
    "-o",
    "file",
    metavar="FILE",
    type=PATH,
    help="A new file.",
    show_default="standard output",
)
def export(games: tuple[int, ...], state: Path | None, file: Path | None) -> None:
    """Write records as JSON, one per line, oldest first."""

    async def texts(history: "HistoryStore") -> list[str]:
        found = []
        numbers = games or await history.numbers()
        with progress("Reading", len(numbers)) as advance:
            for number in numbers:
                found.append(await history.record(number) or no_such_game(number))
                advance()
        return found

    found = with_archive(state, texts)
    if file is None:
        finish(found)
    write_new(file, (f"{text}\n" for text in found))


@commands.command("import")
@files_argument
@state_option
def import_(files: tuple[Path, ...], state: Path | None) -> None:
    """Add records of games played elsewhere, or exported.

    A record that already exists is left as it is. Imported games count for nobody's results or rating.
    """
    words, names = own_words(), [str(file) for file in files] or [STDIN]
    found = list(read_each(names, lambda data: result_of(data)[0], words))
    good = [record for _, record in filter(None, found)]

    async def keep(history: "HistoryStore") -> list[tuple[int, bool]]:
        now, kept = time.time(), []
        with progress("Importing", len(good)) as advance:
            for record in good:
                kept.append(await history.keep_foreign(record, now))
                advance()
        return kept

    done = with_archive(state, keep) if good else []

    finish(
        (
            words.t("game {number}: kept", number=number)
            if new
            else words.t("game {number}: here already", number=number)
            for number, new in done
        ),
        int(None in found),
    )


@commands.command()
@click.option("--older", metavar="TIME", required=True, help="Age, such as 90d or 52w.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@state_option
def prune(older: str, yes: bool, state: Path | None) -> None:
    """Delete old games permanently.

    Records, replays and their share in players' results are deleted; ratings stay. This works with the server
    running or stopped. Export the games first to keep them.
    """
    from server.text.operator_orders import BadOperatorCommand, span

    try:
        before = time.time() - span([older])
    except BadOperatorCommand:
        fail("--older needs a time such as 90d or 52w", 2)
    there = with_archive(state, lambda history: history.count_old(before))
    games = counted(there, "game")
    if there and not yes:
        if not sys.stdin.isatty():
            fail(f"{games} would be deleted; --yes deletes without asking", 2)
        if not click.confirm(f"Delete {games} permanently?"):
            fail("nothing has been deleted", 2)

    async def remove(history: "HistoryStore") -> int:
        removed = 0
        # The leaderboards of past months stay as they are.
        await SeasonStore(history.database).close(time.time(), wait=False)
        # A running server can write in between.
        while gone := await history.prune(before):
            removed += gone
        return removed

    removed = with_archive(state, remove) if there else 0
    click.echo(f"{counted(removed, 'game')} deleted.")


def _line(row: GameRow, words: Words) -> str:
    when = datetime.fromtimestamp(row.kept).astimezone().strftime("%Y-%m-%d %H:%M")
    seats = ", ".join(_seat(seat, words) for seat in row.seats) or words.t("cannot be read")
    notes = notes_in_words(row, words)
    note = f"  ({', '.join(notes)})" if notes else ""
    return f"{row.id:>5}  {when}  {row.edition:<10}  {seats}{note}"


def _seat(seat: SeatResult, words: Words) -> str:
    name = clean_text(seat.name, _NAME_WIDTH) or "?"
    if seat.kind == "bot":
        name = words.t("{name} (bot)", name=name)
    elif seat.kind == "program":
        name = words.t("{name} (program)", name=name)
    # The star marks the winner in every language.
    return f"{name} {seat.score}{'*' if seat.place == 1 else ''}"


def _as_json(row: GameRow) -> dict[str, object]:
    return {
        "id": row.id,
        "ended": datetime.fromtimestamp(row.kept, UTC).isoformat(timespec="seconds"),
        **{name: getattr(row, name) for name in ("edition", "complete", "rated", "tutorial")},
        "seats": [seat._asdict() for seat in row.seats],
    }
