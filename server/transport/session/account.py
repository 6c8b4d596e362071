"""The account of a connected player, as a frontend sees it."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

from typing_extensions import override

from server.coordinator.people.people import Admitted, People
from server.session.account import BLOCKED, Account
from server.session.operator_access import OperatorActions
from server.storage.history_sql import SqlHistory
from server.storage.store import StoreError
from server.transport.session.blocking import blocked_in
from server.transport.session.game_library import VisitorLibrary
from server.transport.session.ports import OperatorServices

_MOST: Final = 4096
"""Settings whose text is longer than this are not kept."""


class VisitorAccount(Account):
    """The account, kept by the server."""

    __slots__ = (
        "_desk",
        "_keeping",
        "_lost",
        "_people",
        "_player",
        "_trouble",
        "_wanted",
        "library",
        "rejoin_code",
        "settings",
    )

    def __init__(
        self,
        people: People,
        admitted: Admitted,
        language: str = "",
        history: SqlHistory | None = None,
        desk: OperatorServices | None = None,
        lost: Callable[[], object] = lambda: None,
    ) -> None:
        """``language`` is the one that the login name asks for; it counts more than any chosen before.
        ``desk`` is where operators are reached. ``lost`` tells the player that something could not be kept.
        """
        self._desk: Final = desk
        self._people: Final = people
        self._player: Final = admitted.player
        self._wanted: Mapping[str, Any] | None = None
        self._keeping: asyncio.Task[bool] | None = None
        self._lost: Final = lost
        self._trouble = False
        """The last attempt has failed; who knows that is not told at every key."""
        self.rejoin_code: Final = admitted.rejoin_code
        self.library: Final = VisitorLibrary(history, admitted.player.id) if history else None
        asked = {"language": language} if language else {}
        self.settings: Mapping[str, Any] = {**admitted.settings, **asked}

    @property
    @override
    def office(self) -> OperatorActions | None:
        return self._desk.office if self._desk is not None else None

    @override
    async def report(self, about: str, text: str) -> str:
        return await self._desk.report(about, text) if self._desk is not None else "no_operators"

    @override
    def link_code(self) -> str:
        return "" if self._player.guest else self._people.link_code(self._player.id)

    @override
    def remember(self, settings: Mapping[str, Any]) -> None:
        """Of what comes quickly one after the other, the last is kept."""
        if self._keeping is None:
            self._want(settings).add_done_callback(self._tell)
        else:
            self._want(settings)

    @override
    async def keep(self, settings: Mapping[str, Any]) -> bool:
        # Who waits may be cut off meanwhile; what was wanted is kept all the same.
        return await asyncio.shield(self._want(settings))

    async def kept(self) -> None:
        """Wait until everything has been, or cannot be."""
        if self._keeping is not None:
            await self._keeping

    def _want(self, settings: Mapping[str, Any]) -> asyncio.Task[bool]:
        self.settings = self._wanted = settings
        if self._keeping is None:
            self._keeping = asyncio.get_running_loop().create_task(self._keep())
        return self._keeping

    def _tell(self, keeping: asyncio.Task[bool]) -> None:
        if not keeping.cancelled() and not keeping.result():
            if not self._trouble:
                self._lost()
            self._trouble = True

    async def _without_the_forgotten(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Whoever has been forgotten since is not brought back by those who had blocked that person."""
        blocked = blocked_in(settings)
        known = {
            person: name
            for person, name in blocked.items()
            if await self._people.store.get(person) is not None
        }
        return settings if known == blocked else {**settings, BLOCKED: known}

    async def _keep(self) -> bool:
        kept = True
        try:
            while self._wanted is not None:
                wanted, self._wanted = self._wanted, None
                kept = len(str(wanted)) <= _MOST
                if kept:
                    kept = await self._write(wanted)
            self._trouble = self._trouble and not kept
            return kept
        finally:
            self._keeping = None

    async def _write(self, wanted: Mapping[str, Any]) -> bool:
        try:
            wanted = await self._without_the_forgotten(wanted)
            await self._people.store.set_settings(self._player.id, wanted)
        except StoreError:
            return False
        return True
