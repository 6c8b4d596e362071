"""``tide play``: the game in this terminal, against bots, without any network."""

import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from engine.bots import BOTS, DEFAULT_STRATEGY, TYPED
from engine.editions import Edition, Rules
from server.cli.output import fail, own_words

if TYPE_CHECKING:
    from engine.errors import BadRules
    from server.i18n.lookup import Words

_LEVELS: Final = " ".join(f"{name} (level {row.level}): {row.line}." for name, row in BOTS.items())

edition_option: Final = click.option(
    "--edition",
    metavar="|".join(Edition),
    type=click.Choice([str(each) for each in Edition]),
    default=str(Edition.AMIGO),
    help="Edition of the rules.",
)
"""Of commands that play."""


@click.command()
@click.option(
    "--players", metavar="N", type=click.IntRange(3, 6), default=4, help="Players, including you."
)
@edition_option
@click.option(
    "--stages",
    metavar="N",
    type=click.IntRange(0, 6),
    default=0,
    help="Stages of a shorter game; 0 is one for each player.",
)
@click.option(
    "--bots", metavar="NAME", default=DEFAULT_STRATEGY, help=f"Whom you play against. {_LEVELS}"
)
@click.option(
    "--deal",
    metavar="CODE",
    default="",
    show_default=False,
    help="A deal to play: the code of a finished game, the file of its record, or any word; whoever uses the "
    "same word has the same deal.",
)
@click.option("--name", metavar="NAME", help="Your name.", show_default="your user name")
def play(players: int, edition: str, stages: int, bots: str, deal: str, name: str | None) -> None:
    """Play against bots in this terminal.

    Nothing is sent over a network, and nothing is kept when it ends.
    """
    from engine.errors import BadRules

    words = own_words()
    try:
        rules = Rules(Edition(edition), players, stages)
    except BadRules as problem:
        fail(_bad_rules(edition, problem, words), 2)
    bots = TYPED.get(bots, bots)
    if bots not in BOTS:
        known = ", ".join(BOTS)
        fail(words.t('there is no bot "{word}"; there are {bots}', word=bots, bots=known), 2)
    if deal:
        deal = _code(deal, words)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail(words.t("this needs a terminal"))

    from server.coordinator.messages import Pace, TableOptions
    from server.runtime.local_game import run

    run(TableOptions(rules, Pace.UNTIMED, bots=bots), name or _own_name(), deal)


def _bad_rules(edition: str, problem: "BadRules", words: "Words") -> str:
    from server.coordinator.messages import Reply
    from server.text.refusals import refusal

    return words.t(
        "the {edition} edition cannot be played like that: {problem}",
        edition=edition,
        problem=refusal(Reply(problem.code), words),
    )


def _own_name() -> str:
    """What the system calls who is at this terminal."""
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):  # which of them, depends on Python and the system
        return "player"


def _code(deal: str, words: "Words") -> str:
    """What was given, if it is a deal; of a record, its code."""
    from engine.deal import BadDealCode, deal_code, read_deal
    from engine.errors import RecordError
    from engine.records.json_text import MAX_BYTES
    from engine.records.record_format import parse

    try:
        if Path(deal).is_file():
            with open(deal, "rb") as file:
                record = parse(file.read(MAX_BYTES + 1))
            seed = bytes.fromhex(str(record.fields().get("seed")))
            return deal_code(seed, record.rules)
        read_deal(deal)
    except BadDealCode:
        text = words.t(
            '"{deal}" is neither the code of a deal nor a word for one (letters and digits)',
            deal=deal,
        )
        fail(text, 2)
    except (OSError, ValueError, OverflowError, RecordError):
        fail(words.t("{file} is not a record with the seed of its deal", file=deal), 2)
    return deal
