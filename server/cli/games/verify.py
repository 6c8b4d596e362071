"""``tide verify``: whether a game was dealt as its commitment says."""

import json
from pathlib import Path

import click
from click.exceptions import Exit

from engine.records.replay import check_seed
from server.cli.games.reading import Game, games_of, given_argument, json_option
from server.cli.output import own_words, run, say
from server.cli.state_dir import state_option
from server.i18n.lookup import Words
from server.text.records import doubt_in_words


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
