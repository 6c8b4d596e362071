"""Tells a program over GMCP how things stand, whenever that has changed."""

from collections.abc import Callable
from typing import Any, Final

from server.coordinator.messages import Update
from server.transport.tide_state import tide_state

PACKAGE: Final = "Tide.State"


class StateTeller:
    """``can_tell`` is asked before each message, which ``tell`` then sends. What cannot be told now is passed
    over: the next one has everything.
    """

    def __init__(
        self, can_tell: Callable[[], bool], tell: Callable[[str, dict[str, Any]], None]
    ) -> None:
        self._can_tell: Final = can_tell
        self._tell: Final = tell
        self._newest: Update | None = None
        self.told: dict[str, Any] | None = None
        """The last message."""

    def heard(self, update: Update) -> None:
        """The visitor's face has been told this."""
        self._newest = update
        self.catch_up()

    def catch_up(self) -> None:
        """It may be possible now."""
        if self._newest is None or not self._can_tell():
            return
        state = tide_state(self._newest)
        if state != self.told:
            self.told = state
            self._tell(PACKAGE, state)
