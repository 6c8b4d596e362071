"""What all lines into this server share: settings, tables, admission, names, and the sessions there are."""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from server.config import Settings
from server.coordinator.clock import SystemClock
from server.coordinator.messages import Player
from server.coordinator.people.people import Admitted, Credential, People
from server.coordinator.ports import Coordinator
from server.storage.history_sql import SqlHistory
from server.storage.store import StoreError
from server.transport.access.bans import Bans
from server.transport.access.cpu_shares import NEWCOMERS, PLAYERS, Shares
from server.transport.access.limiter import ConnectionLimiter, Reason, network_of
from server.transport.access.login_name import Login
from server.transport.access.policy import AccessPolicy
from server.transport.session.ports import MakeFrontend, OperatorServices, PlayerSession

_BITTEN: Final = {
    "code_unknown": Reason.CODE,
    "code_wait": Reason.CODES,
    "many_accounts": Reason.ACCOUNTS,
}
"""Codes of ``Note`` (server.coordinator.people) that an operator wants to see in numbers."""


class GameServer:
    """One server, whatever the lines that lead into it."""

    def __init__(
        self,
        settings: Settings,
        coordinator: Coordinator,
        make_face: MakeFrontend,
        *,
        people: People,
        history: SqlHistory | None = None,
        bans: Bans | None = None,
        now: Callable[[], float] | None = None,
    ) -> None:
        """``people`` are who has been here before, ``history`` the games that are over, ``bans`` who may not
        come in; ``now`` is a clock in seconds for the limits.
        """
        self.settings = settings
        self.coordinator: Final = coordinator
        self.make_face: Final = make_face
        self.limiter: Final = ConnectionLimiter(
            settings.limits, now or asyncio.get_running_loop().time
        )
        self.newcomers: Final = Shares(NEWCOMERS, self.limiter.now)
        """What networks use of the processor's time, from which somebody comes ..."""
        self.players: Final = Shares(PLAYERS, self.limiter.now)
        """... or has come in."""
        self.people: Final = people
        self.access: Final = AccessPolicy(settings, self.limiter, self.people.store.word_of)
        self.history: Final = history
        self.bans: Final = bans or Bans(SystemClock().time)
        self.operator_services: Callable[[PlayerSession], OperatorServices] | None = None
        """Where there are operators: how a session reaches them."""
        self._beginning: Final = asyncio.Lock()
        self._admitting: Final[set[asyncio.Task[Admitted]]] = set()
        """Of those whose line dropped meanwhile."""
        self._farewells: Final[set[asyncio.Task[None]]] = set()
        self.closing = False
        """The server is about to stop: whose session ends now may come back to the next one."""
        self.sessions: Final[set[PlayerSession]] = set()
        self.ended = 0
        """How many sessions there have been that are over."""
        self.sent: Final[Counter[str]] = Counter()
        """What they were sent, in bytes by line."""

    def adjust(self, settings: Settings) -> None:
        """From now on these are in force, for connections to come."""
        self.settings = settings
        self.limiter.adjust(settings.limits)
        self.access.adjust(settings)

    async def admit(self, login: Login, identity: str, address: str, *, word: str = "") -> Admitted:
        """Who comes in: ``identity`` is what was proven (``key:SHA256:...``), empty for a guest; ``word``
        says which server word was given.

        Raises ``StoreError`` when somebody new cannot be written down.
        """
        key = identity.removeprefix("key:")
        credential = Credential(key, login.rejoin, network_of(address))
        admitting = asyncio.create_task(self.people.admit(credential, login.name))
        try:
            admitted = await asyncio.shield(admitting)
        except asyncio.CancelledError:
            # The line has dropped. Whoever is being written down now would stay in the book.
            self._admitting.add(admitting)
            admitting.add_done_callback(self._came_in_vain)
            raise
        for note in admitted.notes:
            if reason := _BITTEN.get(note.code):
                self.limiter.refuse(reason, address)
        if key and word:
            with suppress(StoreError):  # then it is asked for once more
                await self.people.store.set_word(key, word)
        return admitted

    async def turn_to_begin(self) -> None:
        """Wait for one's turn to begin: of sessions opened by the hundred one begins at a time, and who plays
        is answered in between.
        """
        async with self._beginning:
            await asyncio.sleep(0)

    def _came_in_vain(self, admitting: asyncio.Task[Admitted]) -> None:
        self._admitting.discard(admitting)
        if not admitting.cancelled() and admitting.exception() is None:
            self.left(admitting.result().player)

    def left(self, player: Player) -> None:
        """A session of this player has ended. A guest who has no seat to come back to is forgotten, unless it
        is the server that ends.
        """
        if self.closing:
            return
        if player.guest and not any(session.player == player for session in self.sessions):
            task = asyncio.get_running_loop().create_task(self._farewell(player))
            self._farewells.add(task)
            task.add_done_callback(self._farewells.discard)

    async def _farewell(self, player: Player) -> None:
        with suppress(StoreError):  # then it is done when the book is tidied
            await self.people.left(player.id)

    async def close(self, seconds: float = 5.0) -> None:
        """End every session; those that have not ended in time are cut off."""
        tasks = [session.task for session in self.sessions]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=seconds)
        if self._admitting:
            await asyncio.wait(self._admitting, timeout=seconds)
        if self._farewells:
            await asyncio.wait(self._farewells, timeout=seconds)
        self.access.close()
