"""What directories of games are told: the Mud Server Status Protocol, MSSP."""

from server import version
from server.i18n.lookup import languages
from server.transport.session.server import GameServer


def variables(
    server: GameServer, port: int, tls_port: int, opened: float
) -> dict[str, str | list[str]]:
    """By name. ``tls_port`` is 0 where TLS is not spoken; ``opened`` is in seconds since 1970."""
    players = {session.player.id for session in server.sessions if session.player is not None}
    return {
        "NAME": "Turn the Tide",
        "PLAYERS": str(len(players)),
        "UPTIME": str(int(opened)),
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
        "PORT": str(port),
        "SSL": str(tls_port),
        "PAY TO PLAY": "0",
    }
