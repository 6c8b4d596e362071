"""What a finished stage and a finished game show."""

from typing import NamedTuple


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
