"""What a table waits for, computed from what it is: nothing is planned, so nothing has to be dropped."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from server.coordinator.messages import DAY, Pause, Status
from server.coordinator.table.state import RoundEpoch, Table
from server.settings.settings import Timing

AT_ONCE: Final = 0.0
_JUST_GONE: Final = 5.0
"""Seconds that another game waits for somebody whose line has dropped."""


class TimerKind(StrEnum):
    """What is to be done."""

    BID = "bid"
    """A bot bids for its seat, or for an away player's."""
    TIME_UP = "time_up"
    """The bids of a round were due."""
    OVERDUE = "overdue"
    """From now on the others may vote about an absent player, or without him or her."""
    FREE_SEAT = "free_seat"
    """Nobody came back for a seat at an open table."""
    NOBODY = "nobody"
    """Nobody has been here for long: suspend, end or close."""

    # What follows from something else, at once:
    RENAME = "rename"
    """Somebody has come back under another name."""
    RESUME = "resume"
    """Somebody is there for a game that stood still because nobody was."""
    VOTES = "votes"
    """Enough players agree to a motion."""
    REMATCH = "rematch"
    """All who are connected want another game, or half of them, and the others have had their time."""
    BEGIN = "begin"
    """An event's game begins: everybody is there, or it is time."""


class TableTimer(NamedTuple):
    """Something to be done, and when."""

    when: float
    kind: TimerKind
    seat: int = -1
    epoch: RoundEpoch | None = None


def due(table: Table, timing: Timing) -> Iterator[TableTimer]:
    """Everything that the table waits for."""
    if table.running:
        epoch = table.epoch
        for number, when in enumerate(table.bot_due):
            if not when:
                continue
            if table.thinks(number):
                if table.counts:
                    continue
                # Where nobody is given time to read, a bot still has that time to think.
                reading = timing.reveal if table.skipping else 0.0
                when += timing.thinking + reading  # noqa: PLW2901
            yield TableTimer(when, TimerKind.BID, number, epoch)
        # As long as a game runs, somebody has to bid.
        if table.deadline and (not table.counts or overdue_seats(table)):
            yield TableTimer(table.deadline, TimerKind.TIME_UP, -1, epoch)
    present = False
    for number, member in table.members.items():
        if member.player != table.seats[number].player:
            yield TableTimer(AT_ONCE, TimerKind.RENAME, number)
        if not member.absent:
            if not present and table.pause is Pause.SUSPENDED:
                yield TableTimer(AT_ONCE, TimerKind.RESUME, number)
            present = True
        elif table.status is Status.OPEN and not table.event:
            yield TableTimer(member.absent + _open_seat(table, timing), TimerKind.FREE_SEAT, number)
        elif table.status is Status.PLAYING and not member.overdue and not table.daily:
            yield TableTimer(member.absent + timing.absent, TimerKind.OVERDUE, number)
    if table.event and (begins := _begins(table)) is not None:
        yield TableTimer(begins, TimerKind.BEGIN)
    if table.ballots and table.carried:
        yield TableTimer(AT_ONCE, TimerKind.VOTES)
    if (again := rematch_begins(table, timing)) is not None:
        yield TableTimer(again, TimerKind.REMATCH)
    if not present and (when := _nobody(table, timing)):
        yield TableTimer(when, TimerKind.NOBODY)


def _begins(table: Table) -> float | None:
    """When the game of an event begins; ``None`` where none waits for that."""
    if table.shared is None or table.status is not Status.OPEN or table.closing:
        return None
    awaited = any(seat.left and seat.kept for seat in table.seats)
    if len(table.connected) == len(table.seated) and not awaited:
        return AT_ONCE
    return table.shared.starts or None


def rematch_begins(table: Table, timing: Timing) -> float | None:
    """Return when another game begins, if it does.

    Not while somebody who has just gone may come back to the seat, and where only half of those who are
    connected want it, when the others have had time to answer.
    """
    if table.status is not Status.OVER or table.closing:
        return None
    if not table.wants_rematch:
        return table.asked_again + timing.rematch if table.half_want_rematch else None
    if table.daily:
        # Nobody is there all the time: whoever has not gone away is waited for, but no longer than for a bid.
        if table.awaited <= table.rematch_with:
            return AT_ONCE
        return max(table.asked_again, table.restarted) + table.options.seconds
    gone = [member.absent for member in table.members.values() if member.absent]
    if not gone:
        return AT_ONCE
    restarted = table.restarted + timing.recovery if table.restarted else 0.0
    return max(max(gone) + _JUST_GONE, restarted)


def _open_seat(table: Table, timing: Timing) -> float:
    """How long a seat is kept before a game: by correspondence as long as a round may take."""
    return table.options.seconds if table.daily else timing.open_seat


def overdue_seats(table: Table) -> list[int]:
    """For whom bots bid when time is up. Where a game counts, one that thinks is given the time it takes."""
    counts, seats = table.counts, range(len(table.seats))
    return [n for n in seats if table.owes_bid(n) and not (counts and table.thinks(n))]


def _nobody(table: Table, timing: Timing) -> float:
    """When something becomes of a table where nobody who plays is connected; 0 for never."""
    if not table.deserted or table.stays:
        return 0.0
    if table.status is Status.OPEN:
        return table.deserted + _open_seat(table, timing)
    if table.status is Status.OVER:
        # Who plays a round a day looks in once a day.
        return table.deserted + (timing.keep if table.daily else timing.over)
    if table.daily or not table.has_people:
        return 0.0
    end = kept_until(table, timing)
    if not table.pause:
        return min(end, table.deserted + timing.suspend)
    # A game of guests that is watched ends when those who watch have gone, too.
    return 0.0 if table.guests_only and table.spectators else end


def kept_for(table: Table, timing: Timing) -> float:
    """Return the seconds for which this game is kept with nobody connected.

    Guests hardly ever come back for one; anybody with an account, with a vote to pause it, or with a round
    a day does.
    """
    lasting = table.pause is Pause.VOTED or table.daily
    return min(timing.guests, timing.keep) if table.guests_only and not lasting else timing.keep


def kept_until(table: Table, timing: Timing) -> float:
    """Until when this game is kept, if nobody comes.

    After a restart everybody is given a day, or what there is for guests, anew: they could not come
    back before, and the clock may have been put right meanwhile.
    """
    seconds = kept_for(table, timing)
    return max(table.deserted + seconds, table.restarted + min(seconds, DAY))
