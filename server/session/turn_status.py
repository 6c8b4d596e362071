"""Whether a player is waited for, alone, or only watching, and what calls one who is wanted: a bell, a
notification of the terminal, a sentence in time.
"""

from collections.abc import Callable
from typing import Final

from server.coordinator.messages import Occupant, Pace, Status, TableSnapshot
from server.coordinator.time_source import Clock
from server.i18n.lookup import Words
from server.session.preferences import Preferences
from server.terminal.capabilities import Capabilities
from server.terminal.drawing.frame import Span
from server.text.times import PRECISE, clock_span
from server.timers import OneTimer
from server.viewmodels.standings import rematch_vote


def owes_bid(table: TableSnapshot) -> bool:
    """Whether this player has a card to bid, and has not."""
    own = table.own
    if own is None or own.table.offer is None or table.info.status is not Status.PLAYING:
        return False
    return bool(own.hand) and not own.bid


def waits_for(table: TableSnapshot) -> bool:
    """Return whether everybody else at the table has bid, and this player has not."""
    if table.table is None or not owes_bid(table):
        return False
    return all(
        seat.has_bid or seat.eliminated or number == table.seat
        for number, seat in enumerate(table.table.seats)
    )


def people_wait_for(table: TableSnapshot) -> bool:
    """Return whether this player keeps a person waiting: bots have patience."""
    return waits_for(table) and any(
        seat.occupant is Occupant.HUMAN and seat.connected and not (seat.away or seat.left)
        for number, seat in enumerate(table.info.seats)
        if number != table.seat
    )


def owes_answer(table: TableSnapshot) -> bool:
    """Whether others want another game, and this player has not answered."""
    vote = rematch_vote(table.info) if table.info.status is Status.OVER else None
    return vote is not None and table.seat in vote.awaited


def may_skip(table: TableSnapshot) -> bool:
    """Whether this player is out, can have the stage go on without pauses, and has not asked for that."""
    skip = table.info.skip
    return skip is not None and table.seat >= 0 and table.seat not in skip.agreed


def skips(table: TableSnapshot | None) -> bool:
    """Whether this player has no more pauses in a stage, and wants to see only what it brings."""
    skip = table.info.skip if table is not None else None
    return skip is not None and skip.agreed_on and table is not None and table.seat in skip.agreed


def bid_due(table: TableSnapshot | None) -> float:
    """When this player's bid is due; 0 when none is, or at no fixed time."""
    if table is None or table.info.status is not Status.PLAYING:
        return 0.0
    return table.info.deadline if owes_bid(table) else 0.0


def table_clock(table: TableSnapshot, now: float, words: Words, thin: bool) -> Span:
    """What the clock in the corner says; nothing when nothing is due."""
    info = table.info
    if not info.deadline or info.pause:
        return ("", "")
    return clock_span(info.deadline - now, words, thin)


def last_seconds(table: TableSnapshot, now: float, words: Words, thin: bool) -> str:
    """Count down the last ten seconds for this player's own bid, otherwise nothing."""
    hurry = 0 < table.info.deadline - now <= PRECISE and bid_due(table)
    return table_clock(table, now, words, thin)[1] if hurry else ""


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


def is_alone(table: TableSnapshot | None) -> bool:
    """Whether this player waits at a table of his or her own, and nobody is expected there by name."""
    if table is None or table.info.status is not Status.OPEN or not table.owned:
        return False
    info = table.info
    others = any(seat.name for n, seat in enumerate(info.seats) if n != table.seat)
    awaited = info.private or any(seat.kept for seat in info.seats)
    daily = info.options.pace is Pace.CORRESPONDENCE
    barred = daily or info.options.rated or info.closing or info.spectators
    return not (others or awaited or barred)


WARNING_SECONDS: Final = 10.0
"""Seconds before a bid is due at which its player is warned, once a round."""

WAYS: Final = {
    # iTerm2's, which kitty, Ghostty and WezTerm have taken over.
    "osc9": "\x1b]9;Turn the Tide: {why}\x1b\\",
    # urxvt's, which foot and Contour have taken over.
    "osc777": "\x1b]777;notify;Turn the Tide;{why}\x1b\\",
}
"""Sequences that show a notification; its text has no semicolon and no control character."""

PATIENCE: Final = 20.0
"""Seconds alone at a table before the question whether to start against bots."""


def attention(preferences: Preferences, abilities: Capabilities, why: str) -> str:
    """What to send when the player is wanted at the table, ``why`` being a short sentence; prints nothing
    and does not move the cursor.
    """
    shown = WAYS.get(abilities.notifies, "").format(why=why) if preferences.notify else ""
    return f"\a{shown}" if preferences.bell else shown


class Alerts:
    """Calls ``warn`` with the seconds left, once for each bid that is nearly due, ``ask`` when the player has
    been alone for a while, once a visit, and ``again`` when others want another game and wait for the player,
    once a game.
    """

    def __init__(
        self,
        clock: Clock,
        warn: Callable[[float], None],
        ask: Callable[[], None],
        again: Callable[[], None],
    ) -> None:
        self._clock: Final = clock
        self._warn: Final = warn
        self._ask: Final = ask
        self._again: Final = again
        self._bid: Final = OneTimer(clock)
        self._solo: Final = OneTimer(clock)
        self._due = self._warned_for = 0.0
        self._asked = False
        self._again_after: tuple[str, int] | None = None
        """The table and the number of the game after which another one was last asked for."""

    def updated(self, table: TableSnapshot | None) -> None:
        """How things are now."""
        due = bid_due(table)
        if due != self._due:
            self._due = due
            if due and due != self._warned_for:
                self._bid.start(due - WARNING_SECONDS, lambda: self._nearly(due))
            else:
                self._bid.cancel()
        if not is_alone(table):
            self._solo.cancel()
        elif not (self._solo.running or self._asked):
            self._solo.after(PATIENCE, self._alone)
        if table is not None and owes_answer(table):
            game = (table.info.id, table.info.game)
            if game != self._again_after:
                self._again_after = game
                self._again()

    def _nearly(self, due: float) -> None:
        left = due - self._clock.time()
        if left > 0:
            self._warned_for = due
            self._warn(left)

    def _alone(self) -> None:
        self._asked = True
        self._ask()

    def stop(self) -> None:
        """Nobody is to be called any more."""
        self._bid.cancel()
        self._solo.cancel()
