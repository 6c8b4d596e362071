"""Finished stages and games as view models."""

from itertools import accumulate

from engine.results import StageResult
from engine.rules import dealt_hand_of
from engine.views import TableView
from server.coordinator.messages import Ended, TableInfo
from server.i18n.catalogues import Words
from server.terminal.drawing.identity_cache import shared
from server.text.rounds import (
    bids_in_words,
    losses_in_words,
    stage_end_in_words,
    winner_name,
)
from server.viewmodels.results import FinalModel, FinalSeat, HandLine, StageModel, StageSeat
from server.viewmodels.table_presenter import level_words, seat_facts, seat_names, seat_tag


@shared(4)
def present_stage(
    info: TableInfo, view: TableView, result: StageResult, words: Words, stage: int, last: bool
) -> StageModel:
    """Stage ``stage`` (from 0); ``view`` is any view of that game. ``last``: the game is over."""
    names = seat_names(info)
    final = result.rounds[-1]
    best = max(result.scores)
    some_lower = any(score < best for score in result.scores)
    seats = tuple(
        StageSeat(
            seat=seat,
            name=name,
            left=final.life_preservers[seat],
            lost=result.start[seat] - final.life_preservers[seat],
            level_words=level_words(final.levels[seat] or 0, result.eliminated[seat], words),
            bonus=seat in result.bonus,
            points=result.points[seat],
            total=result.scores[seat],
            leader=some_lower and result.scores[seat] == best,
        )
        for seat, name in enumerate(names)
    )
    if last:
        following = words.t("That was the last stage. Space shows the standings.")
    else:
        following = words.t("Every hand now passes to the left, with all its life preservers.")
    return StageModel(
        title=words.t(
            "Stage {stage} of {stages} is over", stage=stage + 1, stages=view.rules.stages
        ),
        why_over=stage_end_in_words(final, len(result.rounds), view.rules, words),
        bids=bids_in_words(final, names, words),
        why=losses_in_words(final, names, view.rules, words),
        seats=seats,
        next=following,
    )


@shared(3)
def present_final(info: TableInfo, view: TableView, words: Words) -> FinalModel:
    """The standings of a game that is over."""
    names, sitting = seat_names(info), seat_facts(info)
    players = range(len(names))
    points = {seat: tuple(stage[seat] for stage in view.points) for seat in players}
    order = sorted(players, key=lambda seat: (-sum(points[seat]), seat))
    seats = tuple(
        FinalSeat(
            seat=seat,
            name=names[seat],
            tag=seat_tag(sitting[seat], words),
            points=points[seat],
            bonus=tuple(seat in bonus for bonus in view.bonuses),
            totals=tuple(accumulate(points[seat])),
            total=sum(points[seat]),
            winner=seat in view.winners,
            rematch=sitting[seat].rematch,
        )
        for seat in order
    )
    asked = tuple(who.name for who in info.seats if who.rematch)
    return FinalModel(
        title=words.t("Final standings") if view.winners else words.t("The game was broken off"),
        verdict=_verdict(info, view, words),
        seats=seats,
        hands=_hands(view, names, words),
        seed=info.seed,
        commitment=info.commitment,
        rematch=words.n(
            "{names} wants another game",
            "{names} want another game",
            len(asked),
            names=words.listed(asked),
        )
        if asked
        else "",
    )


def _verdict(info: TableInfo, view: TableView, words: Words) -> str:
    sitting = seat_facts(info)
    winners = tuple(
        winner_name(sitting[seat].name, sitting[seat].left, words) for seat in view.winners
    )
    if not winners:
        if info.ended is Ended.VOTED:
            return words.t("Everybody agreed to end it.")
        return words.t("Nobody came back for it.")
    best = max(seat.score for seat in view.seats)
    if len(winners) == 1:
        return words.n(
            "{name} wins with {count} point.", "{name} wins with {count} points.", best,
            name=winners[0],
        )  # fmt: skip
    return words.n(
        "{names} share the win with {count} point each.",
        "{names} share the win with {count} points each.",
        best,
        names=words.listed(winners),
    )


def _hands(view: TableView, names: tuple[str, ...], words: Words) -> tuple[HandLine, ...]:
    """How each hand went, whoever played it: it passes on with every stage. Nothing after a single one,
    when nobody has played the hand of anybody else.
    """
    if len(view.points) < 2:
        return ()
    lines = []
    players = len(names)
    for hand in range(players):
        played = []
        for stage, points in enumerate(view.points):
            holder = next(
                seat for seat in range(players) if dealt_hand_of(seat, stage, players) == hand
            )
            played.append((names[holder], points[holder]))
        best = max(points for _, points in played)
        lines.append(
            HandLine(
                words.t("dealt to {name}", name=names[hand]),
                tuple((name, points, points == best) for name, points in played),
            )
        )
    return tuple(lines)
