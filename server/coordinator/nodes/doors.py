"""Link codes, wrong codes and passwords, and new accounts count for all nodes, wherever somebody comes in."""

from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec import Struct
from typing_extensions import override

from server.coordinator.nodes.channels import Channels
from server.coordinator.nodes.peer import Peer
from server.coordinator.people.elsewhere import OtherDoors
from server.coordinator.people.people import People


class LinkMade(Struct, frozen=True, gc=False):
    """A link code is good for so many seconds from now; at 0 it is void."""

    code: str
    """Its digest."""
    account: str
    seconds: float


class Counted(Struct, frozen=True, gc=False):
    """Somebody has used up an attempt."""

    limit: str
    source: str


class DoorsOfNodes(OtherDoors):
    """``OtherDoors`` over the bus. Made once for each node."""

    def __init__(self, people: People, channels: Channels) -> None:
        self._people: Final = people
        self._channels: Final = channels
        self.count: Final[dict[str, Callable[[str], None]]] = {
            limit: partial(people.count, limit) for limit in ("codes", "accounts")
        }
        """What counts an attempt that was used up elsewhere, by its limit: called with the source."""
        people.elsewhere = self
        channels.on("door.link", LinkMade, self._link)
        channels.on("door.counted", Counted, self._counted)
        channels.on_missing(self._tell_links)

    @override
    def link_made(self, code: str, account: str, until: float) -> None:
        self._channels.tell("door.link", self._made(code, account, until))

    @override
    def link_void(self, code: str) -> None:
        self._channels.tell("door.link", LinkMade(code, "", 0.0))

    @override
    def counted(self, limit: str, source: str) -> None:
        self._channels.tell("door.counted", Counted(limit, source))

    def _link(self, _peer: Peer, link: LinkMade) -> None:
        until = link.seconds and self._people.clock.time() + link.seconds
        self._people.learn_link(link.code, link.account, until)

    def _counted(self, _peer: Peer, counted: Counted) -> None:
        if counted.limit in self.count:
            self.count[counted.limit](counted.source)

    def _tell_links(self, peer: Peer) -> None:
        for code, (account, until) in self._people.links.items():
            self._channels.tell("door.link", self._made(code, account, until), [peer])

    def _made(self, code: str, account: str, until: float) -> LinkMade:
        return LinkMade(code, account, max(0.0, until - self._people.clock.time()))
