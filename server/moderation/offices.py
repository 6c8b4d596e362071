"""Operators of several nodes: people are found on each, bans and silences hold at once, reports reach
everybody who deals with them, and what each node does for itself all of them do.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from msgspec import Struct
from typing_extensions import override

from server.coordinator.messages import ServerMessage
from server.coordinator.moderation.orders import Drain, OfEachNode, OperatorReply, Reload, Undrain
from server.coordinator.nodes.channels import Channels
from server.coordinator.nodes.peer import Peer
from server.moderation.elsewhere import Located, OtherOffices
from server.moderation.operators import Moderation
from server.storage.moderation import StoredBan
from server.storage.store import StoreError

Answered = TypeVar("Answered")


class Sought(Struct, frozen=True, gc=False):
    """Whom an operator means: a name, or the fingerprint of a key."""

    who: str


class AskPeople(Struct, frozen=True, gc=False):
    """All who are connected to the receiver, as operators see them."""


class Silence(Struct, frozen=True, gc=False):
    """This person can say nothing until then; 0: can again."""

    person: str
    until: float


class Reread(Struct, frozen=True, gc=False):
    """What the database has of bans and reports has changed."""


class Ordered(Struct, frozen=True):
    """What each node does for itself."""

    order: OfEachNode
    at: float
    """When it was ordered, in seconds since 1970: the last one counts."""


class OfficesOfNodes(OtherOffices):
    """``OtherOffices`` over the bus, which also answers them. Made once for each node."""

    def __init__(self, moderation: Moderation, channels: Channels) -> None:
        self._moderation: Final = moderation
        self._online: Final = moderation.online
        self._channels: Final = channels
        self._rereading = False
        self._last: Ordered | None = None
        """The last order about new games."""
        self._online.elsewhere = self
        channels.answer("office.find", Sought, self._found)
        channels.answer("office.people", AskPeople, self._people)
        channels.answer("office.ban", StoredBan, self._banned)
        channels.on("office.silence", Silence, self._silenced)
        channels.on("office.report", ServerMessage, self._reported)
        channels.on("office.reread", Reread, lambda peer, _: self._reread(peer))
        channels.answer("office.order", Ordered, self._ordered)
        channels.on("office.ordered", Ordered, self._learn)
        # Whatever was lost is in the database ...
        channels.on_meeting(self._reread)
        # ... but for whether new games begin.
        channels.on_missing(self._tell_last)

    # ------------------------------------------------------------ what others are told

    @override
    async def find(self, who: str) -> Mapping[str, Sequence[Located] | None]:
        return await self._ask_each("office.find", Sought(who), list[Located])

    @override
    async def people(self) -> Mapping[str, OperatorReply | None]:
        return await self._ask_each("office.people", AskPeople(), OperatorReply)

    @override
    async def have_done(self, order: OfEachNode) -> Mapping[str, OperatorReply | None]:
        ordered = Ordered(order, self._online.clock.time())
        if isinstance(order, Drain | Undrain):
            self._last = ordered
        return await self._ask_each("office.order", ordered, OperatorReply)

    async def _ask_each(
        self, topic: str, question: object, kind: type[Answered]
    ) -> Mapping[str, Answered | None]:
        async def asked(peer: Peer) -> Answered | None:
            return None if peer.silent else await self._channels.ask(peer, topic, question, kind)

        peers = list(self._channels.peers.values())
        answers = await asyncio.gather(*map(asked, peers))
        return {it.name or it.id: answer for it, answer in zip(peers, answers, strict=True)}

    @override
    async def banned(self, ban: StoredBan) -> int:
        return sum(await self._channels.ask_all("office.ban", ban, int))

    @override
    def unbanned(self) -> None:
        self._channels.tell("office.reread", Reread())

    @override
    def silenced(self, person: str, until: float) -> None:
        self._channels.tell("office.silence", Silence(person, until))

    @override
    def reported(self, word: ServerMessage) -> None:
        self._channels.tell("office.report", word)

    @override
    def answered(self) -> None:
        self._channels.tell("office.reread", Reread())

    # ------------------------------------------------------------ what others tell and ask

    async def _found(self, _peer: Peer, sought: Sought) -> list[Located]:
        found = self._online.find_here(sought.who)
        return [found] if found is not None else []

    async def _people(self, _peer: Peer, _asked: AskPeople) -> OperatorReply:
        return self._online.rows_here()

    async def _ordered(self, _peer: Peer, ordered: Ordered) -> OperatorReply:
        return self._do(ordered)

    def _learn(self, _peer: Peer, ordered: Ordered) -> None:
        self._do(ordered)

    def _do(self, ordered: Ordered) -> OperatorReply:
        if not isinstance(ordered.order, Reload):
            if self._last is not None and ordered.at < self._last.at:
                return OperatorReply()
            self._last = ordered
        return self._moderation.do_here(ordered.order)

    def _tell_last(self, peer: Peer) -> None:
        if self._last is not None:
            self._channels.tell("office.ordered", self._last, [peer])

    async def _banned(self, _peer: Peer, ban: StoredBan) -> int:
        with suppress(StoreError):  # who is here goes all the same
            await self._moderation.sanctions.fill_bans()
        return self._moderation.sanctions.send_away(ban)

    def _silenced(self, _peer: Peer, silence: Silence) -> None:
        self._online.lobby.chat.silence(silence.person, silence.until)

    def _reported(self, _peer: Peer, word: ServerMessage) -> None:
        self._moderation.reports.tell_operators(word)

    def _reread(self, _peer: Peer) -> None:
        if not self._rereading:
            self._rereading = True
            self._channels.spawn(self._read_again(), "reread")

    async def _read_again(self) -> None:
        self._rereading = False  # what changes from here on is read once more
        with suppress(StoreError):  # which has been logged; it is read again when anything changes
            await self._moderation.sanctions.fill()
            self._moderation.sanctions.enforce(self._online.server.bans)
            await self._moderation.reports.fill()
