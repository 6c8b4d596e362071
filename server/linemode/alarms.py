"""What line mode says because of the time: that a bid is due soon, and when the server goes down."""

import math
from typing import Final

from server.coordinator.clock import Timer
from server.linemode.context import LineContext
from server.session.bell import attention
from server.session.shutdown_notice import closing_in_words, closing_time
from server.session.turn_status import WARNING_SECONDS, bid_due


class Alarms:
    """Of one session. Each is said once for what it is about."""

    __slots__ = ("_closing", "_last_call", "_session", "_warned_for", "_warning")

    def __init__(self, session: LineContext) -> None:
        self._session: Final = session
        self._warning: Timer | None = None
        self._warned_for = 0.0
        self._closing = 0.0
        """The end of the server that has been told."""
        self._last_call: Timer | None = None

    def stop(self) -> None:
        """The session is over."""
        for timer in (self._warning, self._last_call):
            if timer is not None:
                timer.cancel()

    def bid_may_be_due(self) -> None:
        """The table has changed: warn shortly before time is up."""
        if self._warning is not None:
            self._warning.cancel()
            self._warning = None
        deadline = bid_due(self._session.table)
        if deadline and deadline != self._warned_for:
            self._warning = self._session.clock.call_at(deadline - WARNING_SECONDS, self._warn)

    def _warn(self) -> None:
        session = self._session
        deadline = bid_due(session.table)
        left = deadline - self._session.clock.time()
        if deadline and left > 0:
            self._warned_for = deadline
            said = session.words.n(
                "{count} second left to bid.", "{count} seconds left to bid.", round(left)
            )
            session.say(said + attention(session.preferences, session.abilities, said))

    def server_may_close(self) -> None:
        """Say when the server goes down: as soon as that is known, and shortly before."""
        session = self._session
        when = closing_time(session.lobby, session.table)
        if when == self._closing:
            return
        stays = bool(self._closing) and not when
        self._closing = when
        if stays and session.table is None:  # tables tell it by themselves
            session.say(session.words.t("The server stays open, and new games may begin."))
        if self._last_call is not None:
            self._last_call.cancel()
            self._last_call = None
        if when:
            self._say_closing()
            if not math.isinf(when) and when - self._session.clock.time() > WARNING_SECONDS:
                self._last_call = self._session.clock.call_at(
                    when - WARNING_SECONDS, self._say_closing
                )

    def _say_closing(self) -> None:
        session = self._session
        session.say(
            closing_in_words(self._closing - self._session.clock.time(), session.words, False)
        )
