"""Whether a new connection may go on to log in, decided before anything else is done for it."""

import asyncio
from collections.abc import Callable
from typing import Final, cast

from typing_extensions import override

from server.text.server_messages import ban_in_all_languages
from server.transport.access.bans import Bans
from server.transport.access.limiter import ConnectionLimiter, Reason, Refused, Ticket
from server.transport.net.sockets import address_of, let_go

FULL: Final = "This house is full, or you knock too often. Please try again in a minute.\r\n"


class PreAuth(asyncio.Protocol):
    """Hands a connection on to the protocol that ``make`` makes of its ticket, or is told why not and closed:
    that costs no more than this object and one line, which RFC 4253, 4.2 allows before the version of SSH.
    """

    def __init__(
        self,
        bans: Bans,
        limiter: ConnectionLimiter,
        make: Callable[[Ticket], asyncio.BaseProtocol],
    ) -> None:
        self._bans: Final = bans
        self._limiter: Final = limiter
        self._make: Final = make
        self._refused: asyncio.Transport | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        line = cast(asyncio.Transport, transport)
        if (ticket := self._admit(line)) is None:
            self._refused = line
            return
        protocol = self._make(ticket)
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
        if (ban := self._bans.at(address)) is not None:
            self._limiter.refuse(Reason.BANNED, address)
            line.write(ban_in_all_languages(ban.row.reason, ban.row.until).encode())
        else:
            try:
                return self._limiter.admit(address, line.abort)
            except Refused:
                line.write(FULL.encode())
        line.close()
        return None
