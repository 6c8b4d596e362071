"""Whether a new connection may go on to log in, decided before anything else is done for it."""

import asyncio
from typing import Final

from server.text.server_messages import ban_in_all_languages
from server.transport.access.bans import Bans
from server.transport.access.limiter import ConnectionLimiter, Reason, Refused, Ticket
from server.transport.net.sockets import address_of

FULL: Final = "This house is full, or you knock too often. Please try again in a minute.\r\n"


def admit(transport: asyncio.Transport, bans: Bans, limiter: ConnectionLimiter) -> Ticket | None:
    """A ticket; or ``None``, and the connection is told why and closed. An SSH client may be told so before
    the version (RFC 4253, 4.2).
    """
    address = address_of(transport)
    if not address:  # gone again
        transport.abort()
        return None
    if (ban := bans.at(address)) is not None:
        limiter.refuse(Reason.BANNED, address)
        transport.write(ban_in_all_languages(ban.row.reason, ban.row.until).encode())
    else:
        try:
            return limiter.admit(address, transport.abort)
        except Refused:
            transport.write(FULL.encode())
    transport.close()
    return None
