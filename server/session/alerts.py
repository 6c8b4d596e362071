"""What a player is called for: a bid that is nearly due, an empty table, the end of the server."""

import math
from collections.abc import Callable, Mapping
from typing import Final

from server.coordinator.clock import Clock, OneTimer
from server.coordinator.messages import LobbySnapshot, Status, TableSnapshot
from server.i18n.catalogues import Words
from server.session.settings import Preferences
from server.session.turn_status import WARNING_SECONDS, bid_due
from server.terminal.capabilities import Capabilities
from server.text.countdown import clock_span

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

PATIENCE: Final = 20.0
"""Seconds alone at a table before the question whether to start against bots."""


def attention(preferences: Preferences, abilities: Capabilities, why: str) -> str:
    """What to send when the player is wanted at the table, ``why`` being a short sentence; prints nothing
    and does not move the cursor.
    """
    said = _BELL if preferences.bell else ""
    way = WAYS.get(abilities.notifies)
    if preferences.notify and way is not None:
        said += way("Turn the Tide", why)
    return said


def is_alone(table: TableSnapshot | None) -> bool:
    """Whether this player waits at a table of his or her own, and nobody is expected there by name."""
    if table is None or table.seat < 0 or table.seat != table.info.owner:
        return False
    info = table.info
    others = any(seat.name for n, seat in enumerate(info.seats) if n != table.seat)
    awaited = info.private or any(seat.kept for seat in info.seats)
    return (
        info.status is Status.OPEN
        and not (others or awaited or info.options.rated or info.closing)
        and not info.spectators
    )


class Alerts:
    """Calls ``warn`` with the seconds left, once for each bid that is nearly due, and ``ask`` when the player
    has been alone for a while, once a visit.
    """

    __slots__ = ("_ask", "_asked", "_bid", "_clock", "_due", "_solo", "_warn", "_warned_for")

    def __init__(
        self, clock: Clock, warn: Callable[[float], None], ask: Callable[[], None]
    ) -> None:
        self._clock: Final = clock
        self._warn: Final = warn
        self._ask: Final = ask
        self._bid: Final = OneTimer(clock)
        self._solo: Final = OneTimer(clock)
        self._due = self._warned_for = 0.0
        self._asked = False

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


def closing_time(lobby: LobbySnapshot | None, table: TableSnapshot | None) -> float:
    """When the server goes down; 0 while it stays."""
    if table is not None:
        return table.info.closing
    return lobby.closing if lobby is not None else 0.0


def closing_in_words(left: float, words: Words, thin: bool) -> str:
    """``left`` seconds before the server goes down; infinite while it only lets no game begin."""
    if math.isinf(left):
        return words.t("No new game begins here for now. Games in progress go on.")
    if left <= 0:
        return words.t("The server closes now. Games are kept.")
    time = clock_span(left, words, thin)[1]
    return words.t("The server closes in {time}. Games are kept.", time=time)
