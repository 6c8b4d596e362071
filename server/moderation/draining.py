"""No new games, while those in progress go on; then perhaps the end."""

import asyncio
import math
from collections.abc import Callable
from typing import Final

from server.coordinator.clock import Clock
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.moderation.orders import OperatorReply
from server.moderation.actions import Plan

_LOOK_AGAIN: Final = 1.0
"""Seconds between two looks at whether anybody still plays."""


class Draining:
    """``stop`` asks the server to stop politely."""

    def __init__(self, lobby: Lobby, clock: Clock, stop: Callable[[], None]) -> None:
        self._lobby: Final = lobby
        self._clock: Final = clock
        self._stop: Final = stop
        self._waiting: asyncio.Task[None] | None = None

    def drain(self, stop: bool) -> Plan:
        """No new games from now on."""

        async def do() -> OperatorReply:
            self.close()
            if not self._lobby.closing:
                self._lobby.announce_closing(math.inf)
            if stop:
                self._waiting = asyncio.create_task(self._until_dry(), name="drain")
            return OperatorReply(facts={"games": self._lobby.in_play(), "stop": int(stop)})

        return Plan("", do, {"stop": stop})

    def undrain(self) -> Plan:
        """New games again."""

        async def do() -> OperatorReply:
            if self._lobby.closing != math.inf:
                return OperatorReply("not_draining")
            self.close()
            self._lobby.announce_closing(0.0)
            return OperatorReply()

        return Plan("", do)

    def close(self) -> None:
        """Wait for nothing any more."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    async def _until_dry(self) -> None:
        # Not at once: whoever asked for it is to be answered, and it has to be written down.
        playing = True
        while playing:
            await self._clock.sleep_until(self._clock.time() + _LOOK_AGAIN)
            playing = self._lobby.in_play() > 0
        self._stop()
