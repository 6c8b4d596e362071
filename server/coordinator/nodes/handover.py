"""A node that is to end hands its tables over to others, one by one, while they play."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog
from msgspec import Struct

from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.recovery import tables_in
from server.coordinator.nodes.peer import Peer
from server.coordinator.nodes.peers import Peers
from server.coordinator.nodes.remote_tables import RemoteTables
from server.coordinator.nodes.taking_over_tables import Membership
from server.coordinator.table.actor import TableActor
from server.coordinator.time_source import retried
from server.storage.nodes import TOURNAMENTS, NodeStore
from server.storage.store import StoreError

_log = structlog.get_logger("nodes")

_EXPECTED_SECONDS: Final = 15.0
"""A table that is not known to be this node's by then is claimed like one that nobody runs."""
_INPUT_SECONDS: Final = 3.0
"""So long a table may take for its last input here."""
_LISTED_SECONDS: Final = 1.5
"""So long to wait in the end until the new owners have told of their tables."""


class Offer(Struct, frozen=True, gc=False):
    """A table is going to be the receiver's; or the tournaments, without a code. The answer is whether the
    receiver looks out for it.
    """

    key: str
    code: str


@dataclass(eq=False)
class Handover:
    """Made once for each node."""

    _lobby: Lobby
    _store: NodeStore
    _peers: Peers
    _membership: Membership
    """Takes tables, and is told that this node leaves."""
    _remote: RemoteTables

    def __post_init__(self) -> None:
        self._clock = self._lobby.shared.clock
        self._peers.on(Offer, self._offered)

    # ------------------------------------------------------------ who hands over

    async def hand_over_all(self) -> int:
        """Hand every table to the node with the fewest; how many others have now. What cannot be handed over
        is left to be claimed.
        """
        self._membership.leaving = True
        try:
            rows = await self._store.nodes()
        except StoreError:
            return 0
        own = self._membership.id
        load = {row.id: row.tables for row in rows if row.id != own and row.left > 0 and row.bus}
        await self._hand_over_tournaments(sorted(load, key=lambda it: load[it]))
        given: dict[str, int] = {}
        for code, table in list(self._lobby.tables.actors.items()):
            while load:
                to = min(load, key=lambda it: load[it])
                peer = self._peers.known.get(to)
                if peer is None or peer.silent or not await self._accepts(peer, table.key, code):
                    del load[to]
                    continue
                if await self._hand_over(code, table, peer):
                    load[to] += 1
                    given[code] = table.epoch
                break
        self._lobby.shared.tally.tables_handed_over += len(given)
        await self._listed(given)
        _log.info("tables_handed_over", tables=len(given))
        return len(given)

    async def _accepts(self, peer: Peer, key: str, code: str) -> bool:
        return bool(await peer.ask("offer", Offer(key, code), bool))

    async def _hand_over_tournaments(self, nodes: Sequence[str]) -> None:
        """First: their tables are found wherever they are."""
        tournaments = self._membership.tournaments
        for id_ in nodes:
            peer = self._peers.known.get(id_)
            if not tournaments.run_here:
                return
            if peer and not peer.silent and await self._accepts(peer, TOURNAMENTS, ""):
                await tournaments.hand_over(peer)

    async def _hand_over(self, code: str, table: TableActor, peer: Peer) -> bool:
        """From here on, whoever asks for something is told to ask the new owner (``steps.MOVED``)."""
        try:
            await asyncio.wait_for(table.retire(), _INPUT_SECONDS)
        except TimeoutError:
            return False
        if self._lobby.tables.actors.get(code) is not table:
            return False  # closed meanwhile
        self._remote.handed_over(code, table.epoch, peer)
        try:
            return await self._store.hand_over(table.key, table.epoch, peer.id)
        except StoreError:
            # It may have been done: then the new owner finds out.
            return False

    async def _listed(self, given: dict[str, int]) -> None:
        """Wait until the new owners have told of these tables: so long, people here go on through us."""
        remote = self._lobby.tables.remote

        async def listed() -> bool | None:
            waits = any(
                getattr(remote.get(it), "epoch", epoch + 1) <= epoch for it, epoch in given.items()
            )
            return None if waits else True

        await retried(self._clock, listed, _LISTED_SECONDS)

    # ------------------------------------------------------------ who takes

    async def _offered(self, _peer: Peer, offer: Offer) -> bool:
        if self._membership.leaving:
            return False
        self._peers.spawn(self._expect(offer), "expect")
        return True

    async def _expect(self, offer: Offer) -> None:
        """Take it up as soon as it is this node's in the database, whatever becomes of who offers it."""
        if await retried(self._clock, partial(self._take, offer), _EXPECTED_SECONDS) is None:
            # It may be this node's all the same, though its tables could not be asked for all that time.
            self._membership.look_again()

    async def _take(self, offer: Offer) -> bool | None:
        """``None`` while it is not this node's, as far as the database says."""
        with suppress(StoreError):
            async with self._membership.taking:
                own = self._membership.id
                if offer.code in self._lobby.tables.actors:
                    return True
                if not await self._store.owns(own, offer.key):
                    return None
                if offer.key == TOURNAMENTS:
                    self._membership.tournaments.take_up()
                    return True
                found = await tables_in(self._lobby.shared.store, keys=[offer.key])
                for each in found if own == self._membership.id else ():
                    await self._membership.run(each)
                return True
        return None
