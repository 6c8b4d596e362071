"""Link codes, wrong codes and passwords, and new accounts count for all nodes, wherever somebody comes in."""

from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from server.coordinator.nodes.peer import Peer
from server.coordinator.nodes.peers import Peers
from server.coordinator.people.people import People
from server.rate_limiter import RateLimiter


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


class LoginsOfNodes:
    """Made once for each node."""

    def __init__(self, people: People, peers: Peers) -> None:
        self._people: Final = people
        self._peers: Final = peers
        self._limits: Final[dict[str, Callable[[str], object]]] = {}
        """What counts an attempt that was used up elsewhere, by its limit: called with the source."""
        people.linked = self._tell_link
        self.share("codes", people.codes, people.clock.time)
        self.share("accounts", people.accounts, people.clock.time)
        peers.on(LinkMade, self._link)
        peers.on(Counted, self._counted)
        peers.on_missing.append(self._tell_links)

    def share(self, limit: str, limiter: RateLimiter, now: Callable[[], float]) -> None:
        """What is used up on one node counts on all: ``codes`` (a wrong one), ``accounts`` (a new one) or
        ``words`` (a wrong password).
        """
        limiter.used = lambda source: self._peers.tell("door.counted", Counted(limit, source))
        self._limits[limit] = lambda source: limiter.take(source, now())

    def _counted(self, _peer: Peer, counted: Counted) -> None:
        if counted.limit in self._limits:
            self._limits[counted.limit](counted.source)

    def _tell_link(
        self, code: str, account: str, until: float, to: Iterable[Peer] | None = None
    ) -> None:
        seconds = max(0.0, until - self._people.clock.time())
        self._peers.tell("door.link", LinkMade(code, account, seconds), to)

    def _tell_links(self, peer: Peer) -> None:
        for code, (account, until) in self._people.links.items():
            self._tell_link(code, account, until, [peer])

    def _link(self, _peer: Peer, link: LinkMade) -> None:
        if link.seconds:
            until = self._people.clock.time() + link.seconds
            self._people.links[link.code] = link.account, until
        else:
            self._people.links.pop(link.code, None)
