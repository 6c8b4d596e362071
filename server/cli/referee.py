"""``tide referee`` and ``tide verify``: the outcome of records, and whether they were dealt fairly."""

import json
import sys
from contextlib import nullcontext
from pathlib import Path

import click
from click.exceptions import Exit

from engine.records.outcome import resolve_text
from engine.records.outcome import to_json as outcome_json
from engine.records.replay import check_seed
from server.cli.config import state_option
from server.cli.output import own_words, progress, run, say
from server.cli.records import (
    STDIN,
    Game,
    files_argument,
    games_of,
    given_argument,
    json_option,
    read_each,
)
from server.cli.transcript import account
from server.i18n.lookup import Words
from server.text.history import doubt_in_words


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
