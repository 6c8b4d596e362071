"""Whether a player is waited for, and how a visit that the server ends is explained: for every face."""

from typing import Final

from server.coordinator.messages import Occupant, Status, TableSnapshot
from server.ui.i18n import Words

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


def ended_in_words(reason: str, words: Words) -> str:
    """Why the server has ended a visit (``Update.closed``); empty when the player knows, or has been told by
    the house (``Update.said``).
    """
    if reason == "taken_over":
        return words.t(
            "You have connected from somewhere else; this connection has handed over to it."
        )
    if reason == "shutdown":
        return words.t(
            "The server is going down. Running games are kept: come back later to go on."
        )
    return ""
