"""What a telnet connection knows of the line as a whole."""

from typing import Protocol

from server.transport.session.server import GameServer
from server.transport.telnet.mssp import Status


class Callers(Protocol):
    """Who is on the line, in any state."""

    def close(self) -> None:
        """End the connection once what was written is out."""

    def abort(self) -> None:
        """End the connection at once."""


class TelnetContext(Protocol):
    """See the module."""

    @property
    def house(self) -> GameServer:
        """Whose line it is."""

    @property
    def advice(self) -> str:
        """How to come in encrypted: a command; empty when there is no way."""

    def came(self, one: Callers) -> None:
        """There is a connection more."""

    def went(self, one: Callers) -> None:
        """This one is gone; may be told again."""

    def status(self) -> Status:
        """What MSSP tells."""
