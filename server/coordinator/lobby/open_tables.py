"""The tables that are open on a server, and how people come to them and leave them."""

import random
import secrets
from typing import Final, Protocol

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.chat_room import Presence
from server.coordinator.lobby import tables
from server.coordinator.table import steps
from server.coordinator.table.actor import TableActor
from server.coordinator.table.model import EMPTY, Member, Table
from server.coordinator.table.ports import Listing, TableEnvironment
from server.networks import salt_of
from server.storage.store import Charge, StoreError, TableLog

_MOVING_SECONDS: Final = 3.0
"""So long a table may take to be found at its new owner."""
_LOOK_AGAIN: Final = 0.05


class OpenTable(Protocol):
    """A table as the lobby reaches it, here or on another node."""

    async def ask(self, given: steps.Order) -> m.Reply:
        """Do what is asked, or say why not. Of a command, ``Host.answered`` is told when it is done."""

    def post(self, given: steps.Note | steps.Announced) -> None:
        """Let the table know."""

    async def advise(self, player: str) -> m.Reply:
        """The hint that this player has asked for. Raises ``Refused``."""

    async def stop(self) -> None:
        """The server ends."""


class OpenTables:
    """``shared`` is what every table is handed; ``rng`` draws codes and titles. Methods with a ``presence``
    expect its lock to be held.
    """

    def __init__(self, shared: TableEnvironment, rng: random.Random) -> None:
        self._shared: Final = shared
        self._rng: Final = rng
        self.actors: Final[dict[str, TableActor]] = {}
        """Those of this node, by their codes."""
        self.remote: Final[dict[str, OpenTable]] = {}
        """Those of other nodes."""
        self.listings: Final[dict[str, Listing]] = {}
        """What is known of each table, by its code."""
        self.salt = salt_of(())
        """Of what tables keep of where they were opened."""

    async def ask(
        self, table: str, presence: Presence, command: m.Command | steps.StopWatching
    ) -> m.Reply:
        """Ask a table, which tells when it has ``answered``."""
        until = self._shared.clock.time() + _MOVING_SECONDS
        while True:
            reached = self.get(table)
            if reached is None:
                return m.Reply(m.Refusal.NOT_SEATED)
            presence.asked += 1
            reply = await reached.ask(steps.Asked(member_of(presence), command, presence.visit))
            if reply != steps.MOVED:
                return reply
            # Nothing has been done: the new owner is asked as soon as it is known.
            while self.get(table) is reached:
                if self._shared.clock.time() >= until:
                    return steps.MOVING
                now = self._shared.clock.time()
                await self._shared.clock.sleep_until(now + _LOOK_AGAIN)

    def get(self, code: str) -> OpenTable | None:
        """The table with this code, wherever it is."""
        return self.actors.get(code) or self.remote.get(code)

    def seated(self, presence: Presence) -> bool:
        """Whether somebody has a seat."""
        table = self.listings.get(presence.table)
        return table is not None and presence.player.id in table.seated

    def check_not_seated(self, presence: Presence) -> None:
        """Raises ``Refused``."""
        m.refuse_if(self.seated(presence), m.Refusal.SEATED_ELSEWHERE)

    async def go_to(self, presence: Presence, command: m.JoinTable | m.WatchTable) -> m.Reply:
        """Bring somebody to a table. Raises ``Refused``."""
        m.refuse_if(presence.asked, m.Refusal.BUSY)
        elsewhere, here = presence.table != command.table, self.listings.get(presence.table)
        # An invitation counts more than a seat at a game that is over.
        over = elsewhere and here is not None and here.row.status is m.Status.OVER
        if not over:
            self.check_not_seated(presence)
        if self.get(command.table) is None:
            return m.Reply(m.Refusal.NO_SUCH_TABLE)
        # That seat is left when there is another one: a full table or a wrong word must not cost it.
        left = presence.table if over and self.seated(presence) else ""
        if elsewhere and not left:
            await self.stop_watching(presence)
        reply = await self.ask(command.table, presence, command)
        if left and reply.ok:
            await self.ask(left, presence, m.LeaveTable())
        return reply

    async def stop_watching(self, presence: Presence) -> None:
        """To go elsewhere. Raises ``Refused`` when a seat that was waited for has come just now."""
        if presence.table:
            await self.ask(presence.table, presence, steps.StopWatching())
        self.check_not_seated(presence)

    def room_for(self, player: str, source: str) -> m.Reply:
        """Whether this player may open another table."""
        return tables.room_for(self.listings.values(), player, source, self._shared.limits)

    async def make_room_for(self, player: str, source: str) -> None:
        """Have deserted tables go where there are too many. Raises ``Refused``."""
        close = steps.Close("deserted", deserted=True)
        while not (reply := self.room_for(player, source)).ok:
            gone = ""
            if reply.code == m.Refusal.TOO_MANY_FROM_THERE:
                gone = tables.dispensable(self.listings.values(), source)
            elif reply.code == m.Refusal.TOO_MANY_TABLES:
                gone = tables.dispensable(self.listings.values())
            table = self.get(gone)
            if table is None or not (await table.ask(close)).ok:
                reply.raise_if_refused()

    async def unused_code(self) -> str:
        """One that no table has ever had: who remembers an old one comes to no stranger's table. Raises
        ``Refused``.
        """
        try:
            while await self._shared.store.is_given(
                code := tables.new_code(self.listings, self._rng)
            ):
                pass
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None
        return code

    def new(self, code: str, options: m.TableOptions) -> Table:
        """One with free seats, that nobody knows of yet."""
        titles = {table.row.title for table in self.listings.values()}
        return Table(
            id=code,
            title=tables.new_title(titles, self._rng),
            options=options,
            created=self._shared.clock.time(),
            seats=(EMPTY,) * options.rules.players,
        )

    def set_up_new(
        self, table: Table, key: str = "", epoch: int = 1, charge: Charge | None = None
    ) -> TableActor:
        """Have a table begin that the store does not know yet; its key and epoch may be chosen."""
        key = key or secrets.token_hex(16)
        log = TableLog(self._shared.store, key, epoch=epoch, charge=charge)
        return self.set_up(log, table)

    def set_up(self, log: TableLog, table: Table) -> TableActor:
        """Have a table begin, whose log this is."""
        actor = TableActor(log, replace(table, closing=self._shared.closing), self._shared)
        self.remote.pop(table.id, None)
        self.actors[table.id] = actor
        self.listings[table.id] = actor.publisher.listing
        return actor


def member_of(presence: Presence, now: float = 0.0) -> Member:
    """``now`` is since when somebody is absent who is not connected."""
    absent = now if presence.feed is None else 0.0
    return Member(presence.player, presence.source, presence.rating, absent)
