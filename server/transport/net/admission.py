"""Whether a new connection may go on to log in, decided before anything else is done for it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, cast

from typing_extensions import override

from server.text.server_messages import ban_in_all_languages
from server.transport.access.bans import Bans
from server.transport.access.limiter import ConnectionLimiter, ConnectionRefused, Reason, Ticket
from server.transport.net.sockets import address_of, let_go

FULL: Final = "This server is full, or you knock too often. Please try again in a minute.\r\n"


@dataclass(slots=True, eq=False)
class PreAuth(asyncio.Protocol):
    """Hands a connection on to the protocol that ``make`` makes of its ticket, or tells it why not and closes
    it: that costs no more than this object and one line, which RFC 4253, 4.2 allows before SSH's version.
    """

    bans: Bans
    limiter: ConnectionLimiter
    make: Callable[[Ticket], asyncio.BaseProtocol]
    _refused: asyncio.Transport | None = field(default=None, init=False)

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        line = cast(asyncio.Transport, transport)
        if (ticket := self._admit(line)) is None:
            self._refused = line
            return
        protocol = self.make(ticket)
        line.set_protocol(protocol)
        protocol.connection_made(line)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        let_go(self._refused)
        self._refused = None

    def _admit(self, line: asyncio.Transport) -> Ticket | None:
        address = address_of(line)
        if not address:  # gone again
            line.abort()
            return None
        if (ban := self.bans.at(address)) is not None:
            self.limiter.refuse(Reason.BANNED, address)
            line.write(ban_in_all_languages(ban.row.reason, ban.row.until).encode())
        else:
            try:
                return self.limiter.admit(address, line.abort)
            except ConnectionRefused:
                line.write(FULL.encode())
        line.close()
        return None
