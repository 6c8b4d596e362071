"""Subjects about which nodes tell and ask each other, beside tables and people: each has messages of its own.
All of it may be lost.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from itertools import count
from typing import Any, Final, TypeVar

import msgspec

from server.coordinator.nodes import wire as n
from server.coordinator.nodes.peer import Peer
from server.coordinator.nodes.peers import Peers

_ANSWER_SECONDS: Final = 3.0
"""An answer that has not come by then does not come any more."""

Given = TypeVar("Given")
Answered = TypeVar("Answered")

_encode: Final = msgspec.msgpack.Encoder().encode


class Channels:
    """``spawn`` runs what nobody waits for."""

    def __init__(
        self,
        peers: Peers,
        spawn: Callable[[Coroutine[None, None, None], str], None],
    ) -> None:
        self.peers: Final[Mapping[str, Peer]] = peers.known
        self.spawn: Final = spawn
        self._peers: Final = peers
        self._heard: Final[dict[str, Callable[[Peer, bytes], None]]] = {}
        self._answers: Final[dict[str, Callable[[Peer, bytes], Awaitable[bytes]]]] = {}
        self._met: Final[list[Callable[[Peer], None]]] = []
        self._missed: Final[list[Callable[[Peer], None]]] = []
        self._numbers: Final = count(1)
        self._asked: Final[dict[int, tuple[Peer, asyncio.Future[bytes]]]] = {}

    # ------------------------------------------------------------ for subjects

    def on(self, topic: str, kind: type[Given], heard: Callable[[Peer, Given], None]) -> None:
        """Have this called with what another node tells about the topic."""
        decode = msgspec.msgpack.Decoder(kind).decode
        self._heard[topic] = lambda peer, data: heard(peer, decode(data))

    def answer(
        self, topic: str, kind: type[Given], answer: Callable[[Peer, Given], Awaitable[Any]]
    ) -> None:
        """Have this answer what another node asks about the topic."""
        decode = msgspec.msgpack.Decoder(kind).decode

        async def answered(peer: Peer, data: bytes) -> bytes:
            return _encode(await answer(peer, decode(data)))

        self._answers[topic] = answered

    def on_meeting(self, met: Callable[[Peer], None]) -> None:
        """Have this called when a node is new here, or something that it told may have been lost."""
        self._met.append(met)

    def on_missing(self, missed: Callable[[Peer], None]) -> None:
        """Have this called when a node wants to be told everything: it is new, or has missed something."""
        self._missed.append(missed)

    def tell(self, topic: str, told: object, to: Iterable[Peer] | None = None) -> None:
        """Tell other nodes: these, or all."""
        message = n.Told(topic, _encode(told))
        if to is None:
            self._peers.tell_all(topic, message)
            return
        for peer in to:
            peer.send(topic, message)

    async def ask(
        self,
        peer: Peer,
        topic: str,
        question: object,
        kind: type[Answered],
        seconds: float = _ANSWER_SECONDS,
    ) -> Answered | None:
        """Ask a node; ``None`` when it does not answer."""
        number = next(self._numbers)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._asked[number] = peer, answer
        peer.send(topic, n.TopicQuestion(topic, _encode(question), number))
        try:
            data = await asyncio.wait_for(answer, seconds)
        except TimeoutError:
            return None
        finally:
            del self._asked[number]
        return msgspec.msgpack.decode(data, type=kind) if data else None

    async def ask_all(
        self,
        topic: str,
        question: object,
        kind: type[Answered],
        peers: Iterable[Peer] | None = None,
    ) -> list[Answered]:
        """Ask these nodes, or all that are there; the answers of those who answer."""
        asked = self.peers.values() if peers is None else peers
        asking = [self.ask(it, topic, question, kind) for it in asked if not it.silent]
        return [it for it in await asyncio.gather(*asking) if it is not None]

    # ------------------------------------------------------------ for the node

    def take(self, peer: Peer, message: n.Told | n.TopicQuestion | n.TopicAnswer) -> None:
        """Something has come."""
        match message:
            case n.Told(topic, data):
                if topic in self._heard:
                    self._heard[topic](peer, data)
            case n.TopicQuestion():
                self.spawn(self._respond(peer, message), "respond")
            case n.TopicAnswer(number, data):
                asked = self._asked.get(number)
                if asked is not None and asked[0] is peer and not asked[1].done():
                    asked[1].set_result(data)

    async def _respond(self, peer: Peer, question: n.TopicQuestion) -> None:
        answer = self._answers.get(question.topic)
        data = await answer(peer, question.data) if answer is not None else b""
        peer.send("answer", n.TopicAnswer(question.number, data))

    def met(self, peer: Peer) -> None:
        """It has told its whole state."""
        for met in self._met:
            met(peer)

    def missed(self, peer: Peer) -> None:
        """It has asked for the whole state."""
        for missed in self._missed:
            missed(peer)

    def ended(self, peer: Peer) -> None:
        """It answers no more."""
        for asked, answer in self._asked.values():
            if asked is peer and not answer.done():
                answer.set_result(b"")
