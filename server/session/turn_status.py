"""Whether a player is waited for, and how one watches: for every frontend."""

from typing import Final

from server.coordinator.messages import Occupant, Status, TableSnapshot
from server.i18n.catalogues import Words
from server.terminal.drawing.frame import Span
from server.text.countdown import clock_span

WARNING_SECONDS: Final = 10.0
"""So long before a bid is due its player is called, once a round."""


def waits_for(table: TableSnapshot) -> bool:
    """Whether everybody else at the table has bid and this player has not."""
    own = table.own
    if own is None or own.bid or not own.hand or own.table.offer is None:
        return False
    return all(
        seat.has_bid or seat.eliminated
        for number, seat in enumerate(own.table.seats)
        if number != own.seat
    )


def people_wait_for(table: TableSnapshot) -> bool:
    """The same, with a person among those who wait: bots have patience."""
    people = (
        seat.occupant is Occupant.HUMAN and seat.connected and not (seat.away or seat.left)
        for number, seat in enumerate(table.info.seats)
        if number != table.seat
    )
    return waits_for(table) and any(people)


def bid_due(table: TableSnapshot | None) -> float:
    """When this player's bid is due; 0 when none is, or at no fixed time."""
    if table is None or table.own is None or table.info.status is not Status.PLAYING:
        return 0.0
    own = table.own
    return table.info.deadline if own.hand and not own.bid and own.table.offer else 0.0


def table_clock(table: TableSnapshot, now: float, words: Words, thin: bool) -> Span:
    """What the clock in the corner says; nothing when nothing is due."""
    info = table.info
    if not info.deadline or info.pause:
        return ("", "")
    return clock_span(info.deadline - now, words, thin)


def has_claimed(table: TableSnapshot, name: str) -> bool:
    """Whether the spectator called ``name`` is to take a bot's place."""
    return any(seat.claimed == name for seat in table.info.seats)


def can_join(table: TableSnapshot, name: str) -> bool:
    """Whether the spectator called ``name`` may take a bot's place when the next stage, or the next game,
    begins, and has not claimed one.
    """
    info, options = table.info, table.info.options
    watches = table.seat < 0 and info.status is Status.PLAYING and options.spectators.allowed
    if not watches or options.rated or has_claimed(table, name):
        return False
    return any(
        seat.occupant is Occupant.BOT and not seat.left and not seat.claimed for seat in info.seats
    )


def watching_in_words(table: TableSnapshot, name: str, words: Words) -> str:
    """How the player called ``name`` watches here, and what he or she waits for."""
    for seat in table.info.seats:
        if seat.claimed == name:
            return words.t("You take {bot}'s place when the next stage begins.", bot=seat.name)
    if table.behind:
        return words.t("You are watching: each round is shown when it is over.")
    return words.t("You are watching.")
