"""What a table shows: the same for everybody who looks at it, and what only its player sees."""

from typing import NamedTuple


class SeatModel(NamedTuple):
    """One seat, as everybody sees it."""

    seat: int
    """From 0."""
    name: str
    tag: str
    """What is special about who sits there: "bot", "away", "offline"; else empty."""
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
    rank: int
    """In a reveal: 1 for the highest card, 2 for the second highest, both of which take a tide card;
    else 0."""
    card: int
    """In a reveal: the card that has been turned up; 0 for none."""
    losing: bool
    """In a reveal: has just turned a life preserver over, or is out."""
    played: tuple[int, ...]
    """Cards revealed in this stage, in order of play."""
    earlier: tuple[int, ...]
    """With assistance: cards of this hand revealed in earlier stages, ascending."""


class LogRound(NamedTuple):
    """A resolved round in words."""

    number: int
    """From 1."""
    bids: tuple[str, ...]
    """A bid each, highest first: "ada 52 took 7", "cem 31"."""
    why: tuple[str, ...]
    """Who lost a life preserver and why, as sentences."""


class TableModel(NamedTuple):
    """A table that is being played, as everybody sees it."""

    title: str
    code: str
    """What invites to this table."""
    edition: str
    house: tuple[str, ...]
    """House options in force, in words; empty when there are none."""
    stage: int
    """From 1."""
    stages: int
    round: int
    """From 1."""
    rounds: int
    stage_words: str
    round_words: str
    offer: tuple[int, int] | None
    """The tide cards on offer, lower first."""
    offer_words: tuple[str, ...]
    """Who gets which, and what happens then."""
    highest_tide: int
    """The highest tide card in the deck."""
    seats: tuple[SeatModel, ...]
    log: tuple[LogRound, ...]
    """This stage's resolved rounds, newest first."""
    wave: float
    """How far the stage has come, from 0 to 1."""
    spectators: int
    takers: tuple[str, ...] = ()
    """When a round has been revealed: who took the lower tide card of the offer, and who the higher one."""


class CardModel(NamedTuple):
    """A weather card in the own hand."""

    card: int
    halves: int
    """Life preservers printed on it, in halves."""
    sealed: bool
    """This is the sealed bid."""


class HandModel(NamedTuple):
    """The own hand."""

    seat: int
    cards: tuple[CardModel, ...]
    dealt: tuple[int, ...]
    """The hand this stage was started with: where each card has its place."""
    bid: int
    """The sealed bid; 0 for none."""
    last_to_bid: bool
    """Everybody else has bid: the next bid reveals."""


class RevealModel(NamedTuple):
    """A resolved round, to be shown step by step on the table as it was before."""

    stage: int
    round: int
    """Both from 0."""
    order: tuple[int, ...]
    """Seats that bid, lowest card first: the order in which cards turn up."""
    takers: tuple[int, int]
    """Seats that took the lower and the higher tide card."""
    offer: tuple[int, int]
    cards: tuple[int, ...]
    """The revealed card a seat; 0 for who did not bid."""
    lost: tuple[int, ...]
    """Seats that turned a life preserver over."""
    eliminated: tuple[int, ...]
    why: tuple[str, ...]
    """Who lost a life preserver and why, as sentences."""
