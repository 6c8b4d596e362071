"""The chat across nodes: lines go to those nodes where somebody is to hear them, and who comes is told what
was said before.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.chat.who_may_say_what import Chat
from server.coordinator.elsewhere import Elsewhere
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.nodes.peer import Peer, remote_table
from server.coordinator.nodes.peers import Peers
from server.coordinator.presence import Spoken
from server.coordinator.table.facts_for_lobby_and_chat import Listing
from server.coordinator.time_source import Clock

_NODES: Final = 1024
"""Numbers of lines of the same millisecond: one a node, with luck."""


class AskSaid(Struct, frozen=True, gc=False):
    """What was said at a table, by its code; without one, in the lobby."""

    code: str


class Whisper(Struct, frozen=True, gc=False):
    """For the person with this id, who is connected to the receiver."""

    to: str
    said: Spoken


class LineNumbers:
    """Every line has the same number on all nodes, later ones have higher ones, and no two the same."""

    def __init__(self, clock: Clock, node: str) -> None:
        self._clock: Final = clock
        self._node: Final = hash(node) % _NODES
        self._last = 0

    def next(self) -> int:
        """Of a line that is said now."""
        self._last = max(self._last + 1, int(self._clock.time() * 1000))
        return self._last * _NODES + self._node

    def heard(self, number: int) -> None:
        """Of a line of another node, whose clock may be ahead: what is said from now on comes after it."""
        self._last = max(self._last, number // _NODES)


class ChatAcrossNodes(Elsewhere):
    """Made once for each node."""

    def __init__(self, lobby: Lobby, peers: Peers, node: str) -> None:
        self._lobby: Final = lobby
        self._chat: Final[Chat] = lobby.chat
        self._peers: Final = peers
        self._has_lobby = False
        """What was said in the lobby before this node came is known."""
        self._chat.elsewhere = self
        self._numbers: Final = LineNumbers(lobby.shared.clock, node)
        self._chat.number = self._numbers.next
        peers.on(Spoken, self._hear)
        peers.on(Whisper, self._whispered)
        peers.on(AskSaid, self._said)
        peers.on_meeting.append(self._met)

    # ------------------------------------------------------------ what the chat tells

    @override
    def spoken(self, spoken: Spoken, table: Listing | None) -> None:
        to = None if table is None else self._there(table)
        self._peers.tell("chat", spoken, to)

    @override
    async def say_to(self, person: str, line: m.ChatLine, to: m.Player) -> None:
        peer, reply = self._peers.with_person(to.id), None
        if peer is not None:
            said = Whisper(to.id, Spoken(line, person))
            reply = await peer.ask("whisper", said, m.Reply)
        if reply is None:
            raise m.Refused(m.Refusal.NOBODY_CALLED, {"name": to.name})
        reply.raise_if_refused()

    @override
    def came_to(self, table: Listing) -> None:
        if self._chat.heard_here(table):
            return
        remote = remote_table(self._lobby, table.id)
        peers = [remote.peer] if remote is not None else self._there(table)
        if peers:
            self._peers.spawn(self._catch_up(table.id, peers), "chat")

    # ------------------------------------------------------------ what others tell

    def _hear(self, _peer: Peer, spoken: Spoken) -> None:
        self._numbers.heard(spoken.line.number)
        self._chat.hear(spoken)

    async def _whispered(self, _peer: Peer, whisper: Whisper) -> m.Reply:
        try:
            return self._chat.hear_direct(whisper.to, whisper.said)
        except m.Refused as refused:
            return refused.reply

    async def _said(self, _peer: Peer, asked: AskSaid) -> list[Spoken]:
        return self._chat.said(asked.code)

    def _met(self, peer: Peer) -> None:
        if not self._has_lobby:
            self._has_lobby = True
            self._peers.spawn(self._catch_up("", [peer]), "chat")

    async def _catch_up(self, code: str, peers: Sequence[Peer]) -> None:
        for said in await self._peers.ask_all("said", AskSaid(code), list[Spoken], peers):
            self._chat.learn(code, said)

    # ------------------------------------------------------------ who is where

    def _there(self, table: Listing) -> list[Peer]:
        """The other nodes to which somebody at the table is connected, and the one that owns it."""
        remote = remote_table(self._lobby, table.id)
        owner = remote.peer if remote is not None else None
        return [
            peer
            for peer in self._peers.known.values()
            if peer is owner or not peer.people.keys().isdisjoint(table.members)
        ]
