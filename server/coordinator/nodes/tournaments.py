"""Tournaments on several nodes: one of them runs all, the others show what the database has of them, and pass
on what somebody wants. Who runs them is decided by the database, as with a table (``storage.nodes``).
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, Protocol

import structlog
from msgspec import Struct
from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.lobby.event_tables import PeopleElsewhere
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.nodes.channels import Channels
from server.coordinator.nodes.peer import Peer
from server.coordinator.table import steps
from server.coordinator.tournaments.known import KnownTournaments
from server.coordinator.tournaments.ports import Directory
from server.coordinator.tournaments.tournaments import (
    LONGEST_RETRY,
    MOVING,
    RETRY,
    Tournaments,
    retry_after,
)
from server.logs import places
from server.storage.nodes import TOURNAMENTS, NodeStore
from server.storage.store import Charge, StoreError

_log = structlog.get_logger("nodes")

_MOVING_SECONDS: Final = 5.0
"""So long it may take until another node runs the tournaments."""
_LOOK_AGAIN: Final = 0.05
_ANSWER_SECONDS: Final = 10.0
"""To begin a round, many tables have to be opened."""

_MOVING: Final = m.Reply(*MOVING)


class Runs(Struct, frozen=True, gc=False):
    """The sender runs the tournaments."""

    epoch: int


class TournamentChanged(Struct, frozen=True, gc=False):
    """The database has something new of this one."""

    id: str


class Wanted(Struct, frozen=True, gc=False):
    """For who runs the tournaments: from a player, or from an operator."""

    player: m.Player | None
    command: m.TournamentCommand
    source: str = ""
    """Where the player comes from."""


class Maker(Protocol):
    """Makes what runs tournaments on this node, not yet ``recover``ed."""

    def __call__(
        self, charge: Charge, lost: Callable[[], object], changed: Callable[[str], object]
    ) -> Tournaments:
        """As ``Tournaments`` is given them."""


class TournamentsOfNodes(Directory, PeopleElsewhere):
    """Made once for each node. ``known`` shows what another node runs; ``own_id`` is this node's."""

    def __init__(
        self,
        lobby: Lobby,
        store: NodeStore,
        channels: Channels,
        own_id: Callable[[], str],
        known: KnownTournaments,
        make: Maker,
        *,
        anybody_opens: bool,
    ) -> None:
        self._lobby: Final = lobby
        self._clock: Final = lobby.shared.clock
        self._store: Final = store
        self._channels: Final = channels
        self._own_id: Final = own_id
        self._known: Final = known
        self._make: Final = make
        self._anybody_opens: Final = anybody_opens
        self._running: Tournaments | None = None
        """On this node."""
        self._epoch = 0
        """Of the charge with which they are run, here or at ``_runner``."""
        self._runner: Peer | None = None
        self._given_up = 0
        """So many times."""
        self._beginning: Final = asyncio.Lock()
        self._stale: Final[set[str]] = set()
        """Ids of what has to be read again; empty: all."""
        self._called: set[tuple[str, m.ServerMessage]] = set()
        """Who has been called to a table."""
        lobby.tournaments.directory = self
        lobby.event_tables.elsewhere = self
        channels.on("tournaments.run", Runs, self._heard_who)
        channels.on("tournaments.changed", TournamentChanged, lambda _, it: self._reread(it.id))
        channels.answer("tournaments.want", Wanted, self._wanted)
        channels.on_meeting(lambda _: self._reread(""))
        channels.on_missing(self._tell_who)

    async def recover(self) -> None:
        """Take up what the database has. Raises ``StoreError``."""
        await self._known.read()

    async def close(self) -> None:
        """The node ends."""
        if self._running is not None:
            await self._running.close()

    # ------------------------------------------------------------ for the lobby

    @property
    @override
    def anybody_opens(self) -> bool:
        return self._anybody_opens

    @override
    async def carry_out(
        self, player: m.Player | None, command: m.TournamentCommand, source: str = ""
    ) -> m.Reply:
        if isinstance(command, m.AskTournament):
            view = await self._shown.view(command.tournament, player.id if player else "")
            return m.Reply(tournament=view)
        until = self._clock.time() + _MOVING_SECONDS
        while (reply := await self._ask(Wanted(player, command, source))) == steps.MOVED:
            if self._clock.time() >= until:
                reply = _MOVING
                break
            await self._clock.sleep_until(self._clock.time() + _LOOK_AGAIN)
        reply.raise_if_refused()
        return reply

    @override
    async def record(self, which: str) -> dict[str, Any]:
        return await self._shown.record(which)

    @override
    def shown_to(self, player: str) -> tuple[m.TournamentInfo, ...]:
        return self._shown.shown_to(player)

    @override
    def knows(self, player: str) -> bool:
        return self._shown.knows(player)

    @override
    def table_changed(self, event: str) -> None:
        self._shown.table_changed(event)
        self._call()

    @property
    def _shown(self) -> KnownTournaments:
        return self._running or self._known

    async def _ask(self, wanted: Wanted) -> m.Reply:
        """``steps.MOVED`` where it is not known whom, or somebody else has to be asked."""
        if self._running is not None:
            return await self._carry_out(self._running, wanted)
        if self._runner is None or self._runner.gone or self._runner.silent:
            return steps.MOVED
        reply = await self._channels.ask(
            self._runner, "tournaments.want", wanted, m.Reply, _ANSWER_SECONDS
        )
        if reply is None:
            return _MOVING
        if reply.ok:
            # Whoever has been told that it is done looks for it at once.
            await self._read(str(reply.details.get("tournament", _about(wanted.command))))
        return reply

    async def _carry_out(self, running: Tournaments, wanted: Wanted) -> m.Reply:
        try:
            return await running.carry_out(wanted.player, wanted.command, wanted.source)
        except m.Refused as refused:
            return refused.reply

    # ------------------------------------------------------------ who runs them

    @property
    def run_here(self) -> bool:
        """Whether this node runs them."""
        return self._running is not None

    def take_up(self) -> None:
        """Run them, if they are this node's in the database."""
        self._channels.spawn(self._begin(), "tournaments")

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
        own, given_up = self._own_id(), self._given_up
        try:
            epoch = await self._store.owns(own, TOURNAMENTS)
            if not epoch or (self._running is not None and epoch == self._epoch):
                return True
            running = self._make(Charge(TOURNAMENTS, epoch), self.give_up, self._tell_changed)
            await running.recover()
        except StoreError as error:
            _log.warning("tournaments_not_read", code=error.code)
            return False
        if own != self._own_id() or given_up != self._given_up:
            await running.close()
            return False
        self.give_up()
        self._running, self._epoch, self._runner = running, epoch, None
        self._channels.tell("tournaments.run", Runs(epoch))
        self._lobby.tournaments_changed()
        self._called.clear()
        self._call()
        _log.info("tournaments_taken_up")
        return True

    def give_up(self) -> None:
        """They are another node's now."""
        self._given_up += 1
        running, self._running = self._running, None
        if running is not None:
            self._known.show_what(running)
            self._channels.spawn(running.close(), "tournaments")
            self._reread("")

    async def hand_over(self, peer: Peer) -> bool:
        """From now on that node runs them, which looks out for it."""
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
        if runs.epoch >= self._epoch and self._running is None:
            self._runner, self._epoch = peer, runs.epoch
            self._call()

    def _tell_who(self, peer: Peer) -> None:
        if self._running is not None:
            self._channels.tell("tournaments.run", Runs(self._epoch), [peer])

    async def _wanted(self, _peer: Peer, wanted: Wanted) -> m.Reply:
        if self._running is None:
            return steps.MOVED
        return await self._carry_out(self._running, wanted)

    # ------------------------------------------------------------ what the others run

    def _tell_changed(self, which: str) -> None:
        self._channels.tell("tournaments.changed", TournamentChanged(which))
        self._call()

    def _reread(self, which: str) -> None:
        if not self._stale:
            self._channels.spawn(self._read_again(), "tournaments")
        self._stale.add(which)

    async def _read_again(self) -> None:
        stale = set(self._stale)
        self._stale.clear()  # what changes from here on is read once more
        if self._running is None:
            for which in [""] if "" in stale else sorted(stale):
                await self._read(which)

    async def _read(self, which: str) -> None:
        try:
            await (self._known.read_one(which) if which else self._known.read())
        except StoreError as error:
            _log.warning("tournaments_not_read", code=error.code)
            self._channels.spawn(self._read_later(which, RETRY), "tournaments")
            return
        except Exception as error:
            self._failed(error, LONGEST_RETRY)
            self._channels.spawn(self._read_later(which, LONGEST_RETRY), "tournaments")
            return
        self._lobby.tournaments_changed()
        self._call()

    async def _read_later(self, which: str, wait: float) -> None:
        await self._clock.sleep_until(self._clock.time() + wait)
        self._reread(which)

    # ------------------------------------------------------------ people

    @override
    def is_there(self, player: str) -> bool:
        return any(player in it.people for it in self._channels.peers.values())

    def _call(self) -> None:
        """Have those who are connected to this node, and awaited at a table, come there; each is called once,
        whoever has opened the table, and whether that node is still there.
        """
        awaited = self._shown.awaited()
        self._called &= awaited
        for player, word in awaited - self._called:
            presence = self._lobby.people.get(player)
            if presence is not None and presence.feed is not None and not presence.feed.remote:
                self._called.add((player, word))
                bringing = self._lobby.event_tables.bring(player, word.about, word)
                self._channels.spawn(bringing, "bring")


def _about(command: m.TournamentCommand) -> str:
    return "" if isinstance(command, m.OpenTournament) else command.tournament.lower()
