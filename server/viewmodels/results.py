"""What a finished stage and a finished game show."""

from itertools import accumulate
from typing import NamedTuple

from engine.deal import deal_game
from engine.results import StageResult
from engine.rules import dealt_hand_of
from engine.views import TableView
from server.coordinator.messages import Ended, Status, TableInfo
from server.i18n.catalogues import Words
from server.terminal.drawing.caches import shared
from server.text.rounds import (
    bids_in_words,
    losses_in_words,
    stage_end_in_words,
    winner_name,
)
from server.viewmodels.table import level_words, seat_facts, seat_names, seat_tag


class StageSeat(NamedTuple):
    """One seat's line of a stage summary."""

    seat: int
    name: str
    left: int
    lost: int
    level_words: str
    """The tide at the end: a number, "dry" or "out"."""
    bonus: bool
    """One point more for the lowest tide."""
    points: int
    total: int
    leader: bool


class StageModel(NamedTuple):
    """A finished stage."""

    title: str
    why_over: str
    """Why it ended when it did."""
    bids: tuple[str, ...]
    """Of its last round, highest first."""
    why: tuple[str, ...]
    """Who lost a life preserver in it and why, as sentences."""
    seats: tuple[StageSeat, ...]
    next: str
    """What comes now."""


class FinalSeat(NamedTuple):
    """One seat's line of the standings, best first."""

    seat: int
    name: str
    tag: str
    points: tuple[int, ...]
    """Of each stage."""
    bonus: tuple[bool, ...]
    """Whether the lowest tide's point is among them."""
    totals: tuple[int, ...]
    """After each stage."""
    total: int
    winner: bool
    rematch: bool


class HandLine(NamedTuple):
    """How everybody did with the same hand."""

    label: str
    results: tuple[tuple[str, int, bool], ...]
    """(name, points, best) in the order in which it was played."""


class FinalModel(NamedTuple):
    """A finished game."""

    title: str
    verdict: str
    """Who has won, as a sentence."""
    seats: tuple[FinalSeat, ...]
    hands: tuple[HandLine, ...]
    seed: str
    commitment: str
    rematch: str
    """Who wants another game, as a sentence; empty when nobody does yet."""


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


def hands_in_words(info: TableInfo, words: Words) -> tuple[str, ...]:
    """Which hand was dealt to whom, and what stayed in the box; empty before the game is over."""
    if info.status is not Status.OVER or not info.seed:
        return ()
    rules = info.options.rules
    hands = deal_game(bytes.fromhex(info.seed), rules).hands
    lines = [
        words.t("Dealt to {name}: {cards}.", name=name, cards=_cards(hand))
        for name, hand in zip(seat_names(info), hands, strict=True)
    ]
    dealt = {card for hand in hands for card in hand}
    box = tuple(card for card in range(1, 61) if card not in dealt)
    if box:
        lines.append(words.t("Not dealt: {cards}.", cards=_cards(box)))
    if rules.stages > 1:
        lines.append(words.t("With every stage each hand went on to the next seat."))
    return tuple(lines)


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join(str(card) for card in sorted(cards))
