"""What goes to other nodes and comes from them, in order; what was lost is asked for. Each subject has
messages of its own, and registers what hears and answers them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Any, Final, TypeVar

import msgspec
import structlog

from server.bus.bus import ALL, Bus
from server.coordinator.nodes import node_messages as n
from server.coordinator.nodes.lease import SECONDS
from server.coordinator.nodes.peer import Answered, Peer
from server.coordinator.presence import Presence
from server.rate_limiter import LogThrottle

Given = TypeVar("Given")

_log = structlog.get_logger("nodes")

_SILENT_SECONDS: Final = 1.6
_RESYNC_SECONDS: Final = 0.5
"""So often at most a node is asked for its whole state."""
_FORGED_SECONDS: Final = 60.0
_FORGED: Final = (
    "Somebody who does not know this database speaks on the bus, and is ignored: see who can reach NATS, and "
    "change its password."
)


@dataclass(eq=False)
class Peers:
    """All other nodes that are known. Made once for each node."""

    _bus: Bus
    _now: Callable[[], float]
    """Tells seconds since boot."""
    _epoch_of: Callable[[str], int]
    """For ``Peer``."""
    spawn: Callable[[Coroutine[Any, Any, object], str], object]
    """Runs what nobody awaits."""
    known: dict[str, Peer] = field(default_factory=dict)
    """By id."""
    own_id: str = ""
    """This node's; empty while it is none."""
    ordered: Callable[[], object] = lambda: None
    """Called when the database has another order."""
    awoke: Callable[[Peer], object] = lambda _: None
    """Called when a node speaks again that was silent."""
    on_meeting: list[Callable[[Peer], object]] = field(default_factory=list)
    """Called when a node is new here, or something that it told may have been lost."""
    on_missing: list[Callable[[Peer], object]] = field(default_factory=list)
    """Called when a node wants to be told everything: it is new, or has missed something."""
    kinds: dict[str, Callable[[bytes], Any]] = field(default_factory=dict)
    """Decodes the messages that are heard or answered here, by the name of their class."""
    _heard: dict[type, Callable[[Peer, Any], Awaitable[Any] | None]] = field(default_factory=dict)
    _key: bytes = b""
    _over: set[str] = field(default_factory=set)
    """Ids of nodes that are gone for good: what they have said may be said again by others."""
    _beaten: float = inf
    """When this node has beaten last."""
    _slept: bool = False
    """It was stopped for longer than its lease: what comes is old, until the lease is renewed."""
    _forged: LogThrottle = field(default_factory=partial(LogThrottle, _FORGED_SECONDS))

    @property
    def connected(self) -> bool:
        """Whether the bus can be reached."""
        return self._bus.connected

    async def listen(self, own_id: str, key: bytes) -> None:
        """Be this node from now on; to others it is a new one. Nothing is heard of who does not know the
        ``key``.
        """
        self.own_id, self._key, self._slept = own_id, key, False
        for peer in self.known.values():
            peer.sent, peer.got, peer.known = 0, 0, False
        await self._bus.listen(own_id, partial(self._hear, own_id))

    def leave(self) -> None:
        """Be no node until ``listen``: neither tell nor hear anything."""
        self.own_id = ""
        for peer in self.known.values():
            peer.answer_all()

    def end(self, id_: str) -> Peer | None:
        """The database does not know this node any more: nothing more is heard of it."""
        self._over.add(id_)
        return self.known.pop(id_, None)

    def nobody(self) -> Peer:
        """One that answers nothing."""
        peer = Peer("", self._post, self._epoch_of)
        peer.give_up()
        return peer

    def is_silent(self, id_: str) -> bool:
        """Whether a node has said that it ends, or has not been heard for so long that it may be gone."""
        peer = self.known.get(id_)
        return peer is None or self._now() - peer.heard > _SILENT_SECONDS

    def with_person(self, player: str) -> Peer | None:
        """The node to which somebody is connected."""
        return next((peer for peer in self.known.values() if player in peer.people), None)

    def person_came(self, player: str) -> None:
        """Somebody is connected to no node that was known to have them."""
        for peer in self.known.values():
            peer.people.pop(player, None)

    def prune(self, here: Mapping[str, Presence]) -> None:
        """Keep no way to people who are connected elsewhere by now, if it is not used."""
        for peer in self.known.values():
            for id_, feed in list(peer.feeds.items()):
                presence = here.get(id_)
                if id_ not in peer.people and (presence is None or presence.feed is not feed):
                    del peer.feeds[id_]

    # ------------------------------------------------------------ for subjects

    def on(self, kind: type[Given], heard: Callable[[Peer, Given], Awaitable[Any] | None]) -> None:
        """Have this called with what another node tells, or asks; then it answers."""
        self.kinds[kind.__name__] = msgspec.msgpack.Decoder(kind).decode
        self._heard[kind] = heard

    def tell(self, topic: str, message: object, to: Iterable[Peer] | None = None) -> None:
        """Tell these nodes, or all: each by itself, so nothing overtakes what it was sent before."""
        for peer in self.known.values() if to is None else to:
            peer.send(topic, message)

    def call(self, topic: str, message: object) -> None:
        """To all, known or not."""
        if self.own_id:
            envelope = n.Envelope(self.own_id, 0, type(message).__name__, n.encode(message))
            self._bus.send(ALL, topic, n.sealed(self._key, ALL, envelope))

    async def ask_all(
        self, topic: str, question: object, kind: type[Answered], to: Iterable[Peer] | None = None
    ) -> list[Answered]:
        """Ask these nodes, or all that are there; the answers of those who answer."""
        asked = self.known.values() if to is None else to
        asking = [it.ask(topic, question, kind) for it in asked if not it.silent]
        return [it for it in await asyncio.gather(*asking) if it is not None]

    # ------------------------------------------------------------ sending

    def _post(self, peer: Peer, topic: str, message: object, question: int) -> None:
        self._send(peer, topic, type(message).__name__, n.encode(message), question)

    def _send(self, peer: Peer, topic: str, kind: str, message: bytes, question: int) -> None:
        if self.own_id and peer.id:
            peer.sent += 1
            envelope = n.Envelope(self.own_id, peer.sent, kind, message, question)
            self._bus.send(peer.id, topic, n.sealed(self._key, peer.id, envelope))

    def ask_state(self, peer: Peer) -> None:
        """Something from it was lost, or it is new here: until it has told its state, it is asked again."""
        peer.known, now = False, self._now()
        if now - peer.asked_state >= _RESYNC_SECONDS:
            peer.asked_state = now
            peer.send("state", n.AskState())

    # ------------------------------------------------------------ hearing

    def beat(self) -> bool:
        """Twice a second: this node runs. Whether it did not for longer than its lease."""
        self._slept = self._slept or self._overslept()
        self._beaten = self._now()
        return self._slept

    def _overslept(self) -> bool:
        return self._now() - self._beaten > SECONDS

    def awake(self) -> None:
        """The lease is this node's still, or again: what was not heard is asked for."""
        if self._slept:
            self._slept = False
            for peer in self.known.values():
                self.ask_state(peer)

    def _hear(self, own_id: str, data: bytes) -> None:
        if own_id != self.own_id or self._slept or self._overslept():
            return  # nobody here is shown how things were
        try:
            envelope = n.opened(self._key, own_id, data)
            # Of a kind that is not known here, nobody hears.
            message = self.kinds.get(envelope.kind, bytes)(envelope.message)
        except n.Forged:
            # Who does that can do it without end.
            if self._forged.left_out(self._now()) is not None:
                _log.warning("message_forged", advice=_FORGED)
            return
        except msgspec.MsgspecError as error:
            _log.error("message_unreadable", error=type(error).__name__, advice="another version?")
            return
        if envelope.kind == n.Ordered.__name__:
            self.ordered()
        sender = envelope.sender
        if sender and sender != self.own_id and sender not in self._over:
            self._take(envelope, message)

    def _take(self, envelope: n.Envelope, message: Any) -> None:
        sender, number = envelope.sender, envelope.number
        peer = self.known.get(sender)
        if peer is None:
            peer = self.known[sender] = Peer(sender, self._post, self._epoch_of)
        called_again = number == 0 < peer.got and isinstance(message, n.AskState)
        if 0 < number <= peer.got or called_again:
            return  # heard twice, or said again by somebody else
        peer.heard = self._now()
        missed = 0 < number != peer.got + 1
        peer.got = number or peer.got
        # Until its state has come: what asks for it may be lost as well.
        peer.known = peer.known and not missed
        if not peer.known and not isinstance(message, n.Bye | n.State):
            self.ask_state(peer)
        try:
            if peer.silent:
                peer.silent = False
                self.awoke(peer)
            if not envelope.kind:
                peer.answered(envelope.question, message)
            else:
                heard = self._heard.get(type(message))
                answer = heard(peer, message) if heard is not None else None
                if envelope.question or answer is not None:
                    self.spawn(self._respond(peer, envelope.question, answer), "respond")
        except Exception as error:
            # The client of the bus would say nothing. What was not done then comes with the state.
            _log.error("message_failed", message=envelope.kind, error=type(error).__name__)
            peer.known = peer.known and isinstance(message, n.State)
        if missed:
            peer.answer_all()  # or an answer

    async def _respond(self, peer: Peer, question: int, asked: Awaitable[Any] | None) -> None:
        answer = n.encode(await asked) if asked is not None else b""
        self._send(peer, "answer", "", answer, question)
