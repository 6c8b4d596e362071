"""Whether a player is waited for, and how a visit that the server ends is explained: for every face."""

from server.coordinator.messages import TableSnapshot
from server.ui.i18n import Words


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


def ended_in_words(reason: str, words: Words) -> str:
    """Why the server has ended a visit (``Update.closed``); empty when the player knows."""
    if reason == "taken_over":
        return words.t(
            "You have connected from somewhere else; this connection has handed over to it."
        )
    if reason == "shutdown":
        return words.t(
            "The server is going down. Running games are kept: come back later to go on."
        )
    return ""
