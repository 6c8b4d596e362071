"""What a chat needs of the other nodes, where there are any."""

from typing import TYPE_CHECKING, Protocol

from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.table.ports import Listing

if TYPE_CHECKING:
    from server.coordinator.chat_room import Spoken


class ChatElsewhere(Protocol):
    """The chats of other nodes."""

    def spoken(self, spoken: "Spoken", table: Listing | None) -> None:
        """Somebody here has said this, in the lobby or at a table."""

    def called(self, name: str) -> m.Player | None:
        """Who is connected to another node and called that; with the very same letters, if possible."""

    def player(self, person: str) -> m.Player | None:
        """Who is connected to another node and has this id."""

    async def say_to(self, person: str, line: m.ChatLine, to: m.Player) -> m.Reply:
        """Somebody here, with that id, says something to one who is connected to another node."""

    def came_to(self, table: Listing) -> None:
        """Somebody is coming to the room of this table, or the table has come to this node."""


class NoChatElsewhere(ChatElsewhere):
    """There are no other nodes."""

    @override
    def spoken(self, spoken: "Spoken", table: Listing | None) -> None:
        return

    @override
    def called(self, name: str) -> m.Player | None:
        return None

    @override
    def player(self, person: str) -> m.Player | None:
        return None

    @override
    async def say_to(self, person: str, line: m.ChatLine, to: m.Player) -> m.Reply:
        raise m.Refused(m.Refusal.NOBODY_CALLED, {"name": to.name})

    @override
    def came_to(self, table: Listing) -> None:
        return
