"""What a telnet connection knows of its server."""

from typing import Protocol

from server.transport.session.server import GameServer
from server.transport.telnet.mssp import Status


class TelnetClient(Protocol):
    """A connection, in any state."""

    def close(self) -> None:
        """End the connection once what was written is out."""

    def abort(self) -> None:
        """End the connection at once."""


class TelnetContext(Protocol):
    """The telnet server, as its connections see it."""

    @property
    def server(self) -> GameServer:
        """What is played here."""

    @property
    def advice(self) -> str:
        """How to come in encrypted: a command; empty when there is no way."""

    @property
    def tls_port(self) -> int:
        """Where TLS is spoken; 0 when it is not."""

    def came(self, one: TelnetClient) -> None:
        """There is a connection more."""

    def went(self, one: TelnetClient) -> None:
        """This one is gone; may be told again."""

    def status(self) -> Status:
        """What MSSP tells."""
