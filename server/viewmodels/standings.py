"""How everybody stands after a stage, and at the end of a game."""

from typing import NamedTuple

from engine.deal import deal_code, deal_game
from engine.editions import WEATHER_CARDS
from engine.standings import played_hands
from engine.views import TableView
from server.coordinator.messages import Ended, Occupant, Status, TablePublic
from server.i18n.lookup import Words, n_
from server.text.rounds import winner_name
from server.text.times import shown_seconds, time_in_words
from server.viewmodels.table import seat_facts, seat_names


class HandLine(NamedTuple):
    """How everybody did with the same hand."""

    label: str
    results: tuple[tuple[str, int, bool], ...]
    """(name, points, best) in the order in which it was played."""


def code_of(info: TablePublic) -> str:
    """The code of the deal of a game that is over; empty where that is not public."""
    return deal_code(bytes.fromhex(info.seed), info.options.rules) if info.seed else ""


def title_of(view: TableView, words: Words) -> str:
    """What stands above a game that is over."""
    return words.t("Final standings") if view.winners else words.t("The game was abandoned")


class RematchVote(NamedTuple):
    """Seats of people who want another game after this one, and of those who have not answered yet."""

    agreed: tuple[int, ...]
    awaited: tuple[int, ...]

    @property
    def needed(self) -> int:
        """The number of players who have to agree, as long as nobody comes or goes."""
        return len(self.agreed) + len(self.awaited)


def rematch_vote(info: TablePublic) -> RematchVote | None:
    """``None`` while nobody has asked for another game."""
    if info.status is not Status.OVER:
        return None
    people = [
        (number, seat.rematch)
        for number, seat in enumerate(info.seats)
        if seat.occupant is Occupant.HUMAN and seat.connected and not seat.left
    ]
    agreed = tuple([number for number, wants in people if wants])
    awaited = tuple([number for number, wants in people if not wants])
    return RematchVote(agreed, awaited) if agreed else None


def rematch_in_words(info: TablePublic, now: float, words: Words, *, thin: bool = False) -> str:
    """Say who wants another game, who has not answered, and when it begins anyway.

    Empty when nobody wants one yet.
    """
    vote = rematch_vote(info)
    begins = ""
    if left := shown_seconds(info.begins - now, thin):
        time = time_in_words(left, words)
        begins = words.t("It begins in {time}, with bots for those who are missing.", time=time)
    if vote is None or not vote.awaited:
        return begins
    agreed, awaited = (tuple([info.seats[seat].name for seat in seats]) for seats in vote)
    said = words.n(
        "{names} wants another game ({count} of {needed}).",
        "{names} want another game ({count} of {needed}).",
        len(agreed),
        names=words.listed(agreed),
        needed=vote.needed,
    )
    waits = words.t("Waiting for {names}.", names=words.listed(awaited))
    return " ".join(filter(None, (said, waits, begins)))


def verdict(info: TablePublic, view: TableView, words: Words) -> str:
    """Name the winner, as a sentence."""
    sitting = seat_facts(info)
    winners = tuple(
        winner_name(sitting[seat].name, sitting[seat].left, words) for seat in view.winners
    )
    if not winners:
        if info.ended is Ended.VOTED:
            return words.t("Everybody agreed to end it.")
        return words.t("Nobody came back for it.")
    best = max(seat.score for seat in view.seats)
    text = n_("{name} wins with {count} point.", "{name} wins with {count} points.")
    if len(winners) > 1:
        text = n_(
            "{names} share the win with {count} point each.",
            "{names} share the win with {count} points each.",
        )
    return words.fill(text, count=best, name=winners[0], names=words.listed(winners))


def headline(view: TableView, you: int, words: Words) -> str:
    """What a player who has won reads first; empty for everybody else."""
    if you not in view.winners:
        return ""
    return words.t("You share the win!") if len(view.winners) > 1 else words.t("You win!")


def hand_results(info: TablePublic, view: TableView, words: Words) -> list[HandLine]:
    """How each hand went, whoever played it."""
    names, lines = seat_names(info), []
    for hand, played in enumerate(played_hands(view)):
        best = max(points for _, points in played)
        results = tuple((names[seat], points, points == best) for seat, points in played)
        lines.append(HandLine(words.t("dealt to {name}", name=names[hand]), results))
    return lines


def hands_in_words(info: TablePublic, words: Words) -> tuple[str, ...]:
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
    box = tuple(card for card in WEATHER_CARDS if card not in dealt)
    if box:
        lines.append(words.t("Not dealt: {cards}.", cards=_cards(box)))
    if rules.stages > 1:
        lines.append(words.t("With every stage each hand went on to the next seat."))
    return tuple(lines)


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join(str(card) for card in sorted(cards))
