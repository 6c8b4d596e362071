"""``tide review``: the bids of finished games beside those of the strongest bot."""

import json
from pathlib import Path

import click
from click.exceptions import Exit

from engine.bots.review import decisions, reviewed, to_json
from engine.editions import MAX_PLAYERS
from engine.records.outcome import kinds_of
from server.cli.games.reading import Game, games_of, given_argument, json_option
from server.cli.games.transcript import shown_names
from server.cli.output import own_words, progress, run, say
from server.cli.state_dir import state_option
from server.i18n.lookup import Words
from server.text.hints import review_lines


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
