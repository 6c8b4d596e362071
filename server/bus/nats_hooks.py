"""Where we override nats-py's private parts (seen in 2.16.0), with the reason.

``tests/bus/test_nats_hooks.py`` fails when the library changes them; ``pyproject.toml`` leaves the next minor
version out.
"""

from typing import Any, Final

from nats.aio.client import Client
from nats.errors import Error
from nats.protocol.parser import PERMISSIONS_ERR
from typing_extensions import override


class GuardedClient(Client):
    """Says nothing to a server that is not what the operator asked for, whenever it connects.

    nats-py encrypts only where the server's INFO asks for it, whatever the URL says, and then sends user and
    password.
    """

    def __init__(self, *, encrypted: bool) -> None:
        """``encrypted``: speak within TLS alone."""
        super().__init__()
        self._encrypted: Final = encrypted

    @override
    def _connect_command(self) -> bytes:
        # The first line that a server is sent. An error here counts as a failed attempt to connect.
        told = self._server_info
        if self._encrypted and not self._within_tls():
            raise Error("nats: the server offers no TLS, and the URL begins with tls://")
        if not told.get("auth_required") and not told.get("tls_verify"):
            raise Error("nats: the server lets in everybody; give it a password (docs/cluster.md)")
        return super()._connect_command()

    @override
    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:
        # Of the servers of a cluster only those that the operator has named: nats-py has no password for the
        # others, and where they say they are may be out of reach from here.
        await super()._process_info({**info, "connect_urls": None}, initial_connection)

    @override
    async def _process_err(self, err_msg: str) -> None:
        # nats-py would close for good. What a server objects to may be over at the next attempt, or with
        # another server.
        if PERMISSIONS_ERR in err_msg:
            await super()._process_err(err_msg)
        else:
            await self._process_op_err(Error(f"nats: {err_msg}"))

    def _within_tls(self) -> bool:
        writer = getattr(self._transport, "_io_writer", None)
        return writer is not None and writer.get_extra_info("ssl_object") is not None
