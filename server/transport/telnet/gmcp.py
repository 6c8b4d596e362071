"""Tells a program over GMCP how things stand, whenever that has changed, and what is said."""

from collections.abc import Callable
from typing import Any, Final

from server.coordinator.messages import ChatLine, Update
from server.i18n.catalogues import Words
from server.session.lobby_rate import Paced
from server.terminal.timers import EventLoopTimers, TimerHandle
from server.text.chat import said_in_words
from server.transport.telnet.gmcp_state import tide_state

PACKAGE: Final = "Tide.State"
CHAT: Final = "Comm.Channel.Text"
"""The message that MUD clients know for what is said on a channel."""


class GmcpPublisher:
    """``can_tell`` is asked before each message, which ``tell`` then sends. What cannot be told now is passed
    over: the next one has everything.
    """

    def __init__(
        self,
        can_tell: Callable[[], bool],
        tell: Callable[[str, dict[str, Any]], None],
        words: Callable[[], Words],
        timers: EventLoopTimers,
    ) -> None:
        """``words`` is the player's language, for phrases."""
        self._timers: Final = timers
        self._pace: Final = Paced()
        self._later: TimerHandle | None = None
        self._can_tell = can_tell
        self._tell = tell
        self._words = words
        self._newest: Update | None = None
        self.told: dict[str, Any] | None = None
        """The last message."""

    def heard(self, update: Update) -> None:
        """The visitor's face has been told this."""
        self._newest = update
        self.catch_up()
        for line in update.chat:
            if not line.old and self._can_tell():
                self._tell(CHAT, chat_message(line, self._words()))

    def forget(self) -> None:
        """The line is gone: let go of it."""
        self._can_tell = _no_longer
        if self._later is not None:
            self._later.cancel()
            self._later = None
        del self._tell, self._words

    def catch_up(self) -> None:
        """It may be possible now."""
        if self._newest is None or self._later is not None or not self._can_tell():
            return
        now = self._timers.time()
        if wait := self._pace.wait(now):
            self._later = self._timers.call_later(wait, self._waited)
            return
        state = tide_state(self._newest)
        if state != self.told:
            self.told = state
            self._pace.told(now, len(str(state)))
            self._tell(PACKAGE, state)

    def _waited(self) -> None:
        self._later = None
        self.catch_up()


def _no_longer() -> bool:
    return False


def chat_message(line: ChatLine, words: Words) -> dict[str, Any]:
    """What was said, ready for JSON; ``channel`` is a value of ``messages.Room``."""
    return {
        "channel": line.room.value,
        "talker": line.sender,
        "text": said_in_words(line, words),
        "to": line.to or None,
        "watching": line.watching,
    }
