"""What a node needs of the service that carries messages between nodes: any of them may be lost."""

from collections.abc import Callable
from typing import Final, Protocol

ALL: Final = ""
"""In place of a node: all of them, the sender included."""

Heard = Callable[[bytes], None]
"""Called with each message for this node, in the order in which its sender sent them."""


class Bus(Protocol):
    """Nodes have ids of letters, digits and hyphens; so have the words of a topic, with dots in between."""

    @property
    def connected(self) -> bool:
        """Whether messages leave and arrive, as far as is known."""

    async def listen(self, node: str, heard: Heard) -> None:
        """From now on this is the node with that id; it was another one before, perhaps. When this returns,
        what others send to it arrives.
        """

    def send(self, to: str, topic: str, message: bytes) -> None:
        """Send to a node, or to ``ALL``. Waits for nothing; while the bus is not connected, it is lost."""
