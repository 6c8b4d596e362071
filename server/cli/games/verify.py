"""``tide verify``: whether a game was dealt as its host had promised before the first card."""

from pathlib import Path

import typer

from engine.replay import check_seed
from server.cli.games.chosen import Game, Given, games_of
from server.cli.games.reading import own_words
from server.cli.output import run, say
from server.cli.state_dir import StateOption
from server.i18n.catalogues import Words
from server.text.records import doubt_in_words


def register(app: typer.Typer) -> None:
    """Add ``tide verify``."""
    app.command("verify", short_help="Check that nobody tampered with finished games.")(verify)


def verify(given: Given, state: StateOption = None) -> None:
    """Check finished games: that every move was legal, that the seed is the one that the commitment had
    promised, and that every hand and every pair of tides follows from it. The exit status is 1 if not.
    """
    raise typer.Exit(run(lambda: _verify_all(given, state, own_words())))


def _verify_all(given: list[str], state: Path | None, words: Words) -> int:
    failed = False
    for one in given:
        for game in games_of(one, state, words):
            if game is None or not _verify(game, words):
                failed = True
    return int(failed)


def _verify(game: Game, words: Words) -> bool:
    doubts = check_seed(game.replay.record)
    for doubt in doubts:
        say(
            f"{game.title}: " + words.t("NOT PROVED: {reason}", reason=doubt_in_words(doubt, words))
        )
    if doubts:
        return False
    record = game.replay.record
    hands = words.n("{count} hand", "{count} hands", len(record.deal))
    pairs = sum(len(stage.tides) for stage in record.stages)
    tides = words.n("{count} pair of tides", "{count} pairs of tides", pairs)
    said = words.t(
        "fair: the seed is the promised one, and {hands} and {tides} follow from it",
        hands=hands,
        tides=tides,
    )
    say(f"{game.title}: {said}")
    say(f"  {record.fields()['commitment']}")
    return True
