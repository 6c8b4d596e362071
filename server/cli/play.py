"""``tide play`` and ``tide arena``: the game in this terminal, and bots that play each other."""

import getpass
import json
import os
import secrets
import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Final

import click
from click.exceptions import Exit

from engine.bots import BOTS, DEFAULT_STRATEGY, STRATEGIES, TYPED
from engine.bots.matches import Match, MatchTally, StrategyFigures, figures_of, play_deal
from engine.deal import BadDealCode, deal_code, read_deal
from engine.editions import MAX_PLAYERS, MIN_PLAYERS, Edition, Rules
from engine.errors import BadRules, RecordError
from server.cli.commands import INTERRUPTED, complain, fail, own_words, progress, run, say

if TYPE_CHECKING:
    from server.i18n.lookup import Words


_LEVELS: Final = " ".join(f"{name} (level {row.level}): {row.line}." for name, row in BOTS.items())

edition_option: Final = click.option(
    "--edition",
    metavar="|".join(Edition),
    type=click.Choice([str(each) for each in Edition]),
    default=str(Edition.AMIGO),
    help="Edition of the rules.",
)
"""The option of commands that play."""


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


def _bad_rules(edition: str, problem: BadRules, words: "Words") -> str:
    from server.coordinator.messages import Reply
    from server.text.refusals import refusal

    return words.t(
        "the {edition} edition cannot be played like that: {problem}",
        edition=edition,
        problem=refusal(Reply(problem.code), words),
    )


def _own_name() -> str:
    """Return the user's name on this system."""
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):  # depends on Python and the system
        return "player"


def _code(deal: str, words: "Words") -> str:
    """Return the code of a deal, or of the deal of a record. Ends the command if it is neither."""
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


@click.command()
@click.argument(
    "bots",
    metavar="BOT...",
    nargs=-1,
    required=True,
    help=f"One bot for each seat, possibly the same twice: {', '.join(STRATEGIES)}.",
    shell_complete=lambda _context, _argument, begun: [
        name for name in STRATEGIES if name.startswith(begun)
    ],
)
@click.option(
    "--games", metavar="N", type=click.IntRange(1), default=1000, help="Minimum number of games."
)
@edition_option
@click.option("--modified-drowning", is_flag=True, help="bga only: the loss is not passed on.")
@click.option(
    "--seed",
    metavar="N",
    type=int,
    show_default="random",
    help="The same seed gives the same games.",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(0),
    default=0,
    help="Processes; 0 is one for each core.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def arena(
    bots: tuple[str, ...],
    games: int,
    edition: str,
    modified_drowning: bool,
    seed: int | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Let bots play against each other, and show which is better.

    Every deal is played once from every seat, so that each bot gets every hand with every order of tides. The
    result is points a stage. The 95% confidence intervals treat the deals, not the games, as independent.
    """
    rules = _rules(bots, Edition(edition), modified_drowning)
    match = Match(bots, rules, secrets.randbits(32) if seed is None else seed)
    deals = -(-games // rules.players)
    # Not every system has an affinity.
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    raise Exit(run(lambda: _compete(match, deals, jobs or cores, as_json)))


def _rules(bots: Sequence[str], edition: Edition, modified_drowning: bool) -> Rules:
    unknown = [bot for bot in bots if bot not in STRATEGIES]
    if unknown:
        fail(f"there is no bot {unknown[0]!r}; there are {', '.join(STRATEGIES)}", 2)
    if not MIN_PLAYERS <= len(bots) <= MAX_PLAYERS:
        fail(f"{MIN_PLAYERS} to {MAX_PLAYERS} bots make a game, not {len(bots)}", 2)
    try:
        return Rules(edition, len(bots), modified_drowning=modified_drowning)
    except BadRules as error:
        if error.code == "players":
            fail(f"the {edition} edition does not seat {len(bots)}", 2)
        fail(f"the {edition} edition has no modified drowning; bga has", 2)


def _compete(match: Match, deals: int, jobs: int, as_json: bool) -> int:
    tallies = {name: MatchTally() for name in match.names}
    played = status = 0
    try:
        with (
            progress("Deals", deals) as advance,
            closing(_played(match, deals, min(jobs, deals))) as results,
        ):
            for result in results:
                played += 1
                for name, tally in result.items():
                    tallies[name] = tallies[name].plus(tally)
                advance()
    except KeyboardInterrupt:
        complain("interrupted; " + ("results so far:" if played else "no game is finished"))
        status = INTERRUPTED
    if played:
        figures = {name: figures_of(match, name, tally) for name, tally in tallies.items()}
        for line in (_as_json if as_json else _table)(match, played, figures):
            say(line)
    return status


def _played(match: Match, deals: int, jobs: int) -> Generator[dict[str, MatchTally], None, None]:
    """Yield the tallies of every deal, in any order."""
    play = partial(play_deal, match, timer=process_time)
    if jobs == 1:
        yield from map(play, range(deals))
        return
    from multiprocessing import get_context

    # Spawned, as a forked process would inherit its parent's state. Only the parent handles Ctrl-C; leaving
    # the block ends the others at once.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pool = get_context("spawn").Pool(jobs)
    finally:
        signal.signal(signal.SIGINT, before)
    with pool:
        yield from pool.imap_unordered(play, range(deals))


def _table(match: Match, deals: int, figures: dict[str, StrategyFigures]) -> Iterator[str]:
    rules = match.rules
    dealt = "1 deal, from every seat" if deals == 1 else f"{deals} deals, each from every seat"
    yield (
        f"{rules.edition}{', modified drowning' * rules.modified_drowning}, {rules.players} players, "
        f"{deals * rules.players} games ({dealt}), seed {match.seed}"
    )
    yield ""
    width = max(len("bot"), *map(len, figures))
    yield f"{'bot':{width}}  points a stage     95%    games won   ms a choice"
    for name, one in sorted(figures.items(), key=lambda item: -item[1].points):
        margin = "" if one.margin is None else f"± {one.margin:.3f}"
        yield (
            f"{name:{width}}  {one.points:14.3f} {margin:>8}  {one.wins:8.1%}    "
            f"{one.milliseconds:10.3f}"
        )
    twice = [name for name in match.names if match.bots.count(name) > 1]
    if twice:
        yield ""
        yield f"{' and '.join(twice)}: the mean of the seats taken."


def _as_json(match: Match, deals: int, figures: dict[str, StrategyFigures]) -> Iterator[str]:
    rules = match.rules
    report: dict[str, Any] = {
        "edition": rules.edition,
        "modified_drowning": rules.modified_drowning,
        "players": rules.players,
        "deals": deals,
        "games": deals * rules.players,
        "seed": match.seed,
        "bots": [
            {
                "name": name,
                "seats": match.bots.count(name),
                "points_a_stage": round(one.points, 6),
                "margin_95": None if one.margin is None else round(one.margin, 6),
                "games_won": round(one.wins, 6),
                "ms_a_choice": round(one.milliseconds, 4),
            }
            for name, one in figures.items()
        ],
    }
    yield json.dumps(report)
