"""What calls a player who is wanted: a bell, a notification of the terminal, a sentence in time."""

from collections.abc import Callable
from typing import Final

from server.coordinator.messages import TableSnapshot
from server.coordinator.time_source import Clock
from server.session.preferences import Preferences
from server.session.turn_status import bid_due, is_alone, owes_answer
from server.terminal.capabilities import Capabilities
from server.timers import OneTimer

WARNING_SECONDS: Final = 10.0
"""So long before a bid is due its player is called, once a round."""

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
