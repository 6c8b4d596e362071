"""What operators of one server see and do on the others, where there are any."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct
from typing_extensions import override

from server.coordinator.messages import Player, ServerMessage
from server.coordinator.moderation.orders import OfEachNode, OperatorReply
from server.storage.moderation import StoredBan


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


class OtherOffices(Protocol):
    """Operators' services of the other nodes. What each of them answers is by its name; ``None`` without an
    answer.
    """

    async def find(self, who: str) -> Mapping[str, Sequence[Located] | None]:
        """Who is meant, on each of them."""

    async def people(self) -> Mapping[str, OperatorReply | None]:
        """The rows of each of them."""

    async def have_done(self, order: OfEachNode) -> Mapping[str, OperatorReply | None]:
        """Have each of them do it."""

    async def banned(self, ban: StoredBan) -> int:
        """There is a ban: how many it has sent away."""

    def unbanned(self) -> None:
        """There is one less."""

    def silenced(self, person: str, until: float) -> None:
        """Somebody can say nothing until then; 0: can again."""

    def reported(self, word: ServerMessage) -> None:
        """Operators are told of a report."""

    def answered(self) -> None:
        """There is another answer to be told, or one less."""


class NoOtherOffices(OtherOffices):
    """There are no other nodes."""

    @override
    async def find(self, who: str) -> Mapping[str, Sequence[Located] | None]:
        return {}

    @override
    async def people(self) -> Mapping[str, OperatorReply | None]:
        return {}

    @override
    async def have_done(self, order: OfEachNode) -> Mapping[str, OperatorReply | None]:
        return {}

    @override
    async def banned(self, ban: StoredBan) -> int:
        return 0

    @override
    def unbanned(self) -> None:
        return

    @override
    def silenced(self, person: str, until: float) -> None:
        return

    @override
    def reported(self, word: ServerMessage) -> None:
        return

    @override
    def answered(self) -> None:
        return
