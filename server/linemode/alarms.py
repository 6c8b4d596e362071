"""What line mode says because of the time: that a bid is due soon, and when the server goes down."""

import math
from typing import Final

from server.coordinator.clock import OneTimer
from server.linemode.context import LineContext
from server.session.bell import BidAlarm, attention
from server.session.shutdown_notice import closing_in_words, closing_time
from server.session.turn_status import WARNING_SECONDS


class Alarms:
    """Of one session. Each is said once for what it is about."""

    __slots__ = ("_bid", "_closing", "_last_call", "_session")

    def __init__(self, session: LineContext) -> None:
        self._session: Final = session
        self._bid: Final = BidAlarm(session.clock, self._warn)
        self._closing = 0.0
        """The end of the server that has been told."""
        self._last_call: Final = OneTimer(session.clock)

    def stop(self) -> None:
        """The session is over."""
        self._bid.stop()
        self._last_call.cancel()

    def bid_may_be_due(self) -> None:
        """The table has changed: warn shortly before time is up."""
        self._bid.updated(self._session.table)

    def _warn(self, left: float) -> None:
        session = self._session
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
        self._last_call.cancel()
        if when:
            self._say_closing()
            if not math.isinf(when) and when - session.clock.time() > WARNING_SECONDS:
                self._last_call.start(when - WARNING_SECONDS, self._say_closing)

    def _say_closing(self) -> None:
        session = self._session
        session.say(closing_in_words(self._closing - session.clock.time(), session.words, False))
