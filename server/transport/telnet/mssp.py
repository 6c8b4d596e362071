"""What directories of games are told about this house: the Mud Server Status Protocol."""

from server.i18n.catalogues import languages
from server.transport.session.server import GameServer
from server.version import version

Status = dict[str, str | list[str]]


def status_of(house: GameServer, opened: float, port: int, *, tls: bool) -> Status:
    """The variables and their values; ``opened`` is when, in seconds since 1970; ``tls`` on the same port."""
    players = {session.player.id for session in house.sessions if session.player is not None}
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
        "SSL": str(port) if tls else "0",
        "PAY TO PLAY": "0",
    }
