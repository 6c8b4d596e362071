"""``tide referee`` and ``tide verify``: the outcome of records, and whether they were dealt fairly."""

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import click
from click.exceptions import Exit

from engine.records.outcome import bot_bids_of, kinds_of
from engine.records.record_format import Record
from engine.records.referee import Report, StageReport, resolve_text, to_json
from engine.records.replay import check_seed
from engine.results import RoundResult
from server.cleaning import clean_text
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
from server.i18n.lookup import Words
from server.text.history import doubt_in_words
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

_NAME_WIDTH = 24
_SEPARATOR = " · "


def shown_names(record: Record, words: Words) -> Names:
    """The players' names, fit for a terminal, none empty and no two the same."""
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
    """The lines of the account. ``title`` says which record it is."""
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
                    say(json.dumps(to_json(found[1])))
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
