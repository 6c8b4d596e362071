"""What goes to other nodes and comes from them, in order; what was lost is asked for."""

from collections.abc import Callable, Mapping
from functools import partial
from math import inf
from typing import Final

import msgspec
import structlog

from server.bus.bus import ALL, Bus
from server.coordinator.nodes import wire as n
from server.coordinator.nodes.lease import SECONDS
from server.coordinator.nodes.peer import Peer
from server.coordinator.presence import Presence

_log = structlog.get_logger("nodes")

_SILENT_SECONDS: Final = 1.6
_RESYNC_SECONDS: Final = 0.5
"""So often at most a node is asked for its whole state."""
_FORGED_SECONDS: Final = 60.0
_FORGED: Final = (
    "Somebody who does not know this database speaks on the bus, and is ignored: see who can reach NATS, and "
    "change its password."
)


class Peers:
    """``now`` tells seconds since boot; ``epoch_of`` is for ``Peer``; ``heard`` is called with what comes."""

    def __init__(
        self,
        bus: Bus,
        now: Callable[[], float],
        epoch_of: Callable[[str], int],
        heard: Callable[[Peer, n.AnyMessage], None],
    ) -> None:
        self.known: Final[dict[str, Peer]] = {}
        """By id."""
        self.own_id = ""
        """This node's; empty while it is none."""
        self.ordered: Callable[[], None] = lambda: None
        """Called when the database has another order."""
        self._key = b""
        self._over: Final[set[str]] = set()
        """Ids of nodes that are gone for good: what they have said may be said again by others."""
        self._beaten = inf
        """When this node has beaten last."""
        self._slept = False
        """It was stopped for longer than its lease: what comes is old, until the lease is renewed."""
        self._told_forged = -inf
        self._bus: Final = bus
        self._now: Final = now
        self._epoch_of: Final = epoch_of
        self._heard: Final = heard

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
        peer = Peer("", self.send, self._epoch_of)
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

    # ------------------------------------------------------------ sending

    def send(self, peer: Peer, topic: str, message: n.AnyMessage) -> None:
        """Send it something."""
        if not self.own_id or not peer.id:
            return
        peer.sent += 1
        envelope = n.Envelope(self.own_id, peer.sent, message)
        self._bus.send(peer.id, topic, n.sealed(self._key, peer.id, envelope))

    def tell_all(self, topic: str, message: n.AnyMessage) -> None:
        """To each by itself: so nothing overtakes what it was sent before."""
        for peer in self.known.values():
            self.send(peer, topic, message)

    def call(self, topic: str, message: n.AnyMessage) -> None:
        """To all, known or not."""
        if self.own_id:
            envelope = n.Envelope(self.own_id, 0, message)
            self._bus.send(ALL, topic, n.sealed(self._key, ALL, envelope))

    def ask_state(self, peer: Peer) -> None:
        """Something from it was lost, or it is new here: until it has told its state, it is asked again."""
        peer.known, now = False, self._now()
        if now - peer.asked_state >= _RESYNC_SECONDS:
            peer.asked_state = now
            self.send(peer, "state", n.AskState())

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
        except n.Forged:
            self._forged()
            return
        except msgspec.MsgspecError as error:
            _log.error("message_unreadable", error=type(error).__name__, advice="another version?")
            return
        sender, message = envelope.sender, envelope.message
        if isinstance(message, n.Ordered):
            self.ordered()
        if sender and sender != self.own_id and sender not in self._over:
            self._take(sender, envelope.number, message)

    def _take(self, sender: str, number: int, message: n.AnyMessage) -> None:
        peer = self.known.get(sender)
        if peer is None:
            peer = self.known[sender] = Peer(sender, self.send, self._epoch_of)
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
            self._heard(peer, message)
        except Exception as error:
            # The client of the bus would say nothing. What was not done then comes with the state.
            kind = type(message).__name__
            _log.error("message_failed", message=kind, error=type(error).__name__)
            peer.known = peer.known and isinstance(message, n.State)
        if missed:
            peer.answer_all()  # or an answer

    def _forged(self) -> None:
        """Once a minute at most: who does that can do it without end."""
        now = self._now()
        if now - self._told_forged >= _FORGED_SECONDS:
            self._told_forged = now
            _log.warning("message_forged", advice=_FORGED)
