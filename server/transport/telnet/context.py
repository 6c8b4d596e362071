"""What the connections of a telnet server have in common."""

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from server.i18n.catalogues import languages
from server.transport.session.server import GameServer
from server.version import version


class TelnetClient(Protocol):
    """A connection, in any state."""

    def close(self) -> None:
        """End the connection once what was written is out."""

    def abort(self) -> None:
        """End the connection at once."""


@dataclass(eq=False)
class TelnetContext:
    """Where somebody has come to by telnet."""

    server: GameServer
    port: int
    tls_port: int
    """Where TLS is spoken; 0 when it is not."""
    advice: str
    """How to come in encrypted: a command; empty when there is no way."""
    opened: float = 0.0
    """When it let in the first, in seconds since 1970."""
    connections: set[TelnetClient] = field(default_factory=set)
    """Those that there are now."""
    empty: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the last one goes."""

    def came(self, one: TelnetClient) -> None:
        """There is a connection more."""
        self.connections.add(one)
        self.empty.clear()

    def went(self, one: TelnetClient) -> None:
        """This one is gone; may be told again."""
        self.connections.discard(one)
        if not self.connections:
            self.empty.set()

    def status(self) -> dict[str, str | list[str]]:
        """What directories of games are told: the variables of the Mud Server Status Protocol, MSSP."""
        sessions = self.server.sessions
        players = {session.player.id for session in sessions if session.player is not None}
        return {
            "NAME": "Turn the Tide",
            "PLAYERS": str(len(players)),
            "UPTIME": str(int(self.opened)),
            "CODEBASE": f"Turn the Tide {version()}",
            "FAMILY": "Custom",
            "GENRE": "None",
            "GAMEPLAY": "Strategy",
            "GAMESYSTEM": "Card game",
            "STATUS": "Live",
            "LANGUAGE": "English",
            "LANGUAGES": list(languages()),
            "ANSI": "1",
            "UTF-8": "1",
            "VT100": "1",
            "XTERM 256 COLORS": "1",
            "XTERM TRUE COLORS": "1",
            "GMCP": "1",
            "MCCP": "0",
            "PORT": str(self.port),
            "SSL": str(self.tls_port),
            "PAY TO PLAY": "0",
        }
