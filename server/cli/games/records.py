"""``tide records``: list, show, export, import and delete finished games."""

import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from server.cleaning import clean_text
from server.cli.games.reading import STDIN, files_argument, json_option, read_each
from server.cli.output import fail, finish, own_words, progress, write_new
from server.cli.state_dir import PATH, kept_record, no_such_game, state_option, with_archive

if TYPE_CHECKING:
    from engine.records.outcome import SeatResult
    from server.i18n.lookup import Words
    from server.storage.history import GameRow
    from server.storage.history_store import HistoryStore

_NAME_WIDTH: Final = 24

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
    from engine.records.outcome import resolve_text, to_json
    from server.cli.games.transcript import account

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
    from engine.records.outcome import result_of

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
    from server.storage.leaderboard_store import SeasonStore
    from server.text.operator_orders import BadOperatorCommand, span

    try:
        before = time.time() - span([older])
    except BadOperatorCommand:
        fail("--older needs a time such as 90d or 52w", 2)
    there = with_archive(state, lambda history: history.count_old(before))
    if there and not yes:
        if not sys.stdin.isatty():
            fail(f"{there} games would be deleted; --yes deletes without asking", 2)
        if not click.confirm(f"Delete {there} games permanently?"):
            fail("nothing has been deleted", 2)

    async def remove(history: "HistoryStore") -> int:
        removed = 0
        # What they mean for the leaderboards of past months stays.
        await SeasonStore(history.database).close(time.time(), wait=False)
        # A server that runs beside this writes in between.
        while gone := await history.prune(before):
            removed += gone
        return removed

    removed = with_archive(state, remove) if there else 0
    click.echo(f"{removed} games deleted.")


def _line(row: "GameRow", words: "Words") -> str:
    from server.text.history import notes_in_words

    when = datetime.fromtimestamp(row.kept).astimezone().strftime("%Y-%m-%d %H:%M")
    seats = ", ".join(_seat(seat, words) for seat in row.seats) or words.t("cannot be read")
    notes = notes_in_words(row, words)
    note = f"  ({', '.join(notes)})" if notes else ""
    return f"{row.id:>5}  {when}  {row.edition:<10}  {seats}{note}"


def _seat(seat: "SeatResult", words: "Words") -> str:
    name = clean_text(seat.name, _NAME_WIDTH) or "?"
    if seat.kind == "bot":
        name = words.t("{name} (bot)", name=name)
    elif seat.kind == "program":
        name = words.t("{name} (program)", name=name)
    # The star says in every language who has won.
    return f"{name} {seat.score}{'*' if seat.place == 1 else ''}"


def _as_json(row: "GameRow") -> dict[str, object]:
    return {
        "id": row.id,
        "ended": datetime.fromtimestamp(row.kept, UTC).isoformat(timespec="seconds"),
        **{name: getattr(row, name) for name in ("edition", "complete", "rated", "tutorial")},
        "seats": [seat._asdict() for seat in row.seats],
    }
