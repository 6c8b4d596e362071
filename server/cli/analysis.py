"""``tide statistics``, ``review``, ``referee``, ``verify``: a player's style, and finished games examined."""

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.exceptions import Exit

from engine.bots.review import decisions, reviewed, to_json
from engine.editions import MAX_PLAYERS
from engine.errors import RecordError
from engine.records.outcome import GameResult, kinds_of, resolve_text, result_of
from engine.records.outcome import to_json as outcome_json
from engine.records.record_format import parse
from engine.records.replay import Replay, check_seed, fold
from engine.records.statistics import Collector, Statistics
from server.cleaning import clean_name, clean_text
from server.cli.commands import fail, finish, own_words, progress, run, say
from server.cli.config import state_option, with_archive
from server.cli.records import (
    STDIN,
    Game,
    account,
    files_argument,
    games_of,
    given_argument,
    json_option,
    read_each,
    shown_names,
)
from server.i18n.lookup import Words
from server.text.bots import review_lines
from server.text.history import doubt_in_words

if TYPE_CHECKING:
    from server.storage.history_store import HistoryStore


_BAR: Final = 24
"""Columns of a bar."""


@click.command()
@click.argument("player", metavar="NAME", help="As the records have it.")
@click.argument(
    "given",
    metavar="[FILE|ID]...",
    nargs=-1,
    help="Files of records, - for standard input, or numbers from tide records list.  "
    "[default: all kept games]",
)
@state_option
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
def statistics(player: str, given: tuple[str, ...], state: Path | None, as_json: bool) -> None:
    """Show how somebody plays: bids, tides, hands, opponents, bots and streaks.

    Tutorials and games that were not played to the end by that player are left out.
    """
    words, collector, bad = own_words(), Collector(), False
    found = 0

    def count(replay: Replay, number: int) -> int:
        seat = _seat_of(player, result_of(replay.record.text)[1])
        if seat is not None:
            collector.add(replay, seat, number)
        return seat is not None

    if given:
        for game in (game for one in given for game in games_of(one, state, words)):
            bad = bad or game is None
            found += game is not None and count(game.replay, found + 1)
    else:

        async def kept(history: "HistoryStore") -> int:
            counted, numbers = 0, await history.numbers()
            with progress(words.t("Reading"), len(numbers)) as advance:
                for number in numbers:
                    advance()
                    with suppress(RecordError):
                        counted += count(fold(parse(await history.record(number) or "")), number)
            return counted

        found = with_archive(state, kept)
    if not found and not bad:
        name = clean_text(player, 24)
        fail(words.t("no finished game of {name} counts for statistics", name=name))
    told = collector.statistics()
    lines = [_json(told)] if as_json else _lines(told, words)
    finish(lines, int(bad))


def _seat_of(player: str, result: GameResult) -> int | None:
    """Return the seat of the player in a whole game; ``None`` if the game does not count."""
    wanted = clean_name(player).casefold()
    if not result.complete or result.tutorial or result.again:
        return None
    for number, seat in enumerate(result.seats):
        if (
            seat.kind not in ("bot", "left", "joined")
            and clean_name(seat.name).casefold() == wanted
        ):
            return number
    return None


def _json(found: Statistics) -> str:
    from server.jsonapi.queries import STATISTICS

    return json.dumps(STATISTICS(found))


def _lines(found: Statistics, words: Words) -> Iterator[str]:
    from server.text.people import charts

    for number, chart in enumerate(charts(found, words)):
        if number:
            yield ""
        yield chart.title
        for sentence in chart.sentences:
            yield f"  {sentence}"
        label = max((len(bar.label) for bar in chart.bars), default=0)
        for bar in chart.bars:
            drawn = ("#" * round(_BAR * bar.share)).ljust(_BAR, ".")
            yield f"  {clean_text(bar.label, 40):<{label}}  {drawn}  {', '.join(bar.facts)}"


@click.command()
@given_argument
@state_option
@click.option(
    "--seat",
    metavar="SEAT",
    type=click.IntRange(1, MAX_PLAYERS),
    help="Only this seat (1 is the first), also a bot's.",
)
@json_option
def review(given: tuple[str, ...], state: Path | None, seat: int | None, as_json: bool) -> None:
    """Compare the bids of finished games with those of the strongest bot.

    For each bid of a person: the card that the bot would have played, knowing what the player knew, the
    estimated difference in points and its standard error, and a grade. The accuracy of all bids and the
    three that cost most come first.
    """
    words = own_words()

    def review_all() -> int:
        games = [game for one in given for game in games_of(one, state, words)]
        for game in games:
            if game is not None:
                _review(game, seat, words, as_json)
        return int(None in games)

    raise Exit(run(review_all))


def _review(game: Game, only: int | None, words: Words, as_json: bool) -> None:
    record, told = game.replay.record, []
    kinds = kinds_of(record.fields(), len(record.players))
    names = shown_names(record, words)
    for seat, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        if seat + 1 != only if only else kind == "bot":
            continue
        with progress(words.t("Reviewing")) as advance:
            bids = [reviewed(one) for one in decisions(game.replay, seat) if advance() is None]
        told.append({"seat": seat, "name": name, **to_json(bids)})
        if not as_json:
            say(f"{game.title}, {name}")
            for line in review_lines(bids, names, words):
                say(f"  {line}")
    if as_json:
        say(json.dumps({"game": game.title, "seats": told}))


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
    # On a terminal the report itself is the progress bar.
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
                    say(json.dumps(outcome_json(found[1])))
                else:
                    if not first:
                        say("")
                    first = False
                    for line in account(found[1], found[0], words):
                        say(line)
        return status

    raise Exit(run(resolve_all))


@click.command()
@given_argument
@state_option
@json_option
def verify(given: tuple[str, ...], state: Path | None, as_json: bool) -> None:
    """Check that finished games were dealt fairly.

    Every move must be legal, the seed must match the commitment, and every hand and every pair of tides must
    follow from the seed. The exit status is 1 if not.
    """
    words = own_words()

    def check() -> int:
        games = (game for one in given for game in games_of(one, state, words))
        fair = [game is not None and _verify(game, words, as_json) for game in games]
        return int(not all(fair))

    raise Exit(run(check))


def _verify(game: Game, words: Words, as_json: bool) -> bool:
    record = game.replay.record
    doubts = check_seed(record)
    if as_json:
        found = {
            "game": game.title,
            "fair": not doubts,
            "doubts": [{"code": one.doubt, "text": doubt_in_words(one, words)} for one in doubts],
            "commitment": record.fields().get("commitment"),
        }
        say(json.dumps(found))
        return not doubts
    for doubt in doubts:
        why = words.t("NOT VERIFIED: {reason}", reason=doubt_in_words(doubt, words))
        say(f"{game.title}: {why}")
    if doubts:
        return False
    pairs = sum(len(stage.tides) for stage in record.stages)
    said = words.t(
        "fair: the seed fits the commitment and gives {hands} and {tides}",
        hands=words.n("{count} hand", "{count} hands", len(record.deal)),
        tides=words.n("{count} pair of tides", "{count} pairs of tides", pairs),
    )
    say(f"{game.title}: {said}")
    say(f"  {record.fields()['commitment']}")
    return True
