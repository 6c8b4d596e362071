"""Orders that each node does for itself: what an operator is told when all have answered."""

from collections.abc import Mapping
from typing import Final

from server.coordinator.messages.orders import OfEachNode, OperatorReply, Reload
from server.operators.other_nodes import unreached

_LISTS: Final = ("changed", "late")
"""Facts that are names with commas in between."""


def of_all_nodes(
    order: OfEachNode, own_name: str, own: OperatorReply, others: Mapping[str, OperatorReply | None]
) -> OperatorReply:
    """The answer of all: that of the own node, with ``nodes`` (which have done it), and ``unreached`` (which
    have not answered), each names with commas in between. What only some have done says which.
    """
    if not others:
        return own
    told = {own_name: own, **{name: reply for name, reply in others.items() if reply is not None}}
    done = [name for name in sorted(told) if told[name].ok]
    facts: dict[str, str | int | float] = {**unreached(others)}
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
