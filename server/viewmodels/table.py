"""View models of a table and of its standings: from snapshots to plain data in the player's language.

Everything that all seats share is made once for each change of a table and language (``shared``).
"""

from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec import structs

from engine.deal import deal_code, deal_game
from engine.editions import WEATHER_CARDS, Rules
from engine.standings import played_hands
from engine.state import Phase, RoundResult
from engine.views import TableView
from server.coordinator.messages import Ended, Occupant, SeatInfo, Status, TablePublic
from server.i18n.lookup import Words, n_
from server.terminal.drawing.caches import cached_by_identity
from server.text.rounds import Names, bids_in_words, climax_in_words, losses_in_words, winner_name
from server.text.times import shown_seconds, time_in_words
from server.viewmodels.table_options import rules_in_words


class Effect(NamedTuple):
    """What is seen for a moment in a seat's basin, while a round is revealed."""

    flash: bool = False
    """The column lights up."""
    ring: int = 0
    """A life preserver drifts away: how far it has come."""
    sunk: int = 0
    """How deep the sheep has sunk."""
    tide: int = 0
    """The tide card that has just come; 0 for none."""
    flows: bool = False
    """The water is on its way."""


class SeatModel(NamedTuple):
    """One seat, as everybody sees it."""

    seat: int
    """From 0."""
    name: str
    tag: str
    """What is special about who sits there: "bot", "away", "offline"; else empty."""
    short_tag: str
    present: bool
    """False for a player who is away or whose line is lost."""
    score: int
    level: int
    """Top tide card; 0 for none, or when out."""
    level_words: str
    """"11", "dry" or "out"."""
    out: bool
    left: int
    """Life preservers not yet turned over."""
    lost: int
    """Life preservers turned over in this stage; all of them when out."""
    leader: bool
    """Nobody has a higher total (and somebody has a lower one)."""
    highest: bool
    """Nobody still in the stage shows a higher tide card."""
    sealed: bool
    """A bid lies there face down."""
    thinking: bool
    """A bid is awaited."""
    state: str
    """What the seat is doing, in few words: "sealed", "thinking", "52 took 7"."""
    played: tuple[int, ...]
    """Cards revealed in this stage, in order of play."""
    earlier: tuple[int, ...]
    """With assistance: cards of this hand revealed in earlier stages, ascending."""
    rank: int = 0
    """In a reveal: 1 for the highest card, 2 for the second highest, both of which take a tide card;
    else 0."""
    card: int = 0
    """In a reveal: the card that has been turned up; 0 for none."""
    losing: bool = False
    """In a reveal: has just turned a life preserver over, or is out."""
    effect: Effect | None = None
    """In a reveal: what its basin shows for a moment."""


class LogRound(NamedTuple):
    """A resolved round in words."""

    number: int
    """From 1."""
    bids: tuple[str, ...]
    """A bid each, highest first: "ada 52 took 7", "cem 31"."""
    why: tuple[str, ...]
    """Reasons for lost life preservers, as sentences."""
    brief: str = ""
    """Form with few words."""


class TableModel(NamedTuple):
    """A table that is being played, as everybody sees it."""

    title: str
    edition: str
    house_rules: tuple[str, ...]
    """House options in force, in words; empty when there are none."""
    stage: int
    """From 1, as ``round``."""
    round: int
    stage_words: str
    round_words: str
    offer: tuple[int, int] | None
    """The tide cards on offer, lower first."""
    offer_words: tuple[str, ...]
    """Takers of the tide cards, and what happens then."""
    highest_tide: int
    """The highest tide card in the deck."""
    seats: tuple[SeatModel, ...]
    wave: float
    """How far the stage has come, from 0 to 1."""
    points: tuple[tuple[int, ...], ...] = ()
    """A finished stage each: its points a seat."""
    stages: int = 0
    """Number of stages to be played."""
    takers: tuple[str, ...] = ()
    """When a round has been revealed: who took the lower tide card of the offer, and who the higher one."""
    climax: tuple[str, str] = ("", "")
    """What a revealed round came to, in one line, and in a shorter one; empty until that is seen."""


EXPLAINED: Final = 2
"""Rounds of the first stage that say what comes of the highest tide, and which key bids."""
_GONE: Final = SeatInfo(Occupant.NOBODY, "")
_NAME: Final = attrgetter("name")
_BOT_BIDS: Final = attrgetter("bot_bids")


def seat_names(info: TablePublic) -> Names:
    """Return the names on the seats; of a game that is over, of its players, whoever sits there now."""
    return info.played_by or tuple(map(_NAME, info.seats))


def seat_facts(info: TablePublic) -> tuple[SeatInfo, ...]:
    """The seats with those names, and nothing of who has come after the game."""
    if not info.played_by:
        return info.seats
    return tuple(
        who if who.name == name else structs.replace(_GONE, name=name)
        for who, name in zip(info.seats, info.played_by, strict=True)
    )


@cached_by_identity(3, 512)
def present_table(info: TablePublic, view: TableView, words: Words) -> TableModel:
    """A running or finished game as everybody sees it."""
    rules = view.rules
    number = view.round if view.phase is Phase.OVER else min(view.round + 1, rules.rounds)
    offer_words: tuple[str, ...] = ()
    if view.offer is not None:
        # What is the same in every round is told as long as it may be new.
        new = view.stage == 0 and view.round < EXPLAINED
        offer_words = (
            words.t("highest bid takes the {tide}", tide=view.offer[0]),
            words.t("second highest takes the {tide}", tide=view.offer[1]),
            words.t("then the highest tide costs a life preserver") if new else "",
        )
    return TableModel(
        title=info.title,
        edition=rules.edition.called,
        house_rules=(
            *((words.t("known deal"),) if info.known else ()),
            *rules_in_words(rules, words),
        ),
        stage=view.stage + 1,
        round=number,
        stage_words=words.t("stage {stage}/{stages}", stage=view.stage + 1, stages=rules.stages),
        round_words=words.t("round {round}/{rounds}", round=number, rounds=rules.rounds),
        offer=view.offer,
        offer_words=offer_words,
        highest_tide=rules.highest_tide,
        seats=_seats(info, view, words),
        wave=len(view.rounds) / rules.rounds,
        points=view.points,
        stages=rules.stages,
    )


def _seats(info: TablePublic, view: TableView, words: Words) -> tuple[SeatModel, ...]:
    best = max([seat.score for seat in view.seats])
    some_lower = min([seat.score for seat in view.seats]) < best
    highest = max([seat.level for seat in view.seats])
    bidding = view.phase is Phase.BIDDING
    seats = []
    for number, (who, seat) in enumerate(zip(seat_facts(info), view.seats, strict=True)):
        tag = seat_tag(who, words)
        # The fields in their order, without their names: that takes half the time.
        model = SeatModel(
            number,
            who.name,
            tag,
            seat_tag(who, words, short=True) if tag else "",
            who.connected and not who.away,
            seat.score,
            seat.level,
            level_words(seat.level, seat.eliminated, words),
            seat.eliminated,
            seat.life_preservers,
            seat.start - seat.life_preservers,
            some_lower and seat.score == best,
            highest > 0 and seat.level == highest,
            seat.has_bid,
            bidding and not seat.has_bid and not seat.eliminated,
            _state(who, view, number, words),
            seat.played,
            seat.earlier,
        )
        seats.append(model)
    return tuple(seats)


def level_words(level: int, out: bool, words: Words) -> str:
    """A tide level as it is written in a basin."""
    if out:
        return words.t("out")
    return str(level) if level else words.t("dry")


def seat_tag(who: SeatInfo, words: Words, *, short: bool = False) -> str:
    """What is special about who sits on a seat, in four columns if ``short``.

    Empty for a player who is there.
    """
    if who.occupant is Occupant.BOT:
        return words.t("bot")
    if who.occupant is Occupant.NOBODY:
        return ""
    if who.left:
        return words.p("short", "left") if short else words.p("seat", "left")
    if who.away:
        return words.p("short", "away") if short else words.t("away")
    if not who.connected:
        return words.p("short", "off") if short else words.t("offline")
    if who.program:
        return words.p("short", "prog") if short else words.p("seat", "program")
    return ""


def _state(who: SeatInfo, view: TableView, number: int, words: Words) -> str:
    seat = view.seats[number]
    if view.phase is Phase.OVER:
        return words.t("won") if number in view.winners else ""
    if seat.eliminated and who.guesses:
        right, made = who.guesses
        return words.t("guessed {right}/{made}", right=right, made=made)
    if seat.eliminated or view.phase is not Phase.BIDDING:
        return ""
    if seat.has_bid:
        return words.t("sealed")
    if who.occupant is Occupant.HUMAN and not who.connected and not who.away:
        return words.t("offline")
    return words.t("thinking")


def by_bots(info: TablePublic, stage: int, round_: int) -> tuple[int, ...]:
    """The seats for whose players bots bid in a round; stage and round count from 0."""
    return tuple([n for n, who in enumerate(seat_facts(info)) if (stage, round_) in who.bot_bids])


def log_of(info: TablePublic, view: TableView, words: Words, you: int = -1) -> tuple[LogRound, ...]:
    """This stage's resolved rounds in words, newest first, as the player on the seat ``you`` reads them."""
    bots: tuple[tuple[int, ...], ...] = ((),) * len(view.rounds)
    if any(map(_BOT_BIDS, info.seats)):
        bots = tuple([by_bots(info, view.stage, number) for number in range(len(bots))])
    return _log(view.rounds, view.rules, words, seat_names(info), bots, you)


@cached_by_identity(3, 2048)
def _log(
    rounds: tuple[RoundResult, ...],
    rules: Rules,
    words: Words,
    names: Names,
    bots: tuple[tuple[int, ...], ...],
    you: int,
) -> tuple[LogRound, ...]:
    """Most of what happens at a table is a bid, which leaves it as it is."""
    told = []
    for number, result in enumerate(rounds):
        reader = you if you in result.losers else -1  # what others lose is told all alike
        told.append(_log_round(number, result, names, rules, bots[number], words, reader))
    return tuple(reversed(told))


@lru_cache(maxsize=4096)
def _log_round(
    number: int,
    result: RoundResult,
    names: Names,
    rules: Rules,
    bots: tuple[int, ...],
    words: Words,
    you: int,
) -> LogRound:
    """Shown by the round that is revealed, and by those that follow it in the stage."""
    return LogRound(
        number + 1,
        bids_in_words(result, names, words, bots),
        losses_in_words(result, names, rules, words, you, counted=False),
        climax_in_words(result, names, words, you)[1],
    )


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
