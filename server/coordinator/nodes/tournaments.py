"""Tournaments on several nodes: one of them runs all, the others show what the database has of them, and pass
on what somebody wants. Who runs them is decided by the database, as with a table (``storage.nodes``).
"""

import asyncio
from functools import partial
from typing import Final

import structlog
from msgspec import Struct
from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.nodes.peer import Peer
from server.coordinator.nodes.taking_over_tables import Charged
from server.coordinator.nodes.this_node import Node
from server.coordinator.table import steps
from server.coordinator.time_source import retried
from server.coordinator.tournaments.director import LONGEST_RETRY, MOVING, RETRY, retry_after
from server.coordinator.tournaments.directory import Tournaments
from server.coordinator.tournaments.known import KnownTournaments
from server.coordinator.unwritten import reply_of
from server.logs import places
from server.storage.nodes import TOURNAMENTS
from server.storage.store import Charge, StoreError

_log = structlog.get_logger("nodes")

_MOVING_SECONDS: Final = 5.0
"""So long it may take until another node runs the tournaments."""
_ANSWER_SECONDS: Final = 10.0
"""To begin a round, many tables have to be opened."""


class Runs(Struct, frozen=True, gc=False):
    """The sender runs the tournaments."""

    epoch: int


class TournamentChanged(Struct, frozen=True, gc=False):
    """The database has something new of this one."""

    id: str


class Wanted(Struct, frozen=True, gc=False):
    """For who runs the tournaments: from a player, or from an operator."""

    player: m.Player | None
    command: m.DirectedCommand
    source: str = ""
    """Where the player comes from."""


class TournamentsOfNodes(Tournaments, Charged):
    """Those of a house of several nodes, as this one knows them; the rest as for ``Tournaments``."""

    def __init__(self, known: KnownTournaments, node: Node, *, guests: bool) -> None:
        super().__init__(known, guests=guests)
        self._lobby: Final = known.lobby
        self._clock: Final = known.lobby.shared.clock
        self._store: Final = node.store
        self._peers: Final = node.peers
        self._whereabouts: Final = node.whereabouts
        self._membership: Final = node.membership
        node.membership.tournaments = self
        self._epoch = 0
        """Of the charge with which they are directed, here or at ``_runner``."""
        self._runner: Peer | None = None
        self._given_up = 0
        """So many times."""
        self._beginning: Final = asyncio.Lock()
        self._stale: Final[set[str]] = set()
        """Ids of what has to be read again; empty: all."""
        self._called: set[tuple[str, m.ServerMessage]] = set()
        """Who has been called to a table."""
        node.peers.on(Runs, self._heard_who)
        node.peers.on(TournamentChanged, lambda _, changed: self._reread(changed.id))
        node.peers.on(Wanted, self._wanted)
        node.peers.on_meeting.append(lambda _: self._reread(""))
        node.peers.on_missing.append(self._tell_who)

    @override
    async def recover(self) -> None:
        await self.known.read()

    # ------------------------------------------------------------ for the lobby

    @override
    def table_changed(self, event: str) -> None:
        super().table_changed(event)
        if self.known.of(event) is not None:
            self._call()

    @override
    async def _direct(
        self, player: m.Player | None, command: m.DirectedCommand, source: str
    ) -> m.Reply:
        ask = partial(self._ask, Wanted(player, command, source))
        return await retried(self._clock, ask, _MOVING_SECONDS) or MOVING

    async def _ask(self, wanted: Wanted) -> m.Reply | None:
        """``None`` where it is not known whom, or somebody else has to be asked."""
        if self.director is not None:
            reply = await self._wanted(None, wanted)
        elif self._runner is None or self._runner.gone or self._runner.silent:
            return None
        else:
            asking = self._runner.ask("tournaments.want", wanted, m.Reply, _ANSWER_SECONDS)
            reply = await asking or MOVING
            if reply.ok:
                # Whoever has been told that it is done looks for it at once.
                await self._read(str(reply.details.get("tournament", _about(wanted.command))))
        return None if reply == steps.MOVED else reply

    # ------------------------------------------------------------ who runs them

    @property
    @override
    def run_here(self) -> bool:
        return self.director is not None

    @override
    def take_up(self) -> None:
        self._peers.spawn(self._begin(), "tournaments")

    async def _begin(self) -> None:
        async with self._beginning:
            mistakes = 0
            while True:
                wait = RETRY
                try:
                    if await self._begun():
                        return
                except Exception as error:
                    wait = retry_after(mistakes)
                    mistakes += 1
                    self._failed(error, wait)
                await self._clock.sleep_until(self._clock.time() + wait)

    def _failed(self, error: Exception, again: float) -> None:
        """Log a mistake of ours."""
        where, name = places(error), type(error).__name__
        _log.error("tournaments_failed", error=name, where=where, again=again)

    async def _begun(self) -> bool:
        own, given_up = self._membership.id, self._given_up
        try:
            epoch = await self._store.owns(own, TOURNAMENTS)
            if not epoch or (self.director is not None and epoch == self._epoch):
                return True
            await self.known.read()
        except StoreError as error:
            _log.warning("tournaments_not_read", code=error.code)
            return False
        if own != self._membership.id or given_up != self._given_up:
            return False
        self.give_up()
        self.director = self._new_director(
            charge=Charge(TOURNAMENTS, epoch), lost=self.give_up, changed=self._tell_changed
        )
        self.director.begin()
        self._epoch, self._runner = epoch, None
        self._peers.tell("tournaments.run", Runs(epoch))
        self._lobby.feed.tournaments_changed()
        self._called.clear()
        self._call()
        _log.info("tournaments_taken_up")
        return True

    @override
    def give_up(self) -> None:
        self._given_up += 1
        director, self.director = self.director, None
        if director is not None:
            director.stop()
            self._reread("")

    @override
    async def hand_over(self, peer: Peer) -> bool:
        epoch = self._epoch
        self.give_up()
        try:
            return await self._store.hand_over(TOURNAMENTS, epoch, peer.id)
        except StoreError:
            # It may have been done: then the new one finds out.
            return False

    def _heard_who(self, peer: Peer, runs: Runs) -> None:
        if runs.epoch > self._epoch:
            self.give_up()
            # Those who were called to tables of the one before may not have come there.
            self._called.clear()
        if runs.epoch >= self._epoch and self.director is None:
            self._runner, self._epoch = peer, runs.epoch
            self._call()

    def _tell_who(self, peer: Peer) -> None:
        if self.director is not None:
            self._peers.tell("tournaments.run", Runs(self._epoch), [peer])

    async def _wanted(self, _peer: Peer | None, wanted: Wanted) -> m.Reply:
        if self.director is None:
            return steps.MOVED
        asking = self.director.carry_out(wanted.player, wanted.command, wanted.source)
        return await reply_of(asking)

    # ------------------------------------------------------------ what the others run

    def _tell_changed(self, which: str) -> None:
        self._peers.tell("tournaments.changed", TournamentChanged(which))
        self._call()

    def _reread(self, which: str) -> None:
        if not self._stale:
            self._peers.spawn(self._read_again(), "tournaments")
        self._stale.add(which)

    async def _read_again(self) -> None:
        stale = set(self._stale)
        self._stale.clear()  # what changes from here on is read once more
        if self.director is None:
            for which in [""] if "" in stale else sorted(stale):
                await self._read(which)

    async def _read(self, which: str) -> None:
        wait = 0.0
        try:
            await self.known.read(which)
        except StoreError as error:
            _log.warning("tournaments_not_read", code=error.code)
            wait = RETRY
        except Exception as error:
            wait = LONGEST_RETRY
            self._failed(error, wait)
        if wait:
            self._peers.spawn(self._read_later(which, wait), "tournaments")
            return
        self._lobby.feed.tournaments_changed()
        self._call()

    async def _read_later(self, which: str, wait: float) -> None:
        await self._clock.sleep_until(self._clock.time() + wait)
        self._reread(which)

    # ------------------------------------------------------------ people

    def _call(self) -> None:
        """Have those who are connected to this node, and awaited at a table, come there; each is called once,
        whoever has opened the table, and whether that node is still there.
        """
        awaited = self.known.awaited()
        self._called &= awaited
        for player, word in awaited - self._called:
            presence = self._whereabouts.person(player)
            if presence is not None:
                self._called.add((player, word))
                self._peers.spawn(self._whereabouts.bring(presence, word), "bring")


def _about(command: m.DirectedCommand) -> str:
    return "" if isinstance(command, m.OpenTournament) else command.tournament.lower()
