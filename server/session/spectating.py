"""What somebody without a seat is told, and whether there is one to be had."""

from server.coordinator.messages import Occupant, Status, TableSnapshot
from server.i18n.catalogues import Words


def has_claimed(table: TableSnapshot, name: str) -> bool:
    """Whether the spectator called ``name`` is to take a bot's place."""
    return any(seat.claimed == name for seat in table.info.seats)


def can_join(table: TableSnapshot, name: str) -> bool:
    """Whether the spectator called ``name`` may take a bot's place when the next stage, or the next game,
    begins, and has not claimed one.
    """
    info = table.info
    if table.seat >= 0 or info.status is not Status.PLAYING or info.options.rated:
        return False
    if not info.options.spectators.allowed:
        return False
    if has_claimed(table, name):
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
