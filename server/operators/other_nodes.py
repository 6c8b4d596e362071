"""What operators of one server see and do on the others, where there are any."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from msgspec import Struct

from server.coordinator.messages import Player
from server.coordinator.messages.operator_orders import OfEachNode, OperatorReply

DoneHere = Callable[[OfEachNode], Awaitable[OperatorReply]]


class Located(Struct, frozen=True, gc=False):
    """Somebody who is connected, as much as operators and the log need."""

    player: Player
    key: str
    """The fingerprint of the key that this connection has proven; empty without one."""
    address: str
    line: str
    closeness: int = 0
    """0 when exactly what was asked for; the higher, the less alike."""

    @property
    def whereabouts(self) -> dict[str, str]:
        """What the log keeps of somebody something is done to: enough to find out later who it was."""
        return {"address": self.address, "line": self.line, "key": self.key}


def unreached(answers: Mapping[str, object]) -> dict[str, str]:
    """The fact that nodes have not answered: their names, with commas in between; nothing if all have."""
    names = sorted(name for name, answer in answers.items() if answer is None)
    return {"unreached": ", ".join(names)} if names else {}


class OtherNodes:
    """Operators' services of the other nodes: what each of them answers is by its name, ``None`` without an
    answer. As it stands: there are no others.
    """

    async def find(self, who: str) -> Mapping[str, Sequence[Located] | None]:
        """Who is meant, on each of them."""
        return {}

    async def people(self) -> Mapping[str, OperatorReply | None]:
        """The rows of each of them."""
        return {}

    async def have_done(self, order: OfEachNode, here: DoneHere) -> OperatorReply:
        """Have this node do it, by ``here``, and each other one; what has come of it. Raises
        ``StoreError``.
        """
        return await here(order)
