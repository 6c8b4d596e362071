"""A resolved record as a readable account, round by round, with the reasons."""

from collections.abc import Iterator

from engine.records.outcome import Report, StageReport, bot_bids_of, kinds_of
from engine.records.record_format import Record
from engine.state import RoundResult
from server.cleaning import clean_text
from server.i18n.lookup import Words
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

_NAME_WIDTH: Final = 24
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
