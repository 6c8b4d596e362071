"""What who is out of a stage guesses, in words."""

from server.coordinator.messages import TableSnapshot
from server.i18n.lookup import Words


def may_guess(table: TableSnapshot) -> tuple[int, ...]:
    """Whom this player may guess to take the high tide; nobody unless he or she is out of it."""
    own, view = table.own, table.table
    if own is None or view is None or view.offer is None or not view.seats[own.seat].eliminated:
        return ()
    return tuple(number for number, seat in enumerate(view.seats) if not seat.eliminated)


def guess_in_words(table: TableSnapshot, words: Words) -> str:
    """The question, or the guess that was made, and how many were right so far; empty when there is none."""
    seats, offer = may_guess(table), table.table.offer if table.table else None
    if not seats or offer is None:
        return ""
    names = [seat.name for seat in table.info.seats]
    if table.guess >= 0:
        said = words.t(
            "You guess that {name} takes the {tide}.", name=names[table.guess], tide=offer[1]
        )
    else:
        told = ", ".join(f"{seat + 1} {names[seat]}" for seat in seats)
        said = words.t("Guess who takes the {tide}: {names}.", tide=offer[1], names=told)
    score = guessed_in_words(table, words)
    return f"{said} {score}" if score else said


def guessed_in_words(table: TableSnapshot, words: Words) -> str:
    """How many of this player's guesses were right; empty before the first."""
    guesses = table.info.seats[table.seat].guesses if table.seat >= 0 else None
    if guesses is None:
        return ""
    right, made = guesses
    return words.t("Guessed right: {right} of {made}.", right=right, made=made)
