"""No new games, while those in progress go on; then perhaps the end."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from server.coordinator.clock import Clock
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.moderation.orders import OperatorReply
from server.moderation.actions import Plan

_LOOK_AGAIN: Final = 1.0
"""Seconds between two looks at whether anybody still plays."""


@dataclass
class Draining:
    """``stop`` asks the server to stop politely."""

    lobby: Lobby
    clock: Clock
    stop: Callable[[], None]
    waiting: asyncio.Task[None] | None = None

    def drain(self, stop: bool) -> Plan:
        """No new games from now on."""

        async def do() -> OperatorReply:
            self.close()
            if not self.lobby.closing:
                self.lobby.announce_closing(math.inf)
            if stop:
                self.waiting = asyncio.create_task(self._until_dry(), name="drain")
            return OperatorReply(facts={"games": self.lobby.in_play(), "stop": int(stop)})

        return Plan("", do, {"stop": stop})

    def undrain(self) -> Plan:
        """New games again."""

        async def do() -> OperatorReply:
            if self.lobby.closing != math.inf:
                return OperatorReply("not_draining")
            self.close()
            self.lobby.announce_closing(0.0)
            return OperatorReply()

        return Plan("", do)

    def close(self) -> None:
        """Wait for nothing any more."""
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None

    async def _until_dry(self) -> None:
        # Not at once: whoever asked for it is to be answered, and it has to be written down.
        playing = True
        while playing:
            await self.clock.sleep_until(self.clock.time() + _LOOK_AGAIN)
            playing = self.lobby.in_play() > 0
        self.stop()
