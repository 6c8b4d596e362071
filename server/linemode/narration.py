"""What line mode says unasked: what a player at the table would hear, and no more."""

from typing import Final

from msgspec import structs

from engine.results import RoundResult, StageResult
from server.coordinator.messages import (
    BidSealed,
    Closing,
    GameOver,
    GameStarted,
    Happening,
    RoundResolved,
    StageScored,
    StageStarted,
    TableSnapshot,
    TidesTurned,
    TookOver,
    Update,
)
from server.i18n.catalogues import Words
from server.linemode.status import dealt_line, final_lines, levels_line, numbers, signed, view_of
from server.session.settings import Verbosity
from server.text.events import happening_in_words, info_before
from server.text.rounds import Names, bids_in_words, losses_in_words, stage_end_in_words
from server.viewmodels.table import seat_names
from server.viewmodels.table_options import options_in_words

_ENDS: Final = (".", "!", "?", ":")


def sentence(text: str, names: Names = ()) -> str:
    """``text`` with a capital letter and a full stop; but whoever of ``names`` it begins with is called as
    ever.
    """
    if not any(text.startswith(name) for name in names):
        text = text[:1].upper() + text[1:]
    return text if text.endswith(_ENDS) else f"{text}."


def told(update: Update, table: TableSnapshot, words: Words, talk: Verbosity) -> list[str]:
    """What has happened at ``table`` as sentences, oldest first."""
    lines: list[str] = []
    now, table = table, structs.replace(table, info=info_before(table.info, update.happenings))
    for happening in update.happenings:
        if isinstance(happening, TookOver):
            table = now
        lines += _told(happening, table, words, talk)
    return lines


def _told(happening: Happening, table: TableSnapshot, words: Words, talk: Verbosity) -> list[str]:
    talkative = talk is Verbosity.TALKATIVE
    match happening:
        case GameStarted():
            facts = ", ".join(options_in_words(table.info.options, words))
            return [words.t("The game begins: {facts}.", facts=facts)]
        case BidSealed(seat=seat):
            heard = talkative and seat != table.seat
            return [words.t("{name} has bid.", name=table.info.seats[seat].name)] if heard else []
        case StageStarted(stage=stage):
            view = view_of(table)
            lines = [
                words.t("Stage {stage} of {stages}.", stage=stage + 1, stages=view.rules.stages)
            ]
            if table.own is not None and view.stage == stage:
                lines.append(dealt_line(table.own, words))
            return lines
        case TidesTurned():
            return _tides(happening, table, words, talkative)
        case RoundResolved(result=result):
            return round_lines(result, table, words)
        case StageScored(result=result, stage=stage):
            return stage_lines(result, stage, table, words)
        case GameOver():
            return final_lines(table, words)
    # When the server closes is for the session to say, also in the lobby and to who wants quiet.
    if talk is Verbosity.QUIET or (isinstance(happening, Closing) and happening.when):
        return []
    return [happening_in_words(happening, table, words)]


def _tides(event: TidesTurned, table: TableSnapshot, words: Words, talkative: bool) -> list[str]:
    low, high = event.offer
    lines = [
        words.t("Round {round}: tides {low} and {high}.", round=event.round + 1, low=low, high=high)
    ]
    view = table.table
    if talkative and view is not None and (view.stage, view.round) == (event.stage, event.round):
        if event.round:
            lines.append(levels_line(table, words))
        if table.own is not None and table.own.hand:
            lines.append(words.t("Your hand: {cards}.", cards=numbers(table.own.hand)))
    return lines


def round_lines(result: RoundResult, table: TableSnapshot, words: Words) -> list[str]:
    """A revealed round."""
    names = seat_names(table.info)
    bids = ", ".join(bids_in_words(result, names, words))
    losses = losses_in_words(result, names, view_of(table).rules, words)
    return [sentence(text, names) for text in (bids, *losses)]


def stage_lines(result: StageResult, stage: int, table: TableSnapshot, words: Words) -> list[str]:
    """A scored stage; ``stage`` from 0."""
    names, rules = seat_names(table.info), view_of(table).rules
    why = stage_end_in_words(result.rounds[-1], len(result.rounds), rules, words)
    points = [f"{name} {signed(result.points[seat])}" for seat, name in enumerate(names)]
    for seat in result.bonus:
        points[seat] = words.t("{points} with the bonus for the lowest tide", points=points[seat])
    lines = [
        words.t("Stage {stage} is over: {why}.", stage=stage + 1, why=why),
        words.t("Points: {points}.", points=", ".join(points)),
    ]
    # After the last stage the standings say so.
    if stage + 1 < rules.stages:
        totals = ", ".join(f"{name} {result.scores[seat]}" for seat, name in enumerate(names))
        lines.append(words.t("Totals: {totals}.", totals=totals))
    return lines
