"""Calling a player back to the table: when time is short, with the bell or a notification."""

from collections.abc import Callable, Mapping
from typing import Final

from server.coordinator.clock import Clock, OneTimer
from server.coordinator.messages import TableSnapshot
from server.session.settings import Preferences
from server.session.turn_status import WARNING_SECONDS, bid_due
from server.terminal.capabilities import Capabilities

_BELL: Final = "\a"
_OSC: Final = "\x1b]"
_ST: Final = "\x1b\\"

WAYS: Final[Mapping[str, Callable[[str, str], str]]] = {
    # iTerm2's, which kitty, Ghostty and WezTerm have taken over.
    "osc9": lambda title, text: f"{_OSC}9;{title}: {text}{_ST}",
    # urxvt's, which foot and Contour have taken over.
    "osc777": lambda title, text: f"{_OSC}777;notify;{title};{text}{_ST}",
}
"""Sequences that show a notification; their texts have no semicolon and no control character."""


def attention(preferences: Preferences, abilities: Capabilities, why: str) -> str:
    """What to send when the player is wanted at the table, ``why`` being a short sentence; prints nothing
    and does not move the cursor.
    """
    said = _BELL if preferences.bell else ""
    way = WAYS.get(abilities.notifies)
    if preferences.notify and way is not None:
        said += way("Turn the Tide", why)
    return said


class BidAlarm:
    """Calls ``warn`` with the seconds left, once for each bid that is nearly due."""

    __slots__ = ("_clock", "_due", "_timer", "_warn", "_warned_for")

    def __init__(self, clock: Clock, warn: Callable[[float], None]) -> None:
        self._clock: Final = clock
        self._warn: Final = warn
        self._timer: Final = OneTimer(clock)
        self._due = self._warned_for = 0.0

    def updated(self, table: TableSnapshot | None) -> None:
        """How things are now."""
        due = bid_due(table)
        if due == self._due:
            return
        self._due = due
        if due and due != self._warned_for:
            self._timer.start(due - WARNING_SECONDS, lambda: self._now(due))
        else:
            self._timer.cancel()

    def _now(self, due: float) -> None:
        left = due - self._clock.time()
        if left > 0:
            self._warned_for = due
            self._warn(left)

    def stop(self) -> None:
        """Nobody is to be called any more."""
        self._timer.cancel()
