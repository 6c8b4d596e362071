"""Operators of several nodes: people are found on each, and what each node does for itself all of them do."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from msgspec import Struct
from typing_extensions import override

from server.coordinator.messages.operator_orders import (
    OfAllNodes,
    OfEachNode,
    OperatorReply,
    Reload,
    Reread,
)
from server.coordinator.nodes.order_rows import Orders
from server.coordinator.nodes.peer import Answered, Peer
from server.coordinator.nodes.peers import Peers
from server.operators.carry_out_orders import OperatorService
from server.operators.other_nodes import DoneHere, Located, OtherNodes, unreached
from server.storage.store import StoreError

_NOT_YET: Final = OperatorReply("storage")
"""The database is away: it is done later."""
_LISTS: Final = ("changed", "late")
"""Facts that are names with commas in between."""


class Sought(Struct, frozen=True, gc=False):
    """Whom an operator means: a name, or the fingerprint of a key."""

    who: str


class AskPeople(Struct, frozen=True, gc=False):
    """All who are connected to the receiver, as operators see them."""


class Number(Struct, frozen=True, gc=False):
    """Carry out what has been ordered; what has come of the order with this number?"""

    number: int


class OperatorsOfAllNodes(OtherNodes):
    """``OtherNodes`` over the bus, which also answers them. Made once for each node."""

    def __init__(self, moderation: OperatorService, peers: Peers, orders: Orders) -> None:
        self._online: Final = moderation.online
        self._peers: Final = peers
        self._orders: Final = orders
        self._online.elsewhere = self
        orders.here = moderation.do_here
        peers.on(Sought, self._found)
        peers.on(AskPeople, self._people)
        peers.on(Number, self._ordered)

    # ------------------------------------------------------------ what others are told

    @override
    async def find(self, who: str) -> Mapping[str, Sequence[Located] | None]:
        return await self._ask_each("office.find", Sought(who), list[Located])

    @override
    async def people(self) -> Mapping[str, OperatorReply | None]:
        return await self._ask_each("office.people", AskPeople(), OperatorReply)

    @override
    async def have_done(self, order: OfEachNode, here: DoneHere) -> OperatorReply:
        number = await self._orders.give(order)
        own = await self._orders.outcome(number) or _NOT_YET
        if not isinstance(order, OfAllNodes | Reread):
            return own  # nobody is told what comes of it elsewhere
        answers = await self._ask_each("office.order", Number(number), OperatorReply)
        others = {name: None if it == _NOT_YET else it for name, it in answers.items()}
        return _of_all(order, self._online.lobby.elsewhere.name, own, others)

    async def _ask_each(
        self, topic: str, question: object, kind: type[Answered]
    ) -> Mapping[str, Answered | None]:
        async def asked(peer: Peer) -> Answered | None:
            return None if peer.silent else await peer.ask(topic, question, kind)

        peers = list(self._peers.known.values())
        answers = await asyncio.gather(*map(asked, peers))
        return {it.name or it.id: answer for it, answer in zip(peers, answers, strict=True)}

    # ------------------------------------------------------------ what others ask

    async def _found(self, _peer: Peer, sought: Sought) -> list[Located]:
        found = self._online.find_here(sought.who)
        return [found] if found is not None else []

    async def _people(self, _peer: Peer, _asked: AskPeople) -> OperatorReply:
        return self._online.rows_here()

    async def _ordered(self, _peer: Peer, asked: Number) -> OperatorReply:
        with suppress(StoreError):
            return await self._orders.outcome(asked.number) or _NOT_YET
        return _NOT_YET


def _of_all(
    order: OfEachNode, own_name: str, own: OperatorReply, others: Mapping[str, OperatorReply | None]
) -> OperatorReply:
    """What an operator is told when all have answered: what the own node says, with ``nodes`` (which have
    done it), and ``unreached`` (which have not answered), each names with commas in between. What only some
    have done says which; visits that were ended are added up.
    """
    if not others:
        return own
    told = {own_name: own, **{name: reply for name, reply in others.items() if reply is not None}}
    done = [name for name in sorted(told) if told[name].ok]
    facts: dict[str, str | int | float] = {**unreached(others)}
    if isinstance(order, Reread):
        ended = sum(int(reply.facts.get("ended", 0)) for reply in told.values())
        return OperatorReply(own.code, {**own.facts, "ended": ended})
    if isinstance(order, Reload):
        failed = {name: told[name].facts.get("problem", "") for name in sorted(told.keys() - done)}
        if failed:
            problem = "; ".join(f"{name}: {why}" for name, why in failed.items())
            code = "settings_of_some" if done else "settings"
            return OperatorReply(code, {**facts, "problem": problem, "nodes": ", ".join(done)})
        for fact in _LISTS:
            facts[fact] = _joined({name: str(told[name].facts.get(fact, "")) for name in done})
    elif not done:
        return own
    return OperatorReply(facts={**told[done[0]].facts, **facts, "nodes": ", ".join(done)})


def _joined(names: Mapping[str, str]) -> str:
    """Everything that is named on one of the nodes, with which ones those are unless it is all."""
    found: dict[str, list[str]] = {}
    for node, named in names.items():
        for each in filter(None, named.split(", ")):
            found.setdefault(each, []).append(node)
    return ", ".join(
        each if len(nodes) == len(names) else f"{each} ({', '.join(nodes)})"
        for each, nodes in found.items()
    )
